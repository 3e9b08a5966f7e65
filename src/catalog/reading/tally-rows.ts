import type { FaultKind } from '../../model/fault.ts';
import type { Connection } from '../engines/engine.ts';
import { ownUrl, settledEntries, VIA } from './settled-entries.ts';
import { CAPTURING } from './visit-rows.ts';

/** What tallies are summed from: each question for all crawls that are asked about. */

export const settledCounts = (db: Connection, crawlIds: readonly number[], divided: ReadonlySet<number>) =>
  db
    .selectFrom(settledEntries(db, crawlIds, divided).as('r'))
    .groupBy(['r.crawl_id', 'r.kind', 'r.why', 'r.host', 'r.result', 'r.via', 'r.own'])
    .select(['r.crawl_id', 'r.kind', 'r.why', 'r.host', 'r.result', 'r.via', 'r.own'])
    .select(({ fn }) => fn.countAll<number>().as('entries'))
    .execute();

/** What waits (pages and their revisits), what was skipped, and second visits. */
export function otherEntries(db: Connection, crawlIds: readonly number[], divided: ReadonlySet<number>) {
  const own = ownUrl(divided);
  return db
    .selectFrom('frontier as f')
    .where('crawl_id', 'in', crawlIds)
    .where((where) => where.or([where('state', 'in', ['skipped', 'pending']), where('kind', '=', 'revisit')]))
    .groupBy(['crawl_id', 'kind', 'state', 'why', 'host_id', own])
    .select(['crawl_id', 'kind', 'state', 'why', 'host_id'])
    .select(({ fn }) => [fn.countAll<number>().as('entries'), own.as('own')])
    .execute();
}

export const foldedSkips = (db: Connection, crawlIds: readonly number[]) =>
  db
    .selectFrom('skips')
    .where('crawl_id', 'in', crawlIds)
    .where('entries', '>', 0)
    .select(['crawl_id', 'reason', 'entries'])
    .execute();

/** A page whose visit and revisit suffered the same counts once. */
export async function impaired(db: Connection, crawlIds: readonly number[], divided: ReadonlySet<number>) {
  const own = ownUrl(divided);
  const rows = await db
    .selectFrom('visits as x')
    .leftJoin('frontier as f', (join) =>
      join.onRef('f.crawl_id', '=', 'x.crawl_id').onRef('f.url_id', '=', 'x.url_id').on('f.pass', '=', 0),
    )
    .leftJoin('hosts as h', 'h.id', 'f.host_id')
    .where('x.crawl_id', 'in', crawlIds)
    .where('x.outcome', 'in', CAPTURING)
    .where('x.fault_kind', 'is not', null)
    .groupBy(['x.crawl_id', 'x.fault_kind', 'h.host', VIA, own])
    .select(['x.crawl_id', 'x.fault_kind', 'h.host'])
    .select(({ fn }) => fn.count<number>('x.url_id').distinct().as('pages'))
    .select([VIA.as('via'), own.as('own')])
    .execute();
  return rows.map(({ fault_kind, ...row }) => ({ fault_kind: fault_kind as FaultKind, ...row }));
}

/** Hosts that are asked for by their ids. */
const NAMED = 500;

export async function hostNames(
  db: Connection,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map();
  const wanted = new Set(ids);
  const hosts = db.selectFrom('hosts').select(['id', 'host']);
  // Those of one crawl were met one after the other; a few of many crawls may be anywhere.
  const rows = await (wanted.size <= NAMED
    ? hosts.where('id', 'in', [...wanted])
    : hosts.where('id', '>=', Math.min(...wanted)).where('id', '<=', Math.max(...wanted))
  ).execute();
  return new Map(rows.filter(({ id }) => wanted.has(id)).map(({ id, host }) => [id, host]));
}
