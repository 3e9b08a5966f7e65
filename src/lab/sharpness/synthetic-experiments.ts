/** Fig. 10, Fig. 11 and Table 4 of SHARC 2009, on the synthetic site: exact blur and sharp pages for drawn changes. */
import { captureInterval, type Interval } from '../../science/sharpness/blur.ts';
import { exactBlur } from '../../science/sharpness/exact-blur.ts';
import type { SiteToCapture } from '../../science/sharpness/schedule.ts';
import { sharpPages } from '../../science/sharpness/sharp-pages.ts';
import { revisitStrategy, type Strategy, strategy } from '../../science/sharpness/strategies.ts';
import { stream } from '../newspaper/random.ts';
import {
  drawChanges,
  drawUtilities,
  SYNTHETIC,
  type SyntheticSiteOptions,
  syntheticSite,
} from './synthetic-site.ts';

export const SINGLE = [
  'sharc-offline',
  'sharc-online',
  'explore-first',
  'breadth-first',
  'depth-first',
  'hottest-first',
  'coldest-first',
  'olston-pandey',
] as const;

export const REVISITS = [
  'sharc-revisits',
  'sharc-threshold',
  'sharp-assignment',
  'breadth-first-doubled',
  'depth-first-doubled',
  'olston-pandey-doubled',
  'hottest-first-doubled',
  'coldest-first-doubled',
] as const;

export interface Series {
  readonly x: readonly number[];
  /** By strategy, one value per x. */
  readonly blur: Readonly<Record<string, readonly number[]>>;
}

export interface SyntheticExperimentOptions extends SyntheticSiteOptions {
  /** Histories drawn and averaged. */
  readonly trials?: number;
}

type Visits = 'once' | 'revisits';

const strategiesOf = (visits: Visits): Strategy[] =>
  visits === 'once' ? SINGLE.map(strategy) : REVISITS.map(revisitStrategy);

/** What a schedule assumes about the site in one trial, and what happens: changes of its pages within an observed time. */
interface Trial {
  readonly known: SiteToCapture;
  readonly changes: readonly Float64Array[];
  readonly observation: Interval;
}

/** Blur of every strategy at each x, averaged over the drawn histories. */
function blurSeries(
  visits: Visits,
  x: readonly number[],
  { seed = SYNTHETIC.seed, trials = 3, ...options }: SyntheticExperimentOptions,
  draw: (site: SiteToCapture, at: number, seed: number, trial: number) => Trial,
): Series {
  const site = syntheticSite({ seed, ...options });
  const blur: Record<string, number[]> = {};
  for (const at of x) {
    for (const each of strategiesOf(visits)) {
      let sum = 0;
      for (let trial = 0; trial < trials; trial++) {
        const { known, changes, observation } = draw(site, at, seed, trial);
        sum += exactBlur(changes, each.schedule(known), observation) / trials;
      }
      blur[each.name] = [...(blur[each.name] ?? []), sum];
    }
  }
  return { x, blur };
}

const intervalOf = (site: SiteToCapture, visits: Visits): Interval =>
  captureInterval(site, visits === 'once' ? 1 : 2);

/**
 * Fig. 10: blur by the length of the observation interval, from 1:1 to 1:k of the capture's, both centred at the same
 * time.
 */
export function figure10(
  visits: Visits,
  ratios: readonly number[] = [1, 2, 4, 8],
  options: SyntheticExperimentOptions = {},
): Series {
  return blurSeries(visits, ratios, options, (site, ratio, seed, trial) => {
    const [, end] = intervalOf(site, visits);
    const margin = ((ratio - 1) * end) / 2;
    const observation = [-margin, end + margin] as const;
    return {
      known: { ...site, utilities: drawUtilities(site.rates, end, seed + trial) },
      changes: drawChanges(site.rates, observation, seed, trial, ratio),
      observation,
    };
  });
}

/** Fig. 11: blur when a share of the pages has rate 1 − λ in the schedule's view. */
export function figure11(
  visits: Visits,
  shares: readonly number[] = [0, 0.25, 0.5, 0.75, 1],
  options: SyntheticExperimentOptions = {},
): Series {
  return blurSeries(visits, shares, options, (site, share, seed, trial) => {
    const observation = intervalOf(site, visits);
    const changes = drawChanges(site.rates, observation, seed, trial);
    return { known: misjudged(site, share, seed, trial), changes, observation };
  });
}

function misjudged(site: SiteToCapture, share: number, seed: number, trial: number): SiteToCapture {
  const size = site.rates.length;
  const random = stream('misjudged', seed, trial);
  const wrong = new Set(
    random.sample(
      Array.from({ length: size }, (_, i) => i),
      Math.round(share * size),
    ),
  );
  return {
    ...site,
    rates: Float64Array.from(site.rates, (rate, i) => (wrong.has(i) ? Math.abs(1 - rate) : rate)),
  };
}

/** What the paper's Table 4 says. */
export const TABLE_4_PAPER: Readonly<Record<string, number>> = {
  'sharc-revisits': 770,
  'sharc-threshold': 874,
  'breadth-first-doubled': 766,
  'depth-first-doubled': 776,
  'olston-pandey-doubled': 782,
  'hottest-first-doubled': 765,
  'coldest-first-doubled': 776,
};

export interface SharpCount {
  readonly strategy: string;
  readonly paper: number | undefined;
  readonly mean: number;
  readonly deviation: number;
}

/** Table 4: sharp pages, at the time scale that the paper must have used. */
export function table4(options: SyntheticExperimentOptions = {}): SharpCount[] {
  const { seed, trials } = { ...SYNTHETIC, trials: 10, ...options };
  const site = syntheticSite({ scale: 6, ...options });
  const interval = captureInterval(site, 2);
  return REVISITS.map((name) => {
    const counts = Array.from({ length: trials }, (_, trial) => {
      const known = { ...site, utilities: drawUtilities(site.rates, interval[1], seed + trial) };
      const changes = drawChanges(site.rates, interval, seed, trial);
      return sharpPages(changes, revisitStrategy(name).schedule(known)).length;
    });
    const mean = counts.reduce((a, b) => a + b, 0) / trials;
    const variance = counts.reduce((sum, count) => sum + (count - mean) ** 2, 0) / trials;
    return { strategy: name, paper: TABLE_4_PAPER[name], mean, deviation: Math.sqrt(variance) };
  });
}
