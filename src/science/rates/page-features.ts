/**
 * What can be said of a page before its history is known: from its URL, the answer's headers, the sitemap and the
 * links to it. Each feature is a number of magnitude about 1, so that none drowns the others in the regression.
 *
 * Absent facts are 0 in their own feature and 0 in the one that says they are there: absence is information too.
 */
export interface PageTraits {
  /** Path and query, from the first slash. */
  readonly path: string;
  readonly mime?: string;
  /** Links away from the seeds. */
  readonly depth?: number;
  /** Bytes. */
  readonly size?: number;
  readonly scripts?: number;
  /** Seconds between Last-Modified and the visit. */
  readonly modifiedAgo?: number;
  readonly hasETag?: boolean;
  /** max-age of Cache-Control, in seconds; 0 for no-cache and no-store. */
  readonly maxAge?: number;
  /** Seconds between lastmod of the sitemap and the visit. */
  readonly sitemapAgo?: number;
  /** changefreq of the sitemap. */
  readonly changeFrequency?: string;
  readonly inLinks?: number;
  /** Mean rate of the known pages of its directory, per day, if any are known. */
  readonly directoryRate?: number;
}

const DAY = 86_400;

/** Seconds that the sitemap protocol's words stand for. */
const FREQUENCIES: Readonly<Record<string, number>> = {
  always: 900,
  hourly: 3_600,
  daily: DAY,
  weekly: 7 * DAY,
  monthly: 30 * DAY,
  yearly: 365 * DAY,
  never: 3_650 * DAY,
};

/** ln(1 + days)/5: a day gives 0.14, a year 1.2. */
const age = (seconds: number): number => Math.log1p(Math.max(0, seconds) / DAY) / 5;

type Feature = readonly [name: string, value: (facts: PageTraits) => number];

const segments = (path: string): string[] => (path.split('?')[0] ?? '').split('/').filter(Boolean);
const lastSegment = (path: string): string => segments(path).at(-1) ?? '';
const flag = (value: boolean): number => (value ? 1 : 0);

export const FEATURES: readonly Feature[] = [
  ['constant', () => 1],
  [
    'html',
    ({ mime, path }) => flag(mime ? /html/.test(mime) : !/\.(?!html?$|php$|aspx?$)\w{2,4}$/.test(path)),
  ],
  [
    'document',
    ({ mime, path }) =>
      flag(/pdf|msword|officedocument|postscript/.test(mime ?? '') || /\.(pdf|docx?|ps)$/.test(path)),
  ],
  [
    'picture or media',
    ({ mime, path }) =>
      flag(/^(image|video|audio)\//.test(mime ?? '') || /\.(png|jpe?g|gif|svg|mp[34])$/.test(path)),
  ],
  ['path segments', ({ path }) => segments(path).length / 4],
  ['link depth', ({ depth }) => (depth ?? 0) / 4],
  ['index', ({ path }) => flag(path.endsWith('/') || /^(index|default|home)\b/.test(lastSegment(path)))],
  ['query', ({ path }) => flag(path.includes('?'))],
  ['query parameters', ({ path }) => (path.split('?')[1]?.split('&').length ?? 0) / 4],
  ['digits', ({ path }) => Math.log1p(path.replace(/\D/g, '').length) / 3],
  ['date in URL', ({ path }) => flag(/(?<!\d)(19|20)\d\d[-/]?(0[1-9]|1[0-2])(?!\d)/.test(path))],
  ['year in URL', ({ path }) => flag(/(?<!\d)(19|20)\d\d(?!\d)/.test(path))],
  ['~user', ({ path }) => flag(path.includes('/~'))],
  ['length of URL', ({ path }) => path.length / 80],
  ['later part', ({ path }) => Math.log1p(Number(/[-_](\d{1,3})(?=\.\w+$|$)/.exec(path)?.[1] ?? 0)) / 2],
  ['size', ({ size }) => (size === undefined ? 0 : Math.log1p(size) / 10)],
  ['scripts', ({ scripts }) => Math.log1p(scripts ?? 0) / 3],
  ['Last-Modified', ({ modifiedAgo }) => flag(modifiedAgo !== undefined)],
  ['Last-Modified age', ({ modifiedAgo }) => (modifiedAgo === undefined ? 0 : age(modifiedAgo))],
  ['ETag', ({ hasETag }) => flag(hasETag === true)],
  ['Cache-Control', ({ maxAge }) => flag(maxAge !== undefined)],
  ['max-age', ({ maxAge }) => (maxAge === undefined ? 0 : age(maxAge))],
  ['sitemap lastmod', ({ sitemapAgo }) => flag(sitemapAgo !== undefined)],
  ['sitemap age', ({ sitemapAgo }) => (sitemapAgo === undefined ? 0 : age(sitemapAgo))],
  [
    'changefreq',
    ({ changeFrequency }) => flag(changeFrequency !== undefined && changeFrequency in FREQUENCIES),
  ],
  ['changefreq period', ({ changeFrequency }) => age(FREQUENCIES[changeFrequency ?? ''] ?? 0)],
  ['in-links', ({ inLinks }) => Math.log1p(inLinks ?? 0) / 5],
  ['directory known', ({ directoryRate }) => flag(directoryRate !== undefined)],
  [
    'directory rate',
    ({ directoryRate }) => (directoryRate === undefined ? 0 : Math.log(directoryRate + 0.01) / 3),
  ],
];

export const FEATURE_NAMES: readonly string[] = FEATURES.map(([name]) => name);

export function featuresOf(facts: PageTraits): Float64Array {
  return Float64Array.from(FEATURES, ([, value]) => value(facts));
}
