import type { Millis } from '../../model/time.ts';
import { parseTimestamp } from '../replay-url.ts';
import { CdxProblem } from './cdx-problem.ts';
import { type KeyRange, keyRange } from './key-range.ts';

/** Parameters that both dialects read alike. */

/** Lines that are held to be told last first, and lines that may be passed over. */
export const MOST_LAST = 10_000;
/** Lines of a page are told in blocks of so many, as those of a compressed index are. */
const BLOCK = 3_000;
const PAGE_BLOCKS = 5;
const MOST_BLOCKS = 50;

export interface Paging {
  /** The number of pages is asked for, not the lines. */
  readonly isCount: boolean;
  readonly page: number;
  /** In blocks. */
  readonly pageSize: number;
}

export function rangeOf(parameters: URLSearchParams): KeyRange {
  const url = parameters.get('url');
  if (url === null) throw new CdxProblem('url: no URL is given', 'write e.g. url=https://example.org/');
  return keyRange(url, parameters.get('matchType') ?? undefined);
}

/** 1 to 17 digits: `from` is the start of the period they name, `to` its end. */
export function spanOf(parameters: URLSearchParams): { readonly from?: Millis; readonly to?: Millis } {
  const from = timeOf(parameters, 'from', (digits) => digits);
  const to = timeOf(parameters, 'to', (digits) => digits + '99991231235959999'.slice(digits.length));
  return { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
}

export function timeOf(
  parameters: URLSearchParams,
  name: string,
  filled: (digits: string) => string = (digits) => digits,
): Millis | undefined {
  const text = parameters.get(name);
  if (text === null || text === '') return undefined;
  const time = /^\d{1,17}$/.test(text) ? parseTimestamp(filled(text)) : undefined;
  if (time !== undefined) return time;
  throw new CdxProblem(`${name}: '${text}' is no time`, 'write up to 14 digits, YYYYMMDDhhmmss');
}

export function countOf(parameters: URLSearchParams, name: string, least: number): number | undefined {
  const text = parameters.get(name);
  if (text === null || text === '') return undefined;
  const value = Number(text);
  if (/^-?\d{1,15}$/.test(text) && value >= least) return value;
  throw new CdxProblem(`${name}: '${text}' cannot be`, `write a whole number from ${least} on`);
}

export function oneOf<T extends string>(
  parameters: URLSearchParams,
  name: string,
  values: readonly T[],
): T | undefined {
  const text = parameters.get(name);
  if (text === null || text === '') return undefined;
  const found = values.find((value) => value === text);
  if (found !== undefined) return found;
  throw new CdxProblem(`${name}: '${text}' is none`, `one of ${values.join(', ')}`);
}

export const isSet = (parameters: URLSearchParams, name: string): boolean =>
  ['true', '1', 'yes'].includes(parameters.get(name) ?? '');

/** Undefined where no page is asked for. */
export function pagingOf(parameters: URLSearchParams): Paging | undefined {
  const isCount = isSet(parameters, 'showNumPages');
  const page = countOf(parameters, 'page', 0);
  const pageSize = countOf(parameters, 'pageSize', 1) ?? PAGE_BLOCKS;
  if (pageSize > MOST_BLOCKS)
    throw new CdxProblem(
      `pageSize: ${pageSize} is too many`,
      `at most ${MOST_BLOCKS} blocks of ${BLOCK} lines`,
    );
  return isCount || page !== undefined ? { isCount, page: page ?? 0, pageSize } : undefined;
}

/** Lines that a page passes over and holds. */
export const linesOfPage = ({ page, pageSize }: Paging): { offset: number; limit: number } => ({
  offset: page * pageSize * BLOCK,
  limit: pageSize * BLOCK,
});

/** There is always one page, if an empty one. */
export function pageCount(
  lines: number,
  { pageSize }: Paging,
): { blocks: number; pages: number; pageSize: number } {
  const blocks = Math.ceil(lines / BLOCK);
  return { blocks, pages: Math.max(1, Math.ceil(blocks / pageSize)), pageSize };
}
