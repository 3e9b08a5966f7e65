import {
  type CombinedScore,
  combination,
  combined,
  onLogScale,
} from '../../science/importance/combine-scores.ts';

/** What speaks for the importance of a page. */
export const IMPORTANCE_CRITERIA = ['links', 'pageRank', 'infrequentWords', 'textWeight'] as const;
export type ImportanceCriterion = (typeof IMPORTANCE_CRITERIA)[number];

/** How much each counts. */
export type Weights = Readonly<Record<ImportanceCriterion, number>>;
export const DEFAULT_WEIGHTS: Weights = { links: 1, pageRank: 0, infrequentWords: 0, textWeight: 0 };

/** The pages that were read, by place; what is absent of a page is NaN. */
export interface PageScores {
  /** Numbers of the pages in the catalog. */
  readonly pages: Int32Array;
  /** Number of each page's site in the catalog. */
  readonly siteIds: Int32Array;
  /** (H + C) ÷ (G + 1): on-line importance as it came out. */
  readonly online: Float64Array;
  /** By criterion; `links` is on-line importance among sites. */
  readonly values: Readonly<Record<ImportanceCriterion, Float64Array>>;
  readonly linksIn: Int32Array;
  /** Other sites that link to the page at this place: goes over all links. */
  linkingSites(place: number): number;
}

/** How criteria become one number; each as a power of its value. */
export type ImportanceScale = Readonly<Record<ImportanceCriterion, CombinedScore>>;

const known = (values: Float64Array): Float64Array => values.filter((value) => !Number.isNaN(value));

/** A weight is an exponent: with links: 1 alone, importance is that by links. */
export function scaleOf({ values }: Pick<PageScores, 'values'>, weights: Weights): ImportanceScale {
  const [columns, by] = [
    IMPORTANCE_CRITERIA.map((criterion) => onLogScale(known(values[criterion]))),
    IMPORTANCE_CRITERIA.map((criterion) => weights[criterion]),
  ];
  const scored = combination(columns, by);
  return Object.fromEntries(
    IMPORTANCE_CRITERIA.map((criterion, j) => [criterion, { ...(scored[j] as CombinedScore), scale: 1 }]),
  ) as ImportanceScale;
}

/**
 * Shares of all importance that add up to 1: Π value^weight, times what people have decided. A page of which a criterion says
 * nothing (no dictionary of its language) counts as the mean page there.
 */
export function combinedImportance(
  { values, pages }: Pick<PageScores, 'values' | 'pages'>,
  scale: ImportanceScale,
  factorOf: (place: number) => number = () => 1,
): Float64Array {
  const used = IMPORTANCE_CRITERIA.filter((criterion) => scale[criterion].weight !== 0);
  const by = used.map((criterion) => scale[criterion]);
  const logs = used.map((criterion) => logScaled(values[criterion], scale[criterion].mean));
  const shares = Float64Array.from(
    pages,
    (_, place) =>
      Math.exp(
        combined(
          logs.map((column) => column[place] as number),
          by,
        ),
      ) * factorOf(place),
  );
  const sum = shares.reduce((all, one) => all + one, 0);
  return sum > 0 && Number.isFinite(sum) ? shares.map((share) => share / sum) : shares;
}

function logScaled(values: Float64Array, mean: number): Float64Array {
  const logs = onLogScale(values.map((value) => (Number.isNaN(value) ? 0 : value)));
  return logs.map((log, place) => (Number.isNaN(values[place] as number) ? mean : log));
}

/** Σ over the pages of each site, by number of the site. */
export function importanceOfSites(
  { siteIds }: Pick<PageScores, 'siteIds'>,
  importance: Float64Array,
): ReadonlyMap<number, { readonly importance: number; readonly pages: number }> {
  const sites = new Map<number, { importance: number; pages: number }>();
  siteIds.forEach((site, place) => {
    const sum = sites.get(site) ?? { importance: 0, pages: 0 };
    sum.importance += importance[place] as number;
    sum.pages++;
    sites.set(site, sum);
  });
  return sites;
}

/** Places of the most important pages, in descending order of importance. */
export function mostImportant(
  importance: Float64Array,
  limit: number,
  isMeant: (place: number) => boolean = () => true,
): number[] {
  const places: number[] = [];
  importance.forEach((_, place) => {
    if (isMeant(place)) places.push(place);
  });
  const value = (place: number): number => importance[place] as number;
  return places.sort((a, b) => value(b) - value(a) || a - b).slice(0, limit);
}

/** Values of one criterion, by URL or site. */
export type NamedValues = ReadonlyMap<string, number>;
