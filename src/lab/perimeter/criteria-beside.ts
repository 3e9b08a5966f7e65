/** The combination of criteria compared with each of them alone, on pages whose truth is known. */
import { chanceQuality, type TriedChance } from '../../science/perimeter/held-out.ts';
import { choosingCriteria, type JudgedUrl, takenBy } from './judge-web.ts';

export interface CriterionBeside {
  readonly criterion: string;
  readonly precision: number | null;
  readonly recall: number | null;
  /** Precision of the combination, when it takes in enough pages to reach the criterion's recall. */
  readonly precisionThere: number | null;
}

/** Only pages that were read and whose truth is known. */
export function judgements(judged: readonly JudgedUrl[]): TriedChance[] {
  return judged.flatMap(({ read, truth, verdict: { chance } }) =>
    read && truth !== undefined ? [{ chance, inside: truth }] : [],
  );
}

/** Criteria choose by the signs of the stated weights: weights fitted together say nothing about one criterion alone. */
export function besideCriteria(
  stated: readonly JudgedUrl[],
  combination: readonly JudgedUrl[],
): CriterionBeside[] {
  const known = stated.filter(({ read, truth }) => read && truth !== undefined);
  const together = judgements(combination);
  return choosingCriteria(known).map((criterion) => {
    const alone = known.map(({ verdict, truth }) => ({
      chance: takenBy(criterion, verdict) ? 1 : 0,
      inside: truth === true,
    }));
    const { precision, recall } = chanceQuality(alone);
    return { criterion, precision, recall, precisionThere: precisionAt(together, recall) };
  });
}

/** Harmonic mean; 0 if either is unknown. */
export const fScore = (precision: number | null, recall: number | null): number =>
  precision && recall ? (2 * precision * recall) / (precision + recall) : 0;

function precisionAt(judged: readonly TriedChance[], recall: number | null): number | null {
  if (recall === null) return null;
  const wanted = recall * judged.filter(({ inside }) => inside).length;
  let [taken, right] = [0, 0];
  for (const { inside } of judged.toSorted((a, b) => b.chance - a.chance)) {
    if (right >= wanted) break;
    taken++;
    if (inside) right++;
  }
  return taken === 0 ? null : right / taken;
}
