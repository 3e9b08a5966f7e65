/** Runs the steps of one page in one tab, under one deadline, and reports the outcome. */
import { CaptureFault } from '../../model/fault.ts';
import type { Rendering, RenderRequest } from '../../ports/renderer.ts';
import { BrowserGone, CdpError, TargetGone } from './cdp-connection.ts';
import type { Facts } from './facts.ts';
import { givenDocument } from './given-document.ts';
import type { KeptAnswers } from './kept-answers.ts';
import { LIVE_TABS } from './live-tabs.ts';
import { FORGET } from './page-script.ts';
import { type Findings, STEPS } from './page-steps.ts';
import { PageVisit } from './page-visit.ts';
import type { ExchangeSurroundings } from './recorded-request.ts';
import type { Tab } from './tab.ts';
import type { Visitor } from './tab-manner.ts';
import { TabSession } from './tab-session.ts';
import { VisitEnd } from './visit-end.ts';

export interface TabRenderOptions extends ExchangeSurroundings {
  readonly spoolDir: string;
  readonly facts: Facts;
  /** Undefined: the page is live. */
  readonly kept: KeptAnswers | undefined;
  readonly onStep?: (url: string, step: string, duration: number) => void;
}

export type TabOutcome = {
  /** Whether the tab can take another page. */
  readonly reusable: boolean;
  /** Origins whose storage is to be cleared. */
  readonly origins: readonly string[];
} & (
  | { readonly fault: Error /** Where it struck. */; readonly step: string; readonly rendering?: never }
  | { readonly fault?: never; readonly rendering: Rendering }
);

/** From this step on the page is frozen, and pictures of it are taken. */
const FROZEN = 'snapshot';

export async function renderInTab(
  tab: Tab,
  request: RenderRequest,
  options: TabRenderOptions,
): Promise<TabOutcome> {
  const given = request.document
    ? await givenDocument(request.document.response, request.sizeLimit)
    : undefined;
  if (given?.cut) options.facts.add(given.cut);
  const visit = new PageVisit(tab, request, { ...options, given });
  const found: Findings = {
    look: undefined,
    reading: undefined,
    links: [],
    embedded: [],
    cut: given?.cut ? [given.cut] : [],
    view: undefined,
    thumbnail: undefined,
    snapshot: undefined,
    fullView: undefined,
    startedBeforeScroll: 0,
  };
  // What a visitor with secrets is shown is for nobody else's eyes.
  const shown =
    options.kept || options.session?.redactor
      ? undefined
      : LIVE_TABS.enter(tab, request.url, visit.startedAt);
  const timer = setTimeout(() => visit.end('time', 'the time limit was reached'), request.timeLimit);
  const aborted = () => visit.end('abort', 'the rendering was aborted');
  request.signal?.addEventListener('abort', aborted, { once: true });
  if (request.signal?.aborted) aborted();
  let end: unknown;
  let step = 'begin';
  try {
    await Promise.race([tab.begin(new URL(request.url).host, visitorOf(request), visit), visit.ended]);
    const { session } = options;
    const entering = session && TabSession.enter(tab, session, request, options.facts);
    const entered = entering && (await Promise.race([entering, visit.ended]));
    for (const { name, run } of STEPS) {
      step = name;
      shown?.step(name);
      if (name === FROZEN) shown?.leave();
      const begun = performance.now();
      await Promise.race([run(visit, found), visit.ended]);
      options.onStep?.(request.url, name, performance.now() - begun);
    }
    if (entered) await Promise.race([entered.leave(visit), visit.ended]);
    await Promise.race([visit.evaluate(tab.main, tab.targetId, FORGET).catch(() => {}), visit.ended]);
  } catch (error) {
    end = error instanceof CdpError ? await whatWasBehind(error, visit) : error;
  } finally {
    clearTimeout(timer);
    shown?.leave();
    request.signal?.removeEventListener('abort', aborted);
  }
  const { exchanges, lost, more } = await visit.close();
  const fault = scrubbed(faultOf(end, visit, step), options);
  if (fault) {
    await Promise.all(exchanges.map(({ response }) => response.body.release()));
    return { reusable: false, origins: [], fault, step };
  }
  if (end !== undefined) options.facts.add(`time limit reached (step: ${step})`);
  const losses = lost.length + more;
  if (losses > 0)
    options.facts.add(`${losses} requests of the page were answered not at all, or not in full`);
  if (more > 0) options.facts.add(`only the first ${lost.length} of them are named`);
  for (const fact of visit.blocked.facts()) options.facts.add(fact);
  const blocked = visit.blocked.list();
  const origins = new Set(
    [request.url, ...exchanges.map(({ url }) => url)].map((url) => new URL(url).origin),
  );
  const asked = new Set([...exchanges, ...lost, ...blocked].map(({ url }) => url));
  return {
    reusable: end === undefined && !visit.state.areScriptsStopped,
    origins: [...origins],
    rendering: {
      finalUrl: visit.finalUrl.split('#', 1)[0] ?? visit.finalUrl,
      title: found.reading?.title ?? '',
      text: found.reading?.text ?? '',
      links: found.links,
      embedded: found.embedded.filter((url) => !asked.has(url)),
      exchanges,
      lost,
      ...(blocked.length > 0 ? { blocked } : {}),
      ...(found.cut.length > 0 ? { cut: found.cut } : {}),
      ...(found.view ? { view: found.view } : {}),
      ...(found.thumbnail ? { thumbnail: found.thumbnail } : {}),
      ...(found.snapshot ? { snapshot: found.snapshot } : {}),
      ...(found.fullView ? { fullView: found.fullView } : {}),
      facts: options.facts.list().map((fact) => options.session?.redactor?.text(fact) ?? fact),
    },
  };
}

function scrubbed(fault: Error | undefined, { session }: TabRenderOptions): Error | undefined {
  const { redactor } = session ?? {};
  return redactor && fault instanceof CaptureFault ? redactor.fault(fault) : fault;
}
const visitorOf = ({ userAgent, device, language }: RenderRequest): Visitor => ({
  userAgent,
  ...(device && { device }),
  ...(language !== undefined && { language }),
});

/** A dying tab fails commands first and is reported dead a moment later: the death is what to report. */
function whatWasBehind(error: CdpError, visit: PageVisit): Promise<unknown> {
  const nothing = new Promise<unknown>((resolve) => setTimeout(() => resolve(error), 300));
  return Promise.race([visit.ended, nothing]).catch((end: unknown) => end);
}

/** Undefined when the rendering can be kept: whole, or up to the time limit. */
function faultOf(end: unknown, visit: PageVisit, step: string): Error | undefined {
  if (end === undefined) return undefined;
  const { url, timeLimit, signal } = visit.request;
  if (end instanceof CaptureFault) return end;
  if (end instanceof VisitEnd && end.why === 'time') {
    if (visit.state.isShown) return undefined;
    return new CaptureFault('browser-hang', url, `nothing to show within ${timeLimit} ms`);
  }
  if (end instanceof VisitEnd && end.why === 'abort') {
    return signal?.reason instanceof Error ? signal.reason : end;
  }
  if (end instanceof VisitEnd || end instanceof TargetGone || end instanceof BrowserGone) {
    return new CaptureFault('browser-crash', url, `${end.message} (step: ${step})`, { cause: end });
  }
  return new CaptureFault('internal', url, `step ${step} failed: ${String(end)}`, { cause: end });
}
