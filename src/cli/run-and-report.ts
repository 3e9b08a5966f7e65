import { type RunOptions, runCrawl } from '../archive/crawl/run-crawl.ts';
import { type OpenArchive, openForWriting } from '../archive/open/open-archive.ts';
import { systemClock } from '../archive/system-clock.ts';
import { serveAskers } from '../archive/writer/serve-askers.ts';
import type { CommonOptions } from './commands/common-options.ts';
import { sameArchive } from './commands/common-options.ts';
import { reportText } from './crawl-report-text.ts';
import { EXIT } from './exit-codes.ts';
import { onInterrupt } from './interrupt.ts';
import { progressLine } from './progress-line.ts';
import { say } from './status-line.ts';

/** How a crawl writes to an archive. */
export interface WritingFlags extends CommonOptions {
  readonly syncEvery: number;
  readonly rotateSize: number;
  readonly onlineImportance: boolean;
}

export type CrawlToRun = Pick<RunOptions, 'spec' | 'restart' | 'proceed' | 'crawlMirrors' | 'gear' | 'notes'>;

export const onCrawlInterrupt = () =>
  onInterrupt('Stopping: finishing the pages in hand (Ctrl-C again leaves at once).');

/** Opens the archive, crawls into it, and prints the report. Returns the exit code. */
export async function runAndReport(
  flags: WritingFlags,
  interrupt: ReturnType<typeof onInterrupt>,
  prepare: (archive: OpenArchive) => Promise<CrawlToRun>,
): Promise<number> {
  const progress = progressLine(process.stderr, systemClock.now);
  const archive = await openForWriting(flags, 'archive', {
    importance: flags.onlineImportance,
    signal: interrupt.signal,
    onWait: (sentence) => say(process.stderr, sentence),
  });
  const desk = await serveAskers(archive, flags, {
    onRequest: (sentence) => say(process.stderr, sentence),
    onStop: interrupt.stop,
  });
  try {
    for (const sentence of archive.mended) process.stderr.write(`${sentence}\n`);
    const report = await runCrawl(archive, {
      ...(await prepare(archive)),
      clock: systemClock,
      signal: interrupt.signal,
      syncEvery: flags.syncEvery,
      rotateSize: flags.rotateSize,
      onStart: (crawl, resumed) => {
        if (resumed)
          say(
            process.stderr,
            `Resuming crawl ${crawl.id}, begun ${new Date(crawl.startedAt).toISOString()}.`,
          );
      },
      onNote: (note) => say(process.stderr, note),
      onProgress: (now) => progress.show(now),
    });
    progress.end();
    process.stdout.write(
      flags.json ? `${JSON.stringify(report)}\n` : `${reportText(report, sameArchive(flags.archive))}\n`,
    );
    if (report.state === 'stopped') return EXIT.interrupted;
    return report.captured + report.unchanged + (report.dropped ?? 0) > 0 ? EXIT.ok : EXIT.nothingCaptured;
  } finally {
    progress.end();
    if (desk.underWay > 0 && !interrupt.signal.aborted)
      say(process.stderr, 'Finishing what other processes asked for.');
    await desk.close(interrupt.signal);
    interrupt.dispose();
    await archive.close();
  }
}
