import { randomBytes } from 'node:crypto';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Rendering } from '../../ports/renderer.ts';
import { type BrowserRenderer, openBrowserRenderer } from './browser-renderer.ts';

/** Milliseconds for each queued picture: six load at a time, so the last waits longer than a stale request. */
const SLOW = 800;
const PICTURES = 42;

/** Longer than the limit for one message. */
const ZIPPED = gzipSync(randomBytes(400_000));

let server: Server;
let base: string;
let renderer: BrowserRenderer;

const PAGES: Readonly<Record<string, string>> = {
  '/line': `<!doctype html><h1>line</h1><script>
    addEventListener('load', () => { for (let i = 0; i < ${PICTURES}; i++) new Image().src = '/slow/' + i; });
  </script>`,
  '/cut': '<!doctype html><h1>cut</h1><img src="/short"><img src="/zipped"><img src="/whole">',
  '/code':
    '<!doctype html><link rel="stylesheet" href="/code/zipped"><script src="/code/unmeasured"></script><script src="/code/whole"></script>',
  '/chosen': `<!doctype html><h1>chosen</h1><img src="http://127.0.0.7/policy.png"><script>
    const given = new AbortController(); fetch('/never', { signal: given.signal }).catch(() => {}); given.abort();
    navigator.sendBeacon('/never', 'x');
  </script>`,
  '/streams': `<!doctype html><h1>streams</h1><script>
    const read = (path, signal) => fetch(path, { signal }).then((answer) => answer.text()).catch(() => {});
    read('/half');
    const asked = new XMLHttpRequest(); asked.open('GET', '/half?xhr'); asked.send();
    const given = new AbortController();
    fetch('/flows', { signal: given.signal }).then((answer) => answer.body.getReader().read()).then(() => given.abort());
    read('/unending');
  </script>`,
  '/twice':
    '<!doctype html><h1>twice</h1><img src="/once"><img src="/once?again" onerror="this.onerror=null;this.src=\'/once\'">',
};

const send = (answer: ServerResponse, length: number, body: Buffer, coding?: string): void => {
  answer.writeHead(200, {
    'content-type': 'image/png',
    'content-length': length,
    ...(coding && { 'content-encoding': coding }),
  });
  answer.write(body, () => (length > body.length ? setTimeout(() => answer.destroy(), 50) : answer.end()));
};

beforeAll(async () => {
  server = createServer((request, answer) => {
    const path = request.url ?? '';
    const page = PAGES[path];
    if (page !== undefined)
      answer
        .writeHead(200, { 'content-type': 'text/html', 'content-security-policy': "img-src 'self'" })
        .end(page);
    else if (path.startsWith('/slow/')) setTimeout(() => send(answer, 4, Buffer.from('slow')), SLOW);
    // Without a length: the page gets it as it arrives.
    else if (path.startsWith('/half') || path === '/flows' || path === '/unending') {
      answer.writeHead(200, { 'content-type': 'application/json' });
      answer.write('{"half":', () => path.startsWith('/half') && setTimeout(() => answer.destroy(), 50));
    } else if (path === '/short') send(answer, 1000, Buffer.alloc(40));
    else if (path === '/zipped')
      send(answer, 1000, Buffer.from('H4sIAAAAAAAAA0tMSk5JTUsHAG4+', 'base64'), 'gzip');
    else if (path === '/whole' || path === '/once') send(answer, 4, Buffer.from('here'));
    else if (path.startsWith('/once?')) request.socket.destroy();
    else if (path.startsWith('/code/')) {
      const type = path.endsWith('zipped') ? 'text/css' : 'text/javascript';
      const zipped = path.endsWith('zipped') && {
        'content-encoding': 'gzip',
        'content-length': ZIPPED.length,
      };
      answer.writeHead(200, { 'content-type': type, ...zipped });
      const end = () => (path.endsWith('whole') ? answer.end() : setTimeout(() => answer.destroy(), 50));
      answer.write(zipped ? ZIPPED.subarray(0, ZIPPED.length / 2) : 'var came = 1;', end);
    }
    // Nothing else is ever answered.
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  renderer = await openBrowserRenderer({ tabs: 2 });
});

afterAll(async () => {
  await renderer?.close();
  server.closeAllConnections();
  server.close();
});

async function render(page: string): Promise<Rendering> {
  const rendering = await renderer.render({
    url: base + page,
    userAgent: 'Daguerre-Test/1.0',
    timeLimit: 60_000,
    sizeLimit: 1_000_000,
    screenshots: false,
  });
  for (const { response } of rendering.exchanges) await response.body.release();
  return rendering;
}

const lostPaths = ({ lost }: Rendering) => lost.map(({ url, fault }) => [url.slice(base.length), fault]);

describe('what a page asked for in vain', () => {
  test('pictures in line for a connection, longer than a stale request => all are waited for', async () => {
    const rendering = await render('/line');
    expect(lostPaths(rendering)).toEqual([]);
    const came = rendering.exchanges.filter(({ url }) => url.includes('/slow/'));
    expect(came).toHaveLength(PICTURES);
  }, 60_000);

  test('a body shorter than announced => stored as cut, and lost; coded ones too', async () => {
    const rendering = await render('/cut');
    expect(lostPaths(rendering).sort()).toEqual([
      ['/short', 'connection-failed'],
      ['/zipped', 'connection-failed'],
    ]);
    const cut = rendering.exchanges.filter(({ truncated }) => truncated === 'disconnect');
    expect(cut.map(({ url }) => url.slice(base.length)).sort()).toEqual(['/short', '/zipped']);
  }, 60_000);

  test('scripts and styles that no length measures and that break off => stored as cut, and lost', async () => {
    const rendering = await render('/code');
    const broken = ['/code/unmeasured', '/code/zipped'];
    expect(lostPaths(rendering).sort()).toEqual(broken.map((path) => [path, 'connection-failed']));
    const cut = rendering.exchanges.filter(({ truncated }) => truncated === 'disconnect');
    expect(cut.map(({ url }) => url.slice(base.length)).sort()).toEqual(broken);
    expect(rendering.exchanges.map(({ url }) => url)).toContain(`${base}/code/whole`);
  }, 60_000);

  test('answers to scripts that break off, or do not end in time => stored as cut, and lost', async () => {
    const rendering = await render('/streams');
    expect(lostPaths(rendering).sort()).toEqual([
      ['/half', 'connection-failed'],
      ['/half?xhr', 'connection-failed'],
      ['/unending', 'timeout'],
    ]);
    const cut = rendering.exchanges.filter(({ truncated }) => truncated === 'disconnect');
    expect(cut.map(({ url }) => url.slice(base.length)).sort()).toEqual(['/flows', '/half', '/half?xhr']);
  }, 60_000);

  test("what the page's policy forbids, what a script took back, beacons => not lost", async () => {
    expect(lostPaths(await render('/chosen'))).toEqual([]);
  }, 60_000);

  test('what came by another request => not lost', async () => {
    expect(lostPaths(await render('/twice'))).toEqual([['/once?again', 'connection-failed']]);
  }, 60_000);
});
