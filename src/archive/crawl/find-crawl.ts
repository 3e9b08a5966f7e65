import { createHash } from 'node:crypto';
import type { Crawl, CrawlSpec } from '../../model/crawl.ts';
import { ROUND_KEY } from '../../model/watch.ts';
import type {
  CommitCatalog,
  CrawlCatalog,
  Denial,
  FrontierCatalog,
  ResultCatalog,
} from '../../ports/catalog.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Scope } from '../../ports/scope.ts';
import { UserError } from '../user-error.ts';

export interface FoundCrawl {
  readonly crawl: Crawl;
  readonly resumed: boolean;
  /** To be shown and kept: URLs that another crawl left waiting, or that the new rules leave out. */
  readonly notes: readonly string[];
}

/** What beginning or resuming a crawl needs. */
type StartCatalog = CrawlCatalog & CommitCatalog & FrontierCatalog & ResultCatalog;

export interface FindOptions {
  /** Begin anew even if there is an unfinished crawl of the same command. */
  readonly restart: boolean;
  /** Resume the last unfinished crawl of these seeds, whatever its rules were. */
  readonly proceed?: boolean;
}

/** Renamed orders, under the names that keys have always used: a crawl that began under the old name is still found. */
const ORDERS_IN_KEYS: Readonly<Record<string, string>> = {
  'adaptive-organ-pipe': 'sharc-online',
  'sharc-online': 'sharc-online of SHARC 2009',
};

/**
 * An unfinished crawl of the same command that began when `sharc-online` was the name of a different order is resumed
 * in that order: half a crawl in one order and half in another is neither.
 */
export async function inTheOrderItBegan(catalog: CrawlCatalog, spec: CrawlSpec): Promise<CrawlSpec> {
  if (spec.order !== 'sharc-online') return spec;
  const asBefore = { ...spec, order: 'adaptive-organ-pipe' };
  const begun = await catalog.unfinishedCrawl(crawlKey(asBefore));
  return begun && begun.spec.version === undefined ? asBefore : spec;
}

/** The same command has the same key, so that it finds its unfinished crawl. Limits and pace may differ. */
export function crawlKey({
  seeds,
  collection,
  scope,
  seedScopes,
  render,
  order,
  revisit = 'none',
  skipByRules,
  refresh,
  perimeter,
  selectLinks,
  watch,
}: CrawlSpec): string {
  if (watch) return `${ROUND_KEY}${watch.round}`;
  const depth = String(scope.depth);
  const own = seedScopes?.map((seed) => [seed.url, { ...seed.scope, depth: String(seed.scope.depth) }]);
  const passes = revisit === 'none' ? [] : [revisit];
  return createHash('sha256')
    .update(
      JSON.stringify([
        seeds,
        collection,
        { ...scope, depth },
        render,
        ORDERS_IN_KEYS[order] ?? order,
        ...passes,
        ...(own ? [own] : []),
        ...(skipByRules ? ['skip-by-rules'] : []),
        // A key of its own: what `archive` left unfinished is resumed by `archive` alone.
        ...(refresh ? ['refresh', refresh.run, refresh.site] : []),
        ...(perimeter ? [{ perimeter: perimeter.name }] : []),
        ...(selectLinks ? [{ selectLinks }] : []),
      ]),
    )
    .digest('hex')
    .slice(0, 32);
}

/**
 * The crawl to resume, or a new one. A crawl that is left behind with URLs waiting is reported: nothing is dropped
 * silently.
 */
export async function findCrawl(
  catalog: StartCatalog,
  spec: CrawlSpec,
  clock: Clock,
  scope: Scope,
  { restart, proceed = false }: FindOptions,
): Promise<FoundCrawl> {
  const key = crawlKey(spec);
  const unfinished = await catalog.unfinishedCrawl(key);
  if (unfinished && !restart) {
    requireSameSecrets(unfinished, spec);
    await catalog.setCrawlState(unfinished.id, 'running', clock.now());
    return { crawl: { ...unfinished, spec }, resumed: true, notes: [] };
  }
  const left = await leftBehind(catalog, spec);
  if (proceed) {
    if (!left)
      throw new UserError('--continue: no unfinished crawl of these seeds and this collection is there');
    requireSameSecrets(left.crawl, spec);
    return goOn(left, { key, spec }, catalog, clock, scope);
  }
  if (unfinished) await catalog.setCrawlState(unfinished.id, 'finished', clock.now());
  const { crawl, isNew } = await catalog.openCrawl(key, spec, clock.now());
  // Another process has begun it meanwhile.
  if (!isNew) return { crawl: { ...crawl, spec }, resumed: true, notes: [] };
  const waits = left && !restart;
  const note =
    waits &&
    `crawl ${left.crawl.id}, begun ${new Date(left.crawl.startedAt).toISOString()} with other settings, is left with ${left.waiting} URLs waiting: ` +
      'add --continue to go on with them under these settings, or give its own settings again to resume it';
  return { crawl, resumed: false, notes: note ? [note] : [] };
}

/**
 * Secrets are not stored, so whoever resumes a crawl has to supply them again; a crawl that was private for one half
 * only would be neither. The same holds for its ways out.
 */
function requireSameSecrets({ id, spec: before }: Crawl, spec: CrawlSpec): void {
  const flags = (kinds: readonly string[]): string => kinds.map((kind) => `--${kind}`).join(', ');
  const { supplied = [], ways } = before;
  const missing = supplied.filter((kind) => !spec.supplied?.includes(kind));
  if (missing.length > 0)
    throw new UserError(
      `crawl ${id} is unfinished and was begun with ${flags(supplied)}, which are not stored: give ${flags(missing)} again to go on with it, or --restart to begin anew without`,
    );
  if (supplied.length === 0 && spec.supplied)
    throw new UserError(
      `crawl ${id} is unfinished and was begun without ${flags(spec.supplied)}: its captures are not private; go on without, or begin anew with --restart`,
    );
  if (ways && !spec.ways)
    throw new UserError(
      `crawl ${id} is unfinished and went through ${ways.map(({ proxy }) => proxy).join(', ')}: give --proxy again to go on with it, or --restart to begin anew without`,
    );
}

interface LeftBehind {
  readonly crawl: Crawl;
  readonly waiting: number;
}

async function leftBehind(
  catalog: ResultCatalog & FrontierCatalog,
  { seeds, collection }: CrawlSpec,
): Promise<LeftBehind | undefined> {
  const same = (crawl: Crawl): boolean =>
    crawl.state !== 'finished' &&
    crawl.spec.collection === collection &&
    JSON.stringify(crawl.spec.seeds) === JSON.stringify(seeds);
  for (const crawl of (await catalog.crawls()).filter(same).reverse()) {
    const waiting = (await catalog.hostCounts(crawl.id)).reduce(
      (sum, { isPending, entries }) => sum + (isPending ? entries : 0),
      0,
    );
    if (waiting > 0) return { crawl, waiting };
  }
  return undefined;
}

async function goOn(
  { crawl: before, waiting }: LeftBehind,
  { key, spec }: Pick<Crawl, 'key' | 'spec'>,
  catalog: StartCatalog,
  clock: Clock,
  scope: Scope,
): Promise<FoundCrawl> {
  await catalog.changeCrawl(before.id, key, spec);
  await catalog.setCrawlState(before.id, 'running', clock.now());
  const crawl: Crawl = { ...before, key, spec, state: 'running' };
  const denied = await applyRules(crawl, catalog, scope, clock);
  const note = `crawl ${crawl.id} goes on under other settings: ${waiting} URLs were waiting, ${denied} of them are left out now`;
  return { crawl, resumed: true, notes: [note] };
}

/** Entries judged at a time. */
const PAGE = 1_000;

/** Pending URLs outside the crawl's current rules become skips. Returns how many. */
async function applyRules(
  { id: crawlId }: Crawl,
  catalog: FrontierCatalog & CommitCatalog,
  scope: Scope,
  clock: Clock,
): Promise<number> {
  let denied = 0;
  const hosts = (await catalog.hostCounts(crawlId)).filter(({ isPending }) => isPending);
  for (const host of new Set(hosts.map((count) => count.host))) {
    for (let offset = 0; ; ) {
      const entries = await catalog.pending(crawlId, host, PAGE, { offset });
      if (entries.length === 0) break;
      const denials: Denial[] = [];
      for (const { id, url, via, kind, depth, extraHops, isSeed } of entries) {
        if (isSeed || kind === 'revisit') continue;
        const origin = { url: via ?? url, depth: depth - 1, extraHops: Math.max(0, extraHops - 1) };
        const verdict =
          kind === 'page'
            ? scope.judgeLink(url, origin, clock.now())
            : scope.judgeResource(url, { ...origin, depth }, clock.now());
        if (!verdict.inside)
          denials.push({ entryId: id, reason: verdict.reason, detail: verdict.rule ?? verdict.detail });
      }
      const nothing = { visits: [], captures: [], discovered: [], skips: [], fileLengths: new Map() };
      if (denials.length > 0) await catalog.commit({ crawlId, ...nothing, denials });
      denied += denials.length;
      offset += entries.length - denials.length;
    }
  }
  return denied;
}
