/**
 * A visit, from the entry to what is to be stored. Each state has all of the one before, and one step leads to it:
 *
 *   begun ──ask──▶ asked ──recognise──▶ recognised ──render or fill──▶ shown ──digest──▶ digested ──discover──▶ discovered
 *                                                                                                                │ analyse
 *   in the catalog ◀──record── judged ◀──judge── analysed ◀──────────────────────────────────────────────────────┘
 *
 * After `shown` the host is free for its next request; after `discovered` the visit holds no worker any more.
 */
import type { EventDraft, PageInfo } from '../../model/capture.ts';
import type { Change } from '../../model/change.ts';
import type { CrawlSpec, FrontierEntry, Skip } from '../../model/crawl.ts';
import type { Exchange } from '../../model/exchange.ts';
import type { CaptureFault } from '../../model/fault.ts';
import type { LostRequest } from '../../model/lost-request.ts';
import type { PerimeterStanding } from '../../model/perimeter.ts';
import type { Millis } from '../../model/time.ts';
import type { VisitCommit } from '../../ports/catalog.ts';
import type { Clock } from '../../ports/clock.ts';
import type { NewId } from '../../ports/ids.ts';
import type { PageAnalyser, TemplateFiller } from '../../ports/page-analyser.ts';
import type { PageContent, PageReader, PageText } from '../../ports/page-reader.ts';
import type { RecordStore } from '../../ports/record-store.ts';
import type { Renderer, Rendering } from '../../ports/renderer.ts';
import type { FoundTrap, Scope } from '../../ports/scope.ts';
import type { Answer } from '../../science/policy/answer.ts';
import type { SiteOrder } from '../../science/policy/site-order.ts';
import type { AnalysedPage, AnalysisPorts } from '../../stages/analyse-page.ts';
import type { AskedBefore } from '../../stages/choose-alternatives.ts';
import type { Discovery, Finds } from '../../stages/discover.ts';
import type { FetchedDocument, FetchPorts } from '../../stages/fetch-document.ts';
import type { FetchedResources } from '../../stages/fetch-resources.ts';
import type { FillablePage, FilledPage, FillPorts } from '../../stages/fill-page.ts';
import type { VersionKeeper } from '../../stages/keep-versions.ts';
import type { PageRates } from '../../stages/page-rates.ts';
import type { RedirectChains } from '../../stages/redirect-chains.ts';
import type { Inferences } from '../inferences.ts';
import type { KnownPages } from '../known-pages.ts';
import type { MissingPages } from '../missing-pages.ts';
import type { NamedPages } from '../named-pages.ts';
import type { Admission, PerimeterGate } from '../perimeter-gate.ts';

export interface VisitPorts extends FetchPorts {
  /** Absent when nothing is rendered. */
  readonly renderer?: Renderer;
  /** Absent when no layouts are wanted. */
  readonly analyser?: PageAnalyser;
  /** Absent when every page goes through the browser. */
  readonly filler?: TemplateFiller;
  readonly catalog: FetchPorts['catalog'] & AnalysisPorts['catalog'] & FillPorts['catalog'];
  readonly store: Pick<RecordStore, 'digest'>;
  readonly pageReader: PageReader;
  readonly scope: Scope;
  readonly clock: Clock;
  readonly newId: NewId;
}

export interface VisitContext {
  readonly spec: CrawlSpec;
  readonly order: SiteOrder;
  readonly rates: PageRates;
  readonly versions: VersionKeeper;
  /** What the crawl takes for unchanged. */
  readonly inferences: Pick<Inferences, 'keeps' | 'hear'>;
  /** Pages of the last capture that the crawl began with. */
  readonly known: Pick<KnownPages, 'linked'>;
  /** Pages that visits have handed to the frontier: links to them are passed over. */
  readonly named: Pick<NamedPages, 'has' | 'add'>;
  /** Keeps the crawl inside a perimeter. */
  readonly gate?: PerimeterGate;
  /** Pages that may still join the schedule: see discover. */
  readonly room: number;
  readonly chains: RedirectChains;
  readonly before: AskedBefore;
  /** What the host answers for an address that cannot exist, asked once; undefined where it may not be asked. */
  readonly missing: MissingPages;
  /** See CrawlOptions. */
  readonly analysesLater: boolean;
  /** Number of this visit among those of the crawl. */
  readonly batch: number;
  readonly signal?: AbortSignal;
  /** Called when this page made its family of URLs a trap. */
  readonly onTrap: (trap: FoundTrap) => void;
  /** Called when the network part is over, perhaps more than once: the host may be asked again while we read and write. */
  readonly onAnswer: (answer: Answer) => void;
}

/** What the steps work with. */
export interface VisitWorld {
  readonly ports: VisitPorts;
  readonly context: VisitContext;
}

/** How what is known of a page came about. */
export type Shown =
  /** From its bytes alone; `notRendered` says why, where it should have been rendered. */
  | { readonly by: 'bytes'; readonly notRendered: CaptureFault | undefined }
  | (PageRendering & { readonly by: 'browser'; readonly template: TemplateUse })
  /** Filled into what a browser showed of an earlier version. */
  | { readonly by: 'template'; readonly filled: FilledPage };

/** What came of the things that a page would load on another screen. */
export interface LoadedAlternatives extends FetchedResources {
  /** What the limits, or the rules of the crawl, left out. */
  readonly skips: readonly Skip[];
}

/** A page as the browser showed it, and what came beside it for other screens. */
export interface PageRendering {
  readonly rendering: Rendering;
  readonly alternatives: LoadedAlternatives;
}

/** What a template has to do with a page that the browser showed. */
export type TemplateUse =
  | { readonly kind: 'none' }
  /** What it would have given is compared with what the browser showed. */
  | { readonly kind: 'verified'; readonly page: FillablePage }
  /** The template failed, and the page was rendered instead. */
  | { readonly kind: 'failed'; readonly fault: CaptureFault };

export interface Begun {
  readonly at: 'begun';
  readonly entry: FrontierEntry;
  readonly startedAt: Millis;
}

export interface AskedVisit extends Omit<Begun, 'at'> {
  readonly at: 'asked';
  readonly document: FetchedDocument;
  /** What its status stands for, or that it is not the page. */
  readonly fault: CaptureFault | undefined;
  readonly shown: Shown;
}

export interface Recognised extends Omit<AskedVisit, 'at'> {
  readonly at: 'recognised';
  /** What its bytes name; absent where nobody looked. */
  readonly read?: PageContent;
  /** What was asked for beside the page. */
  readonly asides: readonly string[];
}

export interface ShownPage extends Omit<Recognised, 'at'> {
  readonly at: 'shown';
}

export interface Digested extends Omit<ShownPage, 'at'> {
  readonly at: 'digested';
  /** All that came, the main exchange first. */
  readonly exchanges: readonly Exchange[];
  /** What was loaded with the page. */
  readonly loaded: readonly Exchange[];
  readonly lost: readonly LostRequest[];
  readonly title: string;
  /** Where a perimeter asks for them. */
  readonly words: PageText | undefined;
  readonly finds: Finds;
  readonly facts: readonly string[];
  /** What of its text or links is missing. */
  readonly cut: readonly string[];
  /** What is wrong with the answer itself. */
  readonly impairment: CaptureFault | undefined;
  /** The answer leads elsewhere. */
  readonly isRedirect: boolean;
}

export interface Discovered extends Omit<Digested, 'at'> {
  readonly at: 'discovered';
  readonly discovery: Discovery & Partial<Pick<Admission, 'suspects'>> & Pick<VisitCommit, 'linked'>;
  /** How the page stands to the perimeter of the crawl. */
  readonly standing: PerimeterStanding | undefined;
}

export interface Analysed extends Omit<Discovered, 'at'> {
  readonly at: 'analysed';
  /** Undefined where no layout is wanted. */
  readonly analysis: AnalysedPage | undefined;
}

export interface Judged extends Omit<Analysed, 'at'> {
  readonly at: 'judged';
  readonly draft: EventDraft;
  /** Undefined for what is no page. */
  readonly info: PageInfo | undefined;
  readonly change: Change | undefined;
  /** The page is as it was last archived; undefined where that is unknown. */
  readonly payloadStored: boolean | undefined;
}

export interface VisitStates {
  readonly begun: Begun;
  readonly asked: AskedVisit;
  readonly recognised: Recognised;
  readonly shown: ShownPage;
  readonly digested: Digested;
  readonly discovered: Discovered;
  readonly analysed: Analysed;
  readonly judged: Judged;
}

export type VisitState = VisitStates[keyof VisitStates];

/** Frees the spooled bodies of all that came so far. */
export async function release(state: VisitState): Promise<void> {
  if (state.at === 'begun') return;
  const { exchange, content } = state.document;
  const all = new Set([exchange, content, ...loadedWith(state.shown)]);
  await Promise.all([...all].map(({ response }) => response.body.release()));
}

export function loadedWith(shown: Shown): readonly Exchange[] {
  if (shown.by === 'bytes') return [];
  if (shown.by === 'template') return shown.filled.exchanges;
  return [...shown.rendering.exchanges, ...shown.alternatives.exchanges];
}
