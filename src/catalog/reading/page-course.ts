import { sql } from 'kysely';
import type { BlockCourse, PageCourse } from '../../model/change.ts';
import { analysisUri, pageInfoUri } from '../../model/derived-uris.ts';
import type { Millis } from '../../model/time.ts';
import type { Connection } from '../engines/engine.ts';
import { keyOf, storable } from '../names/stored-text.ts';

/**
 * Every visit that captured a page left a page info, or found the version before again, or was analysed later; of the last
 * `limit`, oldest first.
 */
export async function pageCourse(
  db: Connection,
  url: string,
  limit: number,
  before: Millis = Number.MAX_SAFE_INTEGER,
): Promise<PageCourse> {
  const [page, info, analysis] = [url, pageInfoUri(url), analysisUri(url)].map((name) =>
    keyOf(storable(name)),
  );
  const infos = await db
    .selectFrom('captures as c')
    .innerJoin('urls as u', 'u.id', 'c.url_id')
    .where(sql<boolean>`(u.key in (${info}, ${analysis}) or (u.key = ${page} and c.version_at is not null))`)
    .where('c.taken_at', '<', before)
    .distinct()
    .orderBy('c.taken_at', 'desc')
    .limit(limit)
    .select('c.taken_at')
    .execute();
  const visits = infos.map(({ taken_at }) => taken_at).reverse();
  const since = visits[0];
  if (since === undefined) return { visits: [], changes: [] };
  const rows = await db
    .selectFrom('changes as c')
    .innerJoin('urls as u', 'u.id', 'c.url_id')
    .where('u.key', '=', keyOf(storable(url)))
    .where('c.to_at', '>=', since)
    .where('c.to_at', '<', before)
    .orderBy('c.to_at')
    .select(['c.to_at', 'c.course'])
    .execute();
  return {
    visits,
    changes: rows.map(({ to_at, course }) => ({ at: to_at, course: JSON.parse(course) as BlockCourse })),
  };
}
