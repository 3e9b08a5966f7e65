import { sql } from 'kysely';
import { type FrontierEntry, RANKS } from '../../model/crawl.ts';
import type { SkipReason } from '../../model/fault.ts';
import type { FrontierUrl, HostCount, RankRange } from '../../ports/catalog.ts';
import { type Connection, type Engine, transaction } from '../engines/engine.ts';
import { keyOf, storable } from '../names/stored-text.ts';
import { deny } from '../writing/commit-frontier.ts';
import { foldedCounts, foldedEntries } from './folded-entries.ts';
import { foldable } from './skip-queries.ts';
import { hostNames } from './tally-rows.ts';

/** Written out, not bound: the index of pending entries asks for the literal. */
const isPending = sql<boolean>`f.state = 'pending'`;

export async function pending(
  db: Connection,
  crawlId: number,
  host: string,
  limit: number,
  range: RankRange = {},
): Promise<readonly FrontierEntry[]> {
  // Chosen before they are named: PostgreSQL would plan for naming all that waits, and start processes for it, before it takes the first of them.
  const next = db
    .selectFrom('frontier as f')
    .where('f.crawl_id', '=', crawlId)
    .where('f.host_id', '=', ({ selectFrom }) =>
      selectFrom('hosts')
        .select('id')
        .where('key', '=', keyOf(storable(host))),
    )
    .where(isPending)
    .$if(range.from !== undefined, (query) => query.where('f.rank', '>=', range.from as number))
    .$if(range.to !== undefined, (query) => query.where('f.rank', '<', range.to as number))
    .orderBy('f.rank')
    .orderBy('f.id')
    .offset(range.offset ?? 0)
    .limit(limit)
    .select(['f.id', 'f.kind', 'f.depth', 'f.extra_hops', 'f.redirects', 'f.rank', 'f.reason', 'f.attempts'])
    .select(['f.is_seed', 'f.not_before', 'f.rate', 'f.url_id', 'f.via_id']);
  const rows = await db
    .selectFrom(next.as('n'))
    .innerJoin('urls as u', 'u.id', 'n.url_id')
    .leftJoin('urls as v', 'v.id', 'n.via_id')
    .orderBy('n.rank')
    .orderBy('n.id')
    .selectAll('n')
    .select(['u.url', 'v.url as via'])
    .execute();
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    url: row.url,
    host,
    depth: row.depth,
    extraHops: row.extra_hops,
    redirects: row.redirects,
    rank: row.rank,
    ...(row.rate !== null && { rate: row.rate }),
    reason: row.reason,
    attempts: row.attempts,
    isSeed: row.is_seed === 1,
    ...(row.via !== null && { via: row.via }),
    notBefore: row.not_before,
  }));
}

/** Rows fetched at a time. */
const PAGE = 5_000;

/** In no order that matters. */
export async function* frontierUrls(db: Connection, crawlId: number): AsyncIterable<FrontierUrl> {
  let last = 0;
  for (;;) {
    const rows = await db
      .selectFrom('frontier as f')
      .innerJoin('urls as u', 'u.id', 'f.url_id')
      .where('f.crawl_id', '=', crawlId)
      .where('f.url_id', '>', last)
      .where('f.pass', '=', 0)
      .orderBy('f.url_id')
      .limit(PAGE)
      .select(['f.url_id', 'f.state', 'f.kind', 'f.is_seed', 'u.url'])
      .execute();
    for (const { url, kind, is_seed, state } of rows)
      if (state !== 'skipped') yield { url, kind, isSeed: is_seed === 1 };
    const end = rows.at(-1);
    if (!end || rows.length < PAGE) return;
    last = end.url_id;
  }
}

/** Seeds and second visits keep their rows, as skipped ones; the rest is counted by the rule, a page of rows at a time. */
export function skipPending(
  engine: Engine,
  crawlId: number,
  reason: SkipReason,
  detail: string,
): Promise<number> {
  return transaction(engine, async (connection) => {
    let skipped = 0;
    for await (const rows of foldable(connection, crawlId)) {
      const denials = rows.map(({ id }) => ({ entryId: id, reason, detail }));
      await deny({ engine, connection, crawlId }, denials);
      skipped += rows.length;
    }
    const result = await connection
      .updateTable('frontier as f')
      .set({ state: 'skipped', why: reason, detail: storable(detail) })
      .where('crawl_id', '=', crawlId)
      .where(isPending)
      .executeTakeFirst();
    return skipped + Number(result.numUpdatedRows);
  });
}

/** Bands of ranks: see RANKS; written out, since PostgreSQL takes two parameters for two expressions. */
export async function hostCounts(db: Connection, crawlId: number): Promise<readonly HostCount[]> {
  const band = sql<HostCount['band']>`case when f.rank < ${sql.lit(RANKS.pages)} then 'at-once'
    when f.rank < ${sql.lit(RANKS.reserve)} then 'pages' else 'reserve' end`;
  const waits = sql<number>`case when f.state = 'pending' then 1 else 0 end`;
  const rows = await db
    .selectFrom('frontier as f')
    .innerJoin('hosts as h', 'h.id', 'f.host_id')
    .where('f.crawl_id', '=', crawlId)
    .where('f.state', '<>', 'skipped')
    .groupBy(['h.host', 'f.kind', 'f.depth'])
    .groupBy([band, waits])
    .select(({ fn }) => ['h.host', 'f.kind', 'f.depth', fn.countAll<number>().as('entries')])
    .select([band.as('band'), waits.as('waits')])
    .execute();
  const counts = rows.map(({ waits: pending, ...row }) => ({ ...row, isPending: pending === 1 }));
  return withFolded(db, crawlId, counts);
}

async function withFolded(
  db: Connection,
  crawlId: number,
  rows: readonly HostCount[],
): Promise<readonly HostCount[]> {
  const hosts = await hostNames(
    db,
    (await foldedCounts(db, crawlId)).flatMap(({ host_id }) => (host_id === null ? [] : [host_id])),
  );
  const counts = new Map<string, HostCount>();
  const add = (count: HostCount): void => {
    const { entries, ...alike } = count;
    const key = JSON.stringify(Object.entries(alike).sort());
    counts.set(key, { ...count, entries: entries + (counts.get(key)?.entries ?? 0) });
  };
  for (const count of rows) add(count);
  for await (const { host_id, kind, depth, rank } of foldedEntries(db, crawlId)) {
    const band = rank < RANKS.pages ? 'at-once' : rank < RANKS.reserve ? 'pages' : 'reserve';
    add({ host: hosts.get(host_id ?? 0) ?? '', kind, depth, band, isPending: false, entries: 1 });
  }
  return [...counts.values()];
}
