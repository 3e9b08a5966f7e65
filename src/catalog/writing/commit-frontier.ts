import type { FrontierEntry, NewFrontierEntry } from '../../model/crawl.ts';
import type { Denial, VisitCommit } from '../../ports/catalog.ts';
import { bulkQuery, bulkWrite, insertInto, type RowOf } from '../engines/bulk-statement.ts';
import { eventBytes } from '../names/stored-ids.ts';
import { optional, storable, whole } from '../names/stored-text.ts';
import { ownColumns } from '../tables.ts';
import type { CommitScope } from './commit.ts';
import { countSkips, isSettledSkip, type SkipScope, skippedBefore, unskip } from './commit-skips.ts';

const { pass: _, ...VISIT } = ownColumns('visits');

/**
 * A visit counts when its entry is still pending (or when it has no entry: id 0), and once: the same URL,
 * time and outcome again is the same visit committed twice.
 */
const ADD_VISIT = bulkQuery<{ url_id: number; made_at: number; outcome: string; bytes: number }>()({
  name: 'add-visit',
  columns: { entry_id: 'int', ...VISIT },
  sql: `insert into visits (${Object.keys(VISIT).join(', ')}, pass)
    select ${Object.keys(VISIT)
      .map((column) => `rows.${column}`)
      .join(', ')}, coalesce(frontier.pass, 0)
    from {rows} left join frontier on frontier.id = rows.entry_id and frontier.crawl_id = rows.crawl_id
    where rows.entry_id = 0 or frontier.state = 'pending'
    on conflict do nothing returning url_id, made_at, outcome, bytes`,
});

const CLOSE_COLUMNS = { state: 'text', why: 'text', id: 'int', crawl_id: 'int' } as const;
const CLOSE = bulkWrite({
  name: 'close',
  columns: CLOSE_COLUMNS,
  sql: `update frontier set state = rows.state, why = rows.why from {rows}
    where frontier.id = rows.id and frontier.crawl_id = rows.crawl_id and frontier.state = 'pending'`,
  sqliteSql: `update frontier set state = ?, why = ? where id = ? and crawl_id = ? and state = 'pending'`,
});

const DEFER_COLUMNS = { crawl_id: 'int', id: 'int', not_before: 'int' } as const;
const DEFER = bulkWrite({
  name: 'defer',
  columns: DEFER_COLUMNS,
  sql: `update frontier set attempts = frontier.attempts + 1, not_before = rows.not_before from {rows}
    where frontier.id = rows.id and frontier.crawl_id = rows.crawl_id and frontier.state = 'pending'`,
});

export async function settle(scope: CommitScope, visits: readonly VisitCommit[]): Promise<void> {
  let bytes = 0;
  // An entry deferred and tried again within one batch takes its settlements one after the other.
  for (let rest = visits; rest.length > 0; ) {
    const seen = new Set<number>();
    const round: VisitCommit[] = [];
    const later: VisitCommit[] = [];
    for (const item of rest) {
      const { entryId } = item.settlement;
      if (entryId > 0 && seen.has(entryId)) later.push(item);
      else round.push(item);
      seen.add(entryId);
    }
    bytes += await settleRound(scope, round);
    rest = later;
  }
  if (bytes === 0) return;
  await scope.connection
    .updateTable('crawls')
    .set((expression) => ({ bytes: expression('bytes', '+', bytes) }))
    .where('id', '=', scope.crawlId)
    .execute();
}

async function settleRound(scope: CommitScope, round: readonly VisitCommit[]): Promise<number> {
  const { engine, connection, crawlId } = scope;
  const signature = (urlId: number, at: number, outcome: string): string => `${urlId} ${at} ${outcome}`;
  const rows = round.map(({ visit, settlement }) => ({
    entry_id: settlement.entryId,
    crawl_id: crawlId,
    url_id: scope.url(visit.url).id,
    made_at: whole(visit.at),
    duration: whole(visit.duration),
    reason: storable(visit.reason),
    outcome: visit.outcome,
    status: visit.status ?? null,
    bytes: whole(visit.bytes),
    fault_kind: visit.fault?.kind ?? null,
    fault_detail: optional(visit.fault?.detail),
    event: eventBytes(visit.eventId),
  }));
  const added = await engine.bulk(connection, ADD_VISIT, rows);
  const counted = new Set(added.map((row) => signature(row.url_id, row.made_at, row.outcome)));
  const closed: RowOf<typeof CLOSE_COLUMNS>[] = [];
  const deferred: RowOf<typeof DEFER_COLUMNS>[] = [];
  for (const { visit, settlement } of round) {
    if (!counted.has(signature(scope.url(visit.url).id, whole(visit.at), visit.outcome))) continue;
    if (settlement.state === 'deferred') {
      deferred.push({
        crawl_id: crawlId,
        id: settlement.entryId,
        not_before: whole(settlement.notBefore),
      });
    } else {
      const why = settlement.state === 'failed' ? (visit.fault?.kind ?? null) : null;
      closed.push({ state: settlement.state, why, id: settlement.entryId, crawl_id: crawlId });
    }
  }
  await engine.bulk(connection, CLOSE, closed);
  await engine.bulk(connection, DEFER, deferred);
  return added.reduce((sum, row) => sum + row.bytes, 0);
}

interface LeftRow {
  readonly id: number;
  readonly url_id: number;
  readonly via_id: number | null;
  readonly depth: number;
}

/** Leaves the frontier: what is skipped is counted by its rule. */
const LEAVE = bulkQuery<LeftRow>()({
  name: 'leave',
  columns: { id: 'int', crawl_id: 'int' },
  sql: `delete from frontier using {rows} where frontier.id = rows.id and frontier.crawl_id = rows.crawl_id
    and frontier.state = 'pending' and frontier.pass = 0 and frontier.is_seed = 0
    returning frontier.id, frontier.url_id, frontier.via_id, frontier.depth`,
  sqliteSql: `delete from frontier where id = ? and crawl_id = ? and state = 'pending' and pass = 0 and is_seed = 0
    returning id, url_id, via_id, depth`,
});

/** Seeds and second visits keep their rows: they are few, and each is a question someone asked. */
const DENY = bulkWrite({
  name: 'deny',
  columns: { crawl_id: 'int', id: 'int', why: 'text', detail: 'text' },
  sql: `update frontier set state = 'skipped', why = rows.why, detail = rows.detail from {rows}
    where frontier.id = rows.id and frontier.crawl_id = rows.crawl_id and frontier.state = 'pending'`,
});

export async function deny(scope: SkipScope, denials: readonly Denial[]): Promise<void> {
  const { engine, connection, crawlId } = scope;
  const denialOf = new Map(denials.map((denial) => [denial.entryId, denial]));
  const left = await engine.bulk(
    connection,
    LEAVE,
    [...denialOf.keys()].map((id) => ({ id, crawl_id: crawlId })),
  );
  const skips = left.flatMap(({ id, url_id, via_id, depth }) => {
    const denial = denialOf.get(id);
    denialOf.delete(id);
    if (!denial) return [];
    const { reason, detail } = denial;
    return [{ urlId: url_id, reason, rule: detail, detail, depth, viaId: via_id }];
  });
  await countSkips(scope, skips);
  const rows = [...denialOf.values()].map(({ entryId, reason, detail }) => ({
    crawl_id: crawlId,
    id: entryId,
    why: reason,
    detail: storable(detail),
  }));
  await engine.bulk(connection, DENY, rows);
}

const ENTRY = ownColumns('frontier');
const ENQUEUE = bulkQuery<{ id: number; url_id: number }>()({
  name: 'enqueue',
  columns: ENTRY,
  sql: `${insertInto('frontier', ENTRY)} on conflict (crawl_id, url_id, pass) do nothing returning id, url_id`,
});

const FIND_FROM = bulkWrite({
  name: 'find-from',
  columns: { via_id: 'int', crawl_id: 'int', url_id: 'int' },
  sql: `update frontier set via_id = rows.via_id from {rows}
    where frontier.crawl_id = rows.crawl_id and frontier.url_id = rows.url_id and frontier.pass = 0
    and frontier.via_id is null and frontier.is_seed = 0`,
  sqliteSql: `update frontier set via_id = ? where crawl_id = ? and url_id = ? and pass = 0
    and via_id is null and is_seed = 0`,
});

/** Entries that joined without a link are found from the first page that links to them. */
export async function findFrom(
  { engine, connection, crawlId, url: known }: CommitScope,
  visits: readonly VisitCommit[],
): Promise<void> {
  // Of several pages that link to it in one batch the first is kept: one row of input each.
  const first = new Map<string, string>();
  for (const { visit, linked = [] } of visits)
    for (const url of linked) if (!first.has(url)) first.set(url, visit.url);
  const rows = [...first].map(([url, via]) => ({
    via_id: known(via).id,
    crawl_id: crawlId,
    url_id: known(url).id,
  }));
  if (rows.length > 0) await engine.bulk(connection, FIND_FROM, rows);
}

/** The widest number JSON and SQL agree on: an order may rank a URL "never" with Infinity. */
const finite = (rank: number): number => Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, rank));

/** With `hasDenied`, this transaction itself may have skipped what it had read before. */
export async function enqueue(
  scope: CommitScope,
  discovered: readonly NewFrontierEntry[],
  hasDenied: boolean,
): Promise<readonly FrontierEntry[]> {
  const { crawlId } = scope;
  const revisits = discovered.filter(({ kind }) => kind === 'revisit');
  const candidates = new Map<number, NewFrontierEntry>();
  for (const entry of discovered) {
    if (entry.kind === 'revisit') continue;
    const known = scope.url(entry.url);
    if (known.crawlId === crawlId && known.place === 'queued') continue;
    if (!candidates.has(known.id)) candidates.set(known.id, entry);
    known.crawlId = crawlId;
    known.place = 'queued';
    scope.note(known);
  }
  const unsure = [...candidates.keys()].filter((id) => hasDenied || !scope.isUnskipped(id));
  const skipped = await skippedBefore(scope, unsure);
  for (const before of skipped) if (isSettledSkip(before)) candidates.delete(before.url_id);
  const added = await add(scope, candidates, 0);
  await unskip(
    scope,
    skipped.filter(({ url_id }) => candidates.has(url_id)),
  );
  const again = new Map(revisits.map((entry) => [scope.url(entry.url).id, entry]));
  return [...added, ...(await add(scope, again, 1))];
}

async function add(
  { engine, connection, crawlId, ...scope }: CommitScope,
  candidates: ReadonlyMap<number, NewFrontierEntry>,
  pass: 0 | 1,
): Promise<readonly FrontierEntry[]> {
  const rows = [...candidates].map(([urlId, entry]) => ({
    crawl_id: crawlId,
    url_id: urlId,
    host_id: scope.host(entry.host).id,
    kind: entry.kind,
    state: 'pending',
    why: null,
    detail: null,
    depth: entry.depth,
    extra_hops: entry.extraHops,
    redirects: entry.redirects,
    rank: finite(entry.rank),
    reason: storable(entry.reason),
    attempts: 0,
    is_seed: entry.isSeed ? 1 : 0,
    via_id: entry.via === undefined ? null : scope.url(entry.via).id,
    not_before: 0,
    pass,
    rate: entry.rate ?? null,
  }));
  const added = await engine.bulk(connection, ENQUEUE, rows);
  return added.flatMap(({ id, url_id }) => {
    const entry = candidates.get(url_id);
    return entry ? [{ ...entry, url: scope.url(entry.url).name, id, attempts: 0, notBefore: 0 }] : [];
  });
}
