import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { formatTimestamp } from '../../../src/access/replay-url.ts';
import { startServer } from '../../../src/server/start-server.ts';
import { hrefs } from '../../../web/router.ts';
import { smallArchive } from '../small-archive.ts';
import { startCanary } from './canary.ts';
import { openChromium } from './chromium.ts';
import { openFirefox } from './firefox.ts';
import { DRAWING_HEADERS, HOSTILE_DRAWING, HOSTILE_HEADERS, HOSTILE_PAGE } from './hostile-page.ts';

/** Runs inside a network namespace of its own: `inside.ts <built web page> <chromium|firefox>`; prints a report. */

export interface OpenTab {
  title(): Promise<string>;
  close(): Promise<void>;
}
export interface OpenBrowser {
  open(url: string): Promise<OpenTab>;
  close(): Promise<void>;
}
export interface CanaryReport {
  /** What the canary heard from the page opened without replay. */
  readonly control: readonly string[];
  readonly scripts: readonly string[];
  readonly still: readonly string[];
  /** The title each was last seen with: whether the page's script ran to its end. */
  readonly titles: Readonly<Record<'control' | 'scripts' | 'still', string>>;
}

const [webRoot = '', name = ''] = process.argv.slice(2);
const T = Date.UTC(2024, 4, 1);
const URL_OF_PAGE = 'http://hostile.test/';
/** Milliseconds. Longest that a title is waited for, and time for what the page began to come out after it. */
const PATIENCE = 60_000;
const AFTERMATH = 6000;

const canary = await startCanary();
const archive = await smallArchive([
  { url: URL_OF_PAGE, at: T, headers: HOSTILE_HEADERS, body: HOSTILE_PAGE, title: 'hostile' },
  {
    url: `${URL_OF_PAGE}drawing.svg`,
    at: T,
    headers: DRAWING_HEADERS,
    body: HOSTILE_DRAWING,
  },
]);
const server = await startServer({ ...archive, port: 0, replayPort: 0, webRoot });
const live = http.createServer((request, response) => {
  const isPage = request.url === '/';
  response.writeHead(200, Object.fromEntries(isPage ? HOSTILE_HEADERS : DRAWING_HEADERS));
  response.end(isPage ? HOSTILE_PAGE : HOSTILE_DRAWING);
});
await new Promise<void>((done) => live.listen(0, '127.0.0.1', done));
const browser = await (name === 'firefox' ? openFirefox() : openChromium());

async function visit(url: string, title: string): Promise<{ heard: readonly string[]; title: string }> {
  // What the browser does on its own account is over before the page is opened.
  await pause(500);
  canary.heard();
  const tab = await browser.open(url);
  const deadline = Date.now() + PATIENCE;
  let seen = '';
  while (!seen.includes(title) && Date.now() < deadline) {
    await pause(200);
    seen = await tab.title();
  }
  await pause(AFTERMATH);
  await tab.close();
  return { heard: [...new Set(canary.heard())].sort(), title: seen };
}

const replayed = (still: boolean): string =>
  `${server.url}/${hrefs.replay(URL_OF_PAGE, formatTimestamp(T), still)}`;
const still = await visit(replayed(true), 'hostile ·');
const scripts = await visit(replayed(false), 'all tried');
const control = await visit(`http://127.0.0.1:${(live.address() as AddressInfo).port}/`, 'all tried');
const report: CanaryReport = {
  control: control.heard,
  scripts: scripts.heard,
  still: still.heard,
  titles: { control: control.title, scripts: scripts.title, still: still.title },
};
process.stdout.write(`\n${JSON.stringify(report)}\n`);
await browser.close();
await server.close();
await archive.close();
process.exit(0);
