import { sql } from 'kysely';
import type { CrawlTally, PageResult, SiteTally } from '../../model/crawl.ts';
import { REDIRECT_STATUSES } from '../../model/exchange.ts';
import type { FaultKind, SkipReason } from '../../model/fault.ts';
import type { Connection, Engine } from '../engines/engine.ts';
import { EMBEDDED, embeddingSites } from './embedding-sites.ts';
import { foldedCounts } from './folded-entries.ts';
import { dividedHosts } from './site-rules.ts';
import { urlsById } from './urls-by-id.ts';
import { CAPTURING } from './visit-rows.ts';

const HELD = sql<boolean>`exists (select 1 from captures c where c.url_id = f.url_id
  and c.taken_at < k.started_at and (c.status between 200 and 299 and c.status <> 206
    or c.status = 304 and c.type = 'revisit'))`;
/** Other bytes, and nothing that a reader sees, by the layouts: tokens and advertisements are no change (model/comparison.ts). */
const SAME_TO_READER = sql<boolean>`exists (select 1 from versions v
  left join changes ch on ch.url_id = v.url_id and ch.to_at = v.seen_at left join saliences sa on sa.change_id = ch.id
  where v.url_id = f.url_id and v.seen_at between x.made_at and x.made_at + x.duration
    and v.basis <> 'payload' and v.reason <> 'partial' and v.importance = 0
    and coalesce(sa.salience, 0) = 0 and coalesce(ch.partial, 0) = 0)`;
const REDIRECTS = sql.join(REDIRECT_STATUSES.map((status) => sql.lit(status)));

/**
 * How a settled entry `f` of the crawl `k` turned out, told from its visit `x` and from what the archive held before the crawl:
 * so a catalog rebuilt from the records tells the same.
 */
export const settledResult = sql<PageResult | 'captured'>`case
  when f.kind <> 'page' then f.state
  when f.state <> 'failed' and x.status in (${REDIRECTS}) then 'redirect'
  when f.state = 'captured' then case when not ${HELD} then 'new' when ${SAME_TO_READER} then 'unchanged' else 'changed' end
  when f.state = 'failed' and x.status in (404, 410) and ${HELD} then 'gone'
  else f.state end`;

/** What names an entry, where it counts for the site of that. */
const VIA = sql<
  number | null
>`case when f.kind in (${sql.join(EMBEDDED.map((kind) => sql.lit(kind)))}) then f.via_id end`;

/** The page itself, where its host does not tell its site. */
const ownUrl = (divided: ReadonlySet<number>) =>
  divided.size === 0
    ? sql<number | null>`cast(null as bigint)`
    : sql<number | null>`case when f.kind in ('page', 'revisit')
        and f.host_id in (${sql.join([...divided].map((id) => sql.lit(id)))}) then f.url_id end`;

/** Those that have rows: see folded-entries.ts. */
export function settledEntries(db: Connection, crawlId: number, divided: ReadonlySet<number> = new Set()) {
  return (
    db
      .selectFrom('frontier as f')
      .innerJoin('crawls as k', 'k.id', 'f.crawl_id')
      .leftJoin('hosts as h', 'h.id', 'f.host_id')
      // The visit that settled it; those before were deferred. The plus keeps SQLite from walking all visits of the crawl for
      // each entry: the index by URL is the one to use.
      .leftJoin('visits as x', (join) =>
        join.on(
          sql<boolean>`x.id = (select max(v.id) from visits v where v.url_id = f.url_id
          and +v.crawl_id = f.crawl_id and v.pass = f.pass and v.outcome = f.state)`,
        ),
      )
      .where('f.crawl_id', '=', crawlId)
      .where('f.pass', '=', 0)
      .where('f.state', 'in', ['captured', 'unchanged', 'dropped', 'failed'])
      .select(['f.kind', 'f.why', 'h.host', 'x.id as visitId', settledResult.as('result'), VIA.as('via')])
      .select(ownUrl(divided).as('own'))
  );
}

interface Counts {
  new: number;
  changed: number;
  unchanged: number;
  redirect: number;
  dropped: number;
  gone: number;
  failed: number;
  pending: number;
  resources: { captured: number; unchanged: number; dropped: number; failed: number };
  lost: number;
  failures: Partial<Record<FaultKind, number>>;
  impaired: Partial<Record<FaultKind, number>>;
}

const noCounts = (): Counts => ({
  new: 0,
  changed: 0,
  unchanged: 0,
  redirect: 0,
  dropped: 0,
  gone: 0,
  failed: 0,
  pending: 0,
  resources: { captured: 0, unchanged: 0, dropped: 0, failed: 0 },
  lost: 0,
  failures: {},
  impaired: {},
});

/** Where it counts: a site that is told, that of the page itself or of the one that embeds it, else that of its host. */
interface Counted {
  readonly host: string | null;
  readonly via?: number | null;
  readonly own?: number | null;
  readonly site?: string;
}

export async function tally(engine: Engine, crawlId: number): Promise<CrawlTally> {
  const { db, bounds } = engine;
  const divided = await dividedHosts(engine, db);
  const settled = await db
    .selectFrom(settledEntries(db, crawlId, divided).as('r'))
    .groupBy(['r.kind', 'r.why', 'r.host', 'r.result', 'r.via', 'r.own'])
    .select(({ fn }) => [
      'r.kind',
      'r.why',
      'r.host',
      'r.result',
      'r.via',
      'r.own',
      fn.countAll<number>().as('entries'),
    ])
    .execute();
  const impairments = await impaired(db, crawlId, divided);
  const others = await otherEntries(db, crawlId, divided);
  const sitesOfPages = await embeddingSites(
    engine,
    db,
    crawlId,
    [...settled, ...impairments].map(({ via }) => via),
  );
  const own = await urlsById(
    db,
    [...settled, ...impairments, ...others.waiting].flatMap((one) => one.own ?? []),
  );
  const whole = noCounts();
  const bySite = new Map<string, Counts>();
  const countsOf = ({ host, via = null, own: page = null, site: told }: Counted): Counts[] => {
    const site =
      told ?? sitesOfPages.get(via ?? 0) ?? bounds.siteOf(own.get(page ?? 0) ?? `http://${host ?? ''}/`);
    const known = bySite.get(site) ?? noCounts();
    bySite.set(site, known);
    return [whole, known];
  };
  const folded = await foldedTally(db, crawlId);
  for (const one of [...settled, ...folded.settled]) {
    const { kind, why, result, entries } = one;
    for (const counts of countsOf(one)) {
      if (kind !== 'page') {
        counts.resources[result as keyof Counts['resources']] += entries;
        if (kind === 'lost') counts.lost += entries;
        continue;
      }
      counts[result as PageResult] += entries;
      if (result === 'failed' && why !== null)
        counts.failures[why as FaultKind] = (counts.failures[why as FaultKind] ?? 0) + entries;
    }
  }
  const { revisits, skips, skipped, waiting } = others;
  for (const [state, entries] of folded.revisits) revisits[state] += entries;
  for (const one of waiting) for (const counts of countsOf(one)) counts.pending += one.entries;
  const crawl = await db.selectFrom('crawls').select('bytes').where('id', '=', crawlId).executeTakeFirst();
  for (const one of impairments) {
    for (const { impaired } of countsOf(one))
      impaired[one.fault_kind] = (impaired[one.fault_kind] ?? 0) + one.pages;
  }
  const sites: SiteTally[] = [...bySite].map(([site, counts]) => ({ site, ...shown(counts) }));
  return {
    ...shown(whole),
    skipped,
    revisits,
    bytes: crawl?.bytes ?? 0,
    skips,
    sites: sites.sort((a, b) => pagesOf(b) - pagesOf(a) || (a.site < b.site ? -1 : 1)),
  };
}

async function foldedTally(db: Connection, crawlId: number) {
  const counts = await foldedCounts(db, crawlId);
  const hosts = await hostNames(
    db,
    counts.flatMap(({ host_id }) => (host_id === null ? [] : [host_id])),
  );
  return {
    settled: counts
      .filter(({ kind }) => kind !== 'revisit')
      .map(({ host_id, ...count }) => ({ ...count, why: null, host: hosts.get(host_id ?? 0) ?? null })),
    revisits: counts.flatMap(({ kind, result, entries }) =>
      kind === 'revisit' && result !== 'dropped'
        ? [[result as 'captured' | 'unchanged', entries] as const]
        : [],
    ),
  };
}

/** What waits (pages and their revisits), what was skipped (of any kind: it is a loss), and second visits. */
async function otherEntries(db: Connection, crawlId: number, divided: ReadonlySet<number>) {
  const own = ownUrl(divided);
  const rows = await db
    .selectFrom('frontier as f')
    .where('crawl_id', '=', crawlId)
    .where((where) => where.or([where('state', 'in', ['skipped', 'pending']), where('kind', '=', 'revisit')]))
    .groupBy(['kind', 'state', 'why', 'host_id', own])
    .select(({ fn }) => ['kind', 'state', 'why', 'host_id', fn.countAll<number>().as('entries')])
    .select(own.as('own'))
    .execute();
  const hosts = await hostNames(
    db,
    rows.flatMap(({ host_id, state }) => (state === 'pending' && host_id !== null ? [host_id] : [])),
  );
  const revisits = { captured: 0, unchanged: 0, failed: 0 };
  const skips: Partial<Record<SkipReason, number>> = {};
  const waiting: { host: string | null; own: number | null; entries: number }[] = [];
  let skipped = 0;
  for (const { kind, state, why, host_id, own: page, entries } of rows) {
    if (state === 'skipped') {
      skipped += entries;
      if (why !== null) skips[why as SkipReason] = (skips[why as SkipReason] ?? 0) + entries;
    } else if (state === 'pending') {
      if (kind === 'page' || kind === 'revisit')
        waiting.push({ host: hosts.get(host_id ?? 0) ?? null, own: page, entries });
    } else if (state !== 'dropped') revisits[state] += entries;
  }
  const folded = await db
    .selectFrom('skips')
    .where('crawl_id', '=', crawlId)
    .where('entries', '>', 0)
    .select(['reason', 'entries'])
    .execute();
  for (const { reason, entries } of folded) {
    skipped += entries;
    skips[reason] = (skips[reason] ?? 0) + entries;
  }
  return { revisits, skips, skipped, waiting };
}

/** A page whose visit and revisit suffered the same counts once. */
async function impaired(db: Connection, crawlId: number, divided: ReadonlySet<number>) {
  const own = ownUrl(divided);
  const rows = await db
    .selectFrom('visits as x')
    .leftJoin('frontier as f', (join) =>
      join.onRef('f.crawl_id', '=', 'x.crawl_id').onRef('f.url_id', '=', 'x.url_id').on('f.pass', '=', 0),
    )
    .leftJoin('hosts as h', 'h.id', 'f.host_id')
    .where('x.crawl_id', '=', crawlId)
    .where('x.outcome', 'in', CAPTURING)
    .where('x.fault_kind', 'is not', null)
    .groupBy(['x.fault_kind', 'h.host', VIA, own])
    .select(({ fn }) => ['x.fault_kind', 'h.host', fn.count<number>('x.url_id').distinct().as('pages')])
    .select([VIA.as('via'), own.as('own')])
    .execute();
  return rows.map(({ fault_kind, ...row }) => ({ fault_kind: fault_kind as FaultKind, ...row }));
}

export async function hostNames(
  db: Connection,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map();
  const wanted = new Set(ids);
  const rows = await db
    .selectFrom('hosts')
    .where('id', '>=', Math.min(...wanted))
    .where('id', '<=', Math.max(...wanted))
    .select(['id', 'host'])
    .execute();
  return new Map(rows.filter(({ id }) => wanted.has(id)).map(({ id, host }) => [id, host]));
}

function shown({ redirect, dropped, resources, lost, impaired, ...counts }: Counts) {
  const { captured, unchanged, failed } = resources;
  return {
    captured: counts.new + counts.changed,
    ...counts,
    redirects: redirect,
    ...(dropped > 0 && { dropped }),
    ...(Object.keys(impaired).length > 0 && { impaired }),
    resources: { captured, unchanged, failed, ...(lost > 0 && { lost }) },
  };
}

const pagesOf = (site: SiteTally): number =>
  site.captured + site.unchanged + (site.dropped ?? 0) + site.redirects + site.gone + site.failed;
