import { chromium, type Page } from 'playwright-core';
import { serveFiles, serveViewer } from './replay-server.ts';

type Frame = ReturnType<Page['mainFrame']>;

/** ReplayWeb.page in a real browser, on the WACZ files of one folder. */
export interface Viewer {
  /** What the viewer has asked for, `GET /a.wacz bytes=0-99`. */
  readonly seen: readonly string[];
  /** Opens an archived page and looks at the frame that shows it. */
  replayed<T>(wacz: string, url: string, at: number, look: (frame: Frame) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Undefined, with a word on the console, where no Chromium is. */
export async function viewerBrowser(): Promise<string | undefined> {
  if (process.env.CHROME_PATH) return process.env.CHROME_PATH;
  try {
    return await (await import('@sparticuz/chromium')).default.executablePath();
  } catch {
    console.warn('skipped: no Chromium; set CHROME_PATH or install @sparticuz/chromium');
    return undefined;
  }
}

export async function openViewer(dir: string, executablePath: string | undefined): Promise<Viewer> {
  const files = await serveFiles(dir);
  const browser = await chromium.launch({
    ...(executablePath ? { executablePath } : {}),
    // Whatever the viewer may ask for, nothing but loopback is reached.
    args: ['--no-sandbox', '--lang=en-US', '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1'],
  });
  return {
    seen: files.seen,
    async close() {
      await browser.close();
      await files.close();
    },
    async replayed(wacz, url, at, look) {
      const ts = new Date(at).toISOString().replace(/\D/g, '').slice(0, 14);
      const server = await serveViewer(`${files.origin}/${wacz}`, url, ts);
      // A context of its own: no service worker and no storage of the test before. Its locale is set because
      // headless Chromium under LANG=C reports `en-US@posix`, on which the viewer's script fails.
      const context = await browser.newContext({ locale: 'en-US' });
      try {
        const page = await context.newPage();
        await page.goto(server.origin);
        const frame = await archivedFrame(page, url, files.seen);
        await frame.waitForSelector('p', { timeout: 30_000 });
        return await look(frame);
      } finally {
        await context.close();
        await server.close();
      }
    },
  };
}

async function archivedFrame(page: Page, url: string, seen: readonly string[]): Promise<Frame> {
  const deadline = AbortSignal.timeout(90_000);
  // A service worker that starts on a busy machine may miss the page's first message, as for any user.
  let reloadAt = Date.now() + 20_000;
  for (;;) {
    const frame = page.frames().find((candidate) => candidate.url().endsWith(`mp_/${url}`));
    if (frame) return frame;
    if (deadline.aborted)
      throw new Error(`no frame shows ${url}: ${page.frames().map((f) => f.url())}; ${seen.join('; ')}`);
    if (Date.now() > reloadAt) {
      reloadAt = Date.now() + 20_000;
      await page.reload();
    }
    await page.waitForTimeout(50);
  }
}

/** What the page says, and the time of the capture that the viewer chose. */
export const shown = async (frame: Frame): Promise<string> =>
  `${await frame.evaluate<string>('wbinfo.timestamp')} ${await frame.locator('p').textContent()}`;
