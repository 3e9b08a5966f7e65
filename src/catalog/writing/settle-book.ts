import type { SettlingLimits } from '../../ports/catalog.ts';
import type { ImportanceBook } from '../../ports/importance-ledger.ts';
import { type Connection, type Engine, transaction } from '../engines/engine.ts';
import { linksOfPages } from './commit-pages.ts';
import {
  type BookKeeping,
  fetchParts,
  openBook,
  SET_TOTALS,
  sweepWhereNeeded,
  writeBook,
} from './importance-book.ts';

/** By measurement: docs/importance.md. */
const SETTLING: SettlingLimits = { rounds: 6, links: 500_000, parts: 16_000 };

/** Pages visited before the next are fetched. */
const AT_ONCE = 500;
/** Rows that tell which page was visited last, and how many visits the book had when a round came to its end. */
const PLACE = 'settled_to';
const VISITS = 'settled_visits';

type LinkedPages = readonly (readonly [page: number, links: readonly number[]])[];

/**
 * A crawl visits what it reads: pages that are not named any more keep their cash, and history tells of links as they were. So at its
 * end all pages that were ever read are visited along their stored links, in the order of their numbers and without asking any
 * server. These are visits as all others, under which cash adds up and the bound holds. A large archive is gone through piece by
 * piece, each end going on where the last one stopped. One transaction: killed, the book is that of the commits.
 */
export function settleBook(
  { engine, ledger, inHand: ofCommits }: BookKeeping,
  limits: SettlingLimits = SETTLING,
): Promise<void> {
  if (!ledger) return Promise.resolve();
  return transaction(engine, async (db) => {
    ofCommits.book = undefined;
    const book = await openBook(db, ledger);
    const pages = new ReadPages(engine, db);
    const inHand = new Set<LinkedPages>();
    let place = await noted(db, PLACE);
    let links = limits.links;
    for (let round = 0; round < limits.rounds && links > 0; ) {
      const some = await pages.after(place);
      if (!inHand.has(some)) await fetchParts(engine, db, book, reached(some));
      inHand.add(some);
      links -= visitAll(book, some);
      place = some.length < AT_ONCE ? 0 : (some.at(-1)?.[0] ?? 0);
      if (place === 0) {
        // A round ends as a crawl does.
        book.release();
        round++;
      }
      if (book.partsInHand <= limits.parts) continue;
      await writeBook(engine, db, book, true);
      book.drop();
      inHand.clear();
    }
    await writeBook(engine, db, book, true);
    await sweepWhereNeeded(engine, db, book);
    const rows = [{ name: PLACE, value: String(place) }];
    if (place === 0) rows.push({ name: VISITS, value: String(book.figures.visits) });
    await engine.bulk(db, SET_TOTALS, rows);
  });
}

/**
 * The same where pages were visited since all of them were last gone through, or not all of them were: for whoever settles now and
 * then, of an archive in which many crawls end. Returns whether there was something to settle.
 */
export async function settleNews(keeping: BookKeeping, limits?: SettlingLimits): Promise<boolean> {
  const { engine, ledger } = keeping;
  if (!ledger) return false;
  const { visits } = (await openBook(engine.db, ledger)).figures;
  const isSettled = (await noted(engine.db, PLACE)) === 0 && (await noted(engine.db, VISITS)) === visits;
  if (!isSettled) await settleBook(keeping, limits);
  return !isSettled;
}

/** Returns how many links cash went along; a page counts as one more. */
function visitAll(book: ImportanceBook, pages: LinkedPages): number {
  let links = 0;
  for (const [page, targets] of pages) {
    // What redirects by now is no page.
    if (book.isRead(page)) book.visit(page, targets);
    links += 1 + targets.length;
  }
  return links;
}

function* reached(pages: LinkedPages): Iterable<number> {
  for (const [page, links] of pages) {
    yield page;
    yield* links;
  }
}

/** Pages that were read, by number, with all links that any capture of theirs had; what was asked for once is kept. */
class ReadPages {
  readonly #engine: Engine;
  readonly #db: Connection;
  readonly #known = new Map<number, LinkedPages>();

  constructor(engine: Engine, db: Connection) {
    this.#engine = engine;
    this.#db = db;
  }

  async after(place: number): Promise<LinkedPages> {
    const known = this.#known.get(place);
    if (known) return known;
    const rows = await this.#db
      .selectFrom('pages')
      .select('url_id')
      .where('url_id', '>', place)
      .orderBy('url_id')
      .limit(AT_ONCE)
      .execute();
    const numbers = rows.map(({ url_id }) => url_id);
    const links = await linksOfPages({ engine: this.#engine, connection: this.#db }, numbers);
    const found = numbers.map((page) => [page, links.get(page) ?? []] as const);
    this.#known.set(place, found);
    return found;
  }
}

async function noted(db: Connection, name: typeof PLACE | typeof VISITS): Promise<number> {
  const row = await db
    .selectFrom('importance_totals')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirst();
  return Number(row?.value ?? 0);
}
