/**
 * One page in one tab, from the first request to the last look: keeps what the browser's events report, and stops what would never end
 * (dialogs, scripts, navigations, windows).
 */
import type { RenderRequest } from '../../ports/renderer.ts';
import { BlockedRequests, requestType } from './blocked-requests.ts';
import type { CdpEvent, CdpSession } from './cdp-connection.ts';
import type { Facts } from './facts.ts';
import type { GivenDocument } from './given-document.ts';
import { isIconRequest } from './icon-requests.ts';
import { IsolatedWorlds } from './isolated-worlds.ts';
import type { KeptAnswers } from './kept-answers.ts';
import { PageState } from './page-state.ts';
import type { ExchangeSurroundings } from './recorded-request.ts';
import { Recorder } from './recorder.ts';
import type { Tab } from './tab.ts';
import type { SessionKind, TabListener } from './tab-manner.ts';
import { VisitEnd } from './visit-end.ts';
import { within } from './within.ts';
import { WorkerWatch } from './worker-watch.ts';

const MOST_DIALOGS = 10;
/** Consecutive main documents reached by scripts or refresh. */
const MOST_NAVIGATIONS = 8;
/** A refresh sooner than this (in seconds) is part of the page; a later one is how the page stays fresh. */
const SOON = 3;
/** Frames whose content is read. */
const MOST_FRAMES = 50;
/** Share of the page's time after which waiting stops. */
const WAITING_SHARE = 0.6;

export interface VisitOptions extends ExchangeSurroundings {
  readonly spoolDir: string;
  readonly facts: Facts;
  readonly given: GivenDocument | undefined;
  /** Nothing is live: all requests are answered from here. */
  readonly kept: KeptAnswers | undefined;
}

export class PageVisit implements TabListener {
  readonly request: RenderRequest;
  readonly facts: Facts;
  readonly recorder: Recorder;
  readonly startedAt = Date.now();
  /** Rejects with a VisitEnd; never resolves. */
  readonly ended: Promise<never>;
  readonly frames = new Map<string, CdpSession>();
  readonly opened = new Set<string>();
  readonly state = new PageState();
  readonly workers = new WorkerWatch();
  finalUrl: string;
  readonly tab: Tab;
  readonly #given: GivenDocument | undefined;
  readonly #kept: KeptAnswers | undefined;
  #navigations = 0;
  #dialogs = 0;
  #end: (end: VisitEnd) => void = () => {};
  readonly #worlds = new IsolatedWorlds(MOST_NAVIGATIONS);
  readonly blocked = new BlockedRequests();
  readonly #frameUrls = new Map<string, string>();
  readonly #parents = new Map<string, string>();

  constructor(tab: Tab, request: RenderRequest, options: VisitOptions) {
    this.tab = tab;
    this.request = request;
    this.facts = options.facts;
    this.finalUrl = request.url;
    this.#given = options.given;
    this.#kept = options.kept;
    this.ended = new Promise((_, reject) => {
      this.#end = reject;
    });
    this.ended.catch(() => {});
    this.recorder = new Recorder({
      ...options,
      sizeLimit: request.sizeLimit,
      mainFrame: tab.targetId,
      request: (session, paused) => this.#requested(session, paused),
    });
  }

  end(why: 'time' | 'crash' | 'abort', detail: string): void {
    this.#end(new VisitEnd(why, detail));
  }

  /** Milliseconds until a fraction of the page's time is used up. */
  left(fraction = 1): number {
    return Math.max(0, this.startedAt + this.request.timeLimit * fraction - Date.now());
  }

  /** Like `left`, for waiting: ends early enough to leave time to look at the page. */
  leftToWait(): number {
    return this.left(WAITING_SHARE);
  }

  /** Milliseconds for one answer of the page: a fifth of the time left, but at least half a second. */
  patience(): number {
    return Math.max(500, this.left() / 5);
  }

  /** Resolves when the load event came, or after `ms`. */
  loaded(ms: number): Promise<void> {
    return this.state.until(({ isLoaded }) => isLoaded, ms);
  }

  /** Resolves when the main document begins to show, which is some time after its head arrived. */
  shown(ms: number): Promise<void> {
    return this.state.until(({ isShown }) => isShown, ms);
  }

  close(): ReturnType<Recorder['finish']> {
    this.state.close();
    return this.recorder.finish();
  }

  /** Besides the page's own. */
  get innerFrames(): readonly (readonly [id: string, session: CdpSession])[] {
    return [...this.frames].filter(([id]) => id !== this.tab.targetId).slice(0, MOST_FRAMES);
  }

  /** The value of an expression, a string, in an isolated world of the frame. */
  evaluate(session: CdpSession, frameId: string, expression: string): Promise<string> {
    return this.#worlds.evaluate(session, { frameId, expression, isOver: () => this.state.isOver });
  }

  /** Like `evaluate` in the main frame, but a script that does not yield within `patience` ms is stopped. */
  async insist(expression: string, patience = this.patience()): Promise<string> {
    const asking = this.evaluate(this.tab.main, this.tab.targetId, expression);
    const answer = await within(patience, asking);
    if (answer !== undefined) return answer;
    this.stopScripts('a script ran without end');
    return asking;
  }

  stopScripts(why: string): void {
    if (!this.state.stopScripts()) return;
    this.facts.add(`scripts were stopped: ${why}`);
    this.tab.main.send('Emulation.setScriptExecutionDisabled', { value: true }).catch(() => {});
    this.tab.main.send('Runtime.terminateExecution').catch(() => {});
  }

  session(session: CdpSession, kind: SessionKind): void {
    if (this.state.isOver) return;
    this.recorder.listen(session, kind === 'worker');
    if (kind === 'worker') return;
    session.on('Page.frameAttached', ({ frameId, parentFrameId }) => {
      this.frames.set(frameId, session);
      this.#parents.set(frameId, parentFrameId);
    });
    session.on('Page.frameNavigated', ({ frame }) => this.#navigated(session, frame));
    session.on('Page.frameDetached', ({ frameId, reason }) => {
      if (reason !== 'swap' || this.frames.get(frameId) === session) this.frames.delete(frameId);
      this.#worlds.forget(frameId);
    });
    session.on('Page.javascriptDialogOpening', (event) => this.#dialog(session, event));
    session.on('Page.windowOpen', ({ url }) => this.popup(url));
    session.onGone(() => {
      for (const [frameId, owner] of this.frames) if (owner === session) this.frames.delete(frameId);
    });
    if (kind === 'page') this.#listenToMain(session);
  }

  popup(url: string): void {
    if (!/^https?:/.test(url) || this.state.isOver) return;
    this.opened.add(url.split('#', 1)[0] ?? url);
    this.facts.add(`window not opened: ${url}`);
  }

  download(frameId: string, url: string): void {
    if (this.state.isOver || (frameId !== this.tab.targetId && !this.frames.has(frameId))) return;
    this.facts.add(`download not begun: ${url}`);
  }

  unheard(kind: string, url: string, why: string): void {
    if (!this.state.isOver) this.facts.add(`what this ${kind} loaded may not be recorded: ${url} (${why})`);
  }

  notRun(kind: string, url: string): void {
    if (!this.state.isOver) this.facts.add(`${kind} not run: ${url}`);
  }

  #listenToMain(session: CdpSession): void {
    this.workers.listen(session);
    const isMain = (frameId: string) => frameId === this.tab.targetId;
    session.on('Page.loadEventFired', () => {
      this.state.loads();
    });
    session.on('Page.navigatedWithinDocument', ({ frameId, url }) => {
      if (isMain(frameId) && this.state.isShown) this.finalUrl = url;
    });
    session.on('Page.frameScheduledNavigation', ({ frameId, delay }) => {
      if (isMain(frameId) && delay <= SOON) this.state.leaves();
    });
    session.on('Page.frameRequestedNavigation', ({ frameId, disposition }) => {
      if (isMain(frameId) && disposition === 'currentTab') this.state.leaves();
    });
    session.on('Page.frameStoppedLoading', ({ frameId }) => {
      if (isMain(frameId)) this.state.stops();
    });
    session.on('Inspector.targetCrashed', () => this.end('crash', 'the tab crashed'));
    session.onGone((reason) => this.end('crash', reason.message));
  }

  #navigated(session: CdpSession, frame: CdpEvent<'Page.frameNavigated'>['frame']): void {
    this.#worlds.forget(frame.id);
    this.frames.set(frame.id, session);
    this.#frameUrls.set(frame.id, frame.url);
    if (frame.id !== this.tab.targetId || frame.url === 'about:blank') return;
    // Chromium's own error page keeps the URL that failed.
    if (frame.unreachableUrl) return;
    this.finalUrl = frame.url;
    this.state.shows();
  }

  #dialog(session: CdpSession, event: CdpEvent<'Page.javascriptDialogOpening'>): void {
    // Accepting `beforeunload` lets the page be left; all others are dismissed.
    const accept = event.type === 'beforeunload';
    session.send('Page.handleJavaScriptDialog', { accept }).catch(() => {});
    if (accept || this.state.isOver) return;
    this.facts.add(`dialog dismissed: ${event.type} "${event.message.slice(0, 100)}"`);
    if (++this.#dialogs >= MOST_DIALOGS) this.stopScripts(`${MOST_DIALOGS} dialogs`);
  }

  #requested(session: CdpSession, paused: CdpEvent<'Fetch.requestPaused'>): boolean {
    const isMain = paused.frameId === this.tab.targetId && paused.resourceType === 'Document';
    if (isMain && this.#document(session, paused)) return true;
    if (isIconRequest(paused)) return this.recorder.block(session, paused);
    if (!isMain && this.#isBlocked(session, paused)) return true;
    if (!this.#kept) return false;
    void this.#kept.give(session, paused, isMain && this.#navigations > 1).then((given) => {
      if (!given) this.state.keptFromLeaving();
    });
    return true;
  }

  /**
   * By a rule on what pages load. Chromium names the frame that will show a document, but the frame around it is the one that asks for
   * it.
   */
  #isBlocked(session: CdpSession, paused: CdpEvent<'Fetch.requestPaused'>): boolean {
    const { blocker, url: pageUrl } = this.request;
    const { request, frameId, resourceType } = paused;
    if (!blocker || !/^(?:https?|wss?):/.test(request.url)) return false;
    const type = requestType(resourceType);
    const asking = type === 'document' ? (this.#parents.get(frameId) ?? frameId) : frameId;
    const frameUrl = this.#frameUrls.get(asking) ?? this.finalUrl;
    const verdict = blocker.judge({ url: request.url, type, pageUrl, frameUrl });
    if (!verdict) return false;
    this.blocked.add(request.url, verdict);
    return this.recorder.block(session, paused);
  }

  /** Documents of the main frame: given, let go, or refused. */
  #document(session: CdpSession, paused: CdpEvent<'Fetch.requestPaused'>): boolean {
    if (paused.redirectedRequestId !== undefined) return false;
    const { url } = paused.request;
    if (this.#navigations === 0 && this.#given) {
      this.#navigations = 1;
      this.recorder.leaveOut(paused.networkId);
      this.#given.answer(session, paused.requestId).catch((error) => {
        this.facts.add(`the fetched document could not be given to the browser: ${String(error)}`);
        session.send('Fetch.continueRequest', { requestId: paused.requestId }).catch(() => {});
      });
      return true;
    }
    if (this.#navigations > 0) {
      const refused = this.state.isHeld || this.#navigations > MOST_NAVIGATIONS;
      this.facts.add(refused ? `the page was kept from leaving for ${url}` : `the page went on to ${url}`);
      if (refused) {
        // Where a click would have led is a link of the page.
        if (this.state.isHeld && /^https?:/.test(url)) this.opened.add(url.split('#', 1)[0] ?? url);
        this.state.keptFromLeaving();
        session
          .send('Fetch.failRequest', { requestId: paused.requestId, errorReason: 'Aborted' })
          .catch(() => {});
        return true;
      }
    }
    this.#navigations++;
    return false;
  }
}
