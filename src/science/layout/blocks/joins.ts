/**
 * Joins neighbours that read on: where a part is split, consecutive small parts that are less than a line apart and
 * draw no box of their own (a heading and its paragraphs, the lines of a list) stay one block. VIPS' merging across its
 * lightest separators.
 */
import { gapBetween } from './gaps.ts';
import type { PartLook } from './looks.ts';
import { area, meanFont, type PartFacts } from './part-facts.ts';
import type { PreparedPage } from './prepared-page.ts';
import type { VisualPart } from './visual-tree.ts';

/** A part smaller than this share of the page's area is small. */
const SMALL = 0.03;
/** In font sizes of the page: less than an empty line. */
const CLOSE = 1;

/** The limits in absolute terms: a part below `small` square pixels is small, a gap below `close` pixels is close. */
export function joinLimits(facts: readonly PartFacts[]): { small: number; close: number } {
  const page = facts[0] as PartFacts;
  return { small: SMALL * area(page), close: CLOSE * (meanFont(page) || 16) };
}

/** Per part: 1 where it continues the part before it. */
export function joinsOf(page: PreparedPage, split: Uint8Array): Uint8Array {
  const joined = new Uint8Array(page.tree.parts.length);
  joinsBy(page, split, joined, () => undefined);
  return joined;
}

/** Does the same into `joined`, given what is `known`; a part that is split is joined to nothing. */
export function joinsBy(
  { tree: { parts }, facts, looks }: PreparedPage,
  split: Uint8Array,
  joined: Uint8Array,
  known: (index: number) => boolean | undefined,
): void {
  if (parts.length === 0) return;
  const { small, close } = joinLimits(facts);
  const readsOn = (child: number): boolean =>
    !(looks[child] as PartLook).drawn && area(facts[child] as PartFacts) < small;
  parts.forEach(({ children }, index) => {
    if (split[index] !== 1) return;
    let before = -1;
    for (const child of children) {
      const whole = before !== -1 && split[before] === 0 && split[child] === 0;
      const joins =
        whole &&
        (known(child) ??
          (readsOn(before) &&
            readsOn(child) &&
            gapBetween(facts[before] as PartFacts, facts[child] as PartFacts) < close));
      joined[child] = joins ? 1 : 0;
      before = child;
    }
  });
}

/** The children of a split part, each run of joined ones together. */
export function runsOf(parts: readonly VisualPart[], joined: Uint8Array, index: number): number[][] {
  const runs: number[][] = [];
  for (const child of (parts[index] as VisualPart).children) {
    if (joined[child] === 1 && runs.length > 0) (runs.at(-1) as number[]).push(child);
    else runs.push([child]);
  }
  return runs;
}
