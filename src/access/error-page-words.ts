import { GONE_STATUSES } from '../model/exchange.ts';

/** Statuses of answers that are errors, of each version that is one. */
export interface ErrorPages {
  readonly old?: number;
  readonly new?: number;
}

/** Undefined where both versions are the page itself, or nobody knows: a file has no status. */
export function errorPages(old: number | undefined, now: number | undefined): ErrorPages | undefined {
  const isError = (status: number | undefined): boolean => status !== undefined && status >= 400;
  if (!isError(old) && !isError(now)) return undefined;
  return {
    ...(old !== undefined && isError(old) && { old }),
    ...(now !== undefined && isError(now) && { new: now }),
  };
}

/** What comes before all that differs in words: it is not the page that is compared. */
export function errorPageText({ old, new: now }: ErrorPages): string {
  if (old !== undefined && now !== undefined)
    return `Neither is the page: error pages stand in its place, ${old} before and ${now} after`;
  if (now === undefined) return `The page is back: an error page (${old}) stood in its place`;
  const what =
    (GONE_STATUSES as readonly number[]).includes(now) && now >= 400 ? 'is gone: it answers' : 'answers';
  return `The page ${what} ${now}, and an error page stands in its place`;
}
