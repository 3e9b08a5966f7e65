/**
 * Groups of pages that behave alike and share one shape, found without supervision (§7.3.4 of the paper leaves this to
 * future work).
 *
 * 1. Pages of one site, template and depth start in one bucket: their changes are pooled.
 * 2. From the richest bucket down, a bucket joins the group under whose shape its changes are least surprising, if a
 *    shape of its own would not pay for its parameters (description length: ½ ln(changes) a slot); else it
 *    founds a group.
 * 3. A page with enough changes of its own moves to the group that explains them best; shapes are pooled again.
 *
 * Linear in pages × groups × slots; the number of groups is limited.
 */
import type { PatternLearner } from './learn.ts';
import type { SlotPlan } from './slots.ts';

export interface GroupMember {
  readonly site: string;
  /** Name or digest of the template; '' where it is not known. */
  readonly template: string;
  /** Links or path segments away from the home page. */
  readonly depth: number;
  /** Its expected changes and hours per slot, from its visits. All members share one plan. */
  readonly learner: Pick<PatternLearner, 'changes' | 'hours'>;
}

export interface PageGroups {
  /** Index of each member's group. */
  readonly of: Int32Array;
  /** Rates relative to their mean, per group. */
  readonly shapes: readonly Float64Array[];
}

const MOST_GROUPS = 64;
/** Fewest changes at which a page may leave its bucket. */
const OWN_FROM = 40;
const ROUNDS = 3;

interface Tally {
  /** Changes per slot, and how many a flat shape would have put there. */
  readonly changes: Float64Array;
  readonly expected: Float64Array;
}

export function groupPages(members: readonly GroupMember[], plan: SlotPlan): PageGroups {
  const tallies = members.map((member) => tallyOf(member, plan));
  const buckets = bucketsOf(members);
  const rows = [...buckets.values()].sort(
    (a, b) => countOf(pool(b, tallies, plan)) - countOf(pool(a, tallies, plan)),
  );
  let shapes: Float64Array[] = [];
  const of = new Int32Array(members.length);
  for (const row of rows) {
    const tally = pool(row, tallies, plan);
    const own = shapeFrom(tally, plan);
    const best = bestShape(tally, shapes);
    const cost = 0.5 * plan.slots * Math.log(1 + countOf(tally));
    const pays =
      best < 0 || likelihoodOf(tally, own) - likelihoodOf(tally, shapes[best] as Float64Array) > cost;
    const group = pays && shapes.length < MOST_GROUPS ? shapes.push(own) - 1 : Math.max(0, best);
    for (const member of row) of[member] = group;
  }
  if (shapes.length === 0) shapes = [new Float64Array(plan.slots).fill(1)];
  for (let round = 0; round < ROUNDS; round++) {
    members.forEach((_, index) => {
      const tally = tallies[index] as Tally;
      if (countOf(tally) >= OWN_FROM) of[index] = Math.max(0, bestShape(tally, shapes));
    });
    shapes = shapes.map((shape, group) => {
      const inside = members.map((_, index) => index).filter((index) => of[index] === group);
      return inside.length === 0 ? shape : shapeFrom(pool(inside, tallies, plan), plan);
    });
  }
  return { of, shapes };
}

function tallyOf({ learner }: GroupMember, plan: SlotPlan): Tally {
  let changes = 0;
  let hours = 0;
  for (let slot = 0; slot < plan.slots; slot++) {
    changes += learner.changes[slot] as number;
    hours += learner.hours[slot] as number;
  }
  const rate = hours > 0 ? changes / hours : 0;
  return { changes: learner.changes, expected: learner.hours.map((value) => value * rate) };
}

function bucketsOf(members: readonly GroupMember[]): Map<string, number[]> {
  const buckets = new Map<string, number[]>();
  members.forEach((member, index) => {
    const key = bucketKey(member);
    const list = buckets.get(key);
    if (list) list.push(index);
    else buckets.set(key, [index]);
  });
  return buckets;
}

const bucketKey = ({ site, template, depth }: Pick<GroupMember, 'site' | 'template' | 'depth'>): string =>
  JSON.stringify([site, template, depth]);

function pool(rows: readonly number[], tallies: readonly Tally[], plan: SlotPlan): Tally {
  const changes = new Float64Array(plan.slots);
  const expected = new Float64Array(plan.slots);
  for (const index of rows) {
    const tally = tallies[index] as Tally;
    for (let slot = 0; slot < plan.slots; slot++) {
      changes[slot] = (changes[slot] as number) + (tally.changes[slot] as number);
      expected[slot] = (expected[slot] as number) + (tally.expected[slot] as number);
    }
  }
  return { changes, expected };
}

function countOf({ changes }: Tally): number {
  let total = 0;
  for (const value of changes) total += value;
  return total;
}

/** A flat prior of two changes per slot: a slot that was hardly watched is not mistaken for a silent one. */
function shapeFrom({ changes, expected }: Tally, plan: SlotPlan): Float64Array {
  const prior = 2;
  const shape = changes.map((value, slot) => (value + prior) / ((expected[slot] as number) + prior));
  let mean = 0;
  for (let slot = 0; slot < plan.slots; slot++)
    mean += (shape[slot] as number) * (plan.share[slot] as number);
  return shape.map((value) => value / mean);
}

/** Poisson log likelihood of the changes under a shape, up to a constant. */
function likelihoodOf({ changes, expected }: Tally, shape: Float64Array): number {
  let total = 0;
  for (let slot = 0; slot < shape.length; slot++) {
    const mean = (expected[slot] as number) * (shape[slot] as number);
    total += (changes[slot] as number) * Math.log(Math.max(1e-12, shape[slot] as number)) - mean;
  }
  return total;
}

function bestShape(tally: Tally, shapes: readonly Float64Array[]): number {
  let best = -1;
  let score = -Infinity;
  shapes.forEach((shape, group) => {
    const value = likelihoodOf(tally, shape);
    if (value > score) {
      score = value;
      best = group;
    }
  });
  return best;
}
