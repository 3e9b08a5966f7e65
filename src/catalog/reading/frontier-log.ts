import type { Visit } from '../../model/crawl.ts';
import type { SkipReason } from '../../model/fault.ts';
import type { FrontierLogEntry, LogPart } from '../../ports/catalog.ts';
import type { Connection } from '../engines/engine.ts';
import { type FoldedEntry, foldedEntries, foldedVisit } from './folded-entries.ts';
import { hostNames } from './tally-rows.ts';
import { urlsById } from './urls-by-id.ts';
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

interface LogLine {
  readonly id: number;
  readonly entry: FrontierLogEntry;
}

export async function* frontierLog(
  db: Connection,
  crawlId: number,
  { state, limit = Number.POSITIVE_INFINITY }: LogPart = {},
): AsyncIterable<FrontierLogEntry> {
  let left = limit;
  const folded = state === undefined ? foldedLines(db, crawlId) : noLines();
  let next = await folded.next();
  for await (const { id, entry } of rowLines(db, crawlId, limit, state)) {
    for (; !next.done && next.value.id < id && left > 0; left--, next = await folded.next())
      yield next.value.entry;
    if (left-- <= 0) return;
    yield entry;
  }
  for (; !next.done && left > 0; left--, next = await folded.next()) yield next.value.entry;
}

async function* noLines(): AsyncGenerator<LogLine> {}

async function* rowLines(
  db: Connection,
  crawlId: number,
  limit: number,
  state?: 'failed',
): AsyncGenerator<LogLine> {
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
      const skip = { reason: row.why as SkipReason, detail: row.detail ?? '' };
      const entry = {
        ...entryOf(row),
        url: row.url,
        host: row.host ?? '',
        ...(row.via !== null && { via: row.via }),
        state: row.state,
        ...(row.state === 'skipped' && { skip }),
        visits: visits.get(`${row.url_id} ${row.pass}`) ?? [],
      };
      yield { id: row.id, entry };
    }
    const end = rows.at(-1);
    if (!end || rows.length < size) return;
    last = end.id;
    left -= rows.length;
  }
}

/** The folded entries of a finished crawl. */
async function* foldedLines(db: Connection, crawlId: number): AsyncGenerator<LogLine> {
  const entries: FoldedEntry[] = [];
  for await (const entry of foldedEntries(db, crawlId)) entries.push(entry);
  entries.sort((a, b) => a.id - b.id);
  const hosts = await hostNames(
    db,
    entries.flatMap(({ host_id }) => (host_id === null ? [] : [host_id])),
  );
  for (let from = 0; from < entries.length; from += PAGE) {
    const some = entries.slice(from, from + PAGE);
    const names = await urlsById(
      db,
      some.flatMap(({ url_id, via_id }) => (via_id === null ? [url_id] : [url_id, via_id])),
    );
    for (const row of some) {
      const url = names.get(row.url_id) ?? '';
      const via = row.via_id === null ? undefined : names.get(row.via_id);
      const entry = {
        ...entryOf(row),
        url,
        host: hosts.get(row.host_id ?? 0) ?? '',
        ...(via !== undefined && { via }),
        state: row.state,
        visits: [visitOf({ ...foldedVisit(row), url })],
      };
      yield { id: row.id, entry };
    }
  }
}

const entryOf = (row: Pick<FoldedEntry, EntryColumn>) => ({
  kind: row.kind,
  depth: row.depth,
  extraHops: row.extra_hops,
  redirects: row.redirects,
  rank: row.rank,
  ...(row.rate !== null && { rate: row.rate }),
  reason: row.reason,
  isSeed: row.is_seed === 1,
});

type EntryColumn = 'kind' | 'depth' | 'extra_hops' | 'redirects' | 'rank' | 'rate' | 'reason' | 'is_seed';

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
