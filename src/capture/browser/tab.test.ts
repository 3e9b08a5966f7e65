import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PageServer, servePages } from '../../../test/sites/pages/serve-pages.ts';
import { type BrowserProcess, launchBrowser } from './browser-process.ts';
import { BrowserTabs } from './browser-tabs.ts';
import { CdpError, type CdpSession } from './cdp-connection.ts';
import { Facts } from './facts.ts';
import { FETCH_PATTERNS } from './fetch-patterns.ts';
import { findChromium } from './find-chromium.ts';
import { renderInTab } from './render-page.ts';

let site: PageServer;
let browser: BrowserProcess;
beforeAll(async () => {
  site = await servePages();
  browser = await launchBrowser({ chromium: await findChromium(), proxy: undefined, extraFlags: undefined });
});
afterAll(async () => {
  await browser.close();
  site.close();
});

/** Sessions opened after this call refuse a command, as a browser short of memory does. */
function refuse(method: string): void {
  const { connection } = browser;
  const open = connection.session.bind(connection);
  connection.session = (id) => {
    const session = open(id);
    const send = session.send.bind(session) as (name: string, params?: unknown) => Promise<unknown>;
    const refusing = (name: string, params?: unknown) =>
      name === method ? Promise.reject(new CdpError(`${name}: refused`)) : send(name, params);
    return Object.assign(session, { send: refusing as CdpSession['send'] });
  };
}

test('a worker that cannot be listened to => a fact of its page, which is kept', async () => {
  const tabs = await BrowserTabs.start(browser, { held: FETCH_PATTERNS, serviceWorkers: true });
  const tab = await tabs.take('127.0.0.1');
  refuse('Network.enable');
  const facts = new Facts();
  const outcome = await renderInTab(
    tab,
    {
      url: `${site.base}/rich.html`,
      userAgent: 'Daguerre-Test/1.0',
      timeLimit: 30_000,
      sizeLimit: 1_000_000,
      screenshots: false,
    },
    { spoolDir: '', facts, kept: undefined },
  );
  expect(outcome.rendering?.title).toBe('A rich page');
  expect(outcome.rendering?.facts).toContain(
    `what this worker loaded may not be recorded: ${site.base}/worker.js (CdpError: Network.enable: refused)`,
  );
});
