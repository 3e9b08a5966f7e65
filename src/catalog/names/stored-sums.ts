import type { PatternSums } from '../../model/pattern.ts';

const LISTS = ['changes', 'hours', 'seen', 'weight', 'shape'] as const;

/** A list that is mostly zeros, as most pages never change: its length, then each other value after its place. */
export const sparse = (list: readonly number[]): number[] => [
  list.length,
  ...list.flatMap((value, place) => (value === 0 ? [] : [place, value])),
];

export function dense([length = 0, ...pairs]: readonly number[]): number[] {
  const list = new Array<number>(length).fill(0);
  for (let at = 0; at < pairs.length; at += 2) list[pairs[at] ?? 0] = pairs[at + 1] ?? 0;
  return list;
}

export function encodeSums(sums: PatternSums): string {
  const lists = LISTS.map((name) => sums[name]);
  return JSON.stringify([sums.until ?? null, ...lists.map((list) => (list ? sparse(list) : null))]);
}

export function decodeSums(text: string): PatternSums {
  const [until, ...lists] = JSON.parse(text) as [number | null, ...(number[] | null)[]];
  const [changes, hours, seen, weight, shape] = lists.map((list) => list && dense(list));
  return {
    changes: changes ?? [],
    hours: hours ?? [],
    seen: seen ?? [],
    weight: weight ?? [],
    ...(shape && { shape }),
    ...(until !== null && { until }),
  };
}
