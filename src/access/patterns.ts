import type { LearntSite, PagePattern, PatternGroup, PatternKind } from '../model/pattern.ts';
import type { Millis } from '../model/time.ts';
import type { Weighing } from '../model/version.ts';
import type { PatternCatalog, SiteCatalog } from '../ports/catalog.ts';
import { confidence, meanRate, slotImportance } from '../science/patterns/change-pattern.ts';
import { learntPattern, rounded } from '../science/patterns/learnt-pattern.ts';
import { type SlotPlan, slotPlan } from '../science/patterns/slots.ts';

/** Slots of one class of days: the hours of workdays, say. */
export interface PatternValues {
  /** '' where there is one class only. */
  readonly label: string;
  readonly values: readonly number[];
}

/** The pattern of a page, with all that says how far to trust it. */
export interface PatternView {
  readonly url: string;
  readonly site: string;
  readonly kind: PatternKind;
  readonly zone: string;
  /** Periods of one class of days, and seconds of one of them. */
  readonly periods: number;
  readonly period: number;
  readonly group: number;
  /** Pages that share its group. */
  readonly groupPages: number;
  readonly observations: number;
  /** Gaps between them that saw one. */
  readonly changes: number;
  readonly changesPerDay: number;
  /** In [0, 1): 0.5 at eight changes. */
  readonly confidence: number;
  /** The number that it was learnt from, and that threshold and pattern are in. */
  readonly weigh: Weighing;
  /** What a version must reach of it to be indexed: δ, times the factor of a storage budget. */
  readonly threshold: number;
  readonly factor: number;
  readonly firstAt: Millis;
  readonly lastAt: Millis;
  readonly goneAt?: Millis;
  /** ω_k: expected importance, or salience, of the change in the period. */
  readonly pattern: readonly PatternValues[];
  /** λ_k: expected changes per hour. */
  readonly rate: readonly PatternValues[];
}

export interface GroupView extends PatternGroup {
  readonly site: string;
  /** Rates relative to their mean, by class of days. */
  readonly rows: readonly PatternValues[];
}

export interface PatternQuery {
  readonly url?: string;
  readonly site?: string;
}

export interface PatternList {
  /** Livelier pages first: by what a day of them is expected to bring. */
  readonly pages: readonly PatternView[];
  readonly groups: readonly GroupView[];
}

/** At most `limit` pages are held. */
export async function listPatterns(
  catalog: PatternCatalog & Pick<SiteCatalog, 'siteBounds'>,
  query: PatternQuery,
  limit = Number.POSITIVE_INFINITY,
): Promise<PatternList> {
  const sites = new Map<string, SiteParts>();
  let best: { readonly view: PatternView; readonly weight: number }[] = [];
  const trim = (): void => {
    best.sort((a, b) => b.weight - a.weight || (a.view.url < b.view.url ? -1 : 1));
    best = best.slice(0, limit);
  };
  const { siteOf } = catalog.siteBounds();
  const { url, site: ofSite } = query;
  const asked = { ...(url !== undefined && { urls: [url] }), ...(ofSite !== undefined && { site: ofSite }) };
  for await (const page of catalog.pagePatterns(asked)) {
    const site = siteOf(page.url);
    const parts = sites.get(site) ?? (await partsOf(catalog, site));
    sites.set(site, parts);
    best.push(viewOf(page, parts));
    if (best.length >= 2 * limit + 100) trim();
  }
  trim();
  const groups = [...sites.values()].flatMap(({ learnt, groups: found }) =>
    found.map((group) => ({
      ...group,
      site: learnt.site,
      rows: rowsOf(planOf(group.kind, learnt), group.shape),
    })),
  );
  return { pages: best.map(({ view }) => view), groups };
}

interface SiteParts {
  readonly learnt: LearntSite;
  readonly groups: readonly PatternGroup[];
}

async function partsOf(catalog: PatternCatalog, site: string): Promise<SiteParts> {
  const learnt = (await catalog.learntSite(site)) ?? { site, zone: 'UTC', factor: 1, mark: 0 };
  return { learnt, groups: await catalog.patternGroups(site) };
}

const planOf = (kind: PatternKind, { zone }: Pick<LearntSite, 'zone'>): SlotPlan => slotPlan(kind, { zone });

function viewOf(page: PagePattern, { learnt, groups }: SiteParts): { view: PatternView; weight: number } {
  const { url, kind, group, observations, changes, firstAt, lastAt, goneAt } = page;
  const plan = planOf(kind, learnt);
  const shared = groups.find((one) => one.kind === kind && one.number === group);
  const pattern = learntPattern(page.sums, plan, shared?.shape);
  const importance = slotImportance(pattern);
  const view: PatternView = {
    url,
    site: learnt.site,
    kind,
    zone: learnt.zone,
    periods: plan.periods,
    period: plan.period,
    group,
    groupPages: shared?.pages ?? 1,
    observations,
    changes,
    changesPerDay: rounded(24 * meanRate(pattern)),
    confidence: rounded(confidence(pattern)),
    weigh: learnt.weigh ?? 'importance',
    threshold: rounded(page.threshold * learnt.factor),
    factor: learnt.factor,
    firstAt,
    lastAt,
    ...(goneAt !== undefined && { goneAt }),
    pattern: rowsOf(plan, importance),
    rate: rowsOf(plan, pattern.rate),
  };
  const weight = importance.reduce((sum, value, slot) => sum + value * (plan.share[slot] as number), 0);
  // A slot of a slow kind is a day: what it holds is spread over its hours.
  return { view, weight: (weight * 3600) / plan.period };
}

const CLASS_LABELS: Partial<Record<PatternKind, readonly string[]>> = {
  'workday-weekend': ['workdays', 'weekends'],
  holiday: ['workdays', 'weekends', 'holidays'],
  'day-of-week': ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'],
};

function rowsOf(plan: SlotPlan, values: ArrayLike<number>): PatternValues[] {
  return Array.from({ length: plan.classes }, (_, row) => ({
    label: CLASS_LABELS[plan.kind]?.[row] ?? '',
    values: Array.from({ length: plan.periods }, (__, k) => rounded(values[row * plan.periods + k] ?? 0)),
  }));
}

/** What stands on the axis of a pattern, period by period. */
export function periodLabels(kind: PatternKind, periods: number): readonly string[] {
  if (kind === 'weekly') return ['Su', 'Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa'];
  if (kind === 'monthly') return Array.from({ length: periods }, (_, day) => String(day + 1));
  return Array.from({ length: periods }, (_, k) => String(Math.floor((24 * k) / periods)));
}
