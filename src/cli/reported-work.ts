import type { ArchiveLocation } from '../archive/open/open-archive.ts';
import { type CommonOptions, locationOf, withoutLocation } from './commands/common-options.ts';
import { EXIT } from './exit-codes.ts';
import { onInterrupt } from './interrupt.ts';
import { say, statusLine } from './status-line.ts';
import { cutToColumns } from './terminal-text.ts';
import { writeOutput } from './write-output.ts';

/** What work on stored captures reports while it runs, and what ends it. */
export interface ToldWork {
  readonly onMended: (sentence: string) => void;
  readonly onWait: (sentence: string) => void;
  readonly onProgress: (url: string, done: number, of: number) => void;
  readonly signal: AbortSignal;
}

export interface ReportedWork<Report, Input> {
  run(location: ArchiveLocation, input: Input, work: ToldWork): Promise<Report>;
  /** What is done with each, for the status line: `pages checked`. */
  readonly done: string;
  /** Shown when it is told to stop. */
  readonly stopping: string;
  readonly text: (report: Report) => string;
  readonly isPartial: (report: Report) => boolean;
}

/** Goes over stored captures with a status line, stops when told to, and writes the report: as text, or as one line of JSON. */
export async function reportedWork<Report extends { readonly state: string }, Flags extends CommonOptions>(
  flags: Flags,
  { run, done: words, stopping, text, isPartial }: ReportedWork<Report, Omit<Flags, keyof CommonOptions>>,
): Promise<void> {
  const { json } = flags;
  const input = withoutLocation(flags);
  const location = locationOf(flags);
  const tell = (sentence: string): void => say(process.stderr, sentence);
  const line = statusLine(process.stderr);
  const interrupt = onInterrupt(stopping);
  try {
    const report = await run(location, input, {
      onMended: tell,
      onWait: tell,
      onProgress: (url, done, of) =>
        line.show((columns) => cutToColumns(`${done} of ${of} ${words}: ${url}`, columns)),
      signal: interrupt.signal,
    });
    line.end();
    await writeOutput(json ? `${JSON.stringify(report)}\n` : text(report), undefined);
    if (report.state === 'stopped') process.exitCode = EXIT.interrupted;
    else process.exitCode = isPartial(report) ? EXIT.partial : EXIT.ok;
  } finally {
    line.end();
    interrupt.dispose();
  }
}
