import { type RawBuilder, sql } from 'kysely';
import type { KnownFile, KnownRecord } from '../../ports/catalog.ts';
import { type Connection, type Engine, transaction } from '../engines/engine.ts';
import { recordIdOf } from '../names/stored-ids.ts';
import { storable } from '../names/stored-text.ts';
import { DERIVED, FORGOTTEN, LOST } from '../tables.ts';
import { foldCrawl, unfoldCrawl } from './fold-crawl.ts';
import { type BookKeeping, forgetRead } from './importance-book.ts';
import { markRebuild } from './rebuild-mark.ts';

export async function warcFiles(db: Connection): Promise<readonly KnownFile[]> {
  const rows = await db
    .selectFrom('warc_files')
    .selectAll()
    .where('length', '>=', 0)
    .orderBy('name')
    .execute();
  return rows.map(({ name, length, crawl_id }) => ({
    file: name,
    length,
    ...(crawl_id !== null && { crawlId: crawl_id }),
  }));
}

/** Rows fetched at a time. */
const PAGE = 500;

export async function* recordsIn(db: Connection, file: string): AsyncGenerator<KnownRecord> {
  for (let before: number | undefined; ; ) {
    let query = db
      .selectFrom('captures as c')
      .innerJoin('warc_files as f', 'f.id', 'c.file_id')
      .where('f.name', '=', storable(file))
      .orderBy('c.file_offset', 'desc')
      .limit(PAGE)
      .select(['c.file_offset', 'c.file_length', 'c.record', 'c.record_id']);
    if (before !== undefined) query = query.where('c.file_offset', '<', before);
    const rows = await query.execute();
    for (const { file_offset: offset, file_length: length, record, record_id } of rows)
      yield { offset, length, recordId: recordIdOf(record, record_id) };
    before = rows.at(-1)?.file_offset;
    if (before === undefined) return;
  }
}

export const filesToIndex = (db: Connection): Promise<readonly string[]> => filesMarked(db, FORGOTTEN);

export const lostFiles = (db: Connection): Promise<readonly string[]> => filesMarked(db, LOST);

async function filesMarked(db: Connection, mark: number): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('warc_files')
    .select('name')
    .where('length', '=', mark)
    .orderBy('name')
    .execute();
  return rows.map(({ name }) => name);
}

/**
 * The visits whose event is no longer whole become deferred, their entries pending, and a crawl that was
 * finished is stopped, so that the same command goes on with it. Returns the number of captures forgotten.
 */
export function forgetTail(keeping: BookKeeping, file: string, from: number): Promise<number> {
  return forget(keeping, file, from, false);
}

/** For records that are lost for good: crawls that are finished stay so, and a file that is gone whole stays known as lost. */
export function giveUpTail(keeping: BookKeeping, file: string, from: number): Promise<number> {
  return forget(keeping, file, from, true);
}

async function forget(keeping: BookKeeping, file: string, from: number, isLoss: boolean): Promise<number> {
  const { engine } = keeping;
  return await transaction(engine, async (db) => {
    const row = await db
      .selectFrom('warc_files')
      .select(['id', 'crawl_id'])
      .where('name', '=', storable(file))
      .executeTakeFirst();
    if (!row) return 0;
    if (row.crawl_id !== null && !isLoss) await unfoldCrawl(engine, db, row.crawl_id);
    // A visit that repeats a version is lost with the page info at its end, which has no row of its own.
    const lost = sql`file_id = ${row.id} and (file_offset >= ${from}
      or (rest is not null and file_offset + file_length + rest > ${from}))`;
    await sql`create temporary table lost_visits as
      select v.id, v.crawl_id, v.url_id, v.pass from visits v where v.event in
        (select event from captures where ${lost} and event is not null)`.execute(db);
    if (isLoss)
      await sql`delete from lost_visits where crawl_id in (select id from crawls where state = 'finished')`.execute(
        db,
      );
    await sql`create temporary table lost_urls as
      select distinct url_id from captures where ${lost}`.execute(db);
    await requeue(db, `; its record was lost with the end of ${storable(file)}`);
    await sql`create temporary table lost_changes as
      select ch.id from changes ch join captures c on c.url_id = ch.delta_id and c.taken_at = ch.to_at
      where ${lost}`.execute(db);
    await sql`delete from operations where change_id in (select id from lost_changes)`.execute(db);
    await sql`delete from saliences where change_id in (select id from lost_changes)`.execute(db);
    await sql`delete from change_words where change_id in (select id from lost_changes)`.execute(db);
    await sql`delete from changes where id in (select id from lost_changes)`.execute(db);
    await sql`delete from versions where exists (select 1 from captures c
      where c.url_id = versions.info_id and c.taken_at = versions.seen_at and ${lost})`.execute(db);
    await sql`delete from analyses where exists (select 1 from captures c
      where c.url_id = analyses.info_id and c.taken_at = analyses.seen_at and ${lost})`.execute(db);
    // Not yet told, and of a version that is no more: the visit that is due tells of it again.
    await sql`delete from alerts where message is null and exists (select 1 from captures c
      join urls u on u.id = c.url_id where u.url = alerts.url and c.taken_at = alerts.to_at and ${lost})`.execute(
      db,
    );
    await standAlone(db, lost);
    const { numAffectedRows = 0n } = await sql`delete from captures where ${lost}`.execute(db);
    // Pages of which no capture is left. Titles of the others are put right by the visit that is due.
    const gone = sql`select url_id from lost_urls where not exists
      (select 1 from captures c where c.url_id = lost_urls.url_id)`;
    await sql`delete from links where from_id in (${gone})`.execute(db);
    await sql`delete from redirects where from_id in (${gone})`.execute(db);
    const { rows } = await sql<{ url_id: number }>`${gone}`.execute(db);
    await forgetRead(
      keeping,
      db,
      rows.map(({ url_id }) => url_id),
    );
    await sql`delete from pages where url_id in (${gone})`.execute(db);
    await sql`delete from perimeter_urls where is_read = 1 and url_id in (${gone})`.execute(db);
    await sql`drop table lost_changes`.execute(db);
    await sql`drop table lost_visits`.execute(db);
    await sql`drop table lost_urls`.execute(db);
    if (from <= 0 && isLoss)
      await db.updateTable('warc_files').set({ length: LOST }).where('id', '=', row.id).execute();
    else if (from <= 0) await db.deleteFrom('warc_files').where('id', '=', row.id).execute();
    else {
      await db
        .updateTable('warc_files')
        .set({ length: from })
        .where('id', '=', row.id)
        .where('length', '>', from)
        .execute();
    }
    if (row.crawl_id !== null && !isLoss) await foldIfFinished(engine, db, row.crawl_id);
    return Number(numAffectedRows);
  });
}

async function foldIfFinished(engine: Engine, db: Connection, crawlId: number): Promise<void> {
  const crawl = await db.selectFrom('crawls').select('state').where('id', '=', crawlId).executeTakeFirst();
  if (crawl?.state === 'finished') await foldCrawl(engine, db, crawlId);
}

/** Revisits of what is lost take back what they had in common with it. */
export async function standAlone(db: Connection, lost: RawBuilder<unknown>): Promise<void> {
  const original = (column: string) =>
    sql`(select ${sql.ref(`o.${column}`)} from captures o where o.id = captures.original_id)`;
  const own = (column: string, of = column) =>
    sql`${sql.ref(column)} = coalesce(${sql.ref(column)}, ${original(of)})`;
  const validator = (column: string) =>
    sql`${sql.ref(column)} = nullif(coalesce(${sql.ref(column)}, ${original(column)}), '')`;
  const columns = [
    ...['mime', 'sha256', 'sha1', 'size'].map((column) => own(column)),
    own('refers_to_id', 'url_id'),
    own('refers_to_at', 'taken_at'),
    ...['etag', 'last_modified'].map(validator),
    sql`profile = coalesce(profile, 'identical-payload-digest')`,
    sql`original_id = null`,
  ];
  await sql`update captures set ${sql.join(columns)} where original_id in
    (select id from captures where ${lost})`.execute(db);
}

async function requeue(db: Connection, note: string): Promise<void> {
  await sql`update frontier set state = 'pending', why = null, detail = null, not_before = 0
    where state in ('captured', 'unchanged', 'dropped', 'failed') and exists (select 1 from lost_visits l
      where l.crawl_id = frontier.crawl_id and l.url_id = frontier.url_id
        and l.pass = frontier.pass)`.execute(db);
  await sql`update crawls set state = 'stopped', finished_at = null
    where state = 'finished' and exists (select 1 from frontier f join lost_visits l
      on l.crawl_id = f.crawl_id and l.url_id = f.url_id and l.pass = f.pass
      where f.crawl_id = crawls.id and f.state = 'pending')`.execute(db);
  await sql`update visits set outcome = 'deferred', event = null, reason = reason || ${note}
    where id in (select id from lost_visits) and not exists (select 1 from visits o
      where o.url_id = visits.url_id and o.made_at = visits.made_at
        and o.crawl_id = visits.crawl_id and o.outcome = 'deferred')`.execute(db);
}

/**
 * Captures, pages, links, changes, what was decided and learnt, and files go. Crawls, frontiers and visits stay: no record tells of a failed visit.
 * URLs stay too, they are names only; and which crawl wrote a file: ids of crawls are the catalog's own.
 */
export async function clearDerived(engine: Engine): Promise<void> {
  await transaction(engine, async (db) => {
    await markRebuild(db);
    for (const table of DERIVED) await db.deleteFrom(table).execute();
    // Suspects stay, as frontiers do: of a crawl that was killed no record tells them.
    await db.deleteFrom('perimeter_urls').where('is_read', '=', 1).execute();
    await db.deleteFrom('warc_files').where('crawl_id', 'is', null).where('length', '<>', LOST).execute();
    await db.updateTable('warc_files').set({ length: FORGOTTEN }).where('length', '<>', LOST).execute();
  });
}
