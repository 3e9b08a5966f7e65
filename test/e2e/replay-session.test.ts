import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, it } from 'vitest';
import { NO_ACCESS } from '../../src/archive/serve/server-settings.ts';
import { hashPassword } from '../../src/server/guard/passwords.ts';
import { type RunningServer, startServer } from '../../src/server/start-server.ts';
import { builtWeb, CHROMIUM_ARGS, chromiumPath, replayAddress, shown } from './replay-browser.ts';
import { type SmallArchive, smallArchive } from './small-archive.ts';

/** Somebody is named, on loopback: replay is for those who have logged in, in a browser whose cookie does not reach its hosts. */

const T = Date.UTC(2024, 4, 1, 10);
const HTML = [['Content-Type', 'text/html; charset=utf-8']] as const;
const PAGE = '<title>Home</title><h1>Home</h1><a id="to" href="http://other.example/">other</a>';
let archive: SmallArchive;
let server: RunningServer;
let browser: Browser;

beforeAll(async () => {
  archive = await smallArchive([
    { url: 'http://x.example/', at: T, headers: HTML, body: PAGE, title: 'Home' },
    { url: 'http://other.example/', at: T, headers: HTML, body: '<h1>Other</h1>', title: 'Other' },
  ]);
  const users = [{ name: 'anna', role: 'reader' as const, password: await hashPassword('a password') }];
  const settings = { ...NO_ACCESS, users };
  server = await startServer({ ...archive, port: 0, replayPort: 0, webRoot: await builtWeb(), settings });
  browser = await chromium.launch({ executablePath: await chromiumPath(), args: CHROMIUM_ARGS });
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await server?.close();
  await archive?.close();
});

it('users on loopback => logged in, a page is replayed and a link to another site followed; by address too', async () => {
  const context = await browser.newContext();
  const tab = await context.newPage();
  await tab.goto(server.url);
  await tab.locator('input[autocomplete="username"]').fill('anna');
  await tab.locator('input[type="password"]').fill('a password');
  await tab.locator('input[type="password"]').press('Enter');
  await tab.locator('input[type="password"]').waitFor({ state: 'detached' });
  await tab.goto(replayAddress(server.url, 'http://x.example/', T));
  await (await shown(tab, 'http://x.example/', 'Home')).click('#to');
  await shown(tab, 'http://other.example/', 'Other');
  await tab.goto(`${server.replayUrl}/archive/20240501mp_/http://x.example/`);
  await shown(tab, 'http://x.example/', 'Home');
  await context.close();
}, 120_000);
