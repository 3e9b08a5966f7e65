/**
 * Whether a page belongs, with all that speaks for and against it. The chance is
 *
 *   1 / (1 + e^{−(c_0 + c_1·own + a_1·mean_1 + … + a_n·mean_n)})
 *
 * own: what its criteria say (evidence.ts); mean_k: what they say of the pages that lead here in k clicks
 * (propagation.ts). The coefficients are those of the definition (c_0 the prior, c_1 = 1) until there are judged pages to
 * calibrate them by: criteria that repeat each other (`.fr` and a French server) count twice before that, but not after.
 *
 * A suspect, a known URL that was not read, is judged by the same formula: its criteria are those of its URL and of the
 * words of the links to it. It has coefficients of its own, learnt from what pages that have been read looked like before.
 */
import type { Decision } from '../../model/decision.ts';
import type { PerimeterDefinition } from './definition.ts';
import { type Evidence, evidenceOf, ownRelevance, UTMOST } from './evidence.ts';
import { chanceOf, weighed } from './fit-log-odds.ts';
import type { PageFacts } from './page-facts.ts';

/** c_0, c_1, a_1 … a_n. */
export type Coefficients = readonly number[];

export interface PerimeterVerdict {
  readonly inside: boolean;
  readonly chance: number;
  /** Log-odds of the chance; ±UTMOST where a person has decided. */
  readonly logOdds: number;
  /** X: what the criteria say together. */
  readonly own: number;
  readonly evidence: readonly Evidence[];
  /** By number of clicks: mean relevance of the pages that lead here, and its weight. */
  readonly connectivity: readonly { readonly mean: number; readonly weight: number }[];
  readonly decision?: Decision;
}

export const statedCoefficients = ({ prior, connectivity }: PerimeterDefinition): Coefficients => [
  prior,
  1,
  ...connectivity,
];

/** 1, own, mean_1 … mean_n: what coefficients are fitted on (fit-log-odds.ts). */
export const featuresOf = (own: number, means: readonly number[]): number[] => [1, own, ...means];

/** `decision`: what a person says of it, in or out. */
export function judge(
  facts: PageFacts,
  means: readonly number[],
  definition: PerimeterDefinition,
  coefficients: Coefficients,
  decision?: Decision,
): PerimeterVerdict {
  return judgeEvidence(evidenceOf(facts, definition), means, definition, coefficients, decision);
}

/** The same for a page whose evidence was found before. */
export function judgeEvidence(
  evidence: readonly Evidence[],
  means: readonly number[],
  definition: Pick<PerimeterDefinition, 'threshold'>,
  coefficients: Coefficients,
  decision?: Decision,
): PerimeterVerdict {
  const decided = decision && (decision.act.kind === 'in' ? UTMOST : -UTMOST);
  const own = decided ?? ownRelevance(evidence);
  const logOdds = decided ?? weighed(featuresOf(own, means), coefficients);
  const chance = decision ? Number(decision.act.kind === 'in') : chanceOf(logOdds);
  return {
    inside: chance >= definition.threshold,
    chance,
    logOdds,
    own,
    evidence,
    connectivity: means.map((mean, k) => ({ mean, weight: coefficients[k + 2] as number })),
    ...(decision && { decision }),
  };
}
