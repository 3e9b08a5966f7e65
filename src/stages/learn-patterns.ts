import type { CrawlSpec } from '../model/crawl.ts';
import type {
  LearntPage,
  LearntSite,
  PagePattern,
  PatternGroup,
  PatternKind,
  SeenPage,
} from '../model/pattern.ts';
import type { SiteBounds } from '../model/site-bounds.ts';
import type { Weighing } from '../model/version.ts';
import type {
  PageCatalog,
  PatternCatalog,
  PatternPlace,
  ResultCatalog,
  SiteCatalog,
} from '../ports/catalog.ts';
import type { Holidays } from '../ports/holidays.ts';
import { type FollowOptions, followOn, followPage } from '../science/patterns/follow-page.ts';
import { type GroupMember, groupPages } from '../science/patterns/groups.ts';
import type { LearnerSums } from '../science/patterns/learn.ts';
import { learntPattern, rounded, thresholdOf } from '../science/patterns/learnt-pattern.ts';
import { kindsFor, type SlotOptions, slotPlan } from '../science/patterns/slots.ts';
import { thresholdFactor, type VersionPast } from '../science/patterns/thresholds.ts';

export interface LearnPorts {
  readonly catalog: PatternCatalog & ResultCatalog & Pick<SiteCatalog, 'siteBounds'>;
  readonly holidays?: Holidays;
}

/** Versions on which a storage budget is measured: the latest of this many days. */
const BUDGET = { versions: 200_000, days: 30 } as const;
const DAY = 86_400_000;
/** An unbounded factor, as a number that JSON and both databases can hold. */
const MOST = 1e9;

/** What the crawls of a site set for it: the last one that sets anything counts. */
export interface SiteSettings {
  readonly zone: string;
  readonly holidays?: string;
  readonly weigh?: Weighing;
  readonly budget?: number;
}

/**
 * Stage: what visits saw of the pages of these sites → patterns, groups, thresholds. It is a function of the sightings and
 * the settings alone: pages are continued from their last state with the sightings since, then all pages of the site are
 * grouped by the sums kept for each. So the result is the same in whatever steps it was learnt, and `reindex` reproduces it.
 */
export function learnPatterns(sites: Iterable<string>, ports: LearnPorts): Promise<void> {
  const learnt = (turns.get(ports.catalog) ?? Promise.resolve()).then(() => learnInTurn(sites, ports));
  turns.set(
    ports.catalog,
    learnt.catch(() => {}),
  );
  return learnt;
}

/** A crawl and a concurrent import must not process the same sightings: they would count twice. */
const turns = new WeakMap<object, Promise<void>>();

async function learnInTurn(
  sites: Iterable<string>,
  { catalog, holidays: calendar }: LearnPorts,
): Promise<void> {
  const settings = await siteSettings(catalog);
  for (const site of new Set(sites)) {
    if (site === '') continue;
    const { zone, holidays, weigh = 'importance', budget } = settings.get(site) ?? { zone: 'UTC' };
    const isHoliday = holidays === undefined ? undefined : await calendar?.(holidays);
    const slots: FollowOptions = { zone, weigh, kinds: kindsFor(isHoliday), ...(isHoliday && { isHoliday }) };
    const before = await catalog.learntSite(site);
    const anew =
      before === undefined ||
      before.zone !== zone ||
      before.holidays !== holidays ||
      (before.weigh ?? 'importance') !== weigh;
    const mark = await catalog.captureMark();
    if (anew) await catalog.forgetPatterns(site);
    const learnt = await learnSeen(site, anew ? 0 : before.mark, slots, catalog);
    if (learnt === 0 && !anew && before.budget === budget) continue;
    const { groups, places, moved } = await grouped(site, slots, catalog);
    const factor = budget === undefined ? 1 : await factorFor({ site, budget, weigh }, places, catalog);
    const known: LearntSite = {
      site,
      zone,
      factor,
      mark,
      ...(holidays !== undefined && { holidays }),
      ...(weigh !== 'importance' && { weigh }),
      ...(budget !== undefined && { budget }),
    };
    // A site without a page seen twice has nothing to say, and gets no row.
    if (places.length > 0) await catalog.settlePatterns(known, groups, moved);
  }
}

/** For every site: after records came from elsewhere. */
export async function learnAll(ports: LearnPorts & { readonly catalog: PageCatalog }): Promise<void> {
  const sites = await ports.catalog.sites();
  await learnPatterns(
    sites.map(({ site }) => site),
    ports,
  );
}

/** By site of the seeds. */
export async function siteSettings(
  catalog: Pick<ResultCatalog, 'crawls'> & Pick<SiteCatalog, 'siteBounds'>,
): Promise<ReadonlyMap<string, SiteSettings>> {
  const bounds = catalog.siteBounds();
  const settings = new Map<string, SiteSettings>();
  const crawls = [...(await catalog.crawls())].sort((a, b) => a.startedAt - b.startedAt);
  for (const { spec } of crawls) {
    for (const site of sitesOf(spec, bounds)) {
      const { zone = 'UTC', holidays, weigh, budget } = settings.get(site) ?? {};
      const latest = spec.storeBudget ?? budget;
      const region = spec.holidays ?? holidays;
      const number = spec.weigh ?? weigh;
      settings.set(site, {
        zone: spec.timezone ?? zone,
        ...(region !== undefined && { holidays: region }),
        ...(number !== undefined && { weigh: number }),
        ...(latest !== undefined && { budget: latest }),
      });
    }
  }
  return settings;
}

const sitesOf = (
  { seeds }: Pick<CrawlSpec, 'seeds'>,
  { siteOf }: Pick<SiteBounds, 'siteOf'>,
): ReadonlySet<string> => new Set(seeds.flatMap((seed) => (URL.canParse(seed) ? [siteOf(seed)] : [])));

/** Learns pages with captures after the mark. Returns how many were learnt. */
async function learnSeen(
  site: string,
  after: number,
  options: FollowOptions,
  catalog: PatternCatalog,
): Promise<number> {
  let count = 0;
  for await (const seen of catalog.seenPages(site, after)) {
    const known = new Map<string, PagePattern>();
    if (after > 0) {
      const urls = seen.map(({ url }) => url);
      for await (const page of catalog.pagePatterns({ urls })) known.set(page.url, page);
    }
    const learnt: LearntPage[] = [];
    const fromStart: SeenPage[] = after > 0 ? [] : [...seen];
    const unknown: string[] = [];
    for (const { url, sightings } of after > 0 ? seen : []) {
      const page = known.get(url);
      const state = page && followOn(page, sightings, options);
      if (state) learnt.push({ url, ...state });
      else unknown.push(url);
    }
    fromStart.push(...(await catalog.sightings(unknown)));
    for (const { url, sightings } of fromStart) {
      const state = followPage(sightings, options);
      if (state) learnt.push({ url, ...state });
    }
    if (learnt.length > 0) await catalog.learnPages(site, learnt);
    count += learnt.length;
  }
  return count;
}

/** A learnt page as held in memory for grouping; sums as typed arrays. */
interface Member extends GroupMember {
  readonly url: string;
  readonly learner: Record<keyof LearnerSums, Float64Array>;
  /** Its previous group. */
  readonly group: number;
  readonly threshold: number;
}

/**
 * Groups all learnt pages of a site, kind by kind, since pages of one group share their slots. They are held in memory
 * meanwhile: about 800 bytes for one that ever changed, a quarter of that for one that never did.
 */
async function grouped(
  site: string,
  slots: SlotOptions,
  catalog: PatternCatalog,
): Promise<{ groups: PatternGroup[]; places: PatternPlace[]; moved: PatternPlace[] }> {
  const members = new Map<PatternKind, Member[]>();
  for await (const { url, kind, changes, sums, group, threshold } of catalog.pagePatterns({ site })) {
    const list = members.get(kind) ?? [];
    members.set(kind, list);
    list.push({ url, site, ...bucketOf(url), learner: held(sums, changes), group, threshold });
  }
  const groups: PatternGroup[] = [];
  const places: PatternPlace[] = [];
  const moved: PatternPlace[] = [];
  for (const [kind, list] of members) {
    const plan = slotPlan(kind, slots);
    const { of, shapes } = groupPages(list, plan);
    const shared = shapes.map((shape) => shape.map((value) => rounded(value)));
    shared.forEach((shape, number) => {
      const pages = of.reduce((count, group) => count + (group === number ? 1 : 0), 0);
      groups.push({ kind, number, pages, shape: Array.from(shape) });
    });
    list.forEach(({ url, learner, ...before }, index) => {
      const group = of[index] ?? 0;
      const place = { url, group, threshold: thresholdOf(learntPattern(learner, plan, shared[group])) };
      places.push(place);
      if (before.group !== group || before.threshold !== place.threshold) moved.push(place);
    });
  }
  return { groups, places, moved };
}

/** Most pages never changed: they share one list of zeros. */
function held(sums: LearnerSums, changes: number): Member['learner'] {
  const hours = Float64Array.from(sums.hours);
  const zeros = zerosOf(hours.length);
  if (changes === 0) return { changes: zeros, hours, seen: zeros, weight: zeros };
  const [all, seen, weight] = [sums.changes, sums.seen, sums.weight].map((list) => Float64Array.from(list));
  return { changes: all ?? zeros, hours, seen: seen ?? zeros, weight: weight ?? zeros };
}

const ZEROS = new Map<number, Float64Array>();

function zerosOf(length: number): Float64Array {
  const known = ZEROS.get(length) ?? new Float64Array(length);
  ZEROS.set(length, known);
  return known;
}

/**
 * What pages are grouped by at first, until their own changes say more: the path without its last part and without digits
 * (`/politics/2026/03/02/slug.html` and similar belong to one template), and its depth.
 */
export function bucketOf(url: string): { readonly template: string; readonly depth: number } {
  const { pathname } = new URL(url);
  const folder = pathname.slice(0, pathname.lastIndexOf('/') + 1);
  return { template: folder.replace(/\d+/gu, '#'), depth: folder.split('/').length - 2 };
}

/** Computed over the versions of the last days, as if today's thresholds had applied then. */
async function factorFor(
  { site, budget, weigh }: { readonly site: string; readonly budget: number; readonly weigh: Weighing },
  places: readonly PatternPlace[],
  catalog: PatternCatalog,
): Promise<number> {
  const latest = await catalog.versions({ site, limit: BUDGET.versions });
  const newest = latest[0]?.at;
  if (newest === undefined) return 1;
  const thresholds = new Map(places.map(({ url, threshold }) => [url, threshold]));
  const pages = new Map<string, { threshold: number; versions: { importance: number; size: number }[] }>();
  let oldest = newest;
  for (const { url, at, importance: share, salience, size, reason } of latest) {
    if (at < newest - BUDGET.days * DAY) break;
    oldest = at;
    const importance = weigh === 'salience' ? (salience ?? share) : share;
    // First versions are stored whatever their size.
    if (reason === 'first' || importance === 0) continue;
    const page = pages.get(url) ?? { threshold: thresholds.get(url) ?? 0, versions: [] };
    page.versions.push({ importance, size });
    pages.set(url, page);
  }
  const days = Math.max(1, (newest - oldest) / DAY);
  const past = [...pages.values()].map(
    ({ threshold, versions }): VersionPast => ({ threshold, versions: versions.toReversed() }),
  );
  return rounded(Math.min(MOST, thresholdFactor(past, budget * days)));
}
