import type { Visit } from '../../model/crawl.ts';
import type { SkipReason } from '../../model/fault.ts';
import type { FrontierLogEntry, LogPart } from '../../ports/catalog.ts';
import type { Connection } from '../engines/engine.ts';
import { selectVisits, visitOf } from './visit-rows.ts';

/** Rows fetched at a time. */
const PAGE = 500;

/** One page of the log. Walks `frontier_by_crawl`, which both engines keep in the order of ids: nothing is sorted. */
export function logPage(db: Connection, crawlId: number, after: number, limit: number, state?: 'failed') {
  return db
    .selectFrom('frontier as f')
    .innerJoin('urls as u', 'u.id', 'f.url_id')
    .leftJoin('urls as v', 'v.id', 'f.via_id')
    .leftJoin('hosts as h', 'h.id', 'f.host_id')
    .where('f.crawl_id', '=', crawlId)
    .where('f.id', '>', after)
    .$if(state !== undefined, (query) => query.where('f.state', '=', state as 'failed'))
    .orderBy('f.id')
    .limit(limit)
    .select(['f.id', 'f.url_id', 'f.kind', 'f.state', 'f.why', 'f.detail', 'f.depth', 'f.extra_hops'])
    .select(['f.redirects', 'f.rank', 'f.rate', 'f.pass', 'f.reason', 'f.is_seed', 'u.url'])
    .select(['v.url as via', 'h.host']);
}

export async function* frontierLog(
  db: Connection,
  crawlId: number,
  { state, limit = Number.POSITIVE_INFINITY }: LogPart = {},
): AsyncIterable<FrontierLogEntry> {
  let last = 0;
  for (let left = limit; left > 0; ) {
    const size = Math.min(PAGE, left);
    const rows = await logPage(db, crawlId, last, size, state).execute();
    const visits = await visitsOf(
      db,
      crawlId,
      rows.map(({ url_id }) => url_id),
    );
    for (const row of rows) {
      yield {
        kind: row.kind,
        url: row.url,
        host: row.host ?? '',
        depth: row.depth,
        extraHops: row.extra_hops,
        redirects: row.redirects,
        rank: row.rank,
        ...(row.rate !== null && { rate: row.rate }),
        reason: row.reason,
        isSeed: row.is_seed === 1,
        ...(row.via !== null && { via: row.via }),
        state: row.state,
        ...(row.state === 'skipped' && {
          skip: { reason: row.why as SkipReason, detail: row.detail ?? '' },
        }),
        visits: visits.get(`${row.url_id} ${row.pass}`) ?? [],
      };
    }
    const end = rows.at(-1);
    if (!end || rows.length < size) return;
    last = end.id;
    left -= rows.length;
  }
}

async function visitsOf(
  db: Connection,
  crawlId: number,
  urlIds: readonly number[],
): Promise<ReadonlyMap<string, Visit[]>> {
  const byUrl = new Map<string, Visit[]>();
  if (urlIds.length === 0) return byUrl;
  const rows = await selectVisits(db)
    .where('x.crawl_id', '=', crawlId)
    .where('x.url_id', 'in', urlIds)
    .orderBy('x.id')
    .select(['x.url_id', 'x.pass'])
    .execute();
  for (const row of rows) {
    const key = `${row.url_id} ${row.pass}`;
    const known = byUrl.get(key);
    if (known) known.push(visitOf(row));
    else byUrl.set(key, [visitOf(row)]);
  }
  return byUrl;
}
