import { sql } from 'kysely';
import type { VisitLesson } from '../../model/visit-lesson.ts';
import type { UnlearntVisit } from '../../model/worker.ts';
import type { UnlearntPage, UnlearntQuery, VisitCommit } from '../../ports/catalog.ts';
import { bulkInsert } from '../engines/bulk-statement.ts';
import type { Connection } from '../engines/engine.ts';
import { decodeSpec, encodeSpec, whole } from '../names/stored-text.ts';
import type { CommitScope } from '../writing/commit.ts';

const ADD = bulkInsert('unlearnt_visits');

/** Lessons that one statement names. */
const AT_ONCE = 500;

/** In the transaction of the visits: none is stored that the watch does not hear of, and none is heard of twice. */
export async function writeLessons(scope: CommitScope, visits: readonly VisitCommit[]): Promise<void> {
  const rows = visits.flatMap(({ visit, lesson }) =>
    lesson
      ? [
          {
            crawl_id: scope.crawlId,
            url_id: scope.url(visit.url).id,
            made_at: whole(visit.at),
            lesson: encodeSpec(lesson),
          },
        ]
      : [],
  );
  await scope.engine.bulk(scope.connection, ADD, rows);
}

export async function unlearntVisits(
  db: Connection,
  { crawls, after = 0, limit }: UnlearntQuery,
): Promise<readonly UnlearntVisit[]> {
  if (crawls?.length === 0) return [];
  let query = db.selectFrom('unlearnt_visits').selectAll().where('id', '>', after).orderBy('id').limit(limit);
  if (crawls) query = query.where('crawl_id', 'in', crawls);
  return (await query.execute()).map(({ id, crawl_id, lesson }) => ({
    id,
    crawlId: crawl_id,
    lesson: decodeSpec(lesson) as VisitLesson,
  }));
}

export async function unlearntPages(db: Connection): Promise<readonly UnlearntPage[]> {
  const rows = await db
    .selectFrom('unlearnt_visits as v')
    .innerJoin('urls as u', 'u.id', 'v.url_id')
    .select(['v.id', 'u.url', 'v.made_at'])
    .orderBy('v.id')
    .execute();
  return rows.map(({ id, url, made_at }) => ({ id, url, at: made_at }));
}

/** In the transaction that keeps what was learnt from them. */
export async function forgetLessons(db: Connection, ids: readonly number[]): Promise<void> {
  for (let from = 0; from < ids.length; from += AT_ONCE)
    await sql`delete from unlearnt_visits where id in (${sql.join(ids.slice(from, from + AT_ONCE))})`.execute(
      db,
    );
}
