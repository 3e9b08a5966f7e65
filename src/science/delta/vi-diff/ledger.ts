import { ELEMENT_KINDS, type ElementKind, type FrameChange, type QuietChange } from '../../../model/delta.ts';
import { type LayoutMatch, placeOf } from './delta-operations.ts';
import type { ElementOutcome } from './element-outcome.ts';
import { type FlatLayout, frameOf, keptFrame } from './flat-blocks.ts';
import type { LeafPairs } from './leaf-pairs.ts';

/** What readers do not see but `applyDelta` needs to restore the new layout exactly. Not in the paper. */

export function quietOf({ blocks: { pairs }, elements }: LayoutMatch): QuietChange[] {
  const quiet: QuietChange[] = [];
  for (const element of ELEMENT_KINDS) {
    for (const outcome of elements[element].outcomes as readonly ElementOutcome<ElementKind>[]) {
      for (const { old, new: now } of outcome.quiet) {
        const [from, to] = [placeOf(old, pairs.olds), placeOf(now, pairs.news)];
        const values = sameFields(old.value, now.value) ? {} : { values: { old: old.value, new: now.value } };
        quiet.push({ element, from, to, ...values } as QuietChange);
      }
    }
  }
  return quiet;
}

/** For flat records of strings and flags. */
export function sameFields(a: object, b: object): boolean {
  const [x, y] = [a as Record<string, unknown>, b as Record<string, unknown>];
  const keys = Object.keys(x);
  return keys.length === Object.keys(y).length && keys.every((key) => x[key] === y[key]);
}

/** Leaves carry on as matched; inner blocks, which show nothing themselves, by position. */
export function framesOf(old: FlatLayout, now: FlatLayout, pairs: LeafPairs): FrameChange[] {
  const partner = partners(old, now, pairs);
  const carried = new Uint8Array(old.blocks.length);
  const changes: FrameChange[] = [];
  now.blocks.forEach((flat, n) => {
    const o = partner[n] as number;
    const before = old.blocks[o];
    if (!before) {
      changes.push({ new: frameOf(flat, now) });
      return;
    }
    carried[o] = 1;
    if (!keptFrame(before, old, flat, now))
      changes.push({ old: frameOf(before, old), new: frameOf(flat, now) });
  });
  old.blocks.forEach((flat, o) => {
    if (carried[o] === 0) changes.push({ old: frameOf(flat, old) });
  });
  return changes;
}

/** For each new block its old one; -1 for none. */
function partners(old: FlatLayout, now: FlatLayout, pairs: LeafPairs): Int32Array {
  const partner = new Int32Array(now.blocks.length).fill(-1);
  const leafOld = new Uint8Array(old.blocks.length);
  const leafNew = new Uint8Array(now.blocks.length);
  for (const at of old.leaves) leafOld[at] = 1;
  for (const at of now.leaves) leafNew[at] = 1;
  pairs.partnerOfNew.forEach((o, n) => {
    if (o !== -1) partner[now.leaves[n] as number] = old.leaves[o] as number;
  });
  const inner = new Map<string, number>();
  old.blocks.forEach(({ block }, o) => {
    if (leafOld[o] === 0) inner.set(block.ref, o);
  });
  now.blocks.forEach(({ block }, n) => {
    if (leafNew[n] === 0) partner[n] = inner.get(block.ref) ?? -1;
  });
  return partner;
}
