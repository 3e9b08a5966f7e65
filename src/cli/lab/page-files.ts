import { UserError } from '../../archive/user-error.ts';
import {
  BadRowError,
  type PageTable,
  parseChanges,
  parseObservations,
  parseWeights,
  readTable,
  type TableOptions,
} from '../../lab/data/page-tables.ts';
import { UnknownZoneError, zoneOffset } from '../../science/patterns/zone.ts';
import type { HistoryFlags } from './table-options.ts';

/** Bad rows that were left out, reported once per file. */
export interface Skipping extends TableOptions {
  skipped: number;
}

/** Reads and parses a table; errors in it are the user's to fix. */
export function readPages<T extends { readonly skipped: number; readonly firstBad?: string }>(
  file: string,
  parse: (text: string, file: string, options: TableOptions) => T,
  skipping: Skipping,
): T {
  try {
    const table = parse(readTable(file), file, skipping);
    skipping.skipped += table.skipped;
    if (table.skipped > 0) {
      process.stderr.write(`${file}: ${table.skipped} bad rows left out, the first: ${table.firstBad}\n`);
    }
    return table;
  } catch (error) {
    if (error instanceof BadRowError)
      throw new UserError(`${error.message} (--skip-bad leaves such rows out)`);
    if (error instanceof Error && 'code' in error) throw new UserError(`${file}: ${error.message}`);
    throw error;
  }
}

export const readWeights = (
  file: string | undefined,
  skipping: Skipping,
): ReadonlyMap<string, number> | undefined =>
  file === undefined ? undefined : readPages(file, parseWeights, skipping).weights;

type Given =
  | { readonly kind: 'changes'; readonly table: ReturnType<typeof parseChanges> }
  | { readonly kind: 'observations'; readonly table: ReturnType<typeof parseObservations> };

/** Whichever of the two tables of histories was given. */
export function readHistories({ changes, observations, timezone }: HistoryFlags, skipping: Skipping): Given {
  requireZone(timezone);
  if (changes !== undefined && observations === undefined) {
    return { kind: 'changes', table: some(changes, readPages(changes, parseChanges, skipping)) };
  }
  if (observations !== undefined && changes === undefined) {
    const table = some(observations, readPages(observations, parseObservations, skipping));
    return { kind: 'observations', table };
  }
  throw new UserError('either --changes or --observations is needed, not both');
}

function some<T>(file: string, table: PageTable<T>): PageTable<T> {
  if (table.pages.size === 0) throw new UserError(`${file}: no rows`);
  return table;
}

export function requireZone(zone: string): void {
  try {
    zoneOffset(zone);
  } catch (error) {
    if (error instanceof UnknownZoneError) throw new UserError(error.message);
    throw error;
  }
}
