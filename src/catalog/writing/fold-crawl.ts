import { sql } from 'kysely';
import { bulkWrite, insertInto } from '../engines/bulk-statement.ts';
import type { Connection, Engine } from '../engines/engine.ts';
import { packRows } from '../names/packed-rows.ts';
import { EMBEDDED, embeddingSites, namingResources } from '../reading/embedding-sites.ts';
import {
  type FoldedCount,
  type FoldedEntry,
  foldedCounts,
  foldedEntries,
} from '../reading/folded-entries.ts';
import { settledResult } from '../reading/settled-entries.ts';
import { dividedHosts } from '../reading/site-rules.ts';
import { urlsById } from '../reading/urls-by-id.ts';
import { allColumns } from '../tables.ts';

/** Entries per row: a question for one URL unpacks so many. */
const PART = 1_000;

/** Settled at the first try without a fault, and so was the second visit: a tally joins the two. */
function foldable(db: Connection, crawlId: number, after: number) {
  return db
    .selectFrom('frontier as f')
    .innerJoin('crawls as k', 'k.id', 'f.crawl_id')
    .innerJoin('visits as x', (join) =>
      join
        .onRef('x.url_id', '=', 'f.url_id')
        .onRef('x.pass', '=', 'f.pass')
        .onRef('x.outcome', '=', 'f.state')
        .on(sql<boolean>`+x.crawl_id = f.crawl_id`),
    )
    .where('f.crawl_id', '=', crawlId)
    .where('f.url_id', '>', after)
    .where('f.state', 'in', ['captured', 'unchanged', 'dropped'])
    .where(
      sql<boolean>`not exists (select 1 from visits v where v.url_id = f.url_id and +v.crawl_id = f.crawl_id
        and (v.fault_kind is not null or (v.pass = f.pass and v.id <> x.id)))`,
    )
    .orderBy('f.url_id')
    .orderBy('f.pass')
    .limit(PART)
    .select(['f.id', 'f.url_id', 'f.host_id', 'f.kind', 'f.state', 'f.depth', 'f.extra_hops', 'f.redirects'])
    .select(['f.rank', 'f.reason', 'f.attempts', 'f.is_seed', 'f.via_id', 'f.pass', 'f.rate'])
    .select(['x.id as visit_id', 'x.made_at', 'x.duration', 'x.reason as visit_reason', 'x.outcome'])
    .select(['x.status', 'x.bytes', 'x.event', settledResult.as('result')]);
}

const REMOVE_ENTRY = bulkWrite({
  name: 'remove-entry',
  columns: { id: 'int' },
  sql: 'delete from frontier where id in (select rows.id from {rows})',
  sqliteSql: 'delete from frontier where id = ?',
});
const REMOVE_VISIT = bulkWrite({
  name: 'remove-visit',
  columns: { id: 'int' },
  sql: 'delete from visits where id in (select rows.id from {rows})',
  sqliteSql: 'delete from visits where id = ?',
});

/** Of a crawl that is finished. */
export async function foldCrawl(engine: Engine, db: Connection, crawlId: number): Promise<void> {
  const counts = new Map<string, FoldedCount>();
  const naming = await namingResources(db, crawlId);
  for (let part = 0, after = -1; ; part++) {
    const found = await foldable(db, crawlId, after).execute();
    // Both passes of a page stand in one part: the last page waits for the next.
    const last = found.at(-1)?.url_id;
    const whole = found.length < PART ? found : found.filter(({ url_id }) => url_id !== last);
    const end = whole.at(-1);
    if (!end) break;
    after = end.url_id;
    const rows = whole.filter(({ id }) => !naming.has(id));
    if (!rows[0]) continue;
    await count({ engine, db, crawlId }, rows, counts);
    const entries = packRows(
      rows.map((row) => ({ ...row, event: row.event && Buffer.from(row.event).toString('base64') })),
    );
    await db
      .insertInto('folded_entries')
      .values({
        crawl_id: crawlId,
        part,
        first_url_id: rows[0].url_id,
        last_url_id: after,
        entries,
      })
      .execute();
    await engine.bulk(
      db,
      REMOVE_ENTRY,
      rows.map(({ id }) => ({ id })),
    );
    await engine.bulk(
      db,
      REMOVE_VISIT,
      rows.map(({ visit_id }) => ({ id: visit_id })),
    );
  }
  await writeCounts(db, crawlId, counts);
}

async function writeCounts(
  db: Connection,
  crawlId: number,
  counts: ReadonlyMap<string, FoldedCount>,
): Promise<void> {
  const folded = counts.size === 0 ? null : JSON.stringify([...counts.values()]);
  await db.updateTable('crawls').set({ folded }).where('id', '=', crawlId).execute();
}

/** After the rules of sites have changed. */
export async function countFolded(engine: Engine, db: Connection, crawlId: number): Promise<void> {
  if ((await foldedCounts(db, crawlId)).length === 0) return;
  const counts = new Map<string, FoldedCount>();
  let rows: FoldedEntry[] = [];
  for await (const entry of foldedEntries(db, crawlId)) {
    rows.push(entry);
    if (rows.length < PART) continue;
    await count({ engine, db, crawlId }, rows, counts);
    rows = [];
  }
  await count({ engine, db, crawlId }, rows, counts);
  await writeCounts(db, crawlId, counts);
}

type Countable = Pick<FoldedEntry, 'url_id' | 'host_id' | 'kind' | 'via_id' | 'result'>;

async function count(
  { engine, db, crawlId }: { readonly engine: Engine; readonly db: Connection; readonly crawlId: number },
  rows: readonly Countable[],
  counts: Map<string, FoldedCount>,
): Promise<void> {
  const viaOf = ({ kind, via_id }: Countable) => (EMBEDDED.includes(kind) ? via_id : null);
  const sites = await embeddingSites(engine, db, crawlId, rows.map(viaOf));
  const divided = await dividedHosts(engine, db);
  const isOwn = ({ kind, host_id }: Countable): boolean =>
    kind === 'page' && host_id !== null && divided.has(host_id);
  const names = await urlsById(
    db,
    rows.filter(isOwn).map(({ url_id }) => url_id),
  );
  for (const row of rows) {
    const { kind, host_id, result } = row;
    const url = names.get(row.url_id);
    const site = isOwn(row) && url !== undefined ? engine.bounds.siteOf(url) : sites.get(viaOf(row) ?? 0);
    const key = `${kind} ${host_id} ${result} ${site}`;
    const entries = (counts.get(key)?.entries ?? 0) + 1;
    counts.set(key, { kind, host_id, result, entries, ...(site !== undefined && { site }) });
  }
}

/** With the ids they had. */
const back = <Name extends 'frontier' | 'visits'>(table: Name) => {
  const columns = allColumns(table);
  return bulkWrite({ name: `unfold-${table}`, columns, sql: insertInto(table, columns) });
};
const ADD_ENTRY = back('frontier');
const ADD_VISIT = back('visits');

/** A crawl that goes on has its rows again. */
export async function unfoldCrawl(engine: Engine, db: Connection, crawlId: number): Promise<void> {
  const entries: FoldedEntry[] = [];
  for await (const entry of foldedEntries(db, crawlId)) entries.push(entry);
  if (entries.length === 0) return;
  await engine.bulk(
    db,
    ADD_ENTRY,
    entries.map((entry) => ({ ...entry, crawl_id: crawlId, not_before: 0, why: null, detail: null })),
  );
  await engine.bulk(
    db,
    ADD_VISIT,
    entries.map(
      ({ visit_id, url_id, made_at, duration, visit_reason, outcome, status, bytes, event, pass }) => ({
        ...{
          id: visit_id,
          crawl_id: crawlId,
          url_id,
          made_at,
          duration,
          reason: visit_reason,
          outcome,
          status,
        },
        ...{ bytes, event: event === null ? null : Buffer.from(event, 'base64'), pass },
        ...{ fault_kind: null, fault_detail: null },
      }),
    ),
  );
  await db.deleteFrom('folded_entries').where('crawl_id', '=', crawlId).execute();
  await db.updateTable('crawls').set({ folded: null }).where('id', '=', crawlId).execute();
}
