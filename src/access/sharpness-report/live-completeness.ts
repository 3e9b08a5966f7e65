import type { PagePattern, PageSighting, PatternGroup } from '../../model/pattern.ts';
import type { Millis } from '../../model/time.ts';
import type { ImportanceCatalog, PatternCatalog } from '../../ports/catalog.ts';
import { type ChangePattern, meanRate } from '../../science/patterns/change-pattern.ts';
import { learntPattern } from '../../science/patterns/learnt-pattern.ts';
import { gapBetween } from '../../science/patterns/sightings.ts';
import { type SlotPlan, slotPlan, spread } from '../../science/patterns/slots.ts';
import { seededNumbers } from '../../science/quality/draws.ts';
import { type LiveCompleteness, liveCompleteness } from '../../science/quality/live-completeness.ts';
import type { PatternGap, SeenHistory } from '../../science/quality/rate-fit.ts';

export type LiveCatalog = Pick<
  PatternCatalog & ImportanceCatalog,
  'pagePatterns' | 'patternGroups' | 'learntSite' | 'sightings' | 'importances'
>;

/** Completeness of a site as far as its visits tell, from its first visit to its last. */
export interface SiteCompleteness extends LiveCompleteness {
  /** Pages of which all of it was computed; fewer than there are where a site is large, and drawn by lot. */
  readonly sampled: number;
  readonly firstAt: Millis;
  readonly lastAt: Millis;
}

/** Pages from which on a sample is taken: a thousand tell as much as a million, to the second digit. */
const MOST_PAGES = 1_000;
/** The same report each time. */
const SEED = 20120801;

/** Null where no page was visited twice. */
export async function siteCompleteness(site: string, catalog: LiveCatalog): Promise<SiteCompleteness | null> {
  const random = seededNumbers(SEED);
  const pages: PagePattern[] = [];
  let known = 0;
  let [firstAt, lastAt] = [Number.POSITIVE_INFINITY, 0];
  for await (const page of catalog.pagePatterns({ site })) {
    known++;
    firstAt = Math.min(firstAt, page.firstAt);
    lastAt = Math.max(lastAt, page.lastAt);
    // Each page has the same chance to be among them (Vitter 1985).
    if (pages.length < MOST_PAGES) pages.push(page);
    else {
      const place = Math.floor(random() * known);
      if (place < MOST_PAGES) pages[place] = page;
    }
  }
  if (pages.length === 0) return null;
  const groups = await catalog.patternGroups(site);
  const zone = (await catalog.learntSite(site))?.zone ?? 'UTC';
  const urls = pages.map(({ url }) => url);
  const weights = await weightsOf(urls, catalog);
  const sightings = new Map((await catalog.sightings(urls)).map((page) => [page.url, page.sightings]));
  // Patterns are learnt now and then, visits go on: the rounds of a watch since then count as they do.
  const lastOf = ({ url, lastAt: learnt }: PagePattern): Millis =>
    Math.max(learnt, sightings.get(url)?.findLast(({ state }) => state === 'there')?.at ?? 0);
  for (const page of pages) lastAt = Math.max(lastAt, lastOf(page));
  const histories = pages.map((page): SeenHistory => {
    const plan = slotPlan(page.kind, { zone });
    const hours = livelyHours(patternOf(page, groups, plan), plan);
    const seen = sightings.get(page.url) ?? [];
    return {
      weight: weights.get(page.url) ?? 1,
      gaps: gapsOf(seen, hours),
      // A page that is known to be gone changes no more.
      since: seen.at(-1)?.state === 'gone' ? 0 : hours(lastOf(page) / 1000, lastAt / 1000),
    };
  });
  return { ...liveCompleteness(histories, { random }), sampled: pages.length, firstAt, lastAt };
}

/** Relative to the mean; 1 where importance is not kept. */
async function weightsOf(
  urls: readonly string[],
  catalog: LiveCatalog,
): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  for await (const { url, cash, history } of catalog.importances({ urls })) found.set(url, cash + history);
  const mean = [...found.values()].reduce((sum, value) => sum + value, 0) / Math.max(1, found.size);
  return mean > 0
    ? new Map([...found].map(([url, value]) => [url, Math.max(1e-6, value / mean)]))
    : new Map();
}

function patternOf(
  { kind, group, sums }: PagePattern,
  groups: readonly PatternGroup[],
  plan: SlotPlan,
): ChangePattern {
  const shared = groups.find((one) => one.kind === kind && one.number === group);
  return learntPattern(sums, plan, shared?.shape);
}

/** Hours from one moment to another, each by how lively it is in the pattern. */
function livelyHours(pattern: ChangePattern, plan: SlotPlan): (from: number, to: number) => number {
  const mean = meanRate(pattern);
  return (from, to) => {
    let sum = 0;
    spread(plan, from, to, (slot, hours) => {
      sum += mean > 0 ? (hours * (pattern.rate[slot] as number)) / mean : hours;
    });
    return sum;
  };
}

function gapsOf(
  sightings: readonly PageSighting[],
  hours: (from: number, to: number) => number,
): readonly PatternGap[] {
  const gaps: PatternGap[] = [];
  let before: PageSighting | undefined;
  for (const sighting of sightings) {
    if (sighting.state === 'there' && before) {
      const { from, to, changed, importance } = gapBetween(before, sighting);
      gaps.push({ hours: hours(from, to), changed, importance });
    }
    before = sighting.state === 'there' ? sighting : undefined;
  }
  return gaps;
}
