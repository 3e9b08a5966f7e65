import type { ChangeOperation } from '../../model/change.ts';
import type { LostPart, MissingResource, Verdict } from '../../model/page-check.ts';
import { wordsOf } from '../delta/picture-words.ts';

/**
 * How well replay shows a page. The delta goes from what replay shows to what was seen live, so that what replay lost is what is
 * new in it, and its salience says how much a reader would want to be told of it: advertisements and volatile text weigh next to
 * nothing there, and are left out as well.
 *
 *   score = Π (1 − salience)        for each part that replay lost
 *         × Π (1 − shown area)      for each missing picture or frame
 *         × (1 − LOOK · shift)      look-shift.ts: style sheets, fonts, scripts that place things
 *         × (1 − UNSEEN)^n          for missing resources that left no trace in the layout, n ≤ MOST_UNSEEN
 */
export interface ReplayFindings {
  /** From replay to live. */
  readonly operations: readonly ChangeOperation[];
  readonly missing: readonly MissingResource[];
  /** See look-shift.ts. */
  readonly shift: number;
}

export interface ReplayJudgement {
  readonly verdict: Verdict;
  readonly score: number;
  /** The most salient first. */
  readonly lost: readonly LostPart[];
  /** What matters most first. */
  readonly missing: readonly MissingResource[];
}

/** A page without any of its styles is still readable, but is not what was seen. */
const LOOK = 0.7;
/** A background, a font, a script without effect: each is a loss, none is visible in the layout. */
const UNSEEN = 0.005;
const MOST_UNSEEN = 20;
/** Below this the layouts alone say that something is lost, even if everything that was received is there. */
export const WHOLE_FROM = 0.9;
/** Parts with less are noise: words in another order, a rounded number. */
const TELLING = 0.002;

export function judgeReplay({ operations, missing, shift }: ReplayFindings): ReplayJudgement {
  const lost = operations
    .filter(isLoss)
    .map(partOf)
    .filter(({ salience }) => salience >= TELLING)
    .sort((a, b) => b.salience - a.salience);
  const counted = missing.filter(({ advertisement }) => !advertisement);
  const unseen = counted.filter(({ matters }) => matters === 0).length;
  const score =
    product(lost.map(({ salience }) => 1 - salience)) *
    product(counted.map(({ matters }) => 1 - matters)) *
    (1 - LOOK * shift) *
    (1 - UNSEEN) ** Math.min(unseen, MOST_UNSEEN);
  return {
    verdict: counted.length > 0 || score < WHOLE_FROM ? 'damaged' : 'whole',
    score: Math.round(Math.min(1, Math.max(0, score)) * 1e4) / 1e4,
    lost,
    missing: [...missing].sort((a, b) => b.matters - a.matters),
  };
}

/** What is only on the live side, or different there. What only replay shows, and what moved, is no loss. */
const isLoss = ({ op, advertisement }: ChangeOperation): boolean =>
  (op === 'insert' || op === 'update') && !advertisement;

function partOf(operation: ChangeOperation): LostPart {
  const { op, element, salience = 0, newAddress } = operation;
  return {
    op,
    element,
    salience,
    text: wordsOf(operation),
    ...(newAddress !== undefined && { address: newAddress }),
  };
}

const product = (factors: readonly number[]): number => factors.reduce((all, one) => all * one, 1);

/** What two replays of one capture both lack: a gallery shows another picture each time. */
export function lostTwice(
  one: Omit<ReplayFindings, 'missing'>,
  other: Omit<ReplayFindings, 'missing'>,
): Omit<ReplayFindings, 'missing'> {
  const nameOf = ({ element, new: now = '', newAddress = '' }: ChangeOperation): string =>
    [element, now, newAddress].join(' ');
  const names = new Set(other.operations.filter(isLoss).map(nameOf));
  return {
    operations: one.operations.filter((operation) => names.has(nameOf(operation))),
    shift: Math.min(one.shift, other.shift),
  };
}
