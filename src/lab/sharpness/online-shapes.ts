/**
 * Fig. 4 of SHARC 2009: the shape of the pipe that online strategies build, on trees with pages in random places.
 *
 * The paper says that pipes without a middle phase do about two times worse. That is not confirmed here: a few percent
 * worse at low skew, no worse at high skew (few pages carry all the blur, and it depends on when they are found). The
 * paper does not say how its trees for this figure were made.
 */
import { expectedBlur } from '../../science/sharpness/blur.ts';
import { byRate, crawlOrder } from '../../science/sharpness/online-order.ts';
import { sharcOffline } from '../../science/sharpness/organ-pipe.ts';
import { timesOfOrder } from '../../science/sharpness/schedule.ts';
import { greedyPipes, sharcOnline } from '../../science/sharpness/sharc-online.ts';
import { stream } from '../newspaper/random.ts';
import { SYNTHETIC, syntheticSite } from './synthetic-site.ts';

export interface OnlineShapes {
  readonly skew: number;
  /** Mean rate in each slot. */
  readonly shapes: Readonly<Record<'sharc-offline' | 'sharc-online' | 'pipes', readonly number[]>>;
  /** Mean blur in excess of SHARC-offline's, as a share of it. */
  readonly excess: Readonly<Record<'sharc-online' | 'pipes', number>>;
  /** Excess of the pipes ÷ that of SHARC-online; in the paper, about 2. */
  readonly ratio: number;
}

export function figure4(
  options: { skews?: readonly number[]; pages?: number; trials?: number; seed?: number } = {},
): OnlineShapes[] {
  const { skews = [0.25, SYNTHETIC.skew], pages = 256, trials = 20, seed = 1 } = options;
  return skews.map((skew) => {
    const base = syntheticSite({ pages, skew });
    const sums = {
      'sharc-offline': new Float64Array(pages),
      'sharc-online': new Float64Array(pages),
      pipes: new Float64Array(pages),
    };
    const excess = { 'sharc-online': 0, pipes: 0 };
    for (let trial = 0; trial < trials; trial++) {
      const random = stream('figure 4', seed, skew, trial);
      const site = { ...base, rates: Float64Array.from(random.sample(Array.from(base.rates), pages)) };
      const offline = sharcOffline(site);
      const least = expectedBlur(site, offline);
      for (let i = 0; i < pages; i++)
        add(sums['sharc-offline'], offline.visits[i] as number, site.rates[i] as number);
      for (const [name, rule] of [['sharc-online', sharcOnline] as const, ['pipes', greedyPipes] as const]) {
        const order = crawlOrder(byRate(rule), site);
        for (const [slot, page] of order.entries()) add(sums[name], slot, site.rates[page] as number);
        excess[name] += (expectedBlur(site, { visits: timesOfOrder(order, 1) }) / least - 1) / trials;
      }
    }
    const mean = (values: Float64Array): number[] => Array.from(values, (value) => value / trials);
    return {
      skew,
      shapes: {
        'sharc-offline': mean(sums['sharc-offline']),
        'sharc-online': mean(sums['sharc-online']),
        pipes: mean(sums.pipes),
      },
      excess,
      ratio: excess.pipes / excess['sharc-online'],
    };
  });
}

function add(values: Float64Array, slot: number, value: number): void {
  values[slot] = (values[slot] as number) + value;
}
