import type { CrawlTally, PageResult, SiteTally } from '../../model/crawl.ts';
import type { FaultKind, SkipReason } from '../../model/fault.ts';
import type { Engine } from '../engines/engine.ts';
import { embeddingSites } from './embedding-sites.ts';
import { foldedIn } from './folded-entries.ts';
import { dividedHosts } from './site-rules.ts';
import { foldedSkips, hostNames, impaired, otherEntries, settledCounts } from './tally-rows.ts';
import { urlsById } from './urls-by-id.ts';

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
  return (await tallies(engine, [crawlId])).get(crawlId) as CrawlTally;
}

/** Of several crawls by the questions that one takes: a list of crawls asked ten for each. */
export async function tallies(
  engine: Engine,
  crawlIds: readonly number[],
): Promise<ReadonlyMap<number, CrawlTally>> {
  if (crawlIds.length === 0) return new Map();
  const rows = await tallyRows(engine, crawlIds);
  const tallied = await Promise.all(
    crawlIds.map(async (id) => [id, await tallyOf(engine, id, rows)] as const),
  );
  return new Map(tallied);
}

async function tallyRows(engine: Engine, crawlIds: readonly number[]) {
  const { db } = engine;
  const divided = await dividedHosts(engine, db);
  const [settled, impairments, waiting, skips, crawls] = await Promise.all([
    settledCounts(db, crawlIds, divided),
    impaired(db, crawlIds, divided),
    otherEntries(db, crawlIds, divided),
    foldedSkips(db, crawlIds),
    db.selectFrom('crawls').select(['id', 'bytes', 'folded']).where('id', 'in', crawlIds).execute(),
  ]);
  const folded = new Map(crawls.map((crawl) => [crawl.id, foldedIn(crawl)]));
  const hosts = await hostNames(
    db,
    [...waiting, ...[...folded.values()].flat()].flatMap(({ host_id }) =>
      host_id === null ? [] : [host_id],
    ),
  );
  const own = await urlsById(
    db,
    [...settled, ...impairments, ...waiting].flatMap((one) => one.own ?? []),
  );
  const bytes = new Map(crawls.map((crawl) => [crawl.id, crawl.bytes]));
  return {
    ...{ settled: byCrawl(settled), impairments: byCrawl(impairments) },
    ...{ others: byCrawl(waiting), skips: byCrawl(skips), folded, hosts, own, bytes },
  };
}

type TallyRows = Awaited<ReturnType<typeof tallyRows>>;

function byCrawl<Row extends { readonly crawl_id: number }>(
  rows: readonly Row[],
): (crawlId: number) => readonly Row[] {
  const found = new Map<number, Row[]>();
  for (const row of rows) {
    const list = found.get(row.crawl_id);
    if (list) list.push(row);
    else found.set(row.crawl_id, [row]);
  }
  return (crawlId) => found.get(crawlId) ?? [];
}

async function tallyOf(engine: Engine, crawlId: number, rows: TallyRows): Promise<CrawlTally> {
  const { db, bounds } = engine;
  const impairments = rows.impairments(crawlId);
  const settled = rows.settled(crawlId);
  const others = restOf(rows, crawlId);
  const sitesOfPages = await embeddingSites(
    engine,
    db,
    crawlId,
    [...settled, ...impairments].map(({ via }) => via),
  );
  const whole = noCounts();
  const bySite = new Map<string, Counts>();
  const countsOf = ({ host, via = null, own: page = null, site: told }: Counted): Counts[] => {
    const site =
      told ?? sitesOfPages.get(via ?? 0) ?? bounds.siteOf(rows.own.get(page ?? 0) ?? `http://${host ?? ''}/`);
    const known = bySite.get(site) ?? noCounts();
    bySite.set(site, known);
    return [whole, known];
  };
  const folded = foldedTally(rows, crawlId);
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
  for (const one of impairments) {
    for (const { impaired } of countsOf(one))
      impaired[one.fault_kind] = (impaired[one.fault_kind] ?? 0) + one.pages;
  }
  const sites: SiteTally[] = [...bySite].map(([site, counts]) => ({ site, ...shown(counts) }));
  return {
    ...shown(whole),
    skipped,
    revisits,
    bytes: rows.bytes.get(crawlId) ?? 0,
    skips,
    sites: sites.sort((a, b) => pagesOf(b) - pagesOf(a) || (a.site < b.site ? -1 : 1)),
  };
}

function foldedTally({ folded, hosts }: TallyRows, crawlId: number) {
  const counts = folded.get(crawlId) ?? [];
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
function restOf({ others, skips: ruled, hosts }: TallyRows, crawlId: number) {
  const revisits = { captured: 0, unchanged: 0, failed: 0 };
  const skips: Partial<Record<SkipReason, number>> = {};
  const waiting: { host: string | null; own: number | null; entries: number }[] = [];
  let skipped = 0;
  for (const { kind, state, why, host_id, own, entries } of others(crawlId)) {
    if (state === 'skipped') {
      skipped += entries;
      if (why !== null) skips[why as SkipReason] = (skips[why as SkipReason] ?? 0) + entries;
    } else if (state === 'pending') {
      if (kind === 'page' || kind === 'revisit')
        waiting.push({ host: hosts.get(host_id ?? 0) ?? null, own, entries });
    } else if (state !== 'dropped') revisits[state] += entries;
  }
  for (const { reason, entries } of ruled(crawlId)) {
    skipped += entries;
    skips[reason] = (skips[reason] ?? 0) + entries;
  }
  return { revisits, skips, skipped, waiting };
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
