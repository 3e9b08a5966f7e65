import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type BrowserContext, chromium, type Frame, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type RunningServer, startServer } from '../../src/server/start-server.ts';
import { builtWeb, chromiumPath, replayAddress, shown } from './replay-browser.ts';
import { type SmallArchive, smallArchive } from './small-archive.ts';

/**
 * A deployment: a proxy with TLS in front, public names for the web page and for replay, as a wildcard or as one host.
 * The browser takes these names for this machine and resolves no other.
 */

const T = Date.UTC(2024, 4, 1, 10);
const HTML = [['Content-Type', 'text/html; charset=utf-8']] as const;
const PARENT = 'replay-example.org';
const UI = 'archive.example.org';

/** Says what it finds, stores something of each kind, and tries a cookie for the hosts beside it. */
const STORING = `
(async () => {
  const before = [localStorage.length, (await indexedDB.databases()).length, (await caches.keys()).length, document.cookie];
  localStorage.setItem('kept', '1');
  document.cookie = 'kept=1; path=/';
  document.cookie = 'wide=1; path=/; domain=${PARENT}';
  try { Function('return parent')().document.cookie = 'wide=1; path=/; domain=${PARENT}'; } catch {}
  await caches.open('kept');
  await new Promise((done) => { indexedDB.open('kept').onsuccess = done; });
  document.documentElement.dataset.before = JSON.stringify(before);
})();`;
const NOTHING = [0, 0, 0, ''];

let archive: SmallArchive;
let webRoot: string;
let profile: string;
let context: BrowserContext;
let proxy: https.Server;
let server: RunningServer;

beforeAll(async () => {
  const page = (url: string, title: string, more = '') => ({
    ...{ url, at: T, headers: HTML, title },
    body: `<title>${title}</title><h1>${title}</h1>${more}`,
  });
  archive = await smallArchive([
    page('http://stores.example/', 'stores', `<script>${STORING}</script>`),
    page('http://also.example/', 'also stores', `<script>${STORING}</script>`),
    page('http://frames.example/', 'frames', '<iframe src="http://also.example/"></iframe>'),
  ]);
  webRoot = await builtWeb();
});

afterAll(() => archive?.close());

/** Starts replay behind a proxy that answers to all of its names, as `serve` is told of them. */
async function deploy(replayHost: string): Promise<void> {
  const target: { ui: number; replay: number } = { ui: 0, replay: 0 };
  const pem = (name: string): Buffer =>
    readFileSync(new URL(`../sites/self-signed-${name}.pem`, import.meta.url));
  proxy = https.createServer({ key: pem('key'), cert: pem('cert') }, (request, response) => {
    const port = request.headers.host?.startsWith(UI) ? target.ui : target.replay;
    const { method, url, headers } = request;
    const onward = http.request({ host: '127.0.0.1', port, method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done));
  const { port } = proxy.address() as AddressInfo;
  const [publicUrl, publicReplayUrl] = [`https://${UI}:${port}`, `https://${replayHost}:${port}`];
  // Fixed ports: with public names, the server tells of no others.
  const free = await Promise.all([freePort(), freePort()]);
  [target.ui, target.replay] = free;
  server = await startServer({
    ...{ archive: archive.archive, pageReader: archive.pageReader, webRoot, publicUrl, publicReplayUrl },
    ...{ port: target.ui, replayPort: target.replay },
  });
}

async function freePort(): Promise<number> {
  const taken = http.createServer().listen(0, '127.0.0.1');
  await new Promise((done) => taken.once('listening', done));
  const { port } = taken.address() as AddressInfo;
  await new Promise((done) => taken.close(done));
  return port;
}

async function freshTab(): Promise<Page> {
  context = await chromium.launchPersistentContext(profile, {
    executablePath: await chromiumPath(),
    args: [
      '--no-sandbox',
      '--lang=en-US',
      '--ignore-certificate-errors',
      `--host-resolver-rules=MAP ${UI} 127.0.0.1, MAP *.${PARENT} 127.0.0.1, MAP ${PARENT} 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1`,
    ],
  });
  return context.newPage();
}

beforeEach(async () => {
  profile = await mkdtemp(path.join(tmpdir(), 'daguerre-profile-'));
});

afterEach(async () => {
  await context?.close();
  await server?.close();
  await new Promise((done) => (proxy ? proxy.close(done) : done(undefined)));
  await rm(profile, { recursive: true, force: true });
});

async function found(tab: Page, url: string, headline: string): Promise<{ frame: Frame; before: unknown }> {
  const frame = await shown(tab, url, headline);
  const value = await frame.waitForFunction('document.documentElement.dataset.before');
  return { frame, before: JSON.parse((await value.jsonValue()) as string) };
}

const open = (tab: Page, url: string) => tab.goto(replayAddress(server.url, url, T));
const hostOf = (frame: Frame): string => new URL(frame.url()).hostname;

describe('--public-replay-url with a wildcard', () => {
  it('each site => a host of its own below it, nothing of the other there, no cookie for all', async () => {
    await deploy(`*.${PARENT}`);
    expect(server.notice).toBeUndefined();
    const tab = await freshTab();
    await open(tab, 'http://stores.example/');
    const first = await found(tab, 'http://stores.example/', 'stores');
    expect(first.before).toEqual(NOTHING);
    await open(tab, 'http://frames.example/');
    const inner = await found(tab, 'http://also.example/', 'also stores');
    expect(inner.before).toEqual(NOTHING);
    const hosts = [
      UI,
      hostOf(first.frame),
      hostOf(inner.frame),
      hostOf(await shown(tab, 'http://frames.example/', 'frames')),
    ];
    expect(new Set(hosts).size).toBe(4);
    for (const host of hosts.slice(1)) expect(host).toMatch(/^[a-z0-9-]+\.replay-example\.org$/);
    expect((await context.cookies()).filter(({ name }) => name === 'wide')).toEqual([]);
  });

  it('what a page stored => out of reach after a restart of the browser with the same profile', async () => {
    await deploy(`*.${PARENT}`);
    for (let round = 0; round < 2; round++) {
      const tab = await freshTab();
      await open(tab, 'http://stores.example/');
      expect((await found(tab, 'http://stores.example/', 'stores')).before).toEqual(NOTHING);
      await context.close();
    }
  });
});

describe('--public-replay-url without a wildcard', () => {
  it('=> one origin for all sites, which is said; what a page stored is cleared when a view is opened', async () => {
    await deploy(PARENT);
    expect(server.notice).toContain(`all archived sites share the origin https://${PARENT}`);
    let tab = await freshTab();
    await open(tab, 'http://stores.example/');
    const first = await found(tab, 'http://stores.example/', 'stores');
    expect([hostOf(first.frame), first.before]).toEqual([PARENT, NOTHING]);
    // Another opening of the web page, and another browser process with the same profile.
    await tab.goto('about:blank');
    await open(tab, 'http://also.example/');
    const second = await found(tab, 'http://also.example/', 'also stores');
    expect([hostOf(second.frame), second.before]).toEqual([PARENT, NOTHING]);
    await context.close();
    tab = await freshTab();
    await open(tab, 'http://stores.example/');
    expect((await found(tab, 'http://stores.example/', 'stores')).before).toEqual(NOTHING);
  });
});
