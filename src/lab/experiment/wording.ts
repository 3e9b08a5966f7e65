import type { Holds } from './experiment.ts';

/** To four significant digits. */
export const round = (value: number): string => String(Number(value.toPrecision(4)));

export const percent = (share: number): string => `${Number((100 * share).toPrecision(3))}%`;

/** Whether all parts of a claim hold, some do, or none does; without any parts there is nothing to say. */
export function grade(parts: readonly boolean[]): Holds {
  if (parts.length === 0) return 'not measured';
  if (parts.every(Boolean)) return 'holds';
  return parts.some(Boolean) ? 'holds in part' : 'does not hold';
}
