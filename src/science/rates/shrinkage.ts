/**
 * Rates of rarely seen pages, shrunk towards the mean of their directory (empirical Bayes).
 *
 * The rates of a directory are assumed to be gamma-distributed with mean m and shape a; a page that changed x times in a
 * time t then has the expected rate (x + a)/(t + a/m). Short histories lean on the directory, long ones on
 * themselves. The shape is fitted by moments: a = m²/variance of the rates, the variance being what the Poisson
 * noise of the counts does not explain. Directories with few pages lean on the site in the same way.
 */
export interface ObservedPage {
  readonly directory: string;
  /** Changes, corrected for those that visits could not see separately: rate estimate × time. */
  readonly changes: number;
  /** Time observed. */
  readonly time: number;
}

export interface GammaPrior {
  readonly mean: number;
  /** a; large: the pages are alike. */
  readonly shape: number;
}

/** The site weighs as much as this many pages of evidence about a directory. */
const SITE_WEIGHT = 3;
const SHAPES = { least: 0.05, most: 50 } as const;

export function fitPrior(pages: readonly ObservedPage[]): GammaPrior {
  const seen = pages.filter(({ time }) => time > 0);
  const time = sum(seen.map((page) => page.time));
  const mean = time > 0 ? sum(seen.map((page) => page.changes)) / time : 0;
  if (mean === 0) return { mean: 0, shape: 1 };
  // Weighted by time: E[(x − mt)²] = mt + t²·variance.
  const excess = sum(seen.map(({ changes, time: t }) => (changes - mean * t) ** 2 - mean * t));
  const variance = excess / sum(seen.map(({ time: t }) => t * t));
  const shape = variance > 0 ? (mean * mean) / variance : SHAPES.most;
  return { mean, shape: Math.min(Math.max(shape, SHAPES.least), SHAPES.most) };
}

export interface RatePriors {
  readonly site: GammaPrior;
  readonly directories: ReadonlyMap<string, GammaPrior>;
}

export function fitDirectoryPriors(pages: readonly ObservedPage[]): RatePriors {
  const site = fitPrior(pages);
  const groups = new Map<string, ObservedPage[]>();
  for (const page of pages) {
    const group = groups.get(page.directory);
    if (group) group.push(page);
    else groups.set(page.directory, [page]);
  }
  const directories = new Map<string, GammaPrior>();
  for (const [directory, group] of groups) {
    const own = fitPrior(group);
    const trust = group.length / (group.length + SITE_WEIGHT);
    directories.set(directory, {
      mean: trust * own.mean + (1 - trust) * site.mean,
      // In logarithms: shapes range over three powers of ten.
      shape: Math.exp(trust * Math.log(own.shape) + (1 - trust) * Math.log(site.shape)),
    });
  }
  return { site, directories };
}

/** Expected rate of a page given its own history and its directory. */
export function shrunkRate(page: ObservedPage, priors: RatePriors): number {
  const prior = priors.directories.get(page.directory) ?? priors.site;
  if (prior.mean === 0) return page.time > 0 ? page.changes / page.time : 0;
  return (page.changes + prior.shape) / (page.time + prior.shape / prior.mean);
}

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
