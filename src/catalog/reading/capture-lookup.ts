import { type CompiledQuery, sql } from 'kysely';
import type { CaptureFact, PayloadOriginal, Validators } from '../../model/capture.ts';
import { isPrivate, PRIVATE_FILE } from '../../model/private-capture.ts';
import { surt } from '../../model/surt.ts';
import type { Millis } from '../../model/time.ts';
import type { CaptureNeighbours, Secrecy } from '../../ports/catalog.ts';
import { builtOnce } from '../engines/built-query.ts';
import { bulkQuery } from '../engines/bulk-statement.ts';
import type { Connection, Engine } from '../engines/engine.ts';
import { recordBytes, recordIdOf } from '../names/stored-ids.ts';
import { keyOf, storable } from '../names/stored-text.ts';
import { captureFact, type StoredCaptureRow, selectCaptures } from './capture-facts.ts';
import { headOf, surtHead } from './capture-list.ts';

type Captures = ReturnType<typeof selectCaptures>;

/** Written out, not bound: the partial indexes on digests ask for the literal. */
const isFull = sql<boolean>`c.type <> 'revisit'`;

/** Of the file `f` that a record lies in; 1 or 0. */
const IS_PRIVATE = `case when f.name like '${PRIVATE_FILE}%' then 1 else 0 end`;
const isPublic = sql<boolean>`${sql.raw(IS_PRIVATE)} = 0`;

/** What is looked for; `head` is the indexed beginning of the SURT key. */
interface Sought extends Readonly<Record<string, unknown>> {
  readonly key: string;
  readonly surt: string;
  readonly head: string;
  readonly at: Millis;
}

/** The last capture up to a moment, and the first after it. */
interface Around {
  readonly before: (db: Connection, sought: Sought) => Promise<readonly StoredCaptureRow[]>;
  readonly after: (db: Connection, sought: Sought) => Promise<readonly StoredCaptureRow[]>;
}

/** Of those captures that `only` leaves: of exactly the URL, and of its SURT key (http and https, with and without www). */
function lookups(only: (captures: Captures) => Captures): readonly [exact: Around, related: Around] {
  const around = (of: (captures: Captures, sought: Sought) => Captures): Around => ({
    before: builtOnce((db, sought: Sought) =>
      only(of(selectCaptures(db), sought))
        .where('c.taken_at', '<=', sought.at)
        .orderBy('c.taken_at', 'desc')
        .orderBy('c.id')
        .limit(1),
    ),
    after: builtOnce((db, sought: Sought) =>
      only(of(selectCaptures(db), sought))
        .where('c.taken_at', '>', sought.at)
        .orderBy('c.taken_at')
        .orderBy('c.id')
        .limit(1),
    ),
  });
  return [
    around((captures, { key }) => captures.where('u.key', '=', key)),
    around((captures, { surt: key, head }) => captures.where('u.surt', '=', key).where(surtHead, '=', head)),
  ];
}

const ALL = lookups((captures) => captures);
const ASKED_BY_GET = lookups((captures) => captures.where('c.method', 'in', ['GET', '']));
const FULL = lookups((captures) => captures.where(isFull));
const FULL_AND_PUBLIC = lookups((captures) => captures.where(isFull).where(isPublic));

function sought(url: string, at: Millis): Sought {
  const text = storable(url);
  const key = storable(surt(text));
  return { key: keyOf(text), surt: key, head: headOf(key), at };
}

/**
 * The nearest in time among the captures of exactly this URL; only if there are none, among those with its
 * SURT key. As near on both sides => the earlier one; at the same time => the one stored first. The status plays no part.
 */
export const closest = (db: Connection, url: string, at: Millis): Promise<CaptureFact | undefined> =>
  nearest(db, ALL, sought(url, at));

export async function neighbours(db: Connection, url: string, at: Millis): Promise<CaptureNeighbours> {
  const wanted = sought(url, at);
  for (const captures of ASKED_BY_GET) {
    const [before] = await captures.before(db, wanted);
    const [after] = await captures.after(db, wanted);
    if (before || after)
      return { ...(before && { before: captureFact(before) }), ...(after && { after: captureFact(after) }) };
  }
  return {};
}

async function nearest(
  db: Connection,
  lookups: readonly Around[],
  wanted: Sought,
): Promise<CaptureFact | undefined> {
  const { at } = wanted;
  for (const captures of lookups) {
    const [before] = await captures.before(db, wanted);
    if (before?.taken_at === at) return captureFact(before);
    const [after] = await captures.after(db, wanted);
    if (before && after) return captureFact(at - before.taken_at <= after.taken_at - at ? before : after);
    const only = before ?? after;
    if (only) return captureFact(only);
  }
  return undefined;
}

/** Characters of a digest that are indexed: 40 bits of each. Written out below as the indexes have it. */
const DIGEST_HEAD = { sha256: 10, sha1: 8 } as const;
const digestHead = {
  sha256: sql<string>`substr(c.sha256, 1, 10)`,
  sha1: sql<string>`substr(c.sha1, 1, 8)`,
} as const;

/** A private capture never answers for one that is not. */
export async function originalOf(
  db: Connection,
  capture: CaptureFact,
  except: readonly string[] = [],
): Promise<CaptureFact | undefined> {
  if (capture.type !== 'revisit') return capture;
  const { digest, refersTo } = capture;
  const passedOver = except.map(recordBytes);
  for (const column of ['sha256', 'sha1'] as const) {
    const value = storable(digest[column]);
    if (value === '') continue;
    const all = selectCaptures(db).where(isFull);
    const full = passedOver.length === 0 ? all : all.where('c.record', 'not in', passedOver);
    const found = await (isPrivate(capture) ? full : full.where(isPublic))
      .where(digestHead[column], '=', value.slice(0, DIGEST_HEAD[column]))
      .where(`c.${column}`, '=', value)
      .orderBy('c.taken_at')
      .orderBy('c.id')
      .limit(1)
      .executeTakeFirst();
    if (found) return captureFact(found);
  }
  const only = isPrivate(capture) ? FULL : FULL_AND_PUBLIC;
  const referred = refersTo && (await nearest(db, only, sought(refersTo.url, refersTo.at)));
  return referred && !except.includes(referred.recordId) ? referred : undefined;
}

/** `resource` records are left out: a revisit of an HTTP response refers to an HTTP response. */
interface FullRow {
  readonly url: string;
  readonly taken_at: number;
  readonly record: Uint8Array;
  readonly record_id: string | null;
  readonly sha256: string;
  readonly sha1: string;
}

const payloadOriginal = ({ url, taken_at, record, record_id, sha256, sha1 }: FullRow): PayloadOriginal => ({
  url,
  at: taken_at,
  recordId: recordIdOf(record, record_id),
  sha256,
  sha1,
});

const EARLIEST = bulkQuery<FullRow>()({
  name: 'earliest',
  columns: { sha256: 'text', for_private: 'int' },
  sql: `select c.sha256, c.sha1, c.taken_at, c.record, c.record_id, u.url
    from {rows}
    join captures c on c.id = (
      select e.id from captures e
      where substr(e.sha256, 1, 10) = substr(rows.sha256, 1, 10) and e.sha256 = rows.sha256
        and e.type <> 'revisit' and e.type = 'response' and e.truncated is null
        and (rows.for_private = 1 or exists (select 1 from warc_files f where f.id = e.file_id and ${IS_PRIVATE} = 0))
      order by e.taken_at, e.id limit 1)
    join urls u on u.id = c.url_id`,
});

export async function originals(
  engine: Engine,
  sha256: readonly string[],
  secrecy: Secrecy = 'public',
): Promise<ReadonlyMap<string, PayloadOriginal>> {
  const wanted = [...new Set(sha256)]
    .filter((digest) => digest !== '')
    .map((digest) => ({ sha256: storable(digest), for_private: secrecy === 'private' ? 1 : 0 }));
  // Without waiting for a commit under way: on SQLite it may see what that has written so far, which stands in the
  // same files before whatever refers to it.
  const rows = await engine.bulk(engine.db, EARLIEST, wanted);
  return new Map(rows.map((row) => [row.sha256, payloadOriginal(row)]));
}

/** A truncated answer is passed over: "not modified" would keep it truncated for ever. */
const NEWEST_WHOLE = bulkQuery<FullRow & { etag: string | null; last_modified: string | null }>()({
  name: 'newest-whole',
  columns: { key: 'text', for_private: 'int' },
  sql: `select c.etag, c.last_modified, c.sha256, c.sha1, c.taken_at, c.record, c.record_id, u.url
    from {rows}
    join urls u on u.key = rows.key
    join captures c on c.id = (
      select n.id from captures n
      where n.url_id = u.id and n.type = 'response' and n.status = 200 and n.method in ('GET', '')
        and n.truncated is null
        and exists (select 1 from warc_files f where f.id = n.file_id and ${IS_PRIVATE} = rows.for_private)
      order by n.taken_at desc, n.id desc limit 1)`,
});

/** Asked before every request: through a kept statement, and without waiting for a commit under way. */
export async function validators(
  engine: Engine,
  url: string,
  secrecy: Secrecy = 'public',
): Promise<Validators | undefined> {
  const asked = { key: keyOf(storable(url)), for_private: secrecy === 'private' ? 1 : 0 };
  const [row] = await engine.bulk(engine.db, NEWEST_WHOLE, [asked]);
  if (!row || (row.etag === null && row.last_modified === null)) return undefined;
  return {
    ...(row.etag !== null && { etag: row.etag }),
    ...(row.last_modified !== null && { lastModified: row.last_modified }),
    original: payloadOriginal(row),
  };
}

/** Asked for each page that is met again: building the text of the query took four times as long as running it. */
const BY_RECORD = new WeakMap<Connection, CompiledQuery<StoredCaptureRow>>();

export async function captureByRecordId(db: Connection, recordId: string): Promise<CaptureFact | undefined> {
  let query = BY_RECORD.get(db);
  if (!query) {
    query = selectCaptures(db).where('c.record', '=', new Uint8Array()).compile();
    BY_RECORD.set(db, query);
  }
  const { rows } = await db.executeQuery<StoredCaptureRow>({ ...query, parameters: [recordBytes(recordId)] });
  return rows[0] && captureFact(rows[0]);
}
