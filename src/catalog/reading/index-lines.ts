import { sql } from 'kysely';
import type { IndexLine, IndexQuery } from '../../ports/catalog.ts';
import type { Connection } from '../engines/engine.ts';
import { storable } from '../names/stored-text.ts';
import { captureFact, type StoredCaptureRow, selectCaptures } from './capture-facts.ts';
import { headOf, surtHead } from './capture-list.ts';

/**
 * The index as a CDX server reads it. Archives have millions of URLs with one capture, and URLs with millions of captures:
 * captures of many URLs are read at once while they are few, and those of one key are walked in order of time otherwise.
 * So each line costs the same wherever it stands, and no query sorts more than it gives.
 */

/** URLs read at a time: few at first, for those who ask for a few lines. */
const FIRST_URLS = 8;
const MOST_URLS = 512;
/** Captures read at a time, and held. */
const FIRST_ROWS = 12;
const MOST_ROWS = 1_000;

/** URLs that share a SURT key: http and https, with and without `www.`. */
interface KeyGroup {
  readonly surt: string;
  readonly ids: readonly number[];
}

export async function* indexLines(db: Connection, query: IndexQuery): AsyncIterable<IndexLine> {
  const { after } = query;
  let skipped = after?.read ?? 0;
  for await (const groups of keyGroups(db, query)) {
    for await (const line of linesOf(db, query, groups)) {
      const isAtPlace = after && line.surt === after.surt && line.fact.at === after.at;
      if (isAtPlace && skipped-- > 0) continue;
      yield line;
    }
  }
}

async function* keyGroups(db: Connection, query: IndexQuery): AsyncIterable<readonly KeyGroup[]> {
  const { keys, isReverse = false, after } = query;
  const [from, to] = [storable(keys.from), storable(keys.to)];
  let limit = FIRST_URLS;
  let last: { readonly surt: string; readonly id: number } | undefined;
  // The URLs of one key may be cut by the limit: its group waits for the next part.
  let open: { surt: string; ids: number[] } | undefined;
  for (;;) {
    const order = isReverse ? 'desc' : 'asc';
    let part = db
      .selectFrom('urls as u')
      .select(['u.id', 'u.surt'])
      .where('u.surt', 'is not', null)
      .where(surtHead, '>=', headOf(from))
      .where(surtHead, '<=', headOf(to))
      .where('u.surt', '>=', from)
      .where('u.surt', '<', to)
      .orderBy(surtHead, order)
      .orderBy('u.surt', order)
      .orderBy('u.id', order)
      .limit(limit);
    const start = last?.surt ?? (after && storable(after.surt));
    if (start !== undefined) part = part.where(surtHead, isReverse ? '<=' : '>=', headOf(start));
    if (last) {
      part = isReverse
        ? part.where(sql<boolean>`(u.surt, u.id) < (${last.surt}, ${last.id})`)
        : part.where(sql<boolean>`(u.surt, u.id) > (${last.surt}, ${last.id})`);
    } else if (start !== undefined) part = part.where('u.surt', isReverse ? '<=' : '>=', start);
    const rows = await part.execute();
    const groups: KeyGroup[] = [];
    for (const { id, surt } of rows) {
      if (open?.surt === surt) open.ids.push(id);
      else {
        if (open) groups.push(open);
        open = { surt: surt ?? '', ids: [id] };
      }
    }
    const end = rows.at(-1);
    const isLast = rows.length < limit || !end;
    if (isLast && open) groups.push(open);
    if (groups.length > 0) yield groups;
    if (isLast) return;
    last = { surt: end.surt ?? '', id: end.id };
    limit = Math.min(MOST_URLS, 4 * limit);
  }
}

async function* linesOf(
  db: Connection,
  query: IndexQuery,
  groups: readonly KeyGroup[],
): AsyncIterable<IndexLine> {
  const [only] = groups;
  if (groups.length === 1 && only) {
    yield* linesOfKey(db, query, only);
    return;
  }
  const ids = groups.flatMap((group) => group.ids);
  const rows = await inSpan(selectCaptures(db).where('c.url_id', 'in', ids), query)
    .limit(MOST_ROWS + 1)
    .execute();
  if (rows.length > MOST_ROWS) {
    const half = Math.ceil(groups.length / 2);
    yield* linesOf(db, query, groups.slice(0, half));
    yield* linesOf(db, query, groups.slice(half));
    return;
  }
  const sign = query.isReverse ? -1 : 1;
  const place = new Map(groups.map(({ surt }, index) => [surt, index]));
  rows.sort(
    (a, b) =>
      (place.get(a.surt ?? '') ?? 0) - (place.get(b.surt ?? '') ?? 0) ||
      sign * (a.taken_at - b.taken_at || a.id - b.id),
  );
  for (const row of rows) if (isPast(row, query)) yield lineOf(row);
}

/** The few URLs of one key, each in order of time, merged. */
async function* linesOfKey(db: Connection, query: IndexQuery, { ids }: KeyGroup): AsyncIterable<IndexLine> {
  const sign = query.isReverse ? -1 : 1;
  const streams = ids.map((id) => rowsOfUrl(db, query, id)[Symbol.asyncIterator]());
  const heads = await Promise.all(streams.map((stream) => stream.next()));
  for (;;) {
    let best = -1;
    for (const [index, head] of heads.entries()) {
      if (head.done) continue;
      const other = best < 0 ? undefined : (heads[best]?.value as StoredCaptureRow);
      const { taken_at, id } = head.value;
      if (!other || sign * (taken_at - other.taken_at || id - other.id) < 0) best = index;
    }
    const stream = streams[best];
    if (!stream) return;
    yield lineOf(heads[best]?.value as StoredCaptureRow);
    heads[best] = await stream.next();
  }
}

async function* rowsOfUrl(
  db: Connection,
  query: IndexQuery,
  urlId: number,
): AsyncGenerator<StoredCaptureRow> {
  const order = query.isReverse ? 'desc' : 'asc';
  let limit = FIRST_ROWS;
  let last: StoredCaptureRow | undefined;
  for (;;) {
    let part = inSpan(selectCaptures(db).where('c.url_id', '=', urlId), query)
      .orderBy('c.taken_at', order)
      .orderBy('c.id', order)
      .limit(limit);
    if (last) {
      part = query.isReverse
        ? part.where(sql<boolean>`(c.taken_at, c.id) < (${last.taken_at}, ${last.id})`)
        : part.where(sql<boolean>`(c.taken_at, c.id) > (${last.taken_at}, ${last.id})`);
    } else part = fromPlace(part, query);
    const rows: StoredCaptureRow[] = await part.execute();
    for (const row of rows) if (isPast(row, query)) yield row;
    if (rows.length < limit) return;
    last = rows.at(-1);
    limit = Math.min(MOST_ROWS, 4 * limit);
  }
}

type Captures = ReturnType<typeof selectCaptures>;

function inSpan(captures: Captures, { from, to }: IndexQuery): Captures {
  let part = captures;
  if (from !== undefined) part = part.where('c.taken_at', '>=', from);
  if (to !== undefined) part = part.where('c.taken_at', '<=', to);
  return part;
}

/** Of the key at which a listing goes on, captures that were read are not read again. */
function fromPlace(captures: Captures, { after, isReverse }: IndexQuery): Captures {
  if (!after) return captures;
  const surt = storable(after.surt);
  return captures.where(
    sql<boolean>`(u.surt <> ${surt} or ${isReverse ? sql`c.taken_at <= ${after.at}` : sql`c.taken_at >= ${after.at}`})`,
  );
}

function isPast(row: StoredCaptureRow, { after, isReverse }: IndexQuery): boolean {
  if (!after || row.surt !== storable(after.surt)) return true;
  return isReverse ? row.taken_at <= after.at : row.taken_at >= after.at;
}

const lineOf = (row: StoredCaptureRow): IndexLine => ({ surt: row.surt ?? '', fact: captureFact(row) });

/** Lines of the range, time span included. */
export async function indexSize(db: Connection, query: Omit<IndexQuery, 'after'>): Promise<number> {
  const [from, to] = [storable(query.keys.from), storable(query.keys.to)];
  let lines = db
    .selectFrom('urls as u')
    .innerJoin('captures as c', 'c.url_id', 'u.id')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('u.surt', 'is not', null)
    .where(surtHead, '>=', headOf(from))
    .where(surtHead, '<=', headOf(to))
    .where('u.surt', '>=', from)
    .where('u.surt', '<', to);
  if (query.from !== undefined) lines = lines.where('c.taken_at', '>=', query.from);
  if (query.to !== undefined) lines = lines.where('c.taken_at', '<=', query.to);
  return Number((await lines.executeTakeFirst())?.count ?? 0);
}
