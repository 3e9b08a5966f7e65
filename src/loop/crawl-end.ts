import type { DerivedRecord } from '../model/capture.ts';
import type { Crawl } from '../model/crawl.ts';
import type { SiteCapture } from '../model/site-capture.ts';
import { certify } from '../stages/certify.ts';
import { crawlLog, STOPPED_LOG } from '../stages/crawl-log.ts';
import { siteCapture } from '../stages/site-capture.ts';
import { limitDetail } from './limits.ts';
import type { CrawlingCatalog, CrawlOutcome, CrawlPorts, StopReason } from './site-crawl.ts';

export interface EndOptions {
  /** A record outside any visit, on disk when it resolves. */
  readonly store: (record: DerivedRecord) => Promise<void>;
  /** Fires when the user wants the crawl to stop. */
  readonly signal: AbortSignal;
}

/**
 * What closes a crawl: its log, what it proves, its state. One that was told to stop goes on later, so that what takes long
 * for a large one is left to its end: nobody waits for a log of a million lines after Ctrl-C. One that is told to stop
 * while that log is written is stopped too; the same command writes it then.
 */
export async function endCrawl(
  crawl: Crawl,
  reason: StopReason | undefined,
  ports: CrawlPorts,
  options: EndOptions,
): Promise<CrawlOutcome> {
  if (reason === 'signal') return await close(crawl, 'stopped', ports, options);
  if (reason !== undefined)
    await ports.catalog.skipPending(crawl.id, reason, limitDetail(crawl.spec.limits, reason));
  const { signal } = options;
  try {
    const catalog = untilAborted(ports.catalog, signal);
    return await close(crawl, 'finished', { ...ports, catalog }, options);
  } catch (error) {
    if (!signal.aborted || error !== signal.reason) throw error;
    return await close(crawl, 'stopped', ports, options);
  }
}

async function close(
  crawl: Crawl,
  state: CrawlOutcome['state'],
  ports: CrawlPorts,
  { store }: EndOptions,
): Promise<CrawlOutcome> {
  const { catalog, clock, seal } = ports;
  // The crawl's own record of what it did, then what it proves: that can be computed again from the log.
  await store(await crawlLog(crawl, state, clock.now(), catalog));
  const tally = await catalog.tally(crawl.id);
  const pages = tally.captured + tally.unchanged;
  const capture =
    state === 'stopped' && pages > STOPPED_LOG
      ? nothingProven(crawl)
      : await siteCapture(crawl, ports, tally.skipped);
  if (seal && state === 'finished' && capture.pages.length > 0)
    await store(await certify(capture, crawl, { catalog, ...seal }));
  await catalog.setCrawlState(crawl.id, state, clock.now());
  return { state, tally, capture };
}

/** Long lists break off with the reason of the signal. */
function untilAborted(catalog: CrawlingCatalog, signal: AbortSignal): CrawlingCatalog {
  async function* watched<T>(rows: AsyncIterable<T>): AsyncGenerator<T> {
    for await (const row of rows) {
      signal.throwIfAborted();
      yield row;
    }
  }
  const lists: Pick<CrawlingCatalog, 'frontierLog' | 'answeredVisits'> = {
    frontierLog: (crawlId, part) => watched(catalog.frontierLog(crawlId, part)),
    answeredVisits: (crawlId) => watched(catalog.answeredVisits(crawlId)),
  };
  return Object.assign(Object.create(catalog) as CrawlingCatalog, lists);
}

function nothingProven({ key, spec, startedAt }: Crawl): SiteCapture {
  const { seeds, order, revisit = 'none' } = spec;
  return { key, seeds, startedAt, finishedAt: startedAt, order, revisit, pages: [] };
}
