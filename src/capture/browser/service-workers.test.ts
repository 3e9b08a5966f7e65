import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Rendering } from '../../ports/renderer.ts';
import { type BrowserRenderer, openBrowserRenderer } from './browser-renderer.ts';

/** What the page requests through its worker: passed on, made by the worker, and fetched from elsewhere. */
const ASKED = ['/passed-on.txt', '/made.txt', '/elsewhere.txt'];

const ANSWERS: Readonly<Record<string, readonly [type: string, body: string]>> = {
  '/waits.html': [
    'text/html',
    `<!doctype html><title>waits</title><script type="module">
      await navigator.serviceWorker.register('/worker.js');
      await new Promise((done) => navigator.serviceWorker.addEventListener('controllerchange', done));
      const texts = [];
      for (const url of ${JSON.stringify(ASKED)}) texts.push(await (await fetch(url)).text());
      document.title = texts.join(' | ');
    </script>`,
  ],
  '/worker.js': [
    'text/javascript',
    `importScripts('/part-of-worker.js');
    addEventListener('install', (event) => event.waitUntil(
      caches.open('all').then((all) => all.addAll(['/stored.css'])).then(() => skipWaiting())));
    addEventListener('activate', (event) => event.waitUntil(clients.claim()));
    addEventListener('fetch', (event) => {
      const path = new URL(event.request.url).pathname;
      if (path === '/made.txt') event.respondWith(new Response('made'));
      else if (path === '/elsewhere.txt') event.respondWith(fetch('/there.txt'));
      else event.respondWith(fetch(event.request));
    });`,
  ],
  '/part-of-worker.js': ['text/javascript', '/* part */'],
  '/leaves.html': [
    'text/html',
    `<title>leaves</title><script>navigator.serviceWorker.register('/worker.js')</script>`,
  ],
  '/next.html': [
    'text/html',
    `<!doctype html><title>next</title><script type="module">
      const all = await navigator.serviceWorker.getRegistrations();
      document.title = all.length + ' workers, ' + (await caches.keys()).length + ' caches, '
        + (navigator.serviceWorker.controller ? 'controlled' : 'free');
    </script>`,
  ],
};

let server: Server;
let base: string;
let renderer: BrowserRenderer;
const asked: string[] = [];

beforeAll(async () => {
  server = createServer((request, answer) => {
    const path = request.url ?? '';
    asked.push(path);
    const [type, body] = ANSWERS[path] ?? ['text/plain', `sent for ${path}`];
    // What a worker imports comes without a length, as most scripts do: it waits for it and answers nothing meanwhile.
    const length = path === '/part-of-worker.js' ? {} : { 'content-length': Buffer.byteLength(body) };
    answer.writeHead(200, { 'content-type': type, ...length }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  renderer = await openBrowserRenderer({ tabs: 1 });
});
afterAll(async () => {
  await renderer.close();
  server.closeAllConnections();
  server.close();
});

async function show(path: string): Promise<{ page: Rendering; sent: string[]; recorded: string[] }> {
  asked.length = 0;
  const page = await renderer.render({
    url: base + path,
    userAgent: 'Daguerre-Test/1.0',
    timeLimit: 60_000,
    sizeLimit: 1_000_000,
    screenshots: false,
  });
  const notIcon = (one: string) => one !== '/favicon.ico';
  const recorded = page.exchanges.map(({ url }) => url.slice(base.length));
  return { page, sent: asked.filter(notIcon).toSorted(), recorded: recorded.filter(notIcon).toSorted() };
}

describe('service workers', () => {
  it('a page that waits for its worker => whole; script, parts and fetches of the worker recorded once', async () => {
    const { page, sent, recorded } = await show('/waits.html');
    expect(page.title).toBe('sent for /passed-on.txt | made | sent for /there.txt');
    expect(recorded).toEqual(sent);
    expect(recorded).toEqual([
      '/part-of-worker.js',
      '/passed-on.txt',
      '/stored.css',
      '/there.txt',
      '/waits.html',
      '/worker.js',
    ]);
    expect(page.lost).toEqual([]);
    const made = page.facts.filter((fact) => fact.includes('service worker alone'));
    expect(made.map((fact) => fact.slice(fact.indexOf(base) + base.length))).toEqual([
      '/made.txt',
      '/elsewhere.txt',
    ]);
  });

  it('the next page of the host => no worker, no cache, and nothing that another page asked for', async () => {
    await show('/waits.html');
    expect((await show('/next.html')).page.title).toBe('0 workers, 0 caches, free');
    await show('/leaves.html');
    const { page, sent } = await show('/next.html');
    expect(page.title).toBe('0 workers, 0 caches, free');
    expect(sent).toEqual(['/next.html']);
  });
});
