/**
 * One tab in a browser context of its own, with the sessions of its iframes and workers. It is used for many
 * pages of one host, cleaned between them, because a fresh context costs about 55 ms and a new renderer
 * process.
 */
import {
  BrowserGone,
  type CdpConnection,
  type CdpEvent,
  type CdpSession,
  TargetGone,
} from './cdp-connection.ts';
import type { FetchPattern } from './recorder.ts';

/** As the segmentation's papers and data have it. */
export const VIEWPORT = { width: 1280, height: 1024 } as const;

/** Bytes of a request body that CDP tells with the request. */
const POST_LIMIT = 32 * 1024 * 1024;

export type TargetKind = 'page' | 'iframe' | 'worker';

/** What one visit wants to hear. */
export interface TabListener {
  /** A session of the tab: those there are, then each that comes. */
  session(session: CdpSession, kind: TargetKind): void;
  /** A window that the page tried to open: it is closed already. */
  popup(url: string): void;
  /** Begun in a frame of the page, or of another: the browser has refused it. */
  download(frameId: string, url: string): void;
  /** A frame or worker that could not be listened to: it runs, and what it loads goes unrecorded. */
  unheard(kind: string, url: string, why: string): void;
  /** A worker or worklet that was not let run. */
  notRun(kind: string, url: string): void;
}

type Attached = CdpEvent<'Target.attachedToTarget'>;

export class Tab {
  readonly contextId: string;
  readonly targetId: string;
  readonly main: CdpSession;
  readonly #held: readonly FetchPattern[];
  readonly #connection: CdpConnection;
  readonly #sessions = new Map<CdpSession, TargetKind>();
  readonly #origins = new Set<string>();
  #listener: TabListener | undefined;
  #userAgent = '';
  #host: string | undefined;

  private constructor(
    connection: CdpConnection,
    contextId: string,
    targetId: string,
    main: CdpSession,
    held: readonly FetchPattern[],
  ) {
    this.#connection = connection;
    this.contextId = contextId;
    this.targetId = targetId;
    this.main = main;
    this.#held = held;
  }

  /**
   * @param attached resolves with the session of a target that we made: see BrowserTabs
   * @param held which requests and responses are held for the listener
   */
  static async open(
    connection: CdpConnection,
    attached: (targetId: string) => Promise<CdpSession>,
    held: readonly FetchPattern[],
  ): Promise<Tab> {
    const { browser } = connection;
    const { browserContextId } = await browser.send('Target.createBrowserContext', { disposeOnDetach: true });
    const [{ targetId }] = await Promise.all([
      browser.send('Target.createTarget', { url: 'about:blank', browserContextId, ...VIEWPORT }),
      browser.send('Browser.setDownloadBehavior', {
        behavior: 'deny',
        browserContextId,
        eventsEnabled: true,
      }),
    ]);
    const tab = new Tab(connection, browserContextId, targetId, await attached(targetId), held);
    await tab.#prepare(tab.main, 'page');
    return tab;
  }

  /** Host whose pages the tab has shown; undefined when fresh. */
  get host(): string | undefined {
    return this.#host;
  }

  async begin(host: string, userAgent: string, listener: TabListener): Promise<void> {
    this.#host = host;
    this.#listener = listener;
    for (const [session, kind] of this.#sessions) listener.session(session, kind);
    if (this.#userAgent === userAgent) return;
    this.#userAgent = userAgent;
    await Promise.all([...this.#sessions].map(([session]) => this.#override(session)));
  }

  /** Leaves the page and forgets what it stored: the next one is met as by a first-time visitor. */
  async clean(origins: readonly string[]): Promise<void> {
    for (const origin of origins) this.#origins.add(origin);
    const left = new Promise<void>((resolve) => {
      this.main.on('Page.frameNavigated', ({ frame }) => {
        if (frame.id === this.targetId) resolve();
      });
    });
    // From within: `Page.navigate` to about:blank would take a new renderer process, and the next page another.
    await this.main.send('Runtime.evaluate', { expression: "location.replace('about:blank')" });
    await left;
    await Promise.all([
      this.#connection.browser.send('Storage.clearCookies', { browserContextId: this.contextId }),
      ...[...this.#origins].map((origin) =>
        this.main.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' }),
      ),
    ]);
    this.#origins.clear();
  }

  async close(): Promise<void> {
    await this.#connection.browser.send('Target.disposeBrowserContext', { browserContextId: this.contextId });
  }

  /** Popups, shared and service workers, as the browser reports them for this context. */
  adopt(event: Attached): void {
    const session = this.#connection.session(event.sessionId);
    const { type, url } = event.targetInfo;
    if (type === 'shared_worker') {
      this.#hear(event, 'worker');
      return;
    }
    if (type === 'page') this.#listener?.popup(url);
    else this.#listener?.notRun(type, url);
    // `window.open` returns to its caller only once the new window runs: it may run, and ask the network nothing.
    session.on('Fetch.requestPaused', ({ requestId }) => {
      session.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' }).catch(() => {});
    });
    const sendings: Promise<unknown>[] = [
      session.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] }),
      session.send('Runtime.runIfWaitingForDebugger'),
      this.#connection.browser.send('Target.closeTarget', { targetId: event.targetInfo.targetId }),
    ];
    for (const sending of sendings) sending.catch(() => {});
  }

  download(frameId: string, url: string): void {
    this.#listener?.download(frameId, url);
  }

  async #prepare(session: CdpSession, kind: TargetKind): Promise<void> {
    this.#sessions.set(session, kind);
    session.onGone(() => this.#sessions.delete(session));
    session.on('Target.attachedToTarget', (event) => this.#child(event));
    this.#listener?.session(session, kind);
    const optional = (sending: Promise<unknown>) => sending.catch(() => {});
    const setUp: Promise<unknown>[] = [
      session.send('Network.enable', {
        maxTotalBufferSize: 0,
        maxResourceBufferSize: 0,
        maxPostDataSize: POST_LIMIT,
      }),
      optional(session.send('Network.setCacheDisabled', { cacheDisabled: true })),
      optional(session.send('Network.setBypassServiceWorker', { bypass: true })),
      // Workers have no Fetch domain of their own: the frame that started them sees their requests.
      kind === 'worker'
        ? optional(session.send('Fetch.enable', { patterns: [...this.#held] }))
        : session.send('Fetch.enable', { patterns: [...this.#held] }),
      optional(
        session.send('Target.setAutoAttach', {
          autoAttach: true,
          waitForDebuggerOnStart: true,
          flatten: true,
        }),
      ),
    ];
    if (this.#userAgent !== '') setUp.push(optional(this.#override(session)));
    if (kind !== 'worker') setUp.push(session.send('Page.enable'));
    if (kind === 'page') {
      setUp.push(
        session.send('Inspector.enable'),
        session.send('Emulation.setDeviceMetricsOverride', {
          ...VIEWPORT,
          deviceScaleFactor: 1,
          mobile: false,
        }),
        session.send('Emulation.setFocusEmulationEnabled', { enabled: true }),
      );
    }
    setUp.push(session.send('Runtime.runIfWaitingForDebugger'));
    await Promise.all(setUp);
  }

  #child(event: Attached): void {
    const { type, targetId, url } = event.targetInfo;
    if (type === 'iframe' || type === 'worker') this.#hear(event, type);
    else {
      this.#listener?.notRun(type, url);
      this.#connection.browser.send('Target.closeTarget', { targetId }).catch(() => {});
    }
  }

  #hear({ sessionId, targetInfo }: Attached, kind: TargetKind): void {
    this.#prepare(this.#connection.session(sessionId), kind).catch((error: unknown) => {
      // The page took it away while it was prepared.
      if (error instanceof TargetGone || error instanceof BrowserGone) return;
      this.#listener?.unheard(targetInfo.type, targetInfo.url, String(error));
    });
  }

  #override(session: CdpSession): Promise<unknown> {
    return session
      .send('Emulation.setUserAgentOverride', { userAgent: this.#userAgent, acceptLanguage: 'en-US,en' })
      .catch(() => {});
  }
}
