/** The one way to the server: what it answers is typed by what it checks its answers with. */

import type { AlertRule } from '../src/model/alert.ts';
import type { Skip, Visit } from '../src/model/crawl.ts';
import type { PassageKind } from '../src/model/passage.ts';
import type { SignedProof } from '../src/model/proof.ts';
import type { AskedChoice } from '../src/model/version-choice.ts';
import type {
  AlertRow,
  ArchiveInfo,
  CaptureRow,
  CertificateRow,
  ChangeRow,
  CheckRow,
  CheckStateAnswer,
  CheckSummaryAnswer,
  ChoiceAnswer,
  CrawlRow,
  DeltaAnswer,
  DigestAnswer,
  DirectoryRules,
  DroppedRow,
  InferredRow,
  LayoutAnswer,
  ListedDecision,
  LiveVisits,
  Outbox,
  PageRow,
  PastAlerts,
  PatternRow,
  PerimeterCountsAnswer,
  PerimeterRow,
  PerimeterSizes,
  PlanAnswer,
  ReportAnswer,
  SiteRow,
  VirtualRow,
  WantedCheck,
  WantedCrawl,
  WatchStatus,
} from '../src/server/api-types.ts';
import {
  ApiFailure,
  asked,
  counted,
  get,
  getAll,
  getStamped,
  type Part,
  type Query,
  send,
  sliced,
} from './client.ts';
import { t } from './text/language.ts';

export type {
  AlertRow,
  ArchiveInfo,
  CaptureRow,
  CertificateRow,
  ChangeRow,
  CheckRow,
  CheckStateAnswer,
  CheckSummaryAnswer,
  ChoiceAnswer,
  CrawlRow,
  DecisionRow,
  DeltaAnswer,
  DigestAnswer,
  DirectoryRules,
  InferredRow,
  LayoutAnswer,
  ListedDecision,
  LiveVisits,
  Outbox,
  PageRow,
  PastAlerts,
  PatternRow,
  PerimeterCountsAnswer,
  PerimeterRow,
  PerimeterSizes,
  PlanAnswer,
  ReportAnswer,
  SiteRow,
  VirtualRow,
  WantedCheck,
  WantedCrawl,
  WatchStatus,
} from '../src/server/api-types.ts';
export { ApiFailure, type Part } from './client.ts';
export type { AlertRule };
export type VisitRow = Visit;
export type SkipRow = Skip;
export type Comparison = NonNullable<CaptureRow['comparison']>;

/** A passage that was found. */
export interface SearchHit {
  readonly url: string;
  readonly kind: PassageKind;
  readonly text: string;
  /** UTF-16 offsets of the words found. */
  readonly marks: readonly (readonly [from: number, to: number])[];
  readonly cameAt: number;
  /** The last version that shows it, and the first without it. */
  readonly lastAt: number;
  readonly goneAt?: number;
}

/** Captures that one view holds at most; of a page with more the oldest are shown, and the rest by time travel. */
const MOST_CAPTURES = 5000;
/** Crawls and rounds that a view of times counts. */
const MOST_CRAWLS = 1000;

type List<Row> = Promise<Part<Row>>;

/** Where there is no such watch, nothing is asked: browsers would tell of an error. */
async function ofWatch<Answer>(
  wanted: readonly ArchiveInfo['watch'][],
  ask: () => Promise<Answer>,
): Promise<Answer> {
  const { watch } = await get<ArchiveInfo>('archive');
  if (watch === undefined || !wanted.includes(watch))
    throw new ApiFailure(404, t.plan.none, t.plan.noneWords);
  return ask();
}

export const api = {
  archive: () => get<ArchiveInfo>('archive'),
  sites: (query: Query = {}, cursor?: string): List<SiteRow> => get('sites', { ...query, cursor }),
  pages: (query: Query, cursor?: string): List<PageRow> => get('pages', { ...query, cursor }),
  captures: (url: string) => getAll<CaptureRow>('captures', { url }, MOST_CAPTURES),
  latestCapture: async (): Promise<CaptureRow | undefined> =>
    (await get<Part<CaptureRow>>('captures', { limit: 1 })).rows[0],
  /** '' of a page without one, and of what is no page. */
  titleOf: async (url: string): Promise<string> =>
    (await get<Part<PageRow>>('pages', { url, limit: 1 }).catch(() => undefined))?.rows[0]?.title.trim() ??
    '',
  changes: (query: Query, cursor?: string): List<ChangeRow> => get('changes', { ...query, cursor }),
  /** Times as digits, as addresses hold them. */
  delta: (url: string, from: string, to: string) => get<DeltaAnswer>('deltas', { url, from, to }),
  layout: (url: string, at: number) => get<LayoutAnswer>('layouts', { url, at }),
  /** Which version answers for a moment (digits), and how sure that is. */
  choice: (url: string, at: string, asked: AskedChoice) => get<ChoiceAnswer>('choice', { url, at, ...asked }),
  digest: (url: string, query: Query) => get<DigestAnswer>('digest', { url, from: query.from, to: query.to }),
  patterns: (query: Query): List<PatternRow> => get('patterns', query),
  report: (site: string) => get<ReportAnswer>('reports', { site, failures: 0 }),
  certificates: () => getAll<CertificateRow>('certificates', {}, MOST_CRAWLS),

  /** Whether replay shows what was seen live, the worst first; of one page the newest first. */
  checks: (query: Query, cursor?: string): List<CheckRow> => get('checks', { ...query, cursor }),
  checkSummary: (query: Query) => get<CheckSummaryAnswer>('checks/summary', query),
  checkState: () => get<CheckStateAnswer>('checks/state'),
  startCheck: (wanted: WantedCheck) => send<NonNullable<CheckStateAnswer['running']>>('checks', wanted),
  /** `at`: of the capture for the live side, of the check for the replayed one. */
  checkPicture: (url: string, at: number, side: 'live' | 'replayed'): string =>
    `/api/checks/picture${asked({ url, at, side })}`,

  /** Takes seconds to compute. */
  rules: (site: string) => get<DirectoryRules>('rules', { site }),

  crawls: (query: Query, cursor?: string): List<CrawlRow> => get('crawls', { ...query, cursor }),
  crawl: (id: number) => get<CrawlRow>(`crawls/${id}`),
  visits: (query: Query, cursor?: string): List<VisitRow> => counted('visits', query, cursor),

  /** With the rounds of watches, newest first. */
  crawlsOf: (site: string) => getAll<CrawlRow>('crawls', { site, rounds: 1 }, MOST_CRAWLS),
  /** Captures of the whole site, without the rounds of watches, newest first. */
  siteCaptures: (site: string) => getAll<CrawlRow>('crawls', { site }, MOST_CRAWLS),
  skips: (query: Query): List<SkipRow> => counted('skips', { ...query, limit: 1000 }, undefined, false),
  inferences: (crawl: number): List<InferredRow> => counted('inferences', { crawl }, undefined, false),
  /** The newest first. */
  dropped: (url: string): List<DroppedRow> => sliced('dropped', { url, limit: 1000 }),
  virtual: (site: string, cursor?: string): List<VirtualRow> => sliced('virtual', { site }, cursor),
  /** Begins a crawl, or goes on with one of the same seeds that was stopped. */
  searchCoverage: () => get<{ readonly unseen: number; readonly private: number }>('search/coverage'),
  resumeCrawl: (id: number) => send<{ readonly crawl?: number }>(`crawls/${id}/resume`, {}),
  startCrawl: (wanted: WantedCrawl) => send<{ readonly crawl?: number }>('crawls', wanted),
  /** What writes to the archive now, as Ctrl-C would: pages in hand are finished. */
  stop: () => send<{ readonly stopping: number | null }>('crawls/stop', {}),
  /** Visits that are in the browser of a running crawl. */
  liveVisits: () => get<LiveVisits>('live'),
  /** What the browser shows of one; another number for another frame. */
  livePicture: (url: string, frame: number): string => `/api/live/picture${asked({ url, frame })}`,
  ping: (url: string) => send<{ readonly heard: readonly string[] }>('pings', { urls: [url] }),

  plan: (hours: number) => ofWatch(['runs', 'configured'], () => get<PlanAnswer>('plan', { hours })),
  /** Of a process that watches; 404 of one that only serves. */
  watch: () => ofWatch(['runs'], () => get<WatchStatus>('watch')),
  alerts: (query: Query, cursor?: string): List<AlertRow> => get('alerts', { ...query, cursor }),
  outbox: () => get<Outbox>('alerts/outbox'),
  alertRules: () => get<{ readonly rules: readonly AlertRule[] }>('alerts/rules'),
  dryRun: (rule: unknown, since: string) =>
    send<PastAlerts>(`alerts/dry-run${asked({ since })}`, rule === undefined ? {} : { rule }),
  perimeters: () => get<{ readonly perimeters: readonly PerimeterCountsAnswer[] }>('perimeter'),
  perimeterUrls: (query: Query, cursor?: string): List<PerimeterRow> =>
    get('perimeter/urls', { ...query, cursor }),
  perimeterSizes: (perimeter: string) => get<PerimeterSizes>('perimeter/sizes', { perimeter }),

  search: (query: Query, cursor?: string) => get<Part<SearchHit>>('search', { ...query, cursor }),

  decisions: (query: Query, cursor?: string): List<ListedDecision> => get('decisions', { ...query, cursor }),
  /** All that touches a target, with the stamp for whoever decides about it. */
  decidedAbout: (target: string) => getStamped<Part<ListedDecision>>('decisions', { target }),
  decide: (draft: unknown, stamp: string | undefined) =>
    send<{ readonly decisions: readonly unknown[] }>('decisions', draft, stamp),
  prove: (query: Query) => get<SignedProof>('proofs', query),

  thumbnail: (url: string, at: number): string => `/api/thumbnail${asked({ url, at, absent: 'empty' })}`,
};
