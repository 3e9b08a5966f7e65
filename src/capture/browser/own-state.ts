/** Cookies and storage of a browser's own profile, as opposed to those of a crawl's tabs: profiles, and login windows. */
import type { OriginStorage, SessionState } from '../session/visitors.ts';
import { type BrowserProcess, launchBrowser } from './browser-process.ts';
import type { CdpSession } from './cdp-connection.ts';
import { cookieOf } from './cdp-cookies.ts';
import { findChromium } from './find-chromium.ts';
import { READ_STORAGE, readStorage } from './read-storage.ts';
import { within } from './within.ts';

/** Milliseconds for one page of a profile: nothing is fetched from the network. */
const PAGE_LIMIT = 10_000;
/** A proxy nobody listens on: a profile's own tabs and extensions reach nothing. */
const NOWHERE = 'http://127.0.0.1:9';

/** What a profile holds: all its cookies, and the storage of these origins. `fill` copies it into the browser's own folder. */
export async function profileState(
  fill: (profile: string) => Promise<void>,
  origins: (cookieHosts: readonly string[]) => readonly string[],
): Promise<SessionState> {
  const chromium = await findChromium();
  const browser = await launchBrowser({ chromium, proxy: NOWHERE, extraFlags: undefined, fill });
  try {
    const cookies = await cookiesOf(browser);
    const session = await attachedTo(browser, (await newPage(browser)).targetId);
    const storage: OriginStorage[] = [];
    await answerAllEmpty(session);
    for (const origin of origins(cookies.map(({ domain }) => domain))) {
      const found = await within(PAGE_LIMIT, storageAt(session, origin)).catch(() => undefined);
      if (found && found.items.length > 0) storage.push(found);
    }
    return { cookies, storage };
  } finally {
    await browser.close();
  }
}

export interface LoginWindow {
  /** The current state, or undefined once the person has closed it; storage seen earlier is kept. */
  read(): Promise<SessionState | undefined>;
  /** Resolves when the browser is gone. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

/** In a context of its own, like the tabs of crawls: its state is in memory only. */
export async function openLoginWindow(url: string, proxy: string): Promise<LoginWindow> {
  const chromium = await findChromium({ env: process.env, beyondPath: true, window: true });
  const own = await launchBrowser({ chromium, proxy, extraFlags: undefined, window: 'about:blank' });
  const { browser } = own.connection;
  const storage = new Map<string, OriginStorage>();
  const before = (await browser.send('Target.getTargets')).targetInfos;
  const { browserContextId } = await browser.send('Target.createBrowserContext', { disposeOnDetach: true });
  await browser.send('Target.createTarget', { url, browserContextId, newWindow: true });
  // The initial window, whose profile is on disk.
  for (const { type, targetId } of before)
    if (type === 'page') await browser.send('Target.closeTarget', { targetId });
  return {
    closed: new Promise((resolve) => browser.onGone(() => resolve())),
    async read() {
      const { targetInfos } = await browser.send('Target.getTargets');
      const pages = targetInfos.filter(
        (one) => one.type === 'page' && one.browserContextId === browserContextId,
      );
      if (pages.length === 0) return undefined;
      for (const { url: at, targetId } of pages) {
        if (!/^https?:/.test(at)) continue;
        const session = await attachedTo(own, targetId);
        const found = await evaluated(session).catch(() => undefined);
        if (found) storage.set(found.origin, found);
        const { id } = session;
        if (id) await browser.send('Target.detachFromTarget', { sessionId: id });
      }
      return {
        cookies: await cookiesOf(own, browserContextId),
        storage: [...storage.values()].filter(({ items }) => items.length > 0),
      };
    },
    close: () => own.close(),
  };
}

async function cookiesOf({ connection }: BrowserProcess, browserContextId?: string) {
  const { cookies } = await connection.browser.send('Storage.getCookies', {
    ...(browserContextId !== undefined && { browserContextId }),
  });
  return cookies.flatMap((stored) => cookieOf(stored) ?? []);
}

const newPage = ({ connection }: BrowserProcess) =>
  connection.browser.send('Target.createTarget', { url: 'about:blank' });

async function attachedTo({ connection }: BrowserProcess, targetId: string): Promise<CdpSession> {
  const { sessionId } = await connection.browser.send('Target.attachToTarget', { targetId, flatten: true });
  return connection.session(sessionId);
}

/** Every address is an empty page: only its origin is needed. */
async function answerAllEmpty(session: CdpSession): Promise<void> {
  session.on('Fetch.requestPaused', ({ requestId }) => {
    const responseHeaders = [{ name: 'Content-Type', value: 'text/html' }];
    session
      .send('Fetch.fulfillRequest', { requestId, responseCode: 200, responseHeaders, body: '' })
      .catch(() => {});
  });
  await session.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] });
  await session.send('Page.enable');
}

async function storageAt(session: CdpSession, origin: string): Promise<OriginStorage | undefined> {
  const loaded = new Promise<void>((resolve) => session.on('Page.loadEventFired', () => resolve()));
  await session.send('Page.navigate', { url: `${origin}/` });
  await loaded;
  return evaluated(session);
}

async function evaluated(session: CdpSession): Promise<OriginStorage | undefined> {
  const { result } = await session.send('Runtime.evaluate', {
    expression: READ_STORAGE,
    returnByValue: true,
  });
  return readStorage(String(result.value ?? ''));
}
