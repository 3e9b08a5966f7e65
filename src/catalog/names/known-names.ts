import { setImmediate as turn } from 'node:timers/promises';
import { bulkQuery } from '../engines/bulk-statement.ts';
import type { Connection, Engine } from '../engines/engine.ts';
import { type FrontierPlace, NameTable } from './name-table.ts';
import { RecentMap } from './recent-map.ts';
import { hashOfKey, keyOf, storable } from './stored-text.ts';

/** A row of urls, sites or hosts. The mutable notes keep the hot path from repeating work. */
export interface Known {
  readonly id: number;
  readonly name: string;
  /** Its row in the table of names, or -1. */
  readonly row: number;
  crawlId: number;
  place: FrontierPlace;
  hasSurt: boolean;
  /** This process added its row, and has not forgotten it since. */
  readonly isNew: boolean;
}

export interface KnownNames {
  /** Finds the ids of all of them, adding rows where there are none: `get` knows them until the next call. */
  resolve(connection: Connection, names: Iterable<string>): Promise<void>;
  get(name: string): Known;
  /** Whether the batch in hand has read the row with this id, or made it, and no crawl has skipped it. */
  isUnskipped(id: number): boolean;
  /** No capture of it can be in the catalog, if no other process writes to it. Says so only where that costs no SQL. */
  isUncaptured(name: string): boolean;
  /** Remembers the notes of one that was changed. */
  note(known: Known): void;
  /** After a rollback, or when notes about places no longer hold. */
  clear(): void;
}

/** Names hashed before other work has its turn: a page may have 20,000 links. */
const NAMES_PER_TURN = 500;

/**
 * Most links of a page were seen a moment ago: those cost no SQL and no hash. The others cost a hash: the
 * table knows nearly all that this process ever met. Without it each link to a page far away cost two
 * statements over pages of the file that no cache holds (measured in decisions/0005-catalog.md).
 */
export function knownNames(
  engine: Pick<Engine, 'bulk' | 'dialect'>,
  table: 'urls' | 'sites' | 'hosts',
  column: 'url' | 'site' | 'host',
  size: { readonly recent: number; readonly table: number },
): KnownNames {
  const recent = new RecentMap<Known>(size.recent);
  const known = new NameTable(size.table);
  /** Those of the batch in hand, asked for again and again: a small map stays in the processor's cache. */
  let batch = new Map<string, Known>();
  let unskipped = new Set<number>();
  type Row = { readonly id: number; readonly key: string; readonly skip_id?: number | null };
  const ofUrls = table === 'urls' ? ', t.skip_id' : '';
  const find = bulkQuery<Row>()({
    name: `find-${table}`,
    columns: { key: 'text' },
    sql: `select t.id, t.key${ofUrls} from {rows} join ${table} t on t.key = rows.key`,
  });
  const add = bulkQuery<Row>()({
    name: `add-${table}`,
    columns: { key: 'text', name: 'text' },
    sql: `insert into ${table} (key, ${column}) select rows.key, rows.name from {rows} where true
      on conflict (key) do nothing returning id, key`,
  });
  const keep = (name: string, found: Known): void => {
    recent.set(name, found);
    batch.set(name, found);
  };

  return {
    async resolve(connection, names) {
      recent.trim();
      batch = new Map();
      unskipped = new Set();
      const missing = new Map<string, string[]>();
      let left = NAMES_PER_TURN;
      for (const name of names) {
        if (--left === 0) {
          left = NAMES_PER_TURN;
          await turn();
        }
        if (batch.has(name)) continue;
        const latest = recent.get(name);
        if (latest) {
          batch.set(name, latest);
          continue;
        }
        const key = keyOf(storable(name));
        const spellings = missing.get(key);
        if (!spellings) {
          const row = known.find(hashOfKey(key));
          if (row < 0) missing.set(key, [name]);
          else
            keep(name, { id: known.id(row), name: storable(name), row, ...known.notes(row), isNew: false });
        } else if (!spellings.includes(name)) spellings.push(name);
      }
      const accept = ({ id, key, skip_id = null }: Row, isNew = false): void => {
        if (skip_id === null) unskipped.add(id);
        const spellings = missing.get(key) ?? [];
        const name = storable(spellings[0] ?? '');
        const row = known.add(hashOfKey(key), id);
        const fresh: Known = { id, name, row, crawlId: 0, place: 'unknown', hasSurt: false, isNew };
        for (const spelling of spellings) keep(spelling, fresh);
        missing.delete(key);
      };
      const look = () =>
        engine.bulk(
          connection,
          find,
          [...missing.keys()].map((key) => ({ key })),
        );
      for (const row of await look()) accept(row);
      if (missing.size === 0) return;
      // In one order for all writers: two that insert the same URLs wait for each other, never in a circle.
      // (SQLite has one writer, and ids in the order of discovery keep its tables compact.)
      const fresh = [...missing].map(([key, [name = '']]) => ({ key, name: storable(name) }));
      if (engine.dialect === 'postgres') fresh.sort((a, b) => (a.key < b.key ? -1 : 1));
      for (const row of await engine.bulk(connection, add, fresh)) accept(row, true);
      // Another writer added the same URL between the two statements.
      if (missing.size > 0) for (const row of await look()) accept(row);
    },
    get(name) {
      const found = batch.get(name);
      if (found) return found;
      throw new Error(`the catalog gave no id to '${name.slice(0, 200)}': a fault of Daguerre itself`);
    },
    isUnskipped: (id) => unskipped.has(id),
    isUncaptured(name) {
      const latest = recent.get(name);
      return latest?.isNew === true && !latest.hasSurt;
    },
    note: (changed) => known.note(changed.row, changed),
    clear() {
      recent.clear();
      batch = new Map();
      unskipped = new Set();
      known.clear();
    },
  };
}
