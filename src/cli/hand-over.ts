import type { CrawlSettings } from '../archive/crawl/crawl-settings.ts';
import { UserError } from '../archive/user-error.ts';
import { type BatchProgress, handOver, NO_WORKER } from '../archive/workers/hand-over.ts';
import { refuseUnshareable } from '../archive/workers/split-seeds.ts';
import type { CrawlSpec } from '../model/crawl.ts';
import { type CommonOptions, sameArchive } from './commands/common-options.ts';
import type { SilenceFlag } from './commands/worker-options.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { onInterrupt } from './interrupt.ts';
import { formatSize } from './quantity-text.ts';
import { say, statusLine } from './status-line.ts';
import { batchText } from './workers-text.ts';

export interface HandOverFlags extends CommonOptions, SilenceFlag {
  readonly restart: boolean;
  readonly continue: boolean;
  readonly detach: boolean;
}

/** Milliseconds between two lines where lines cannot be overwritten. */
const PLAIN_EVERY = 10_000;

/** Settings that are not stored with a crawl. */
interface UnstoredSettings extends Pick<CrawlSettings, 'around' | 'crawlMirrors'> {
  /** Whether the file defines what is a site. */
  readonly hasSites: boolean;
}

function refuseUnstored({ around, crawlMirrors, hasSites }: UnstoredSettings): void {
  if (around !== undefined)
    throw new UserError('--hand-over: when workers begin is theirs to say: leave out --around');
  if (crawlMirrors)
    throw new UserError('--hand-over: workers visit a sample of mirrors: leave out --crawl-mirrors');
  if (hasSites)
    throw new UserError(
      "--hand-over: while workers share an archive, what is a site stays as it is: give 'sites:' by 'daguerre sites rules' before",
    );
}

/** Leaves the crawl to workers, and shows their progress. */
export async function handOverCrawl(
  spec: CrawlSpec,
  settings: UnstoredSettings,
  flags: HandOverFlags,
): Promise<ExitCode> {
  refuseUnstored(settings);
  refuseUnshareable(spec);
  const tell = (sentence: string): void => say(process.stderr, sentence);
  const interrupt = onInterrupt(
    'Withdrawing: workers finish the pages in hand (Ctrl-C again leaves at once).',
  );
  const progress = batchLine();
  try {
    const report = await handOver(flags, {
      spec,
      restart: flags.restart,
      proceed: flags.continue,
      detach: flags.detach,
      silence: flags.silence,
      signal: interrupt.signal,
      onNote: (note) =>
        tell(note.startsWith(NO_WORKER) ? `${note}: start one with '${workerCall(flags)}'` : note),
      onProgress: progress.show,
    });
    progress.end();
    process.stdout.write(flags.json ? `${JSON.stringify(report)}\n` : `${batchText(report)}\n`);
    if (report.state === 'withdrawn') return EXIT.interrupted;
    if (report.state === 'handed-over') return EXIT.ok;
    if (report.crawls.some(({ state }) => state === 'failed')) return EXIT.partial;
    return report.captured + report.unchanged > 0 ? EXIT.ok : EXIT.nothingCaptured;
  } finally {
    progress.end();
    interrupt.dispose();
  }
}

/** Without the password: it would remain in the terminal's scroll-back. */
function workerCall({ database = '', archive, storage }: HandOverFlags): string {
  const url = new URL(database);
  if (url.password !== '') url.password = '…';
  const records = storage === undefined ? '' : ` --storage ${storage}`;
  return `daguerre worker --database ${decodeURI(url.href)}${records}${sameArchive(archive)}`;
}

function batchLine(): { show(progress: BatchProgress): void; end(): void } {
  const line = statusLine(process.stderr);
  let shownAt = Date.now();
  return {
    show({ crawls, done, settled, waiting, bytes, workers }) {
      const text = `${done} of ${crawls} crawls done, ${settled} pages and resources, ${formatSize(bytes)}, ${waiting} waiting, ${workers} worker${workers === 1 ? '' : 's'}`;
      if (line.isLive) line.show((columns) => text.slice(0, columns));
      else if (Date.now() - shownAt >= PLAIN_EVERY) {
        shownAt = Date.now();
        process.stderr.write(`${text}\n`);
      }
    },
    end: line.end,
  };
}
