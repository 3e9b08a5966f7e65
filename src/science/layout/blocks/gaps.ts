/** White space between the parts of a block: VIPS' separators, without its sweep. */
import { isShown, type PartFacts } from './part-facts.ts';

export interface Gaps {
  /** Pixels. */
  readonly widest: number;
  readonly median: number;
  /** Share of neighbours that are side by side rather than one below the other. */
  readonly columns: number;
}

const across = (a: PartFacts, b: PartFacts): number => Math.max(b.left - a.right, a.left - b.right);
const down = (a: PartFacts, b: PartFacts): number => Math.max(b.top - a.bottom, a.top - b.bottom);

/** Pixels between two parts, along the axis that separates them; 0 where they overlap or one of them is off the page. */
export function gapBetween(a: PartFacts, b: PartFacts): number {
  return isShown(a) && isShown(b) ? Math.max(0, across(a, b), down(a, b)) : 0;
}

/** Gaps between parts that are consecutive in the document. */
export function gapsOf(children: readonly PartFacts[]): Gaps {
  const shown = children.filter(isShown);
  const gaps: number[] = [];
  let beside = 0;
  for (let i = 1; i < shown.length; i++) {
    const a = shown[i - 1] as PartFacts;
    const b = shown[i] as PartFacts;
    if (across(a, b) > down(a, b)) beside++;
    gaps.push(gapBetween(a, b));
  }
  gaps.sort((a, b) => a - b);
  return {
    widest: gaps.at(-1) ?? 0,
    median: gaps[gaps.length >> 1] ?? 0,
    columns: gaps.length > 0 ? beside / gaps.length : 0,
  };
}
