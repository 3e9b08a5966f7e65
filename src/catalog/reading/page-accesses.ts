import { sql } from 'kysely';
import type { PageAccess } from '../../model/site-delta.ts';
import type { Connection } from '../engines/engine.ts';
import { recordIdOf } from '../names/stored-ids.ts';

interface AnswerRow {
  readonly url_id: number;
  readonly at: number;
  readonly http: number;
  readonly sha256: string | null;
  readonly size: number | null;
  readonly look: string | null;
  readonly importance: number | null;
  readonly same_as: string | null;
  readonly record: Uint8Array;
  readonly record_id: string | null;
  readonly file: string;
  readonly file_offset: number;
}

/**
 * Every request for these pages, by URL: those that brought a record, those whose version was left out, and those that failed.
 */
export async function pageAccesses(
  db: Connection,
  urlIds: readonly number[],
): Promise<ReadonlyMap<number, readonly PageAccess[]>> {
  const byUrl = new Map<number, PageAccess[]>();
  if (urlIds.length === 0) return byUrl;
  const add = (id: number, access: PageAccess): void => {
    const known = byUrl.get(id);
    if (known) known.push(access);
    else byUrl.set(id, [access]);
  };
  const ids = sql.join(urlIds.map((id) => sql`${id}`));
  const answers = await sql<AnswerRow>`
    select c.url_id, c.taken_at as at, c.status as http, coalesce(c.sha256, o.sha256) as sha256,
      coalesce(c.size, o.size) as size, v.look,
      case when c.version_at is null then coalesce(v.importance, ch.importance) else 0 end as importance,
      r.url as same_as, c.record, c.record_id, f.name as file, c.file_offset
    from captures c join warc_files f on f.id = c.file_id
      left join captures o on o.id = c.original_id
      left join urls r on r.id = coalesce(c.refers_to_id, o.url_id) and r.id <> c.url_id
      left join versions v on v.url_id = c.url_id and v.seen_at = coalesce(c.version_at, c.taken_at)
      left join changes ch on ch.url_id = c.url_id and ch.to_at = c.taken_at
    where c.url_id in (${ids}) and c.type in ('response', 'revisit') and c.method = 'GET'
    order by c.url_id, c.taken_at, c.id`.execute(db);
  for (const row of answers.rows) add(row.url_id, answerOf(row));
  const dropped = await sql<{
    url_id: number;
    at: number;
    sha256: string;
    look: string | null;
    importance: number;
  }>`
    select v.url_id, v.seen_at as at, v.sha256, v.look, v.importance from versions v
    where v.url_id in (${ids}) and v.kept = 0 and not exists (select 1 from captures c where c.url_id = v.url_id
      and c.taken_at = v.seen_at and c.type in ('response', 'revisit'))`.execute(db);
  for (const { url_id, at, sha256, look, importance } of dropped.rows)
    add(url_id, { kind: 'dropped', at, sha256, importance, ...(look !== null && { look }) });
  // Those that left a record are told by it.
  const faults = await db
    .selectFrom('visits')
    .where('url_id', 'in', urlIds)
    .where('event', 'is', null)
    .where('fault_kind', 'is not', null)
    .select(['url_id', 'made_at', 'fault_kind', 'status'])
    .orderBy('id')
    .execute();
  for (const { url_id, made_at, fault_kind, status } of faults)
    add(url_id, {
      kind: 'fault',
      at: made_at,
      fault: fault_kind ?? '',
      ...(status !== null && { http: status }),
    });
  return byUrl;
}

const answerOf = (row: AnswerRow): PageAccess => ({
  kind: 'answer',
  at: row.at,
  http: row.http,
  sha256: row.sha256 ?? '',
  ...(row.size !== null && { size: row.size }),
  ...(row.look !== null && { look: row.look }),
  ...(row.importance !== null && { importance: row.importance }),
  ...(row.same_as !== null && { sameAs: row.same_as }),
  record: recordIdOf(row.record, row.record_id),
  file: row.file,
  offset: row.file_offset,
});
