import type { Crawl, CrawlSpec } from '../../model/crawl.ts';
import type { RefreshFact } from '../../model/refresh.ts';
import { siteOf as hostOf } from '../../model/site.ts';
import type { Catalog } from '../../ports/catalog.ts';
import { nextSite, type Side } from '../../science/policy/sites/divide-budget.ts';
import type { CrawlReport } from '../crawl/crawl-report.ts';
import { type RunOptions, runCrawl } from '../crawl/run-crawl.ts';
import type { OpenArchive } from '../open/open-archive.ts';
import {
  type PlannedSite,
  plannedSite,
  type RankedCandidate,
  type RefreshCandidates,
  type RefreshPlan,
  refreshCandidates,
  refreshPlan,
  type WantedChance,
  without,
} from './plan-refresh.ts';
import { endRefresh, noteRefresh, type RefreshRun } from './refresh-file.ts';
import { type SpecChanges, siteSpec } from './site-spec.ts';

export interface RefreshOptions
  extends Pick<RunOptions, 'clock' | 'signal' | 'syncEvery' | 'rotateSize' | 'onNote' | 'onProgress'> {
  readonly run: RefreshRun;
  readonly changes: SpecChanges;
  /** Which URLs of unread sites may be starting points. */
  readonly wanted: WantedChance;
  /** What people, and the perimeter, have decided to leave out. */
  readonly isOut: (url: string) => boolean;
  readonly onPlan?: (plan: RefreshPlan, spent: number) => void;
  readonly onSite?: (site: PlannedSite | RefreshFact, crawl: Crawl, resumed: boolean) => void;
  readonly onSiteRead?: (read: RefreshedSite) => void;
}

/** A site that was read, what is now known of it, and how. */
export interface RefreshedSite extends RefreshFact {
  /** Pages requested: what the budget pays for. */
  readonly visited: number;
  readonly proven: number;
  readonly inferred: number;
  /** Known pages that the budget, or the site's page limit, did not cover. */
  readonly unread: number;
  readonly report: CrawlReport;
}

export interface RefreshReport {
  readonly run: string;
  readonly state: 'finished' | 'stopped';
  readonly budget: number;
  readonly discovery: number;
  /** Pages visited for each side, including those before the run was interrupted. */
  readonly spent: Readonly<Record<Side, number>>;
  /** Read since the command began. */
  readonly sites: readonly RefreshedSite[];
  /** Read before the run was interrupted. */
  readonly before: readonly string[];
  /** Left for another time: the remaining budget did not suffice. */
  readonly left: readonly Pick<RankedCandidate, 'site' | 'pages' | 'priority'>[];
  /** With discovery: sites known by links alone that are not wanted. */
  readonly unwanted: readonly string[];
  /** Not read, because people decided so. */
  readonly decidedOut: readonly string[];
}

/**
 * Reads sites in the order of ρ until the budget is spent, each by an ordinary crawl. One after the other: the pace of
 * a site is that of its host, and what is proven of a site belongs to one moment.
 */
export async function runRefresh(archive: OpenArchive, options: RefreshOptions): Promise<RefreshReport> {
  const { run, signal } = options;
  const { catalog, folder } = archive;
  await noteRefresh(folder.root, run);
  const begun = (await catalog.crawls()).filter(({ spec }) => spec.refresh?.run === run.run);
  const spent: Record<Side, number> = { refresh: 0, discovery: 0 };
  const sites: RefreshedSite[] = [];
  const done = new Set<string>();
  for (const crawl of begun.filter(({ state }) => state === 'finished')) {
    const fact = crawl.spec.refresh as RefreshFact;
    spent[fact.side] += await visitedPages(crawl.id, catalog);
    done.add(fact.site);
  }
  const before = [...done];
  const pace = new SharedPace();
  const read = async (
    spec: CrawlSpec,
    fact: RefreshFact,
    told: PlannedSite | RefreshFact,
  ): Promise<RefreshedSite> => {
    await pace.before(spec, options);
    const report = await runCrawl(archive, {
      ...options,
      spec,
      restart: false,
      notes: 'candidate' in told ? [`refresh ${run.run}: ${told.candidate.reason}`] : [],
      onStart: (crawl, resumed) => options.onSite?.(told, crawl, resumed),
    });
    pace.after(spec, options.clock.now());
    const { proven, inferred } = report.coverage;
    const visited = await visitedPages(report.crawl, catalog);
    const one = { ...fact, visited, proven, inferred, unread: report.skips['page-limit'] ?? 0, report };
    sites.push(one);
    done.add(fact.site);
    spent[fact.side] += one.visited;
    options.onSiteRead?.(one);
    return one;
  };
  for (const { spec } of begun.filter(({ state }) => state !== 'finished')) {
    if (signal.aborted) break;
    const fact = spec.refresh as RefreshFact;
    await read(spec, fact, fact);
  }
  const now = options.clock.now();
  let left: RefreshCandidates = without(
    await refreshCandidates(catalog, now, options.wanted, options.isOut),
    done,
  );
  options.onPlan?.(refreshPlan(left, run.run, run, spent), spent.refresh + spent.discovery);
  const ofArchive = (await catalog.crawls()).findLast(({ spec }) => !spec.refresh)?.spec;
  for (let next = nextSite(left, spent, run); next && !signal.aborted; next = nextSite(left, spent, run)) {
    const planned = plannedSite(next, run.run);
    const { urls, model, site } = next.candidate;
    left = without(left, new Set([site]));
    const last = { ofSite: model?.spec, ofArchive };
    const { ways } = last.ofSite ?? last.ofArchive ?? {};
    if (ways) {
      options.onNote?.(
        `${site} is left out: its last crawl went through ${ways.map(({ proxy }) => proxy).join(', ')}; read it with 'daguerre archive --proxy'`,
      );
      continue;
    }
    const spec = siteSpec(
      { fact: planned.fact, urls, limit: next.limit },
      last,
      options.changes,
      catalog.siteBounds(),
    );
    await read(spec, planned.fact, planned);
  }
  const state = signal.aborted ? 'stopped' : 'finished';
  if (state === 'finished') await endRefresh(folder.root);
  return {
    run: run.run,
    state,
    budget: run.pages,
    discovery: run.discovery,
    spent,
    sites,
    before,
    unwanted: run.discovery > 0 ? left.unwanted : [],
    decidedOut: left.decidedOut,
    left: [...left.refresh, ...(run.discovery > 0 ? left.discovery : [])].map(
      ({ site, pages, priority }) => ({
        site,
        pages,
        priority,
      }),
    ),
  };
}

/** On a host that does not answer, all known pages fail, but only the first few were actually requested. */
const GIVEN_UP = /^host given up/;

async function visitedPages(
  crawlId: number,
  catalog: Pick<Catalog, 'tally' | 'settledVisits'>,
): Promise<number> {
  const { captured, unchanged, dropped = 0, redirects, gone, failed } = await catalog.tally(crawlId);
  const failures =
    failed === 0 ? [] : await catalog.settledVisits({ crawlId, result: 'failed', limit: failed });
  const unasked = failures.filter(({ fault }) => GIVEN_UP.test(fault?.detail ?? '')).length;
  return captured + unchanged + dropped + redirects + gone + failed - unasked;
}

/**
 * Sites may share a host, and each crawl begins at once: between two crawls of one host, the pause between requests
 * must be kept.
 */
class SharedPace {
  readonly #freeAt = new Map<string, number>();

  async before(
    { seeds }: CrawlSpec,
    { clock, signal }: Pick<RefreshOptions, 'clock' | 'signal'>,
  ): Promise<void> {
    const freeAt = Math.max(0, ...seeds.map((seed) => this.#freeAt.get(hostOf(seed)) ?? 0));
    const wait = freeAt - clock.now();
    if (wait > 0) await clock.sleep(wait, signal);
  }

  after({ seeds, politeness }: CrawlSpec, now: number): void {
    for (const seed of seeds) this.#freeAt.set(hostOf(seed), now + politeness.delay);
  }
}
