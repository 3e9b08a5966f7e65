/** What must hold for every pair of successive layouts, whatever the page. */
import { isDeepStrictEqual } from 'node:util';
import type { Delta } from '../../model/delta.ts';
import type { Layout } from '../../model/layout.ts';
import { applyDelta } from '../../science/delta/apply-delta.ts';
import { changeImportance } from '../../science/delta/change-importance.ts';
import { diffLayouts } from '../../science/delta/diff-layouts.ts';
import { inverseDelta, isIdentity } from '../../science/delta/inverse-delta.ts';
import { parseViDelta } from '../../science/delta/read-vi-delta.ts';
import { writeViDelta } from '../../science/delta/vi-delta.ts';
import { parseViXml, writeViXml } from '../../science/layout/vi-xml.ts';

/** Everything a check may look at; `delta` leads from `old` to `now`. */
interface CheckedPair {
  readonly old: Layout;
  readonly now: Layout;
  readonly delta: Delta;
}

/** Each compares everything: the same keys, the same values, the same order. */
export const PAIR_CHECKS = {
  'apply(delta, old) = new': ({ old, now, delta }) => isDeepStrictEqual(applyDelta(delta, old), now),
  'apply(inverse, new) = old': ({ old, now, delta }) =>
    isDeepStrictEqual(applyDelta(inverseDelta(delta), now), old),
  'the inverse of the inverse is the delta': ({ delta }) =>
    isDeepStrictEqual(inverseDelta(inverseDelta(delta)), delta),
  'Vi-XML reads back as it was': ({ now }) => isDeepStrictEqual(parseViXml(writeViXml(now)), now),
  'Vi-Delta reads back as it was': ({ delta }) => isDeepStrictEqual(parseViDelta(writeViDelta(delta)), delta),
  'a version against itself: nothing changed': ({ now }) => {
    const none = diffLayouts(now, now);
    return isIdentity(none) && changeImportance(none).importance === 0;
  },
  'importance in [0, 1], its shares adding up': ({ delta }) => {
    const { importance, shares } = changeImportance(delta);
    const sum = shares.reduce((a, b) => a + b, 0);
    return importance >= 0 && importance <= 1 && Math.abs(sum - importance) < 1e-9;
  },
} satisfies Record<string, (pair: CheckedPair) => boolean>;

export type CheckName = keyof typeof PAIR_CHECKS;
/** In how many pairs each check held. */
export type PairChecks = Record<CheckName, number>;

/** The checks that failed, with the error where one was thrown. */
export function brokenChecks(pair: CheckedPair): { check: CheckName; reason: string }[] {
  const broken: { check: CheckName; reason: string }[] = [];
  for (const [name, holds] of Object.entries(PAIR_CHECKS)) {
    const check = name as CheckName;
    try {
      if (!holds(pair)) broken.push({ check, reason: 'they differ' });
    } catch (error) {
      broken.push({ check, reason: error instanceof Error ? error.message : String(error) });
    }
  }
  return broken;
}
