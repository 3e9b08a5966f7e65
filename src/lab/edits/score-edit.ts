import type { ToldOperation } from './truth.ts';

export interface KnownEditScore {
  readonly expected: number;
  readonly found: number;
  readonly right: number;
  /** Operations reported though nothing of the kind happened, and the reverse. */
  readonly wrong: readonly ToldOperation[];
  readonly missed: readonly ToldOperation[];
}

/** Compares multisets of operations; two are equal if they say the same about elements with the same content. */
export function scoreEdit(
  expected: readonly ToldOperation[],
  found: readonly ToldOperation[],
): KnownEditScore {
  const left = new Map<string, ToldOperation[]>();
  for (const one of found) left.set(keyOf(one), [...(left.get(keyOf(one)) ?? []), one]);
  const take = (wanted: ToldOperation): boolean => left.get(keyOf(wanted))?.pop() !== undefined;
  const has = (wanted: ToldOperation): boolean => (left.get(keyOf(wanted))?.length ?? 0) > 0;
  const missed: ToldOperation[] = [];
  let right = 0;
  let joined = 0;
  for (const one of expected) {
    if (take(one)) {
      right++;
      continue;
    }
    const [gone, came] = apart(one);
    if (one.loose && has(gone) && has(came)) {
      take(gone);
      take(came);
      right++;
      joined++;
    } else missed.push(one);
  }
  const wrong = [...left.values()].flat();
  return { expected: expected.length, found: found.length - joined, right, wrong, missed };
}

const apart = ({ kind, old, new: now }: ToldOperation): [ToldOperation, ToldOperation] => [
  { op: 'delete', kind, ...(old ? { old } : {}) },
  { op: 'insert', kind, ...(now ? { new: now } : {}) },
];

const keyOf = ({ op, kind, old, new: now }: ToldOperation): string =>
  `${op} ${kind} ${old?.id ?? ''} ${now?.id ?? ''}`;
