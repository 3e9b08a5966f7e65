import type { CheckRow, CheckStateAnswer } from '../api.ts';

/** What is checked: a page, or what a crawl captured. */
export type Checked = { readonly url: string; readonly at?: number | undefined } | { readonly crawl: number };

/** Of the version that is looked at, else of the newest that was checked. */
export function verdictFor(checks: readonly CheckRow[], at: number | undefined): CheckRow | undefined {
  return checks.find((check) => check.at === at) ?? checks[0];
}

/** What a reader misses, in hundredths of a screen; below one it still is something. */
export const screenShare = (matters: number): number => Math.max(1, Math.round(matters * 100));

/** What can be asked for again: advertisements are let go. */
export const isMendable = ({ missing }: Pick<CheckRow, 'missing'>): boolean =>
  missing.some(({ advertisement }) => !advertisement);

export const isOf = (
  what: Checked,
  check: Pick<NonNullable<CheckStateAnswer['running']>, 'url' | 'at' | 'crawl'>,
): boolean =>
  'url' in what
    ? check.url === what.url && (what.at === undefined || check.at === undefined || check.at === what.at)
    : check.crawl === what.crawl;

export type Progress = 'idle' | 'own' | 'other';

/** Whether this is being checked, or something else is: one check runs at a time. */
export function progressOf(what: Checked, { running }: CheckStateAnswer): Progress {
  if (!running) return 'idle';
  return isOf(what, running) ? 'own' : 'other';
}
