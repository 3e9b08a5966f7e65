import type { NumberCondition } from '../../model/alert.ts';
import { plain } from './words.ts';

/**
 * Digits in groups of three (with one kind of separator), then perhaps a fraction; or digits alone. A minus counts where it
 * is not between digits or letters, as in dates and ranges.
 */
const NUMBER =
  /(?<![\p{L}\d.,:/-])([-−]?)(\d{1,3}(?:([.,' \u00a0\u202f])\d{3})(?:\3\d{3})*(?:[.,]\d+)?|\d+(?:[.,]\d+)?)(?![\d:/]|[.,]\d)/gu;

/**
 * The numbers of a text: `1,234.50`, `1.234,50`, `12 000`, `3,5` and `-2`. A single separator before exactly three digits groups
 * (1.234 is over one thousand), unless the number begins with 0. Dates and times (12.03.2026, 10:30) do not count.
 */
export function numbersIn(text: string): number[] {
  return [...text.matchAll(NUMBER)].map(([, sign, digits = '', grouping]) => {
    const ungrouped =
      grouping !== undefined && !digits.startsWith('0') ? digits.split(grouping).join('') : digits;
    const value = Number(ungrouped.replace(',', '.'));
    return sign === '' ? value : -value;
  });
}

/** The number that a condition is about: the first of the text, or the first after a label. */
export function numberIn(text: string, after: string | undefined): number | undefined {
  if (after === undefined) return numbersIn(text)[0];
  const label = plain(after);
  const lower = plain(text);
  const at = lower.indexOf(label);
  return at < 0 ? undefined : numbersIn(lower.slice(at + label.length))[0];
}

/** In words, which value was crossed and how; undefined if none was. */
export function crossing(
  old: number | undefined,
  now: number | undefined,
  { above, below, crosses }: NumberCondition,
): string | undefined {
  if (old === undefined || now === undefined) return undefined;
  const up = above ?? crosses;
  const down = below ?? crosses;
  if (up !== undefined && old <= up && now > up) return `number ${old} -> ${now} rose above ${up}`;
  if (down !== undefined && old >= down && now < down) return `number ${old} -> ${now} fell below ${down}`;
  return undefined;
}
