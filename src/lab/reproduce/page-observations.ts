import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Observation } from '../../science/patterns/observations.ts';
import { parseObservations, readTable } from '../data/page-tables.ts';
import { Skipped } from '../experiment/experiment.ts';

/** Section pages of German news sites, seen about hourly through 2022: `german-news-2022.tsv`. */
export const NEWS_ZONE = 'Europe/Berlin';

const PLACES = ['', 'pages'] as const;
const FILES = ['german-news-2022.tsv.gz', 'german-news-2022.tsv'] as const;

type Observations = ReadonlyMap<string, readonly Observation[]>;

/** A million rows, requested by every experiment: read once. */
const read = new Map<string, Observations>();

/** In the folder itself or in its folder `pages`. */
export function newsObservations(folder: string | undefined): Observations | Skipped {
  if (folder === undefined) return new Skipped('it needs real observations: name their folder with --data');
  for (const place of PLACES) {
    for (const file of FILES) {
      const path = join(folder, place, file);
      const known = read.get(path);
      if (known) return known;
      if (!existsSync(path)) continue;
      const { pages } = parseObservations(readTable(path), path);
      read.set(path, pages);
      return pages;
    }
  }
  return new Skipped(`'${folder}' holds no ${FILES.join(' or ')}`);
}

/** Every n-th page: for runs that only have to show that they work. */
export const everyNth = (table: Observations, n: number): Observations =>
  new Map([...table].filter((_, index) => index % n === 0));
