import type { WaitingPage } from '../../model/worker.ts';
import type { Clock } from '../../ports/clock.ts';
import type { JobQueue } from '../../ports/job-queue.ts';
import { learnPatterns } from '../../stages/learn-patterns.ts';
import { TIME_LIMIT, withParts } from '../analyse/analyse-archive.ts';
import { type AnalysisParts, analyseVersions } from '../analyse/analyse-versions.ts';
import { holidays } from '../holidays.ts';
import type { OpenArchive } from '../open/open-archive.ts';
import { siteOfQueue } from './left-analyses.ts';

export interface BatchLimits {
  /** In milliseconds. */
  readonly time: number;
  readonly versions: number;
}

/** Jobs are short: other sites are waiting, and a worker that dies loses little. */
export const BATCH: BatchLimits = { time: 2 * 60_000, versions: 200 };

/** Pages read from the catalog together, and pages analysed concurrently: one is read while another is compared. */
const [PAGES, AT_ONCE] = [50, 2];

/** Analysed like those that a crawl analyses itself. */
const WISH = { left: true };

export interface AnalysisJobOptions {
  readonly archive: OpenArchive;
  readonly queue: Pick<JobQueue, 'addAnalyses'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly limits?: BatchLimits;
  /** Fires when the worker is to leave. */
  readonly signal: AbortSignal;
  readonly onDoing: (id: string, doing: string | undefined) => void;
  /** Called for each version that was looked at. */
  readonly onVersion: () => void;
}

/**
 * One job: a limited amount of what crawls of a site have left to be analysed; then the rest is queued. When nothing is
 * left, and no crawl of the site is going on, its patterns are learnt. Results are stored version by version, so
 * whoever takes over the job of a worker that died continues with the next one.
 */
export async function runAnalysis(site: string, options: AnalysisJobOptions): Promise<void> {
  const { archive, queue, signal, onDoing } = options;
  const id = `analyse ${site}`;
  onDoing(id, `analyses ${site}`);
  try {
    // The job in hand counts as done only after the next is queued, as with pieces.
    if (signal.aborted || (await analyseBatch(site, options))) {
      await queue.addAnalyses([site]);
      return;
    }
    const { catalog } = archive;
    if (await isCrawled(site, catalog)) return;
    onDoing(id, `learns the patterns of ${site}`);
    await learnPatterns([site], { catalog, holidays });
  } finally {
    onDoing(id, undefined);
  }
}

/** The end of the crawl brings another job. */
async function isCrawled(site: string, catalog: OpenArchive['catalog']): Promise<boolean> {
  const handed = await catalog.handedCrawls({ states: ['waiting', 'running'] });
  return handed.some(({ queue }) => siteOfQueue(queue) === site);
}

/** Returns whether more waits. */
async function analyseBatch(site: string, options: AnalysisJobOptions): Promise<boolean> {
  const { archive, clock, limits = BATCH, signal } = options;
  const { catalog } = archive;
  const until = clock.now() + limits.time;
  let versions = 0;
  const isOver = (): boolean => signal.aborted || versions >= limits.versions || clock.now() >= until;
  if ((await catalog.waitingPages(site, 1)).length === 0) return false;
  const permit = (): boolean => {
    if (isOver()) return false;
    versions++;
    return true;
  };
  await withParts(archive, { tabs: AT_ONCE, timeLimit: TIME_LIMIT }, async (parts) => {
    // A page whose versions come faster than they are analysed does not keep the others waiting.
    const met = new Set<string>();
    while (!isOver()) {
      const waiting = await catalog.waitingPages(site, met.size + PAGES);
      const pages = waiting.filter(({ url }) => !met.has(url));
      if (pages.length === 0) return;
      for (const { url } of pages) met.add(url);
      await analysePages(pages, { ...parts, isOver, permit, onVersion: options.onVersion });
    }
  });
  return (await catalog.waitingPages(site, 1)).length > 0;
}

interface PageWork extends AnalysisParts {
  readonly isOver: () => boolean;
  /** Whether one more may be looked at. */
  readonly permit: () => boolean;
  readonly onVersion: () => void;
}

/** Pages that were worked through to the end no longer wait. */
async function analysePages(pages: readonly WaitingPage[], work: PageWork): Promise<void> {
  const { archive, isOver, permit, onVersion } = work;
  const waiting = pages.values();
  const one = async (): Promise<void> => {
    for (const page of waiting) {
      if (isOver()) return;
      let isWhole = true;
      const permitted = (): boolean => {
        isWhole &&= permit();
        return isWhole;
      };
      for await (const _ of analyseVersions(page.url, WISH, work, permitted)) onVersion();
      if (isWhole) await archive.catalog.settleWaiting([page]);
    }
  };
  const failed = (await Promise.allSettled(Array.from({ length: AT_ONCE }, one))).find(
    ({ status }) => status === 'rejected',
  );
  if (failed?.status === 'rejected') throw failed.reason;
}
