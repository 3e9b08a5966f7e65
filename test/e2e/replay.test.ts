import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { type Browser, type BrowserContext, chromium, type Frame, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatTimestamp } from '../../src/access/replay-url.ts';
import { type RunningServer, startServer } from '../../src/server/start-server.ts';
import { hrefs } from '../../web/router.ts';
import { builtWeb, CHROMIUM_ARGS, chromiumPath, shown } from './replay-browser.ts';
import { type Shot, type SmallArchive, smallArchive } from './small-archive.ts';

const T = Date.UTC(2024, 4, 1, 10);
const LATER = T + 300;
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
let server: RunningServer;
let browser: Browser;
let origin: string;
/** Stands for the live web: answers everyone, and must never be asked. */
let victim: http.Server;
let victimUrl: string;
const victimHits: string[] = [];

beforeAll(async () => {
  victim = http.createServer((request, response) => {
    victimHits.push(request.url ?? '');
    response.writeHead(200, { 'access-control-allow-origin': '*', 'content-type': 'text/html' }).end('READ');
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
    { url: `${origin}/moved`, at: T, status: 301, headers: [['Location', '/second']] },
    {
      url: `${origin}/broken`,
      at: T,
      status: 500,
      headers: HTML,
      body: '<h1 id="headline">Archived fault</h1>',
    },
    { url: 'http://evil.example/', at: T, headers: HTML, body: '<h1 id="headline">evil</h1>', title: 'evil' },
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
async function visiting(url: string, at: number, test: (visit: Visit) => Promise<void>): Promise<void> {
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

describe('replay in a browser, the site shut down', () => {
  it('page with style, image and a script that fetches => all of them work', () =>
    visiting(`${origin}/`, T, async ({ tab }) => {
      const frame = await shown(tab, `${origin}/`, 'Morning edition');
      await frame.waitForFunction(`document.getElementById('fetched').textContent !== ''`);
      const seen = await frame.evaluate(`({
        color: getComputedStyle(document.getElementById('headline')).color,
        width: document.getElementById('picture').naturalWidth,
        text: document.getElementById('fetched').textContent,
        ran: document.body.dataset.ran,
      })`);
      expect(seen).toEqual({
        color: 'rgb(1, 2, 3)',
        width: 1,
        text: 'rendered by a script',
        ran: 'yes',
      });
      await expect.poll(() => tab.title()).toContain('Morning edition');
    }));

  it('two captures 300 ms apart => each its own content, and the time bar steps between them', () =>
    visiting(`${origin}/`, T, async ({ tab }) => {
      await shown(tab, `${origin}/`, 'Morning edition');
      await tab.getByRole('button', { name: 'Later capture' }).click();
      await shown(tab, `${origin}/`, 'Evening edition');
      expect(new URL(tab.url()).hash).toContain(`at=${formatTimestamp(LATER)}`);
      await tab.getByRole('slider', { name: 'Capture' }).press('ArrowLeft');
      await shown(tab, `${origin}/`, 'Morning edition');
    }));

  it('a link => the archived page, and the address follows', () =>
    visiting(`${origin}/`, T, async ({ tab }) => {
      await (await shown(tab, `${origin}/`, 'Morning edition')).click('#inside');
      await shown(tab, `${origin}/second`, 'Second');
      await expect.poll(() => decodeURIComponent(tab.url())).toContain(`url=${origin}/second`);
    }));

  it('an archived redirect => its archived target; an archived 500 => its own page', () =>
    visiting(`${origin}/`, T, async ({ tab }) => {
      await (await shown(tab, `${origin}/`, 'Morning edition')).click('#moved');
      await shown(tab, `${origin}/second`, 'Second');
      await tab.goto(`${server.url}/${hrefs.replay(`${origin}/broken`, formatTimestamp(T))}`);
      await shown(tab, `${origin}/broken`, 'Archived fault');
    }));

  it('a link to a page that is not archived => says so, asks nobody else', () =>
    visiting(`${origin}/`, T, async ({ tab }) => {
      await (await shown(tab, `${origin}/`, 'Morning edition')).click('#gone');
      await shown(tab, `${origin}/never`, 'Not in this archive');
    }));
});

describe('an archived script that attacks', () => {
  /** Runs as the archived page itself does: in its frame, on its origin. */
  const attack = (visit: (frame: Frame) => Promise<void>) =>
    visiting('http://evil.example/', T, async ({ tab, strays }) => {
      const frame = await shown(tab, 'http://evil.example/', 'evil');
      await visit(frame);
      // Requests that the policy refused are announced all the same; what counts is that none arrived.
      strays.length = 0;
    });
  const blocked = (code: string): string =>
    `(async () => { try { return String(await (${code})()); } catch (error) { return 'blocked'; } })()`;

  it('the victim answers whoever reaches it', async () => {
    expect(await (await fetch(`${victimUrl}/control`)).text()).toBe('READ');
    expect(victimHits.splice(0)).toEqual(['/control']);
  });

  it('fetch of the API of the web page => not its content', () =>
    attack(async (frame) => {
      const api = `${server.url}/api/sites`;
      const text = await frame.evaluate(blocked(`async () => (await fetch('${api}')).text()`));
      expect(text).not.toContain('evil.example","pages');
      // The untouched fetch of the loader, which shares the origin.
      const real = `async () => (await window.__WB_top_frame.fetch('${api}')).text()`;
      expect(await frame.evaluate(blocked(real))).toBe('blocked');
      const opaque = `async () => (await window.__WB_top_frame.fetch('${api}', { mode: 'no-cors' })).type`;
      expect(await frame.evaluate(blocked(opaque))).toBe('blocked');
    }));

  it('parent of the loader, top navigation => refused', () =>
    attack(async (frame) => {
      const parent = `async () => window.__WB_top_frame.parent.document.title`;
      expect(await frame.evaluate(blocked(parent))).toBe('blocked');
      const top = `async () => { window.__WB_top_frame.parent.location.href = '${victimUrl}/top'; return 'set'; }`;
      expect(await frame.evaluate(blocked(top))).toBe('blocked');
    }));

  it('image, socket, beacon, import, frame, worker told to load elsewhere => nothing reaches the live web', () =>
    attack(async (frame) => {
      const real = 'window.__WB_top_frame';
      const socketUrl = victimUrl.replace('http', 'ws');
      await frame.evaluate(`(async () => {
        const attempts = [
          () => new Promise((done) => { const i = new Image(); i.onload = i.onerror = done; i.src = '${victimUrl}/image'; }),
          () => new Promise((done) => { const s = new WebSocket('${socketUrl}/socket'); s.onopen = s.onerror = done; }),
          () => new Promise((done) => { const s = new WebSocket.prototype.constructor('${socketUrl}/untouched'); s.onopen = s.onerror = done; }),
          () => new Promise((done) => { const s = new ${real}.WebSocket('${socketUrl}/loader'); s.onopen = s.onerror = done; }),
          () => navigator.sendBeacon('${victimUrl}/beacon', 'x'),
          () => ${real}.fetch('${victimUrl}/fetch', { mode: 'no-cors' }),
          () => (0, eval)('im' + 'port("${victimUrl}/module")'),
          () => new Promise((done) => { const f = document.createElement('iframe'); f.onload = done; f.src = '${victimUrl}/frame'; document.body.append(f); setTimeout(done, 500); }),
          () => new Promise((done) => {
            const container = ${real}.navigator.serviceWorker;
            container.addEventListener('message', done);
            setTimeout(done, 2000);
            container.ready.then(({ active }) => active.postMessage({ msg_type: 'addColl', name: 'live', type: 'live',
              file: { sourceUrl: 'proxy:${victimUrl}/' }, extraConfig: { prefix: '${victimUrl}/', isLive: true } }));
          }).then(() => ${real}.fetch('/w/live/2024mp_/http://live.example/')),
        ];
        for (const attempt of attempts) { try { await attempt(); } catch {} }
      })()`);
      expect(victimHits).toEqual([]);
    }));

  it('a document that wabac does not rewrite => shown, but its script does not run', () =>
    visiting('http://evil.example/drawing.svg', T, async ({ tab }) => {
      const drawn = (): Frame | undefined =>
        tab.frames().find((one) => /\/w\/.*\/drawing\.svg$/.test(one.url()));
      await expect.poll(() => drawn()?.textContent('#drawn'), { timeout: 20_000 }).toBe('drawn');
      expect(await drawn()?.getAttribute('svg', 'data-ran')).toBeNull();
      expect(victimHits).toEqual([]);
    }));

  it('WebRTC => taken away from the page, the loader and a fresh frame', () =>
    attack(async (frame) => {
      const found = await frame.evaluate(`(() => {
        const real = Function('return window')();
        document.body.append(document.createElement('iframe'));
        return [real, real.parent, real[real.length - 1]].map((realm) => typeof realm.RTCPeerConnection);
      })()`);
      expect(found).toEqual(['undefined', 'undefined', 'undefined']);
    }));

  it('an archived script as service worker of the origin => refused', () =>
    attack(async (frame) => {
      const script = `/archive/${formatTimestamp(T)}id_/http://evil.example/sw.js`;
      const register = `async () => (await window.__WB_top_frame.navigator.serviceWorker.register('${script}')).scope`;
      expect(await frame.evaluate(blocked(register))).toBe('blocked');
    }));
});
