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
import { type LeadingPage, leadingPages } from './leading-pages.ts';

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
  readonly titles: Readonly<Record<Run, string>>;
  /** Of the pages that lead themselves away: hosts that were to be heard, and what was heard in each run. */
  readonly leading: { readonly hosts: readonly string[] } & Readonly<Record<Run, LeadingReport>>;
}
export type Run = 'control' | 'scripts' | 'still';
export interface LeadingReport {
  readonly heard: readonly string[];
  /** Pages that were not seen to begin. */
  readonly silent: readonly string[];
}

const [webRoot = '', name = ''] = process.argv.slice(2);
const T = Date.UTC(2024, 4, 1);
const URL_OF_PAGE = 'http://hostile.test/';
/** Milliseconds. Longest that a title is waited for, and time for what the page began to come out after it. */
const PATIENCE = 60_000;
const AFTERMATH = 6000;
/** Tabs open at the same time. */
const TABS = 12;

const canary = await startCanary();
const leading = leadingPages(name);
const archive = await smallArchive([
  { url: URL_OF_PAGE, at: T, headers: HOSTILE_HEADERS, body: HOSTILE_PAGE, title: 'hostile' },
  {
    url: `${URL_OF_PAGE}drawing.svg`,
    at: T,
    headers: DRAWING_HEADERS,
    body: HOSTILE_DRAWING,
  },
  ...leading.map(({ name: title, headers, html }) => ({
    url: `${URL_OF_PAGE}${title}`,
    at: T,
    headers,
    body: html,
    title,
  })),
]);
const server = await startServer({ ...archive, port: 0, replayPort: 0, webRoot });
const live = http.createServer((request, response) => {
  const found = leading.find((one) => `/${one.name}` === request.url);
  const isPage = request.url === '/';
  const headers = found?.headers ?? (isPage ? HOSTILE_HEADERS : DRAWING_HEADERS);
  response.writeHead(200, Object.fromEntries(headers));
  response.end(found?.html ?? (isPage ? HOSTILE_PAGE : HOSTILE_DRAWING));
});
await new Promise<void>((done) => live.listen(0, '127.0.0.1', done));
const browser = await (name === 'firefox' ? openFirefox() : openChromium());

/** Resolves once the tab has this title, or was waited for long enough; gives the last one seen. */
async function titled(tab: OpenTab, title: string): Promise<string> {
  const deadline = Date.now() + PATIENCE;
  let seen = '';
  while (!seen.includes(title) && Date.now() < deadline) {
    await pause(200);
    seen = await tab.title();
  }
  return seen;
}

async function visit(url: string, title: string): Promise<{ heard: readonly string[]; title: string }> {
  // What the browser does on its own account is over before the page is opened.
  await pause(500);
  canary.heard();
  const tab = await browser.open(url);
  const seen = await titled(tab, title);
  await pause(AFTERMATH);
  await tab.close();
  return { heard: [...new Set(canary.heard())].sort(), title: seen };
}

async function visitLeading(
  address: (page: LeadingPage) => string,
  toBeHeard: boolean,
): Promise<LeadingReport> {
  await pause(500);
  canary.heard();
  const heard = new Set<string>();
  const silent: string[] = [];
  const isMissing = ({ host }: LeadingPage): boolean => {
    for (const one of canary.heard()) heard.add(one);
    return toBeHeard && !heard.has(`dns ${host}`);
  };
  for (let from = 0; from < leading.length; from += TABS) {
    const pages = leading.slice(from, from + TABS);
    const tabs = await Promise.all(
      pages.map(async (page) => {
        const tab = await browser.open(address(page));
        if (!(await titled(tab, `${page.name} tries`)).includes(`${page.name} tries`)) silent.push(page.name);
        return tab;
      }),
    );
    await pause(AFTERMATH);
    // On a busy machine a tab in the background may take its time.
    for (const deadline = Date.now() + PATIENCE; pages.some(isMissing) && Date.now() < deadline; )
      await pause(200);
    for (const tab of tabs) await tab.close().catch(() => {});
  }
  for (const one of canary.heard()) heard.add(one);
  return { heard: [...heard].sort(), silent };
}

const replayed = (still: boolean, path = ''): string =>
  `${server.url}/${hrefs.replay(`${URL_OF_PAGE}${path}`, formatTimestamp(T), still)}`;
const liveAddress = `http://127.0.0.1:${(live.address() as AddressInfo).port}/`;
// Both controls come last: a connection that was once begun is tried again for a while after its tab is closed.
const still = await visit(replayed(true), 'hostile ·');
const scripts = await visit(replayed(false), 'all tried');
const replayedLeading = {
  still: await visitLeading((page) => replayed(true, page.name), false),
  scripts: await visitLeading((page) => replayed(false, page.name), false),
};
const control = await visit(liveAddress, 'all tried');
const led = {
  hosts: leading.map(({ host }) => host),
  ...replayedLeading,
  control: await visitLeading((page) => liveAddress + page.name, true),
};
const report: CanaryReport = {
  control: control.heard,
  scripts: scripts.heard,
  still: still.heard,
  titles: { control: control.title, scripts: scripts.title, still: still.title },
  leading: led,
};
process.stdout.write(`\n${JSON.stringify(report)}\n`);
await browser.close();
await server.close();
await archive.close();
process.exit(0);
