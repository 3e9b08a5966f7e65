import type { Crawl, CrawlTally, FrontierEntry, NewFrontierEntry } from '../model/crawl.ts';
import { Decisions } from '../model/decisions.ts';
import type { SkipReason } from '../model/fault.ts';
import type { SiteCapture } from '../model/site-capture.ts';
import type { Millis } from '../model/time.ts';
import type { AlertJudge } from '../ports/alert-judge.ts';
import type {
  CaptureCatalog,
  ChangeCatalog,
  CommitCatalog,
  CrawlCatalog,
  FrontierCatalog,
  HistoryCatalog,
  InferenceCatalog,
  PatternCatalog,
  PerimeterCatalog,
  ResultCatalog,
  SiteCatalog,
  SiteDeltaCatalog,
  VisitCommit,
} from '../ports/catalog.ts';
import type { Holidays } from '../ports/holidays.ts';
import type { RecordStore } from '../ports/record-store.ts';
import type { RobotsReader } from '../ports/robots.ts';
import type { Signer } from '../ports/signer.ts';
import type { VersionKeeper } from '../stages/keep-versions.ts';
import { learnPatterns } from '../stages/learn-patterns.ts';
import type { PageRates } from '../stages/page-rates.ts';
import type { SiteRhythm } from '../stages/site-rhythm.ts';
import { Crawler } from './crawler.ts';
import { Hosts, type HostsOptions } from './hosts.ts';
import { Inferences } from './inferences.ts';
import type { PerimeterGate } from './perimeter-gate.ts';
import type { Progress } from './progress.ts';
import type { VisitPorts } from './visit/visit-state.ts';

/** What a crawl writes and asks, its stages included: no owner, no recovery. */
export interface CrawlingCatalog
  extends CrawlCatalog,
    CommitCatalog,
    FrontierCatalog,
    CaptureCatalog,
    ChangeCatalog,
    HistoryCatalog,
    InferenceCatalog,
    PatternCatalog,
    PerimeterCatalog,
    ResultCatalog,
    Pick<SiteDeltaCatalog, 'importedPages' | 'importedHistory'>,
    Pick<SiteCatalog, 'siteBounds'> {}

export interface CrawlPorts extends VisitPorts {
  readonly holidays?: Holidays;
  readonly catalog: CrawlingCatalog;
  readonly store: RecordStore;
  readonly robotsReader: RobotsReader;
  /** Signs the certificate of a finished crawl; without it there is none. */
  readonly seal?: { readonly signer: Signer; readonly software: string };
  /** Uniform in [0, 1): jitter of the back-off. */
  readonly random: () => number;
}

export interface CrawlOptions extends HostsOptions {
  /** What to begin with; a resumed crawl has them in its frontier already. */
  readonly seeds: readonly NewFrontierEntry[];
  readonly rates: PageRates;
  /** When pages change, for the second pass; as likely at any hour unless given. */
  readonly rhythm?: SiteRhythm;
  /** What is to be kept with the crawl from its beginning. */
  readonly notes?: readonly string[];
  /** Told while it runs, and kept: see Catalog.notes. */
  readonly onNote?: (note: string) => void;
  /** Of people; grows while the crawl runs. None unless given. */
  readonly decisions?: Decisions;
  /** Keeps the crawl inside a perimeter. */
  readonly gate?: PerimeterGate;
  /** Pages that people have decided to take, though no link leads there. */
  readonly decidedPages?: readonly string[];
  readonly versions: VersionKeeper;
  /** Told of each visit that settled its entry, once it is stored. */
  readonly onVisit?: (entry: FrontierEntry, stored: VisitCommit) => void;
  /** Whether patterns are learnt when it has ended; yes, unless told otherwise. */
  readonly learns?: boolean;
  /**
   * Pages are stored with what the browser showed of them, and wait to be analysed by others. Not where what is kept of a page, or told
   * of it, follows from its delta.
   */
  readonly analysesLater?: boolean;
  /** What rules tell of visits. Nothing unless given. */
  readonly alerts?: AlertJudge;
  /** A watch in another process learns from its visits: each is stored with what it teaches. */
  readonly teaches?: boolean;
  /** Fires to stop cleanly: what is under way has a moment to finish, and is committed. */
  readonly signal: AbortSignal;
  /** Milliseconds between two fsyncs of the record file. */
  readonly syncEvery: number;
  /** Milliseconds that visits under way have when the signal fires; a moment unless given. */
  readonly grace?: number;
  /** Milliseconds of its time limit that earlier pieces of it took. */
  readonly ranBefore?: number;
}

/** Why a crawl ends before its frontier is empty. */
export type StopReason = 'signal' | SkipReason;

export interface CrawlOutcome {
  readonly state: 'finished' | 'stopped';
  readonly tally: CrawlTally;
  /** What it knows of its pages in time. */
  readonly capture: SiteCapture;
}

/** A running crawl. `run` resolves when the frontier is empty, a limit is reached or the signal fires. */
export interface SiteCrawl {
  run(): Promise<CrawlOutcome>;
  /** `now` is the reader's time, for the rate. */
  progress(now: Millis): Progress;
  /** People have decided something; these pages are to be taken. */
  decided(pages: readonly string[]): void;
  /** Something that belongs to no page: told, and kept with the crawl. */
  tell(note: string): void;
}

/**
 * The site crawl: hands frontier entries to visits, host by host, under politeness and limits. It decides
 * nothing itself: the order ranks, the scope judges, politeness says when.
 *
 * Driven by events, not by polling: `#pump` launches whatever may be launched now. It runs when a host has
 * answered, when a commit has brought new entries, and when the timer for the next host's turn fires.
 */
export async function openSiteCrawl(
  crawl: Crawl,
  ports: CrawlPorts,
  options: CrawlOptions,
): Promise<SiteCrawl> {
  const tally = await ports.catalog.tally(crawl.id);
  const counts = await ports.catalog.hostCounts(crawl.id);
  const { id, spec } = crawl;
  const stored = spec.skipByRules || spec.mirrors ? await ports.catalog.inferences({ crawlId: id }) : [];
  const virtual = spec.skipByRules ? await ports.catalog.virtualDirectories({ crawlId: id }) : [];
  const { decisions = new Decisions() } = options;
  const inferences = new Inferences({ ...ports, ...options, decisions, crawl, stored, virtual, tally });
  const hosts = new Hosts(crawl, ports.catalog, counts, options);
  const crawler = new Crawler(crawl, ports, { ...options, decisions, inferences }, tally, hosts);
  return {
    async run() {
      const outcome = await crawler.run();
      // All its captures are in the catalog. One that is stopped or killed before this is learnt from when it goes on, or by the next crawl.
      if (outcome.state === 'finished' && !options.signal.aborted && options.learns !== false)
        await learnPatterns(await visitedSites(crawl, outcome.tally, ports.catalog), ports);
      return outcome;
    },
    progress: (now) => crawler.progress(now),
    decided: (pages) => crawler.decided(pages),
    tell: (note) => crawler.tell(note),
  };
}

async function visitedSites(
  crawl: Crawl,
  { sites }: CrawlTally,
  catalog: FrontierCatalog & Pick<SiteCatalog, 'siteBounds'>,
): Promise<ReadonlySet<string>> {
  const { siteOf, divided } = catalog.siteBounds();
  const counts = await catalog.hostCounts(crawl.id);
  const visited = counts.filter(({ kind, isPending }) => kind === 'page' && !isPending);
  const byHost = visited.map(({ host }) => siteOf(`http://${host}/`));
  // Of a divided host the tally alone knows.
  return new Set([...byHost, ...(divided.size > 0 ? sites.map(({ site }) => site) : [])]);
}
