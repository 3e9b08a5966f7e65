/**
 * The Renderer over Chromium. A pool of tabs in one browser process at a time; a page that crashes, hangs or
 * kills the browser costs that page only.
 *
 * State of a browser:  running → retired (page count, memory, a tab that does not close, or death)
 *                      retired and no page in it → closed
 */
import os from 'node:os';
import path from 'node:path';
import { CaptureFault } from '../../model/fault.ts';
import type { Millis } from '../../model/time.ts';
import type { Renderer, Rendering, RenderRequest } from '../../ports/renderer.ts';
import type { Session } from '../session/session.ts';
import { launchBrowser } from './browser-process.ts';
import { BrowserTabs } from './browser-tabs.ts';
import { Facts } from './facts.ts';
import { ALL_REQUESTS, FETCH_PATTERNS } from './fetch-patterns.ts';
import { type FoundChromium, findChromium } from './find-chromium.ts';
import type { KeptAnswers } from './kept-answers.ts';
import type { BrowserProxy } from './recorded-request.ts';
import { renderInTab } from './render-page.ts';
import { Slots } from './slots.ts';
import type { Tab } from './tab.ts';
import type { TabManner, Viewport } from './tab-manner.ts';
import { succeeds, within } from './within.ts';

export interface BrowserRendererOptions {
  /** Folder for bodies above 2 MB. */
  readonly spoolDir?: string;
  /** The proxy the browser uses; it hides from the browser which server it reached, and why it failed. */
  readonly proxy?: BrowserProxy;
  /** Pages rendered at the same time. */
  readonly tabs?: number;
  /** Pages after which the browser is replaced. */
  readonly pagesPerBrowser?: number;
  /** Total bytes of the browser's processes above which it is replaced. */
  readonly memoryLimit?: number;
  /** The crawl's clock, where it is not the system's: it gives the times in the records. */
  readonly now?: () => Millis;
  /** Whose visits these are; without one, each page meets a new visitor, who has nothing. */
  readonly session?: Session;
  readonly extraFlags?: readonly string[];
  /** Size of the window in CSS pixels; 1280 × 1024 if absent. */
  readonly viewport?: Viewport;
  /**
   * Holds requests too until we let them go, so that those of a page can be blocked: one more message each.
   */
  readonly holdsRequests?: boolean;
  /** Called with the duration of each step, in milliseconds. */
  readonly onStep?: (url: string, step: string, duration: number) => void;
}

export const DEFAULTS = {
  tabs: 2,
  pagesPerBrowser: 200,
  memoryLimit: 1.5 * 1024 ** 3,
} as const;

/** How long a tab may take to open, in milliseconds: a browser that takes longer hangs. */
const OPEN_LIMIT = 15 * 1000;
/** How long cleaning a tab may take, in milliseconds. */
const CLEAN_LIMIT = 3000;
/** Pages between two checks of the memory. */
const MEMORY_PERIOD = 10;

export interface BrowserRenderer extends Renderer {
  /** Of the running browser; undefined when there is none. */
  readonly pid: number | undefined;
  /** Which browser it is, where that is worth reporting. */
  readonly note: string | undefined;
}

/** Fails at once, with instructions, where no Chromium is found. */
export async function openBrowserRenderer(options: BrowserRendererOptions = {}): Promise<BrowserRenderer> {
  const holdsAll = options.holdsRequests || options.session?.hasHeaders;
  return ChromiumRenderer.start(options, {
    held: holdsAll ? ALL_REQUESTS : FETCH_PATTERNS,
    serviceWorkers: true,
  });
}

export class ChromiumRenderer implements BrowserRenderer {
  readonly #options: BrowserRendererOptions;
  readonly #chromium: FoundChromium;
  readonly #manner: TabManner;
  readonly #slots: Slots;
  readonly #spoolDir: string;
  readonly #browsers = new Set<BrowserTabs>();
  #current: BrowserTabs | undefined;
  #launching: Promise<BrowserTabs> | undefined;
  #unsandboxed: string | undefined;
  #product = '';
  #closed = false;

  private constructor(options: BrowserRendererOptions, chromium: FoundChromium, manner: TabManner) {
    this.#options = options;
    this.#chromium = chromium;
    this.#manner = manner;
    this.#slots = new Slots(options.tabs ?? DEFAULTS.tabs);
    this.#spoolDir = options.spoolDir ?? path.join(os.tmpdir(), `daguerre-spool-${process.pid}`);
  }

  get pid(): number | undefined {
    return [...this.#browsers].find((browser) => !browser.retired)?.process.pid;
  }

  get note(): string | undefined {
    if (this.#product.startsWith('Headless')) return undefined;
    const { path } = this.#chromium;
    return `pages are shown by ${this.#product} (${path}), the full browser: a headless shell is lighter (apt install chromium-headless-shell)`;
  }

  static async start(options: BrowserRendererOptions, manner: TabManner): Promise<ChromiumRenderer> {
    const { viewport } = options;
    const renderer = new ChromiumRenderer(options, await findChromium(), { ...manner, viewport });
    const { process } = await renderer.#running();
    renderer.#unsandboxed = process.unsandboxed;
    renderer.#product = process.product;
    return renderer;
  }

  /** @param kept for tabs that hold every request: see PageViewer */
  async render(request: RenderRequest, facts = new Facts(), kept?: KeptAnswers): Promise<Rendering> {
    const ended = { step: '' };
    try {
      return await this.#renderOnce(request, facts, kept, ended);
    } catch (error) {
      const isDead = error instanceof CaptureFault && error.kind.startsWith('browser-');
      if (!isDead || ended.step !== 'behaviours' || request.signal?.aborted) throw error;
      // A page that dies when clicked is still worth having: it is shown again without the clicking.
      facts.add(`the page died in a behaviour (${error.message}), and was shown again without any`);
      const behaviors = (request.behaviors ?? []).filter((one) => one === 'autoscroll');
      return this.#renderOnce({ ...request, behaviors }, facts, kept, ended);
    }
  }

  async #renderOnce(
    request: RenderRequest,
    facts: Facts,
    kept: KeptAnswers | undefined,
    ended: { step: string },
  ): Promise<Rendering> {
    const url = URL.canParse(request.url) ? new URL(request.url) : undefined;
    if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
      throw new CaptureFault('unsupported-url', request.url, 'the browser renders http and https pages only');
    }
    const release = await this.#slots.take(request.signal);
    let browser: BrowserTabs | undefined;
    let tab: Tab | undefined;
    let after: Promise<void> = Promise.resolve();
    try {
      [browser, tab] = await this.#take(url.host, request.url);
      if (this.#unsandboxed) facts.add(`the browser runs without its sandbox: ${this.#unsandboxed}`);
      const outcome = await renderInTab(tab, request, {
        ...this.#options,
        spoolDir: this.#spoolDir,
        facts,
        kept,
      });
      after = outcome.reusable ? this.#clean(browser, tab, outcome.origins) : browser.discard(tab);
      tab = undefined;
      if (outcome.fault) {
        ended.step = outcome.step;
        throw outcome.fault;
      }
      this.#unsandboxed = undefined;
      return outcome.rendering;
    } finally {
      if (browser && tab) after = browser.discard(tab);
      const used = browser;
      // The answer need not wait for the tab to be cleaned; the next page in this slot does.
      after
        .then(() => (used ? this.#settle(used) : undefined))
        .catch(() => {})
        .finally(release);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#launching?.catch(() => {});
    await Promise.all([...this.#browsers].map((browser) => browser.process.close()));
    this.#browsers.clear();
  }

  /** A browser that died while idle is not this page's fault: a second one is tried. */
  async #take(host: string, url: string): Promise<[BrowserTabs, Tab]> {
    for (let attempt = 0; ; attempt++) {
      let browser: BrowserTabs | undefined;
      try {
        browser = await this.#running();
        const tab = await within(OPEN_LIMIT, browser.take(host));
        if (!tab) throw new Error(`no tab could be opened within ${OPEN_LIMIT} ms`);
        return [browser, tab];
      } catch (error) {
        if (browser) {
          browser.retired = true;
          await this.#settle(browser, true);
        }
        if (this.#closed || attempt > 0) {
          throw new CaptureFault('browser-crash', url, 'no browser tab could be had', { cause: error });
        }
      }
    }
  }

  #running(): Promise<BrowserTabs> {
    if (this.#closed) return Promise.reject(new Error('the renderer is closed'));
    if (this.#current && !this.#current.retired) return Promise.resolve(this.#current);
    // Two slots may arrive here at once: the first one's launch serves both.
    this.#launching ??= this.#launch().finally(() => {
      this.#launching = undefined;
    });
    return this.#launching;
  }

  async #launch(): Promise<BrowserTabs> {
    const { proxy, extraFlags } = this.#options;
    const process = await launchBrowser({ chromium: this.#chromium, proxy: proxy?.url, extraFlags });
    const browser = await BrowserTabs.start(process, this.#manner);
    this.#browsers.add(browser);
    this.#current = browser;
    return browser;
  }

  async #clean(browser: BrowserTabs, tab: Tab, origins: readonly string[]): Promise<void> {
    // Checked again afterwards: a worker may be registered while the page is being left.
    const isClean = !tab.ranServiceWorker && (await succeeds(CLEAN_LIMIT, tab.clean(origins)));
    if (isClean && !tab.ranServiceWorker) browser.giveBack(tab);
    else await browser.discard(tab);
  }

  async #settle(browser: BrowserTabs, dead = false): Promise<void> {
    const { pagesPerBrowser = DEFAULTS.pagesPerBrowser, memoryLimit = DEFAULTS.memoryLimit } = this.#options;
    if (browser.pages >= pagesPerBrowser) browser.retired = true;
    else if (browser.pages % MEMORY_PERIOD === 0 && (await browser.process.usesMoreThan(memoryLimit))) {
      browser.retired = true;
    }
    if (!browser.retired || (browser.busy > 0 && !dead)) return;
    this.#browsers.delete(browser);
    await browser.process.close();
  }
}
