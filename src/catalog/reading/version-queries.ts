import { type RawBuilder, sql } from 'kysely';
import type { PageVersionFact } from '../../model/version.ts';
import type { VersionQuery } from '../../ports/catalog.ts';
import type { Connection } from '../engines/engine.ts';
import type { Tables } from '../tables.ts';
import { siteId, urlId } from './sighting-queries.ts';

type VersionRow = Tables['versions'] & { readonly url: string; readonly salience: number | null };

/** Each visit that found a version again, as one that saw nothing new. */
const FOUND_AGAIN = sql`select v.url_id, c.taken_at as seen_at, v.site_id, v.info_id, v.sha256, 0 as size, v.look, v.basis,
  0.0 as importance, 0 as indexed, 1 as kept, 'unchanged' as reason, 0.0 as threshold, v.accumulated
  from captures c join versions v on v.url_id = c.url_id and v.seen_at = c.version_at`;

export async function versions(db: Connection, query: VersionQuery): Promise<readonly PageVersionFact[]> {
  const { url, site, since, limit = Number.MAX_SAFE_INTEGER } = query;
  const wanted = [
    ...(url === undefined ? [] : [sql`v.url_id = ${(await urlId(db, url)) ?? -1}`]),
    ...(site === undefined ? [] : [sql`v.site_id = ${(await siteId(db, site)) ?? -1}`]),
  ];
  const of = (at: RawBuilder<unknown>) =>
    sql.join([sql`true`, ...wanted, ...(since === undefined ? [] : [sql`${at} >= ${since}`])], sql` and `);
  const { rows } = await sql<VersionRow>`select s.*, u.url, sa.salience from (
      select v.* from versions v where ${of(sql`v.seen_at`)}
      union all ${FOUND_AGAIN} where ${of(sql`c.taken_at`)}
    ) s join urls u on u.id = s.url_id left join changes ch on ch.url_id = s.url_id and ch.to_at = s.seen_at
      left join saliences sa on sa.change_id = ch.id order by s.seen_at desc, u.url limit ${limit}`.execute(
    db,
  );
  return rows.map(versionOf);
}

function versionOf(row: VersionRow): PageVersionFact {
  return {
    url: row.url,
    at: row.seen_at,
    sha256: row.sha256,
    size: row.size,
    ...(row.look !== null && { look: row.look }),
    basis: row.basis,
    importance: row.importance,
    ...(row.salience !== null && { salience: row.salience }),
    indexed: row.indexed === 1,
    kept: row.kept === 1,
    reason: row.reason,
    threshold: row.threshold,
    accumulated: row.accumulated,
  };
}
