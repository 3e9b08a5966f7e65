import type { CaptureFact, PageInfo } from '../model/capture.ts';
import type { Change } from '../model/change.ts';
import type { CrawlSpec, FrontierEntry, VisitOutcome } from '../model/crawl.ts';
import { isHtml, type Millis, mediaType } from '../model/exchange.ts';
import { CaptureFault } from '../model/fault.ts';
import type { VisitCommit } from '../ports/catalog.ts';
import type { Clock } from '../ports/clock.ts';
import type { NewId } from '../ports/ids.ts';
import type { PageAnalyser, TemplateFiller } from '../ports/page-analyser.ts';
import type { PageContent, PageReader } from '../ports/page-reader.ts';
import type { FoundTrap, Perimeter } from '../ports/perimeter.ts';
import type { RecordStore } from '../ports/record-store.ts';
import type { Renderer, Rendering, RenderRequest } from '../ports/renderer.ts';
import type { SiteOrder } from '../science/policy/site-order.ts';
import {
  type AnalysedPage,
  type AnalysisPorts,
  analyseFilled,
  analysePage,
  archivedSnapshot,
  noHtml,
} from './analyse-page.ts';
import { type Answer, answerOf, redirectTarget, statusFault } from './answer.ts';
import { type Discovery, discover, type Finds } from './discover.ts';
import { type FetchedDocument, type FetchPorts, fetchDocument } from './fetch-document.ts';
import {
  type FillablePage,
  type FilledPage,
  type FillPorts,
  fillablePage,
  fillPage,
  verified,
} from './fill-page.ts';
import { judgeVersion, outcomeOf } from './judge-version.ts';
import type { VersionKeeper } from './keep-versions.ts';
import type { PageRates } from './page-rates.ts';
import { pageRecords, resourceList } from './page-records.ts';
import type { EventDraft } from './record-event.ts';
import type { RedirectChains } from './redirect-chains.ts';

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
  readonly perimeter: Perimeter;
  readonly clock: Clock;
  readonly newId: NewId;
}

export interface VisitContext {
  readonly spec: CrawlSpec;
  readonly order: SiteOrder;
  readonly rates: PageRates;
  readonly versions: VersionKeeper;
  /** Pages that may still join the schedule: see discover. */
  readonly room: number;
  readonly chains: RedirectChains;
  /** Number of this visit among those of the crawl. */
  readonly batch: number;
  readonly signal?: AbortSignal;
  /** Called when this page made its family of URLs a trap. */
  readonly onTrap: (trap: FoundTrap) => void;
  /** Called when the network part is over, perhaps more than once: the host may be asked again while we read and write. */
  readonly onAnswer: (answer: Answer) => void;
}

/** What a visit brought home. Its records are written, and `complete` called, by the committer, in order. */
export interface VisitResult {
  /**
   * Absent when there is nothing to store. It comes when the page is analysed: that is no more work for the host,
   * nor for the crawl.
   */
  readonly draft?: Promise<EventDraft>;
  /** URLs that its commit brings to the frontier; none unless given. */
  readonly links?: number;
  /** What the catalog is to know, once the facts of the stored records are there. */
  complete(facts: readonly CaptureFact[]): VisitCommit;
  /** URLs that are not worth asking for: the host could not be reached while the page was shown. */
  readonly unreachable?: ReadonlyMap<string, CaptureFault>;
  /** Frees spooled bodies; to be called when the records are written or given up. */
  release(): Promise<void>;
}

interface Asked extends FetchedDocument {
  readonly rendering?: Rendering;
  /** Instead of a rendering: the layout came from a template. */
  readonly filled?: FilledPage;
  /** Beside a rendering: the template is compared with it. */
  readonly verify?: FillablePage;
  /** Why a page that should have been rendered was not. */
  readonly notRendered?: CaptureFault;
  /** Why a page that should have been filled from its template was not. */
  readonly notFilled?: CaptureFault;
}

/** The whole of one visit: ask, render, read. Never rejects for what the web does. */
export async function visit(
  entry: FrontierEntry,
  ports: VisitPorts,
  context: VisitContext,
): Promise<VisitResult> {
  const startedAt = ports.clock.now();
  let asked: Asked | undefined;
  try {
    asked = await ask(entry, ports, context);
    const fault = statusFault(asked.exchange, ports.clock.now());
    if (fault && mayRetry(fault, entry, context.spec)) throw fault;
    const answer = answerOf(asked.exchange, fault);
    asked = await render(entry, asked, ports, context, () => context.onAnswer(answer));
    context.onAnswer(answer);
    return await digested(entry, asked, fault, startedAt, ports, context);
  } catch (error) {
    await release(asked);
    if (!(error instanceof CaptureFault)) throw error;
    context.onAnswer(
      asked && !error.kind.startsWith('browser')
        ? answerOf(asked.exchange, error)
        : { responseTime: ports.clock.now() - startedAt, fault: error.kind },
    );
    return nothingStored(entry, error, startedAt, ports.clock.now(), context.spec);
  }
}

/** With `--render always` the browser asks; what it cannot show (a download) is fetched directly. */
async function ask(entry: FrontierEntry, ports: VisitPorts, { spec, signal }: VisitContext): Promise<Asked> {
  if (spec.render === 'always' && entry.kind === 'page' && ports.renderer) {
    const rendering = await ports.renderer.render(renderRequest(entry.url, spec, ports, signal));
    const exchange = rendering.exchanges.find(({ url }) => url === entry.url);
    if (exchange) return { exchange, content: exchange, rendering };
  }
  return fetchDocument(entry, spec, ports, signal);
}

/**
 * With `--render auto` HTML goes on to the browser, which is given the bytes that HTTP brought; or, with `--templates`,
 * is filled into what the browser showed of an earlier version.
 */
async function render(
  entry: FrontierEntry,
  asked: Asked,
  ports: VisitPorts,
  { spec, signal }: VisitContext,
  onQuiet: () => void,
): Promise<Asked> {
  const { renderer } = ports;
  const wanted =
    renderer !== undefined &&
    spec.render === 'auto' &&
    entry.kind === 'page' &&
    redirectTarget(asked.exchange) === undefined &&
    isHtml(mediaType(asked.content.response.headers));
  if (!wanted) return asked;
  const { filled, fillable, notFilled } = await fill(asked, ports, spec, signal);
  if (filled) return { ...asked, filled };
  try {
    const request = renderRequest(entry.url, spec, ports, signal);
    const rendering = await renderer.render({ ...request, document: asked.content, onQuiet });
    const turn = { ...(notFilled && { notFilled }), ...(fillable?.verify && { verify: fillable }) };
    return { ...asked, rendering, ...turn };
  } catch (error) {
    if (!(error instanceof CaptureFault) || mayRetry(error, entry, spec)) throw error;
    // The last try keeps what HTTP brought: a page whose scripts hang is still a page.
    return { ...asked, notRendered: error };
  }
}

/** What goes wrong with a template (a record is damaged, the page is too much for it) the browser makes good. */
async function fill(
  { exchange, content }: Asked,
  { filler, ...others }: VisitPorts,
  spec: CrawlSpec,
  signal: AbortSignal | undefined,
): Promise<{
  filled?: FilledPage | undefined;
  fillable?: FillablePage | undefined;
  notFilled?: CaptureFault;
}> {
  if (!filler) return {};
  const ports = { ...others, filler };
  try {
    const fillable = await fillablePage(content, exchange.startedAt, spec.templates ?? 0, ports);
    if (!fillable || fillable.verify) return { fillable };
    return { fillable, filled: await fillPage(fillable, content, spec, ports, signal) };
  } catch (error) {
    if (signal?.aborted) throw error;
    const why = error instanceof Error ? error.message : String(error);
    return { notFilled: new CaptureFault('template-failure', content.url, why, { cause: error }) };
  }
}

async function digested(
  entry: FrontierEntry,
  asked: Asked,
  httpFault: CaptureFault | undefined,
  startedAt: Millis,
  ports: VisitPorts,
  context: VisitContext,
): Promise<VisitResult> {
  const { exchange, content, rendering, filled, notRendered, notFilled, notModified } = asked;
  const loaded = (rendering ?? filled)?.exchanges ?? [];
  const lost = rendering?.lost ?? [];
  const location = redirectTarget(exchange);
  const step =
    location === undefined ? {} : context.chains.follow(entry, location, context.spec.limits.redirects);
  const fault = step.fault ?? httpFault;
  const finds = await read(entry, asked, ports.pageReader);
  const discovery: Discovery = fault
    ? { discovered: [], skips: [] }
    : await discover(
        entry,
        { ...finds, ...(step.target !== undefined && { redirect: step.target }) },
        { ...context, perimeter: ports.perimeter, clock: ports.clock },
      );

  if (!fault && location === undefined && entry.kind === 'page')
    await lookForTrap(entry.url, asked, ports, context);
  const exchanges = [exchange, ...loaded.filter((other) => other !== exchange)];
  const facts = [
    ...finds.facts,
    ...(notRendered ? [`not rendered: ${notRendered.message}`] : []),
    ...(notFilled ? [`not filled from its template: ${notFilled.message}`] : []),
  ];
  const isPage = entry.kind === 'page' && location === undefined;
  const seen = isPage && !fault ? analysed(entry, asked, ports) : undefined;
  const asRead: PageInfo = {
    url: entry.url,
    finalUrl: rendering?.finalUrl ?? entry.url,
    title: finds.title,
    status: exchange.response.status,
    mime: mediaType(content.response.headers),
    at: exchange.startedAt,
    depth: entry.depth,
    reason: entry.reason,
    links: finds.links,
    resources: resourceList(loaded),
    ...(lost.length > 0 && { lost }),
    facts,
  };
  const id = ports.newId();
  const cut = rendering?.cut?.join('; ');
  const problem =
    fault ?? notRendered ?? notFilled ?? (cut ? new CaptureFault('page-cut', entry.url, cut) : undefined);
  let info = asRead;
  let change: Change | undefined;
  let payloadStored: boolean | undefined;
  async function draft(): Promise<EventDraft> {
    const analysis = await seen;
    if (analysis) {
      const { layoutAt, facts: more } = analysis;
      info = { ...asRead, facts: [...facts, ...more], ...(layoutAt !== undefined && { layoutAt }) };
      change = analysis.change;
    }
    const event = {
      id,
      url: entry.url,
      at: exchange.startedAt,
      exchanges,
      ...(notModified && { notModified }),
    };
    const shown = rendering ?? filled;
    if (!isPage || fault) return { ...event, derived: isPage ? pageRecords(info, shown) : [] };
    const judged = await judgeVersion({ event, info, shown, analysis }, context.versions, ports.store);
    ({ info, change, payloadStored } = judged);
    return judged.draft;
  }
  const unreachable = new Map(
    lost
      .filter(({ remedy }) => remedy === 'unreachable')
      .map(({ url, fault: kind, why }) => [
        url,
        new CaptureFault(kind, url, `asked for in the browser: ${why}`),
      ]),
  );
  return {
    draft: draft(),
    links: discovery.discovered.length + discovery.skips.length,
    ...(unreachable.size > 0 && { unreachable }),
    complete(captures) {
      const outcome = fault ? 'failed' : outcomeOf(entry.url, captures, payloadStored);
      return {
        visit: {
          url: entry.url,
          at: startedAt,
          duration: ports.clock.now() - startedAt,
          reason: entry.reason,
          outcome: outcome satisfies VisitOutcome,
          status: exchange.response.status,
          bytes: exchanges.reduce(
            (sum, { response }) => sum + response.head.byteLength + response.body.size,
            0,
          ),
          eventId: id,
          ...(problem && { fault: { kind: problem.kind, detail: problem.message } }),
        },
        settlement: { entryId: entry.id, state: outcome },
        captures,
        ...(isPage && { page: info }),
        ...(change && { change }),
        ...discovery,
      };
    },
    release: () => release(asked),
  };
}

/** The text of a page is read only where its family of URLs is large. */
async function lookForTrap(
  url: string,
  { content, rendering }: Asked,
  { perimeter, pageReader }: VisitPorts,
  { onTrap }: VisitContext,
): Promise<void> {
  if (!perimeter.wantsText(url)) return;
  const text = rendering?.text ?? (await pageReader.readVisible(content))?.text;
  const trap = text === undefined ? undefined : perimeter.observeText(url, text);
  if (trap) onTrap(trap);
}

/** Never rejects: what could not be analysed is a fact of the page. Undefined where no layout is wanted. */
function analysed(
  entry: FrontierEntry,
  { exchange, content, rendering, filled, verify }: Asked,
  { analyser, filler, catalog, reader }: VisitPorts,
): Promise<AnalysedPage> | undefined {
  if (!analyser) return undefined;
  const mime = mediaType(content.response.headers);
  const at = exchange.startedAt;
  if (filled) {
    const page = { url: entry.url, at, viXml: filled.viXml };
    return withTurn(analyseFilled(page, { analyser, catalog, reader }), async () => ({
      ...filled,
      facts: [],
    }));
  }
  if (!rendering && !isHtml(mime))
    return Promise.resolve({ records: [], facts: [`no layout: ${noHtml(mime)}`] });
  const snapshot = rendering?.snapshot;
  if (!snapshot) return undefined;
  const { exchanges } = rendering;
  const page = { url: entry.url, at, snapshot, exchanges };
  return withTurn(analysePage(page, { analyser, catalog, reader }), async () =>
    verify && filler && snapshot.kind === 'taken'
      ? verified(verify, await archivedSnapshot(snapshot.packed, exchanges), filler)
      : undefined,
  );
}

/** With what became of the template. */
async function withTurn(
  analysis: Promise<AnalysedPage>,
  turn: () => Promise<(Partial<Pick<FilledPage, 'record'>> & Pick<FilledPage, 'facts'>) | undefined>,
): Promise<AnalysedPage> {
  const page = await analysis;
  const told = await turn();
  if (!told) return page;
  const records = told.record ? [...page.records, told.record] : page.records;
  return { ...page, records, facts: [...page.facts, ...told.facts] };
}

/** What the page names: from the rendered DOM where there is one, else from the bytes. */
async function read(
  entry: FrontierEntry,
  { content, rendering, filled }: Asked,
  reader: PageReader,
): Promise<PageContent & Finds> {
  if (entry.kind === 'sitemap') {
    const { pages, hints, sitemaps, facts } = await reader.readSitemap(content);
    return { title: '', links: pages, resources: [], sitemaps, facts, ...(hints && { hints }) };
  }
  // What a rendered page embeds was loaded by the browser already, or lost.
  if (rendering)
    return {
      title: rendering.title,
      links: rendering.links,
      resources: [],
      lost: rendering.lost,
      facts: rendering.facts,
    };
  const found = await reader.read(content);
  if (!filled) return found;
  return { ...found, title: filled.title, resources: [], facts: [...found.facts, ...filled.facts] };
}

/** A visit that brought nothing to store: tried again later, or failed. */
export function nothingStored(
  entry: FrontierEntry,
  fault: CaptureFault,
  startedAt: Millis,
  now: Millis,
  spec: CrawlSpec,
): VisitResult {
  const again = mayRetry(fault, entry, spec);
  return {
    complete: () => ({
      visit: {
        url: entry.url,
        at: startedAt,
        duration: now - startedAt,
        reason: entry.reason,
        outcome: again ? 'deferred' : 'failed',
        bytes: 0,
        fault: { kind: fault.kind, detail: fault.message },
      },
      settlement: again
        ? { entryId: entry.id, state: 'deferred', notBefore: now + (fault.retryAfter ?? 0) }
        : { entryId: entry.id, state: 'failed' },
      captures: [],
      discovered: [],
      skips: [],
    }),
    release: async () => {},
  };
}

export function mayRetry(fault: CaptureFault, entry: FrontierEntry, { limits }: CrawlSpec): boolean {
  return fault.retry && entry.attempts + 1 < limits.attempts;
}

async function release(asked: Asked | undefined): Promise<void> {
  if (!asked) return;
  const loaded = (asked.rendering ?? asked.filled)?.exchanges ?? [];
  const exchanges = new Set([asked.exchange, asked.content, ...loaded]);
  await Promise.all([...exchanges].map(({ response }) => response.body.release()));
}

function renderRequest(
  url: string,
  spec: CrawlSpec,
  { analyser }: Pick<VisitPorts, 'analyser'>,
  signal: AbortSignal | undefined,
): RenderRequest {
  return {
    url,
    userAgent: spec.politeness.userAgent,
    timeLimit: spec.limits.responseTime,
    sizeLimit: spec.limits.responseSize,
    screenshots: true,
    snapshot: analyser !== undefined,
    ...(signal && { signal }),
  };
}
