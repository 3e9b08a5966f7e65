/** How good chances are, on pages that they were not fitted on. */
import { chanceOf, fitLogOdds, type JudgedExample, weighed } from './fit-log-odds.ts';
import type { Coefficients } from './verdict.ts';

/** Pages of one site are alike: they are held out together. */
export interface SitedExample extends JudgedExample {
  readonly site: string;
}

export interface Judgement {
  readonly chance: number;
  readonly inside: boolean;
}

export interface ChanceQuality {
  readonly pages: number;
  readonly precision: number | null;
  readonly recall: number | null;
  /** Mean of (chance − truth)². */
  readonly brier: number;
  /** Mean of −ln of the chance given to what is so. */
  readonly logLoss: number;
  /** By tenths of the chance: how many pages, their mean chance, and the share that belongs. */
  readonly reliability: readonly {
    readonly pages: number;
    readonly chance: number;
    readonly share: number;
  }[];
}

/** Chances by coefficients fitted on the other folds; sites go to folds by turns, in the order given. */
export function heldOutChances(
  examples: readonly SitedExample[],
  start: Coefficients,
  folds = 5,
): readonly number[] {
  const sites = [...new Set(examples.map(({ site }) => site))];
  const foldOf = new Map(sites.map((site, i) => [site, i % folds]));
  const chances = new Array<number>(examples.length).fill(Number.NaN);
  for (let fold = 0; fold < folds; fold++) {
    const others = examples.filter(({ site }) => foldOf.get(site) !== fold);
    const coefficients = fitLogOdds(others, start);
    examples.forEach(({ site, features }, i) => {
      if (foldOf.get(site) === fold) chances[i] = chanceOf(weighed(features, coefficients));
    });
  }
  return chances;
}

/** Precision is null where nothing is taken in, recall where nothing belongs. */
export function chanceQuality(judgements: readonly Judgement[], threshold = 0.5): ChanceQuality {
  const taken = judgements.filter(({ chance }) => chance >= threshold);
  const right = taken.filter(({ inside }) => inside).length;
  const belong = judgements.filter(({ inside }) => inside).length;
  const mean = (value: (one: Judgement) => number): number =>
    judgements.reduce((sum, one) => sum + value(one), 0) / judgements.length;
  const tenths = Array.from({ length: 10 }, (_, k) =>
    judgements.filter(({ chance }) => Math.min(9, Math.floor(10 * chance)) === k),
  ).filter((bin) => bin.length > 0);
  return {
    pages: judgements.length,
    precision: taken.length === 0 ? null : right / taken.length,
    recall: belong === 0 ? null : right / belong,
    brier: mean(({ chance, inside }) => (chance - Number(inside)) ** 2),
    logLoss: mean(({ chance, inside }) => -Math.log(Math.max(inside ? chance : 1 - chance, 1e-12))),
    reliability: tenths.map((bin) => ({
      pages: bin.length,
      chance: bin.reduce((sum, { chance }) => sum + chance, 0) / bin.length,
      share: bin.filter(({ inside }) => inside).length / bin.length,
    })),
  };
}
