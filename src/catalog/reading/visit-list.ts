import type { Visit } from '../../model/crawl.ts';
import type { VisitQuery } from '../../ports/catalog.ts';
import type { Connection } from '../engines/engine.ts';
import { keyOf, storable } from '../names/stored-text.ts';
import { foldedVisits } from './folded-entries.ts';
import { CAPTURING, type StoredVisitRow, selectVisits, visitOf, withUrls } from './visit-rows.ts';

/** Newest first: a limit then keeps what matters. */
export async function visits(db: Connection, query: VisitQuery): Promise<readonly Visit[]> {
  const { crawlId, url, outcome, impaired, faults, limit = Number.MAX_SAFE_INTEGER, offset = 0 } = query;
  const key = url === undefined ? undefined : keyOf(storable(url));
  const most = Math.min(Number.MAX_SAFE_INTEGER, offset + limit);
  let rows = selectVisits(db).orderBy('x.id', 'desc').limit(most);
  if (crawlId !== undefined) rows = rows.where('x.crawl_id', '=', crawlId);
  if (key !== undefined) rows = rows.where('u.key', '=', key);
  if (outcome !== undefined) rows = rows.where('x.outcome', '=', outcome);
  if (impaired) rows = rows.where('x.outcome', 'in', CAPTURING).where('x.fault_kind', 'is not', null);
  if (faults) rows = rows.where('x.fault_kind', 'in', [...faults]);
  const found: (Omit<StoredVisitRow, 'url'> & { readonly url?: string })[] = await rows.execute();
  // What is folded went well.
  if (!faults && !impaired && outcome !== 'failed' && outcome !== 'deferred')
    found.push(...(await foldedOf(db, { crawlId, key, outcome, most })));
  const newest = found.sort((a, b) => b.id - a.id).slice(offset, most);
  return (await withUrls(db, newest)).map(visitOf);
}

interface FoldedQuery {
  readonly crawlId: number | undefined;
  readonly key: string | undefined;
  readonly outcome: Visit['outcome'] | undefined;
  readonly most: number;
}

/** Crawl by crawl, the newest first, until there are enough. */
async function foldedOf(db: Connection, { crawlId, key, outcome, most }: FoldedQuery) {
  const page =
    key === undefined
      ? undefined
      : await db.selectFrom('urls').select('id').where('key', '=', key).executeTakeFirst();
  if (key !== undefined && !page) return [];
  const crawls = await db
    .selectFrom('crawls')
    .select('id')
    .where('folded', 'is not', null)
    .$if(crawlId !== undefined, (rows) => rows.where('id', '=', crawlId as number))
    .orderBy('id', 'desc')
    .execute();
  const isWanted = (entry: { readonly outcome: string }): boolean =>
    outcome === undefined || entry.outcome === outcome;
  const found: Omit<StoredVisitRow, 'url'>[] = [];
  for (const { id } of crawls) {
    if (found.length >= most) break;
    found.push(...(await foldedVisits(db, id, { of: isWanted, urlId: page?.id, most })));
  }
  return found;
}
