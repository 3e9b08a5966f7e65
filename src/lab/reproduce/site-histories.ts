import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readTable } from '../data/page-tables.ts';
import { parseHistory, type SiteEvents } from '../data/site-history.ts';
import { Skipped } from '../experiment/experiment.ts';

/** Sites crawled every 30 to 60 minutes: only there are change times known well enough for blur. */
export const DENSE = /^(teletext-.+)\.tsv(\.gz)?$/;
export const ANY_SITE = /^(.+)\.tsv(\.gz)?$/;

/** Histories by name, from the folder `sites` in this folder, or from this folder itself if it has none. */
export function siteHistories(folder: string | undefined, names = DENSE): Map<string, SiteEvents> | Skipped {
  if (folder === undefined) return new Skipped('it needs real histories: name their folder with --data');
  const found = new Map<string, SiteEvents>();
  const inside = join(folder, 'sites');
  const place = filesIn(inside).length > 0 ? inside : folder;
  for (const file of filesIn(place)) {
    const name = names.exec(file)?.[1];
    const path = join(place, file);
    if (name !== undefined) found.set(name, parseHistory(readTable(path), path));
  }
  return found.size > 0 ? found : new Skipped(`'${folder}' holds no history ${names.source}`);
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
