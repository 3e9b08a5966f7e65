import type { DerivedRecord } from '../model/capture.ts';
import type { Crawl } from '../model/crawl.ts';
import type { SiteCapture } from '../model/site-capture.ts';
import { certify } from '../stages/certify.ts';
import { crawlLog, STOPPED_LOG } from '../stages/crawl-log.ts';
import { siteCapture } from '../stages/site-capture.ts';
import { limitDetail } from './limits.ts';
import type { CrawlOutcome, CrawlPorts, StopReason } from './site-crawl.ts';

/**
 * What closes a crawl: its log, what it proves, its state. One that was told to stop goes on later, so that what takes long
 * for a large one is left to its end: nobody waits for a log of a million lines after Ctrl-C.
 */
export async function endCrawl(
  crawl: Crawl,
  reason: StopReason | undefined,
  ports: CrawlPorts,
  store: (record: DerivedRecord) => Promise<void>,
): Promise<CrawlOutcome> {
  const { catalog, clock, seal } = ports;
  const state = reason === 'signal' ? 'stopped' : 'finished';
  if (reason !== undefined && reason !== 'signal')
    await catalog.skipPending(crawl.id, reason, limitDetail(crawl.spec.limits, reason));
  // The crawl's own record of what it did, then what it proves: that can be computed again from the log.
  await store(await crawlLog(crawl, state, clock.now(), catalog));
  const tally = await catalog.tally(crawl.id);
  const pages = tally.captured + tally.unchanged;
  const capture =
    state === 'stopped' && pages > STOPPED_LOG ? nothingProven(crawl) : await siteCapture(crawl, ports);
  if (seal && state === 'finished' && capture.pages.length > 0)
    await store(await certify(capture, crawl, { catalog, ...seal }));
  await catalog.setCrawlState(crawl.id, state, clock.now());
  return { state, tally, capture };
}

function nothingProven({ key, spec, startedAt }: Crawl): SiteCapture {
  const { seeds, order, revisit = 'none' } = spec;
  return { key, seeds, startedAt, finishedAt: startedAt, order, revisit, pages: [] };
}
