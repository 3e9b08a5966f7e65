import type { StoredTotals } from '../../model/importance.ts';
import type { ImportanceBook, ImportanceLedger } from '../../ports/importance-ledger.ts';
import { bulkInsert, bulkQuery } from '../engines/bulk-statement.ts';
import { type Connection, type Engine, transaction } from '../engines/engine.ts';

/** What the book of on-line importance is kept with. */
export interface BookKeeping {
  readonly engine: Engine;
  /** Absent where nobody wants importance, e.g. in the lab. */
  readonly ledger: ImportanceLedger | undefined;
  /** What commits go on with. Whoever else writes to the book forgets it first. */
  readonly inHand: BookInHand;
}

/**
 * The book as the last commit left it, where nobody else can have written to it since: pages of a site link to each other, so
 * that one commit needs what the one before has read. Empty after a commit that failed.
 */
export interface BookInHand {
  book?: ImportanceBook | undefined;
}

/** Parts kept from one commit to the next: 5 MB. */
const MOST_IN_HAND = 4_000;

/** For a commit: `keep` when its changes are written. */
export async function bookInHand({ engine, inHand }: BookKeeping, db: Connection, ledger: ImportanceLedger) {
  const book = inHand.book ?? (await openBook(db, ledger));
  // Until its changes are written nobody goes on with it.
  inHand.book = undefined;
  return {
    book,
    keep(): void {
      // Several processes may write to a catalog in PostgreSQL.
      if (engine.dialect !== 'sqlite') return;
      if (book.partsInHand > MOST_IN_HAND) book.drop();
      inHand.book = book;
    },
  };
}

const FIND_PART = bulkQuery<{ part: number; pages: Uint8Array }>()({
  name: 'find-importance',
  columns: { part: 'int' },
  sql: `select p.part, p.pages from {rows} join importance_parts p on p.part = rows.part`,
});
const SET_PART = bulkInsert('importance_parts', 'on conflict (part) do update set pages = excluded.pages');
export const SET_TOTALS = bulkInsert(
  'importance_totals',
  'on conflict (name) do update set value = excluded.value',
);

export async function openBook(db: Connection, ledger: ImportanceLedger): Promise<ImportanceBook> {
  const rows = await db.selectFrom('importance_totals').selectAll().execute();
  return ledger.open(Object.fromEntries(rows.map(({ name, value }) => [name, value])));
}

/** Pages that a book can be asked for from then on. */
export async function fetchParts(
  engine: Pick<Engine, 'bulk'>,
  db: Connection,
  book: ImportanceBook,
  pages: Iterable<number>,
): Promise<void> {
  const wanted = [...pages];
  for (let missing = book.missing(wanted); missing.length > 0; missing = book.missing(wanted)) {
    const rows = await engine.bulk(
      db,
      FIND_PART,
      missing.map((part) => ({ part })),
    );
    const stored = new Map(rows.map(({ part, pages: bytes }) => [part, bytes]));
    for (const part of missing) book.put(part, stored.get(part));
  }
}

/** Releases are written where they may have changed alone: they are long. */
export async function writeBook(
  engine: Pick<Engine, 'bulk'>,
  db: Connection,
  book: ImportanceBook,
  withReleases = false,
): Promise<void> {
  const parts = [...book.takeChanges()].map(([part, pages]) => ({ part, pages }));
  await engine.bulk(db, SET_PART, parts);
  const { totals, releases } = book.stored();
  const rows = [{ name: 'totals', value: totals }];
  if (withReleases) rows.push({ name: 'releases', value: releases });
  await engine.bulk(db, SET_TOTALS, rows);
}

/** A crawl has ended: pages that none has read keep no cash. */
export async function releaseCash({ engine, ledger, inHand }: BookKeeping, db: Connection): Promise<void> {
  if (!ledger) return;
  inHand.book = undefined;
  const book = await openBook(db, ledger);
  book.release();
  await writeBook(engine, db, book, true);
  await sweepWhereNeeded(engine, db, book);
}

/** Of a book that was written. */
export async function sweepWhereNeeded(
  engine: Pick<Engine, 'bulk'>,
  db: Connection,
  book: ImportanceBook,
): Promise<void> {
  if (!book.needsSweep) return;
  const { part, end } = book.sweep();
  for await (const rows of storedParts(db))
    await engine.bulk(
      db,
      SET_PART,
      rows.map((row) => ({ part: row.part, pages: part(row.pages) })),
    );
  end();
  await writeBook(engine, db, book, true);
}

/** Pages of which no capture is left. */
export async function forgetRead(
  { engine, ledger, inHand }: BookKeeping,
  db: Connection,
  pages: readonly number[],
): Promise<void> {
  if (!ledger || pages.length === 0) return;
  inHand.book = undefined;
  const book = await openBook(db, ledger);
  await fetchParts(engine, db, book, pages);
  for (const page of pages) book.forget(page);
  await writeBook(engine, db, book);
}

/** In place of all that is there. */
export function replaceBook(
  { engine, inHand }: BookKeeping,
  stored: Required<StoredTotals>,
  parts: Iterable<readonly [part: number, pages: Uint8Array]>,
): Promise<void> {
  return transaction(engine, async (db) => {
    inHand.book = undefined;
    await db.deleteFrom('importance_parts').execute();
    let rows: { part: number; pages: Uint8Array }[] = [];
    for (const [part, pages] of parts) {
      rows.push({ part, pages });
      if (rows.length < PARTS) continue;
      await engine.bulk(db, SET_PART, rows);
      rows = [];
    }
    await engine.bulk(db, SET_PART, rows);
    await engine.bulk(db, SET_TOTALS, [
      { name: 'totals', value: stored.totals },
      { name: 'releases', value: stored.releases },
    ]);
  });
}

/** Parts read at a time: about a megabyte. */
const PARTS = 1_000;

/** All parts, in order. */
export async function* storedParts(
  db: Connection,
): AsyncGenerator<readonly { readonly part: number; readonly pages: Uint8Array }[]> {
  for (let last = -1; ; ) {
    const rows = await db
      .selectFrom('importance_parts')
      .selectAll()
      .where('part', '>', last)
      .orderBy('part')
      .limit(PARTS)
      .execute();
    if (rows.length > 0) yield rows;
    if (rows.length < PARTS) return;
    last = rows.at(-1)?.part ?? last;
  }
}
