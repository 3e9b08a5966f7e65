/**
 * One tab in a browser context of its own, with the sessions of its iframes and workers. It is used for many
 * pages of one host, cleaned in between, because a fresh context costs about 55 ms and a new renderer process.
 */
import { acceptedLanguages } from '../../model/page-spec.ts';
import {
  BrowserGone,
  type CdpConnection,
  type CdpEvent,
  type CdpSession,
  TargetGone,
} from './cdp-connection.ts';
import type { CookieParam, StoredCookie } from './cdp-cookies.ts';
import { type SessionKind, type TabListener, type TabManner, VIEWPORT, type Visitor } from './tab-manner.ts';

/** Bytes of a request body that CDP reports with the request. */
const POST_LIMIT = 32 * 1024 * 1024;

type Attached = CdpEvent<'Target.attachedToTarget'>;

export class Tab {
  readonly contextId: string;
  readonly targetId: string;
  readonly main: CdpSession;
  readonly #manner: TabManner;
  readonly #connection: CdpConnection;
  readonly #sessions = new Map<CdpSession, SessionKind>();
  readonly #origins = new Set<string>();
  #listener: TabListener | undefined;
  #visitor: Visitor = { userAgent: '' };
  #host: string | undefined;
  #ranServiceWorker = false;
  /** Runs before the scripts of each document; by session, since each has to be told to drop it. */
  #firstScript: string | undefined;
  readonly #firstScripts = new Map<CdpSession, Promise<string | undefined>>();

  private constructor(
    connection: CdpConnection,
    contextId: string,
    targetId: string,
    main: CdpSession,
    manner: TabManner,
  ) {
    this.#connection = connection;
    this.contextId = contextId;
    this.targetId = targetId;
    this.main = main;
    this.#manner = manner;
  }

  /**
   * @param attached resolves with the session of a target that we made: see BrowserTabs
   */
  static async open(
    connection: CdpConnection,
    attached: (targetId: string) => Promise<CdpSession>,
    manner: TabManner,
  ): Promise<Tab> {
    const { browser } = connection;
    const { browserContextId } = await browser.send('Target.createBrowserContext', { disposeOnDetach: true });
    const [{ targetId }] = await Promise.all([
      browser.send('Target.createTarget', {
        url: 'about:blank',
        browserContextId,
        ...(manner.viewport ?? VIEWPORT),
      }),
      browser.send('Browser.setDownloadBehavior', {
        behavior: 'deny',
        browserContextId,
        eventsEnabled: true,
      }),
    ]);
    const tab = new Tab(connection, browserContextId, targetId, await attached(targetId), manner);
    await tab.#prepare(tab.main, 'page');
    return tab;
  }

  /** Host whose pages the tab has shown; undefined when fresh. */
  get host(): string | undefined {
    return this.#host;
  }

  /** If so, it is not used again: disposing of its context removes the worker and everything it may have left. */
  get ranServiceWorker(): boolean {
    return this.#ranServiceWorker;
  }

  async begin(host: string, visitor: Visitor, listener: TabListener): Promise<void> {
    this.#host = host;
    this.#listener = listener;
    for (const [session, kind] of this.#sessions) listener.session(session, kind);
    const before = this.#visitor;
    this.#visitor = visitor;
    const isOtherDevice = before.device?.name !== visitor.device?.name;
    if (isOtherDevice) await this.#resize();
    if (before.userAgent === visitor.userAgent && before.language === visitor.language && !isOtherDevice)
      return;
    await Promise.all([...this.#sessions].map(([session]) => this.#override(session)));
  }

  /** Must be called before the page: sets what runs in each of its documents before their own scripts. */
  async runFirst(script: string): Promise<void> {
    this.#firstScript = script;
    await Promise.all([...this.#sessions].map(([session, kind]) => this.#addFirst(session, kind)));
  }

  async setCookies(cookies: readonly CookieParam[]): Promise<void> {
    const { browser } = this.#connection;
    await browser.send('Storage.setCookies', { cookies: [...cookies], browserContextId: this.contextId });
  }

  async cookies(): Promise<readonly StoredCookie[]> {
    const { browser } = this.#connection;
    return (await browser.send('Storage.getCookies', { browserContextId: this.contextId })).cookies;
  }

  /** Leaves the page and forgets what it stored: the next one sees a first-time visitor. */
  async clean(origins: readonly string[]): Promise<void> {
    for (const origin of origins) this.#origins.add(origin);
    await this.#dropFirst();
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

  /** Popups and shared workers, as the browser reports them for this context. */
  adopt(event: Attached): void {
    const session = this.#connection.session(event.sessionId);
    const { type, url } = event.targetInfo;
    if (type === 'shared_worker') {
      this.#hear(event, 'worker');
      return;
    }
    if (type === 'page') this.#listener?.popup(url);
    else this.#listener?.notRun(type, url);
    // `window.open` returns to its caller only once the new window runs: so it runs, but may request nothing from
    // the network.
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

  async #prepare(session: CdpSession, kind: SessionKind): Promise<void> {
    this.#sessions.set(session, kind);
    session.onGone(() => {
      this.#sessions.delete(session);
      this.#firstScripts.delete(session);
    });
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
      ...(this.#manner.serviceWorkers
        ? []
        : [optional(session.send('Network.setBypassServiceWorker', { bypass: true }))]),
      // Workers of a frame have no Fetch domain: the frame sees their requests. Service workers have one of their
      // own.
      kind === 'worker'
        ? optional(session.send('Fetch.enable', { patterns: [...this.#manner.held] }))
        : session.send('Fetch.enable', { patterns: [...this.#manner.held] }),
      optional(
        session.send('Target.setAutoAttach', {
          autoAttach: true,
          waitForDebuggerOnStart: true,
          flatten: true,
        }),
      ),
    ];
    if (this.#visitor.userAgent !== '') setUp.push(optional(this.#override(session)));
    setUp.push(this.#addFirst(session, kind));
    if (kind !== 'worker') setUp.push(session.send('Page.enable'));
    if (kind === 'page') {
      setUp.push(
        session.send('Inspector.enable'),
        this.#resize(session),
        session.send('Emulation.setFocusEmulationEnabled', { enabled: true }),
      );
    }
    if (kind === 'page' && this.#manner.serviceWorkers)
      setUp.push(optional(session.send('ServiceWorker.enable')));
    setUp.push(session.send('Runtime.runIfWaitingForDebugger'));
    await Promise.all(setUp);
  }

  #child(event: Attached): void {
    const { type, targetId, url } = event.targetInfo;
    if (type === 'iframe' || type === 'worker') this.#hear(event, type);
    else if (type === 'service_worker' && this.#manner.serviceWorkers) {
      this.#ranServiceWorker = true;
      this.#hear(event, 'worker');
    } else {
      this.#listener?.notRun(type, url);
      this.#connection.browser.send('Target.closeTarget', { targetId }).catch(() => {});
    }
  }

  #hear({ sessionId, targetInfo }: Attached, kind: SessionKind): void {
    this.#prepare(this.#connection.session(sessionId), kind).catch((error: unknown) => {
      // The page removed it while it was being prepared.
      if (error instanceof TargetGone || error instanceof BrowserGone) return;
      this.#listener?.unheard(targetInfo.type, targetInfo.url, String(error));
    });
  }

  async #addFirst(session: CdpSession, kind: SessionKind): Promise<void> {
    if (this.#firstScript === undefined || kind === 'worker') return;
    const added = session.send('Page.addScriptToEvaluateOnNewDocument', { source: this.#firstScript }).then(
      ({ identifier }) => identifier,
      () => undefined,
    );
    this.#firstScripts.set(session, added);
    await added;
  }

  async #dropFirst(): Promise<void> {
    const added = [...this.#firstScripts];
    this.#firstScript = undefined;
    this.#firstScripts.clear();
    await Promise.all(
      added.map(async ([session, adding]) => {
        const identifier = await adding;
        if (identifier === undefined) return;
        await session.send('Page.removeScriptToEvaluateOnNewDocument', { identifier }).catch(() => {});
      }),
    );
  }

  async #resize(session = this.main): Promise<void> {
    const { device } = this.#visitor;
    const { width, height } = device ?? this.#manner.viewport ?? VIEWPORT;
    const mobile = device?.mobile ?? false;
    await Promise.all([
      session.send('Emulation.setDeviceMetricsOverride', {
        ...{ width, height, mobile, deviceScaleFactor: device?.scale ?? 1 },
      }),
      session.send('Emulation.setTouchEmulationEnabled', { enabled: mobile }),
    ]);
  }

  #override(session: CdpSession): Promise<unknown> {
    const { userAgent, language } = this.#visitor;
    const acceptLanguage = acceptedLanguages(language ?? 'en-US').join(',');
    const sending = [
      session.send('Emulation.setUserAgentOverride', { userAgent, acceptLanguage }),
      // The locale scripts format dates and numbers by; if none, back to the browser's own.
      session.send('Emulation.setLocaleOverride', language === undefined ? {} : { locale: language }),
    ];
    return Promise.all(sending.map((one) => one.catch(() => {})));
  }
}
