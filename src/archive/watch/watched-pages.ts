import type { Decisions } from '../../model/decisions.ts';
import type { PagePattern, PatternGroup } from '../../model/pattern.ts';
import type { Millis } from '../../model/time.ts';
import type { SignalKind, WatchedPage } from '../../model/watch.ts';
import type { HistoryCatalog, ImportanceCatalog, PageHistory, PatternCatalog } from '../../ports/catalog.ts';
import type { LiveSite } from './live-site.ts';

export type WatchedCatalog = Pick<HistoryCatalog, 'pageHistories'> &
  Pick<PatternCatalog, 'pagePatterns' | 'patternGroups'> &
  Pick<ImportanceCatalog, 'importances'>;

/** What is known of pages besides what the catalog has. */
export interface PagesTold {
  readonly decisions: Decisions;
  readonly sources: ReadonlyMap<string, SignalKind>;
  /** Visits from this time on are still to be learnt from: for now, the page counts as it was before. */
  readonly unlearnt?: ReadonlyMap<string, Millis>;
}

/** For pages that the book of importance knows nothing of; also the lowest weight of any other. */
const LEAST_WEIGHT = 0.05;

/** By media type: feeds are archived with the pages that name them. */
export const isFeed = (mime: string): boolean => /\b(?:rss|atom|feed)\b/i.test(mime);

/**
 * Every page of the site that may be visited, as the archive knows it, then wanted pages that are not known yet.
 *
 * A page's weight is the square root of its on-line importance relative to that of the site's most important page:
 * links gather on front pages, at a hundred times what an article has, and by that alone no article would ever be
 * visited again.
 */
export async function* watchedPages(
  site: LiveSite,
  catalog: WatchedCatalog,
  { decisions, sources, unlearnt }: PagesTold,
  now: Millis,
): AsyncGenerator<WatchedPage> {
  const { name } = site;
  const weights = await weightsOf(name, catalog);
  const patterns = new Map<string, PagePattern>();
  for await (const page of catalog.pagePatterns({ site: name })) patterns.set(page.url, page);
  const groups = new Map(
    (await catalog.patternGroups(name)).map((group) => [`${group.kind} ${group.number}`, group] as const),
  );
  const wanted = new Set([...site.wanted, ...site.settings.feeds]);
  for (const [url] of sources) if (site.has(url)) wanted.add(url);
  for await (const history of catalog.pageHistories(name)) {
    const { url } = history;
    const pattern = patterns.get(url);
    const visits = history.visits.filter(
      ({ at }) => !(at >= (unlearnt?.get(url) ?? Number.POSITIVE_INFINITY)),
    );
    const last = visits.at(-1)?.at;
    if (history.visits.length === 0 || (!site.has(url) && !wanted.has(url))) continue;
    wanted.delete(url);
    const page =
      last === undefined
        ? { url, observations: 0, changes: 0 }
        : known({ ...history, visits }, last, pattern, groups);
    const tells = sources.get(url) ?? (isFeed(history.mime) ? 'feed' : undefined);
    const all = decided(page, site, decisions, now, weights(url));
    if (all) yield { ...all, ...(tells && { tells }) };
  }
  for (const url of wanted) {
    const page = { url, site: name, observations: 0, changes: 0 };
    const tells = sources.get(url) ?? (site.settings.feeds.includes(url) ? 'feed' : undefined);
    const all = decided(page, site, decisions, now, 1);
    if (all) yield { ...all, ...(tells && { tells }) };
  }
}

function known(
  { url, visits }: PageHistory,
  lastVisit: Millis,
  pattern: PagePattern | undefined,
  groups: ReadonlyMap<string, PatternGroup>,
): Omit<WatchedPage, 'weight' | 'site'> {
  if (!pattern) return { url, lastVisit, observations: visits.length, changes: 0 };
  const { kind, sums, group, observations, changes, goneAt } = pattern;
  const shape = groups.get(`${kind} ${group}`)?.shape;
  return {
    url,
    lastVisit,
    ...(goneAt !== undefined && goneAt >= lastVisit && { goneSince: goneAt }),
    observations,
    changes,
    pattern: { kind, sums, ...(shape && { shape }) },
  };
}

/** Applies people's decisions; undefined where they have decided the page out. */
export function decided(
  page: Omit<WatchedPage, 'weight' | 'site'>,
  site: Pick<LiveSite, 'name' | 'everyOf'>,
  decisions: Decisions,
  now: Millis,
  weight: number,
): WatchedPage | undefined {
  const { verdict, every, weight: factor } = decisions.on(page.url, now);
  if (verdict?.act.kind === 'out') return undefined;
  const times = factor?.act.kind === 'weight' ? factor.act.factor : 1;
  const spans = [
    every?.act.kind === 'every' ? every.act.span : undefined,
    site.everyOf(page.url, page.lastVisit ?? now),
  ].filter((span) => span !== undefined);
  return {
    ...page,
    site: site.name,
    weight: Math.min(1, Math.max(0, weight * times)),
    ...(spans.length > 0 && { every: Math.min(...spans) }),
  };
}

async function weightsOf(
  site: string,
  catalog: Pick<ImportanceCatalog, 'importances'>,
): Promise<(url: string) => number> {
  const importances = new Map<string, number>();
  let most = 0;
  for await (const { url, importance } of catalog.importances({ site })) {
    importances.set(url, importance);
    most = Math.max(most, importance);
  }
  return (url) => {
    const share = most > 0 ? (importances.get(url) ?? 0) / most : 1;
    return Math.min(1, Math.max(LEAST_WEIGHT, Math.sqrt(share)));
  };
}
