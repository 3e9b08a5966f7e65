/**
 * Neighbours that read on: where a part is split, small parts of it that follow each other closer than a line
 * and draw no box of their own (a heading and its paragraphs, the lines of a list) stay one block. VIPS' merging
 * across its lightest separators.
 */
import { gapBetween } from './gaps.ts';
import type { PartLook } from './looks.ts';
import { area, meanFont, type PartFacts } from './part-facts.ts';
import type { Part } from './visual-tree.ts';

/** Share of the page's area under which a part is small. */
const SMALL = 0.03;
/** In font sizes of the page: less than an empty line. */
const CLOSE = 1;

export interface Splits {
  readonly parts: readonly Part[];
  readonly facts: readonly PartFacts[];
  readonly looks: readonly PartLook[];
  /** Per part: whether it is split. */
  readonly split: Uint8Array;
}

/** Square pixels under which a part is small, pixels under which a gap is close. */
export function joinLimits(facts: readonly PartFacts[]): { small: number; close: number } {
  const page = facts[0] as PartFacts;
  return { small: SMALL * area(page), close: CLOSE * (meanFont(page) || 16) };
}

/** The children of a split part, those that read on together in one run. */
export function runsOf({ parts, facts, looks, split }: Splits, index: number): number[][] {
  const { small, close } = joinLimits(facts);
  const readsOn = (child: number): boolean =>
    split[child] === 0 && !(looks[child] as PartLook).drawn && area(facts[child] as PartFacts) < small;
  const runs: number[][] = [];
  let before = -1;
  for (const child of (parts[index] as Part).children) {
    const joins =
      before !== -1 &&
      readsOn(before) &&
      readsOn(child) &&
      gapBetween(facts[before] as PartFacts, facts[child] as PartFacts) < close;
    if (joins) (runs.at(-1) as number[]).push(child);
    else runs.push([child]);
    before = child;
  }
  return runs;
}
