/**
 * Pages with their rates, as the lab accepts them: `0,1,2` on the command line (pages are then called p0, p1, …) or a
 * table `page, rate`; and what other tables say about these pages, by index.
 */
import type { PageTable } from '../data/page-tables.ts';
import { rateOf } from '../data/page-tables.ts';

export interface RatedPages {
  readonly names: readonly string[];
  readonly rates: Float64Array;
}

/** A list of numbers, not a file: any text with a comma, a single number, or nothing (a site without pages). */
export const isRateList = (text: string): boolean =>
  text.trim() === '' || text.includes(',') || !Number.isNaN(Number(text)) || text.trim() === 'NaN';

export function parseRateList(text: string): RatedPages {
  const parts = text.trim() === '' ? [] : text.split(',');
  const rates = parts.map((part, i) => {
    try {
      return rateOf(part);
    } catch (error) {
      throw new RangeError(`rate ${i + 1} of ${parts.length}: ${(error as Error).message}`);
    }
  });
  return { names: rates.map((_, i) => `p${i}`), rates: Float64Array.from(rates) };
}

export function ratedPages(table: PageTable<number>): RatedPages {
  return {
    names: [...table.pages.keys()],
    rates: Float64Array.from(table.pages.values(), ([rate]) => rate as number),
  };
}

/** Index by name; for pages given as a list of rates, by number too. */
export function pageIndex(names: readonly string[]): (name: string, file: string) => number {
  const index = new Map(names.map((name, i) => [name, i]));
  const listed = names.every((name, i) => name === `p${i}`);
  return (name, file) => {
    const found = index.get(name) ?? (listed ? index.get(`p${name}`) : undefined);
    if (found === undefined) throw new RangeError(`${file}: '${name}' is no page that has a rate`);
    return found;
  };
}

/** Values of a table by page; pages missing from the table have none. */
export function valuesByPage<T>(names: readonly string[], table: PageTable<T>, file: string): T[][] {
  const indexOf = pageIndex(names);
  const values: T[][] = names.map(() => []);
  for (const [name, list] of table.pages) values[indexOf(name, file)]?.push(...list);
  return values;
}

export interface SiteLinks {
  readonly links: (page: number) => readonly number[];
  /** The page of the first link. */
  readonly first: number | undefined;
}

export function linkGraph(names: readonly string[], table: PageTable<string>, file: string): SiteLinks {
  const indexOf = pageIndex(names);
  const targets = valuesByPage(names, table, file).map((list) => list.map((to) => indexOf(to, file)));
  const [first] = table.pages.keys();
  return {
    links: (page) => targets[page] ?? [],
    first: first === undefined ? undefined : indexOf(first, file),
  };
}
