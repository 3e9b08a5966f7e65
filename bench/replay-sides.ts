/** The two sides of `replay.ts`: a page opened live, and the same page in the replay of a build that serves it. */
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { type BrowserContext, chromium, type Frame, type Page } from 'playwright-core';
import { findChromium } from '../src/capture/browser/find-chromium.ts';
import { hrefs } from '../web/router.ts';

/** Milliseconds from the beginning of a document's navigation, as the document itself tells them. */
export interface Opening {
  readonly firstByte: number;
  readonly lastByte: number;
  /** The document is read, and its scripts have run. */
  readonly read: number;
  readonly load: number;
}

const OPENED = `new Promise((done) => {
  const look = () => {
    const [entry] = performance.getEntriesByType('navigation');
    if (!entry || entry.loadEventEnd === 0) return setTimeout(look, 5);
    const since = (time) => time - entry.startTime;
    done({
      firstByte: since(entry.responseStart),
      lastByte: since(entry.responseEnd),
      read: since(entry.domContentLoadedEventEnd),
      load: since(entry.loadEventEnd),
    });
  };
  look();
})`;

/** Milliseconds after which a page that is not shown is an error. */
const LONGEST = 30_000;

/** Addresses of what the live page that is open has loaded. */
export const loadedParts = (tab: Page): Promise<string[]> =>
  tab.evaluate(`performance.getEntriesByType('resource').map(({ name }) => name)`);

export async function openLive(tab: Page, url: string): Promise<Opening> {
  await tab.goto(url, { waitUntil: 'load', timeout: LONGEST });
  return (await tab.evaluate(OPENED)) as Opening;
}

/** The web page leads its frame to the capture; the frame of the archived document tells the time. */
export async function openReplayed(tab: Page, ui: string, url: string): Promise<Opening> {
  await tab.bringToFront();
  await tab.goto(`${ui}/${hrefs.replay(url, '')}`);
  const isShown = (frame: Frame): boolean =>
    frame.url().includes('/w/scripts/') && frame.url().endsWith(`/${url}`);
  const deadline = performance.now() + LONGEST;
  for (;;) {
    const opening = await tab
      .frames()
      .find(isShown)
      ?.evaluate(OPENED)
      .catch(() => undefined);
    if (opening) return opening as Opening;
    if (performance.now() > deadline)
      throw new Error(`${url} is not shown in replay: ${await tab.textContent('main')}`);
    await tab.waitForTimeout(20);
  }
}

/** A browser with a profile of its own: full Chromium allows no service worker in the private windows that are usual here. */
export async function openBrowser(): Promise<{ context: BrowserContext; close: () => Promise<void> }> {
  const profile = await mkdtemp(join(tmpdir(), 'daguerre-replay-profile-'));
  const { path, env } = await findChromium();
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: path,
    env: { ...process.env, ...env },
    args: ['--no-sandbox', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE *.localhost'],
  });
  const close = async (): Promise<void> => {
    await context.close();
    await rm(profile, { recursive: true, force: true });
  };
  return { context, close };
}

/** A build that serves an archive. */
export interface Serving {
  readonly url: string;
  readonly replayUrl: string;
  readonly collection: string;
  readonly pid: number;
  close(): void;
}

/** A build serves the archive in a process of its own, as it does for readers. */
export async function startServing(build: string, archive: string): Promise<Serving> {
  const child = spawn(
    process.execPath,
    [
      resolve(build, 'bin/daguerre.js'),
      ...['serve', '--archive', archive, '--port', '0', '--replay-port', '0', '--json'],
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const ended = new Promise<never>((_, reject) => {
    child.once('exit', (code) => reject(new Error(`${build} does not serve: exit code ${code}`)));
  });
  ended.catch(() => {});
  const line = new Promise<string>((done) => createInterface(child.stdout).once('line', done));
  const told = JSON.parse(await Promise.race([line, ended])) as Pick<
    Serving,
    'url' | 'replayUrl' | 'collection'
  >;
  return { ...told, url: told.url.replace(/\/$/u, ''), pid: child.pid ?? 0, close: () => child.kill() };
}
