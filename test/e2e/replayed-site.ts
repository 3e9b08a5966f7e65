import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { formatTimestamp } from '../../src/access/replay-url.ts';
import type { HeaderList } from '../../src/model/exchange.ts';
import { type RunningServer, startServer } from '../../src/server/start-server.ts';
import { hrefs } from '../../web/router.ts';
import { builtWeb, CHROMIUM_ARGS, chromiumPath } from './replay-browser.ts';
import { type Shot, type SmallArchive, smallArchive } from './small-archive.ts';

export const T = Date.UTC(2024, 4, 1, 10);
export const LATER = T + 300;
const HTML = [['Content-Type', 'text/html; charset=utf-8']] as const;
/** One red pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==',
  'base64',
);

const page = (text: string): string => `<!doctype html><title>${text}</title>
<link rel="stylesheet" href="/style.css"><script src="/app.js" defer></script>
<h1 id="headline">${text}</h1><img id="picture" src="/dot.png"><embed src="/leaflet.pdf"><p id="fetched"></p>
<script>document.body.dataset.ran = 'yes'</script>
<a id="inside" href="/second">second</a> <a id="gone" href="/never">gone</a> <a id="moved" href="/moved">moved</a>`;

/** Its colour comes from a style of its own. */
const STYLED_DRAWING =
  '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="4"><style>rect { fill: rgb(90, 80, 70) }</style><rect width="8" height="4"/></svg>';

/** wabac rewrites no SVG: its script would have the browser's own socket and image. */
const drawing = (
  target: string,
): string => `<svg xmlns="http://www.w3.org/2000/svg"><text id="drawn">drawn</text>
<script><![CDATA[
new WebSocket('${target.replace('http', 'ws')}/drawing-socket');
new Image().src = '${target}/drawing-image';
document.documentElement.setAttribute('data-ran', 'yes');
]]></script></svg>`;

/** The site that is archived: it runs while its answers are taken, then it is shut down. */
const SITE: Record<string, { type: string; body: string | Buffer; coding?: string }> = {
  '/': { type: 'text/html; charset=utf-8', body: gzipSync(page('Morning edition')), coding: 'gzip' },
  '/style.css': {
    type: 'text/css',
    body: brotliCompressSync('#headline { color: rgb(1, 2, 3); background: url(/dot.png) }'),
    coding: 'br',
  },
  '/app.js': {
    type: 'text/javascript',
    body: `fetch('/data.json').then((r) => r.json()).then((d) => {
      document.getElementById('fetched').textContent = d.words; });`,
  },
  '/data.json': { type: 'application/json', body: '{"words":"rendered by a script"}' },
  '/dot.png': { type: 'image/png', body: PNG },
  '/second': { type: 'text/html', body: '<!doctype html><title>Second</title><h1 id="headline">Second</h1>' },
};

async function captureSite(): Promise<{ origin: string; shots: Shot[] }> {
  const server = http.createServer((request, response) => {
    const file = SITE[request.url ?? ''];
    if (!file) return void response.writeHead(404).end();
    const coding = file.coding ? { 'content-encoding': file.coding } : {};
    response.writeHead(200, { 'content-type': file.type, ...coding }).end(file.body);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const shots: Shot[] = [];
  for (const path of Object.keys(SITE)) {
    const { headers, body } = await rawGet(origin + path);
    const title = headers.some(([, value]) => value.startsWith('text/html')) ? { title: `Page ${path}` } : {};
    shots.push({ url: origin + path, at: T, headers, body, ...title });
  }
  await new Promise((done) => server.close(done));
  return { origin, shots };
}

/** As on the wire: fetch() would decode. */
function rawGet(url: string): Promise<{ headers: [string, string][]; body: Buffer }> {
  return new Promise((resolve, reject) => {
    const request = http.get(url, { agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const raw = response.rawHeaders;
        const headers = raw.flatMap((name, i): [string, string][] =>
          i % 2 ? [] : [[name, raw[i + 1] ?? '']],
        );
        resolve({ headers, body: Buffer.concat(chunks) });
      });
    });
    request.on('error', reject);
  });
}

let archive: SmallArchive;
export let server: RunningServer;
export let browser: Browser;
export let origin: string;
/** Stands for the live web: answers everyone, and must never be asked. */
let victim: http.Server;
export let victimUrl: string;
export const victimHits: string[] = [];

/** A site that is shut down, its archive, and a browser that looks at it: for the tests of one file. */
export function useReplay(): void {
  beforeAll(async () => {
    victim = http.createServer((request, response) => {
      victimHits.push(request.url ?? '');
      response
        .writeHead(200, { 'access-control-allow-origin': '*', 'content-type': 'text/html' })
        .end('READ');
    });
    victim.on('upgrade', (request, socket) => {
      victimHits.push(request.url ?? '');
      socket.destroy();
    });
    await new Promise<void>((done) => victim.listen(0, '127.0.0.1', done));
    victimUrl = `http://127.0.0.1:${(victim.address() as AddressInfo).port}`;

    const site = await captureSite();
    origin = site.origin;
    archive = await smallArchive([
      ...site.shots,
      { url: `${origin}/`, at: LATER, headers: HTML, body: page('Evening edition'), title: 'Page /' },
      ...datedPaper(),
      { url: `${origin}/moved`, at: T, status: 301, headers: [['Location', '/second']] },
      { url: `${origin}/moved.png`, at: T, status: 302, headers: [['Location', '/dot.png']] },
      {
        url: `${origin}/drawn.svg`,
        at: T,
        headers: [['Content-Type', 'image/svg+xml']],
        body: STYLED_DRAWING,
      },
      {
        url: `${origin}/broken`,
        at: T,
        status: 500,
        headers: HTML,
        body: '<h1 id="headline">Archived fault</h1>',
      },
      {
        url: 'http://evil.example/',
        at: T,
        headers: HTML,
        body: '<h1 id="headline">evil</h1>',
        title: 'evil',
      },
      { url: 'http://evil.example/sw.js', at: T, headers: [['Content-Type', 'text/javascript']], body: '1' },
      {
        url: 'http://evil.example/drawing.svg',
        at: T,
        headers: [['Content-Type', 'image/svg+xml']],
        body: drawing(victimUrl),
      },
      { url: `urn:thumbnail:${origin}/`, at: T, body: PNG, resource: 'image/png' },
    ]);
    server = await startServer({ ...archive, port: 0, replayPort: 0, webRoot: await builtWeb() });

    browser = await chromium.launch({ executablePath: await chromiumPath(), args: CHROMIUM_ARGS });
  });

  afterAll(async () => {
    await browser?.close();
    await server?.close();
    await archive?.close();
    await new Promise((done) => victim?.close(done));
  });
}

/** A page and its style, ten hours apart; the later one says that it was made an hour after the first was captured. */
function datedPaper(): Shot[] {
  const hours = (n: number): number => T + n * 3_600_000;
  const shots = (at: number, name: string, color: string, more: HeaderList = []): Shot[] => [
    {
      url: `${origin}/paper`,
      at,
      headers: [...HTML, ...more],
      title: name,
      body: `<!doctype html><title>${name}</title><link rel="stylesheet" href="/paper.css"><h1 id="headline">${name}</h1><a id="inside" href="/second">second</a>`,
    },
    {
      url: `${origin}/paper.css`,
      at,
      headers: [['Content-Type', 'text/css']],
      body: `#headline { color: ${color} }`,
    },
  ];
  const modified = ['Last-Modified', new Date(hours(1)).toUTCString()] as const;
  return [
    ...shots(T, 'First paper', 'rgb(1, 1, 1)'),
    ...shots(hours(10), 'Next paper', 'rgb(9, 9, 9)', [modified]),
  ];
}

interface Visit {
  readonly tab: Page;
  readonly context: BrowserContext;
  /** URLs asked of anybody else. */
  readonly strays: string[];
}

/** Our server's own: the web page, and every host of replay. */
function isOurs(url: string): boolean {
  if (/^(?:data|blob|about):/.test(url) || url.startsWith(server.url)) return true;
  const { hostname, port } = new URL(url);
  return hostname.endsWith('.localhost') && port === new URL(server.replayUrl).port;
}

/** A fresh browser profile at this capture; fails when any request goes to anybody else. */
export async function visiting(
  url: string,
  at: number,
  test: (visit: Visit) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const strays: string[] = [];
  context.on('request', (request) => {
    if (!isOurs(request.url())) strays.push(request.url());
  });
  const tab = await context.newPage();
  await tab.goto(`${server.url}/${hrefs.replay(url, formatTimestamp(at))}`);
  await test({ tab, context, strays });
  await context.close();
  expect(strays).toEqual([]);
}
