import type { CrawlSpec } from '../../model/crawl.ts';
import type { Millis } from '../../model/time.ts';
import type { Catalog } from '../../ports/catalog.ts';
import { paceOf } from '../../stages/stored/planned-orders.ts';
import { type ArchiveLocation, openForReading } from '../open/open-archive.ts';
import { UserError } from '../user-error.ts';
import { crawlKey } from './find-crawl.ts';

/**
 * When to begin a capture whose middle should fall at a given time (SHARC 2009, Theorem 4.7: that is where the
 * requested time blurs least).
 */
export interface AroundPlan {
  readonly startAt: Millis;
  /** Expected duration of the capture, in milliseconds. */
  readonly duration: number;
  /** Why it begins at once nevertheless. */
  readonly note?: string;
}

type KnownCaptures = Pick<Catalog, 'crawls' | 'pagesOfLastCrawl' | 'unfinishedCrawl'>;

/**
 * Reads the archive, if there is one, and closes it again: nobody else should have to wait until this capture
 * begins.
 */
export async function planAround(
  location: ArchiveLocation,
  spec: CrawlSpec,
  around: Millis,
  now: Millis,
): Promise<AroundPlan> {
  const archive = await openForReading(location).catch((error: unknown) => {
    // No archive yet: then nothing is known of the site.
    if (error instanceof UserError) return undefined;
    throw error;
  });
  try {
    return await startFor(spec, around, now, archive?.catalog);
  } finally {
    await archive?.close();
  }
}

export async function startFor(
  spec: CrawlSpec,
  around: Millis,
  now: Millis,
  catalog: KnownCaptures | undefined,
): Promise<AroundPlan> {
  const begun = await catalog?.unfinishedCrawl(crawlKey(spec));
  if (begun)
    return {
      startAt: now,
      duration: 0,
      note: '--around: the crawl was begun before and goes on at once: its middle is no longer to be chosen',
    };
  const duration = await expectedDuration(spec, catalog);
  if (duration === undefined)
    throw new UserError(
      '--around: how long the capture will take is not known: capture the site once before, or give --page-limit',
    );
  const startAt = around - duration / 2;
  if (startAt < now) {
    const earliest = new Date(Math.ceil((now + duration / 2) / 1000) * 1000).toISOString();
    throw new UserError(
      `--around: it is too late for that: the capture takes about ${Math.ceil(duration / 1000)} s, and would have had to begin at ` +
        `${new Date(startAt).toISOString()}; the earliest middle possible is ${earliest}`,
    );
  }
  return { startAt, duration };
}

/**
 * From the last capture, host by host, hosts in parallel; else as long as the page limit takes; undefined where neither
 * is known.
 */
async function expectedDuration(
  { seeds, limits, politeness, revisit = 'none' }: CrawlSpec,
  catalog: KnownCaptures | undefined,
): Promise<number | undefined> {
  const passes = revisit === 'none' ? 1 : 2;
  const crawls = (await catalog?.crawls()) ?? [];
  const durations: number[] = [];
  for (const host of new Set(seeds.map((seed) => new URL(seed).host))) {
    let pages = 0;
    let at: Millis | undefined;
    for await (const page of catalog?.pagesOfLastCrawl(host) ?? []) {
      pages++;
      at ??= page.crawledAt;
    }
    const last = crawls.find(({ startedAt }) => startedAt === at);
    if (pages === 0 || !last) {
      if (limits.pages === Number.POSITIVE_INFINITY) return undefined;
      durations.push(limits.pages * politeness.delay * passes);
    } else {
      const pace = Math.max(politeness.delay, paceOf(last, pages) ?? 0);
      durations.push(Math.min(pages, limits.pages) * pace * passes);
    }
  }
  return Math.max(0, ...durations);
}
