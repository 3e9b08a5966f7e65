/**
 * Tables about pages, tab-separated, gzip accepted, with or without a header row:
 *
 *   observations   page, unix time, changed 0|1, importance   unchanged visits included
 *   changes        page, unix time, importance                 importance optional, 1 by default
 *   captures       page, unix time
 *   weights        page, importance
 *   rates          page, changes per unit of time               each page once
 *   links          from, to
 *   ranking        page or site, rank                           1 is the most important; each once
 *   scores         page or site, name of the score, value       a value of at least 0
 *   pages          url, language, country, text, truth 0|1     all but the first may be empty; each page once
 *
 * A bad row is refused with file, line and reason; with `skipBad` it is skipped and counted.
 */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Seconds } from '../../model/time.ts';
import type { Observation } from '../../science/patterns/observations.ts';
import type { PageVersion } from '../../science/quality/completeness.ts';

export class BadRowError extends Error {
  readonly file: string;
  readonly line: number;

  constructor(file: string, line: number, reason: string) {
    super(`${file}, line ${line}: ${reason}`);
    this.file = file;
    this.line = line;
  }
}

export interface TableOptions {
  /** Skip bad rows instead of refusing the file. */
  readonly skipBad?: boolean;
}

export interface PageTable<T> {
  /** In order of first appearance. */
  readonly pages: ReadonlyMap<string, readonly T[]>;
  /** Rows skipped, and the reason for the first of them. */
  readonly skipped: number;
  readonly firstBad?: string;
}

export function readTable(file: string): string {
  const bytes = readFileSync(file);
  return (bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes).toString('utf8');
}

export const parseObservations = (
  text: string,
  file: string,
  options?: TableOptions,
): PageTable<Observation> =>
  parse(text, file, [4, 4], options, ([time = '', changed = '', importance = '']) => {
    if (changed !== '0' && changed !== '1') throw new RangeError(`changed must be 0 or 1, not '${changed}'`);
    return { time: timeOf(time), changed: changed === '1', importance: shareOf(importance) };
  });

export const parseChanges = (text: string, file: string, options?: TableOptions): PageTable<PageVersion> =>
  parse(text, file, [2, 3], options, ([time = '', importance = '']) => ({
    time: timeOf(time),
    importance: importance === '' ? 1 : shareOf(importance),
  }));

export const parseCaptures = (text: string, file: string, options?: TableOptions): PageTable<Seconds> =>
  parse(text, file, [2, 2], options, ([time = '']) => timeOf(time));

export function parseWeights(
  text: string,
  file: string,
  options?: TableOptions,
): Pick<PageTable<number>, 'skipped' | 'firstBad'> & { readonly weights: ReadonlyMap<string, number> } {
  const table = parse(text, file, [2, 2], options, ([importance = '']) => shareOf(importance));
  const weights = new Map<string, number>();
  for (const [page, values] of table.pages) weights.set(page, values[values.length - 1] as number);
  const { pages: _, ...rest } = table;
  return { weights, ...rest };
}

/** Each page once: two rates for one page are ambiguous. */
export function parseRates(text: string, file: string, options?: TableOptions): PageTable<number> {
  const seen = new Set<string>();
  return parse(text, file, [2, 2], options, ([rate = ''], page) => {
    if (seen.has(page)) throw new RangeError(`'${page}' has a rate already`);
    const value = rateOf(rate);
    seen.add(page);
    return value;
  });
}

/** Ranks given by a person; equal ranks are a tie. */
export function parseRanking(text: string, file: string, options?: TableOptions): PageTable<number> {
  const seen = new Set<string>();
  return parse(text, file, [2, 2], options, ([rank = ''], page) => {
    if (seen.has(page)) throw new RangeError(`'${page}' has a rank already`);
    const value = Number(rank);
    if (rank.trim() === '' || !(value >= 1 && value < Number.POSITIVE_INFINITY))
      throw new RangeError(`a rank must be a number >= 1, 1 being first, not '${rank}'`);
    seen.add(page);
    return value;
  });
}

export interface NamedScore {
  readonly name: string;
  readonly value: number;
}

export const parseScores = (text: string, file: string, options?: TableOptions): PageTable<NamedScore> =>
  parse(text, file, [3, 3], options, ([name = '', value = '']) => {
    const score = Number(value);
    if (name === '') throw new RangeError('no name of the score');
    if (value.trim() === '' || !(score >= 0 && score < Number.POSITIVE_INFINITY))
      throw new RangeError(`a score must be a finite number >= 0, not '${value}'`);
    return { name, value: score };
  });

/** The pages that each page links to, in the order of the file. */
export const parseLinks = (text: string, file: string, options?: TableOptions): PageTable<string> =>
  parse(text, file, [2, 2], options, ([to = '']) => {
    if (to === '') throw new RangeError('no page that is linked to');
    return to;
  });

export interface DescribedPage {
  readonly language?: string;
  readonly country?: string;
  readonly text?: string;
  /** Whether the page belongs to the perimeter. */
  readonly truth?: boolean;
}

export function parseDescribedPages(
  text: string,
  file: string,
  options?: TableOptions,
): PageTable<DescribedPage> {
  const seen = new Set<string>();
  return parse(text, file, [2, 5], options, ([language = '', country = '', words = '', truth = ''], url) => {
    if (!URL.canParse(/^https?:\/\//i.test(url) ? url : `http://${url}`))
      throw new RangeError(`'${url}' is no web address`);
    if (seen.has(url)) throw new RangeError(`'${url}' stands there already`);
    if (!/^(?:[a-z]{2,3}(?:-[A-Za-z0-9]+)*)?$/.test(language))
      throw new RangeError(`language must be an ISO 639 code such as fr, or empty, not '${language}'`);
    if (!/^(?:[A-Za-z]{2})?$/.test(country))
      throw new RangeError(`country must be an ISO 3166 code such as FR, or empty, not '${country}'`);
    if (!['', '0', '1'].includes(truth)) throw new RangeError(`truth must be 0, 1 or empty, not '${truth}'`);
    seen.add(url);
    return {
      ...(language !== '' && { language: language.split('-')[0] as string }),
      ...(country !== '' && { country: country.toUpperCase() }),
      ...(words !== '' && { text: words }),
      ...(truth !== '' && { truth: truth === '1' }),
    };
  });
}

export function rateOf(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0 && value < Number.POSITIVE_INFINITY)) {
    throw new RangeError(`a rate must be a finite number >= 0, not '${text}'`);
  }
  return value;
}

function parse<T>(
  text: string,
  file: string,
  [fewest, most]: readonly [number, number],
  options: TableOptions = {},
  row: (fields: readonly string[], page: string) => T,
): PageTable<T> {
  const pages = new Map<string, T[]>();
  let skipped = 0;
  let firstBad: string | undefined;
  const lines = text.split('\n');
  lines.forEach((line, index) => {
    const trimmed = line.endsWith('\r') ? line.slice(0, -1) : line;
    if (trimmed === '' || (index === 0 && isHeader(trimmed))) return;
    const [page = '', ...fields] = trimmed.split('\t');
    try {
      if (page === '') throw new RangeError('no page');
      if (fields.length + 1 < fewest || fields.length + 1 > most) {
        const columns = fewest === most ? `${fewest}` : `${fewest} to ${most}`;
        throw new RangeError(`${columns} columns are needed, not ${fields.length + 1}`);
      }
      const value = row(fields, page);
      const list = pages.get(page);
      if (list) list.push(value);
      else pages.set(page, [value]);
    } catch (error) {
      const bad = new BadRowError(file, index + 1, (error as Error).message);
      if (!options.skipBad) throw bad;
      skipped++;
      firstBad ??= bad.message;
    }
  });
  return { pages, skipped, ...(firstBad === undefined ? {} : { firstBad }) };
}

const isHeader = (line: string): boolean =>
  (/^(page|path|url)\t/i.test(line) && !/\t-?\d/.test(line)) || /^from\tto$/i.test(line);

function timeOf(text: string): Seconds {
  if (!/^-?\d+(\.\d+)?$/.test(text)) throw new RangeError(`time must be Unix seconds, not '${text}'`);
  return Number(text);
}

function shareOf(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0 && value <= 1)) {
    throw new RangeError(`importance must be in [0, 1], not '${text}'`);
  }
  return value;
}
