import { sql } from 'kysely';
import type { CaptureFact } from '../../model/capture.ts';
import type { LatestQuery } from '../../ports/catalog.ts';
import type { Connection } from '../engines/engine.ts';
import { captureFact, selectCaptures } from './capture-facts.ts';
import { idOfRecord } from './capture-list.ts';
import { siteId } from './sighting-queries.ts';

/** Answers of web servers, newest first. The newest are found before their names are: joined, all of them would be sorted. */
export async function latestCaptures(db: Connection, query: LatestQuery): Promise<readonly CaptureFact[]> {
  const { site, from, to, after, limit } = query;
  let newest = db
    .selectFrom('captures')
    .select('id')
    // Records about a page or a crawl (`urn:…`) belong to no site. Site, time and number stand in an index: no row is read.
    .where('site_id', 'is not', null)
    .orderBy('taken_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit);
  if (site !== undefined) newest = newest.where('site_id', '=', (await siteId(db, site)) ?? -1);
  if (from !== undefined) newest = newest.where('taken_at', '>=', from);
  if (to !== undefined) newest = newest.where('taken_at', '<=', to);
  if (after) {
    newest = newest
      .where('taken_at', '<=', after.at)
      .where(
        sql<boolean>`(taken_at, id) < (${after.at}, ${idOfRecord(after.recordId, Number.MAX_SAFE_INTEGER)})`,
      );
  }
  const rows = await selectCaptures(db)
    .where('c.id', 'in', newest)
    .orderBy('c.taken_at', 'desc')
    .orderBy('c.id', 'desc')
    .execute();
  return rows.map(captureFact);
}
