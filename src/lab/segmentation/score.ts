/** How well a cut of a page agrees with people's marks. */
import { type BcubedScore, bcubed, NO_CLASS } from '../../science/quality/bcubed.ts';
import type { Weighting } from '../../science/quality/bcubed-atoms.ts';
import type { AnnotatedPage, Level } from './annotated-page.ts';
import type { BlockPartition } from './partition.ts';

/**
 * Level 1: all atoms, so that those outside the marks count against precision. Level 2: marked atoms only, since people
 * marked only part of what they saw. Undefined if nothing of weight is marked: there is no answer to miss.
 */
export function scoreOf(
  { atoms, marks }: AnnotatedPage,
  level: Level,
  weighting: Weighting,
  partition: BlockPartition,
): BcubedScore | undefined {
  const weights: number[] = [];
  const clusters: number[] = [];
  const classes: number[] = [];
  let marked = 0;
  atoms.nodes.forEach((node, atom) => {
    const weight = atoms.weights[weighting][atom] as number;
    const mark = marks[level][atom] as number;
    if (weight === 0 || (level === 2 && mark === NO_CLASS)) return;
    if (mark !== NO_CLASS) marked += weight;
    weights.push(weight);
    clusters.push(partition[node] as number);
    classes.push(mark);
  });
  return marked === 0 ? undefined : bcubed(weights, clusters, classes);
}
