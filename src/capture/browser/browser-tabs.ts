/** The tabs of one browser process: opens them, and routes the browser's events about their contexts. */
import type { BrowserProcess } from './browser-process.ts';
import type { CdpSession } from './cdp-connection.ts';
import { Tab } from './tab.ts';
import type { TabManner } from './tab-manner.ts';
import { succeeds } from './within.ts';

/**
 * Service workers are listened to by the tab of the page that registers them: only there does Chromium hold the
 * request for the worker's script until we listen. Chromium's own filter leaves `browser` and `tab` out.
 */
const OF_THE_BROWSER = [
  { type: 'browser', exclude: true },
  { type: 'tab', exclude: true },
  { type: 'service_worker', exclude: true },
  {},
];

/** How long a tab may take to close, in milliseconds: a hung renderer never does. */
const CLOSE_LIMIT = 3000;

export class BrowserTabs {
  readonly process: BrowserProcess;
  readonly #manner: TabManner;
  readonly #idle: Tab[] = [];
  readonly #open = new Map<string, Tab>();
  readonly #awaited = new Map<string, (session: CdpSession) => void>();
  readonly #early = new Map<string, CdpSession>();
  /** Pages given out so far, and those not yet given back. */
  pages = 0;
  busy = 0;
  /** Takes no new page: it closes after the last one. */
  retired = false;

  private constructor(process: BrowserProcess, manner: TabManner) {
    this.process = process;
    this.#manner = manner;
  }

  static async start(process: BrowserProcess, manner: TabManner): Promise<BrowserTabs> {
    const tabs = new BrowserTabs(process, manner);
    const { connection } = process;
    connection.browser.onGone(() => {
      tabs.retired = true;
    });
    connection.browser.on('Target.attachedToTarget', (event) => {
      const { targetId, browserContextId, type } = event.targetInfo;
      const session = connection.session(event.sessionId);
      const awaited = tabs.#awaited.get(targetId);
      if (awaited) awaited(session);
      else if (browserContextId && tabs.#open.has(browserContextId))
        tabs.#open.get(browserContextId)?.adopt(event);
      else if (type === 'page') tabs.#early.set(targetId, session);
    });
    connection.browser.on('Browser.downloadWillBegin', (event) => {
      // The event does not name its context: each tab knows its own frames.
      for (const tab of tabs.#open.values()) tab.download(event.frameId, event.url);
    });
    await connection.browser.send('Target.setAutoAttach', {
      autoAttach: true,
      waitForDebuggerOnStart: true,
      flatten: true,
      filter: OF_THE_BROWSER,
    });
    return tabs;
  }

  /** A tab that has shown this host before, otherwise a fresh one. */
  async take(host: string): Promise<Tab> {
    this.pages++;
    this.busy++;
    const at = this.#idle.findIndex((tab) => tab.host === host);
    const idle = at >= 0 ? this.#idle.splice(at, 1)[0] : undefined;
    if (idle) return idle;
    const other = this.#idle.shift();
    if (other) this.#dispose(other).catch(() => {});
    try {
      const attached = (targetId: string) => this.#attached(targetId);
      const tab = await Tab.open(this.process.connection, attached, this.#manner);
      this.#open.set(tab.contextId, tab);
      return tab;
    } catch (error) {
      this.busy--;
      throw error;
    }
  }

  giveBack(tab: Tab): void {
    this.busy--;
    this.#idle.push(tab);
  }

  /** For a tab that crashed or hangs. If it cannot be closed, the whole browser is. */
  async discard(tab: Tab): Promise<void> {
    this.busy--;
    await this.#dispose(tab);
  }

  async #dispose(tab: Tab): Promise<void> {
    this.#open.delete(tab.contextId);
    if (!(await succeeds(CLOSE_LIMIT, tab.close()))) this.retired = true;
  }

  #attached(targetId: string): Promise<CdpSession> {
    const early = this.#early.get(targetId);
    if (early) {
      this.#early.delete(targetId);
      return Promise.resolve(early);
    }
    return new Promise((resolve, reject) => {
      this.#awaited.set(targetId, (session) => {
        this.#awaited.delete(targetId);
        resolve(session);
      });
      this.process.connection.browser.onGone(reject);
    });
  }
}
