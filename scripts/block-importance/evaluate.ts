import { fitLogistic } from '../../src/lab/fit-logistic.ts';
import { FEATURE_NAMES } from '../../src/science/layout/importance/block-features.ts';
import { type LogisticModel, probabilities } from '../../src/science/layout/importance/logistic.ts';
import { LEVELS, type Sample } from './annotated-blocks.ts';

/** Leave-site-out cross-validation: no page of a site is judged by a model that saw that site. */

const PENALTIES: readonly number[] = [0.01, 0.03, 0.1, 0.3];
/** Gradient steps. Twice as many move the cross-validated macro-F1 by 0.001. */
const STEPS = 150;

export interface Scores {
  readonly macroF1: number;
  readonly accuracy: number;
  /** Precision, recall, F1 and number of blocks of each level. */
  readonly levels: readonly {
    readonly precision: number;
    readonly recall: number;
    readonly f1: number;
    readonly blocks: number;
  }[];
}

export function train(samples: readonly Sample[], penalty: number): LogisticModel {
  const examples = samples.map(({ features, label }) => ({ features, label, weight: 1 }));
  return fitLogistic(FEATURE_NAMES, examples, { classes: LEVELS, penalty, steps: STEPS, balanced: true });
}

export function predict(model: LogisticModel, sample: Sample): number {
  const p = probabilities(model, sample.features);
  return p.indexOf(Math.max(...p));
}

export function scores(labels: readonly number[], said: readonly number[]): Scores {
  const levels = Array.from({ length: LEVELS }, (_, k) => {
    const right = labels.filter((label, i) => label === k && said[i] === k).length;
    const blocks = labels.filter((label) => label === k).length;
    const claimed = said.filter((label) => label === k).length;
    const precision = claimed > 0 ? right / claimed : 0;
    const recall = blocks > 0 ? right / blocks : 0;
    return { precision, recall, f1: right > 0 ? (2 * precision * recall) / (precision + recall) : 0, blocks };
  });
  const macroF1 = levels.reduce((sum, level) => sum + level.f1, 0) / LEVELS;
  const accuracy = labels.filter((label, i) => label === said[i]).length / Math.max(1, labels.length);
  return { macroF1, accuracy, levels };
}

const sitesOf = (samples: readonly Sample[]): string[] => [...new Set(samples.map((s) => s.site))].sort();

/** Folds of whole sites, dealt out in alphabetical order. */
function folds(samples: readonly Sample[], count: number): string[][] {
  const sites = sitesOf(samples);
  return Array.from({ length: Math.min(count, sites.length) }, (_, k) =>
    sites.filter((_site, i) => i % count === k),
  );
}

/** What each sample is said to be by a model of the other folds. */
export function crossValidate(
  samples: readonly Sample[],
  count: number,
  learn: (rest: Sample[]) => LogisticModel,
): number[] {
  const said = new Array<number>(samples.length).fill(0);
  for (const held of folds(samples, count)) {
    const out = new Set(held);
    const learnt = learn(samples.filter((s) => !out.has(s.site)));
    samples.forEach((sample, i) => {
      if (out.has(sample.site)) said[i] = predict(learnt, sample);
    });
  }
  return said;
}

/** The penalty with the best macro-F1 in a cross-validation of its own, in 5 folds of sites. */
export function choosePenalty(samples: readonly Sample[]): number {
  const labels = samples.map((s) => s.label);
  let best = PENALTIES[0] as number;
  let most = -1;
  for (const penalty of PENALTIES) {
    const { macroF1 } = scores(
      labels,
      crossValidate(samples, 5, (rest) => train(rest, penalty)),
    );
    if (macroF1 > most) {
      most = macroF1;
      best = penalty;
    }
  }
  return best;
}

/** The most frequent level for every block. */
export function majority(samples: readonly Sample[]): number[] {
  const counts = Array.from({ length: LEVELS }, (_, k) => samples.filter((s) => s.label === k).length);
  const most = counts.indexOf(Math.max(...counts));
  return samples.map(() => most);
}
