/**
 * One page for each thing that captures are known to lose, on two origins. A page says in its `h1` that it is whole, once
 * all that it waited for has come.
 */
import { type CaseAnswer, type CaseServer, startCaseServer } from './case-server.ts';

export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
/** Not valid in any text encoding, and long enough that half of it is some. */
const BYTES = Buffer.from(Array.from({ length: 20_000 }, (_, i) => (i * 7 + (i >> 8)) % 256));

const page = (body: string): CaseAnswer => ({ body: `<!doctype html><meta charset="utf-8">${body}` });
/** A page whose script says that it is whole when what it awaits has come. */
const waiting = (script: string, body = ''): CaseAnswer =>
  page(`<title>case</title><h1>waiting</h1>${body}<script type="module">
    const whole = () => { document.querySelector('h1').textContent = 'whole'; };
    const loaded = (one) => new Promise((done) => { one.onload = done; one.onerror = done; });
    ${script}
  </script>`);
const script = (body: string, more: CaseAnswer = {}): CaseAnswer => ({
  type: 'text/javascript',
  body,
  ...more,
});
const css = (body: string, more: CaseAnswer = {}): CaseAnswer => ({ type: 'text/css', body, ...more });
const picture = (more: CaseAnswer = {}): CaseAnswer => ({ type: 'image/png', body: PNG, ...more });
const bytes = (more: CaseAnswer = {}): CaseAnswer => ({
  type: 'application/octet-stream',
  body: BYTES,
  ...more,
});

export const CASES = [
  'redirects',
  'post',
  'ranges',
  'lazy',
  'frames',
  'workers',
  'service-worker',
  'cookies',
  'codings',
  'cut',
  'alternatives',
  'popups',
  'single-page',
] as const;

const WORKER = `addEventListener('install', (event) => event.waitUntil(
    caches.open('c').then((c) => c.addAll(['/service-worker/stored.txt'])).then(() => skipWaiting())));
  addEventListener('activate', (event) => event.waitUntil(clients.claim()));
  addEventListener('fetch', (event) => {
    if (event.request.url.endsWith('/made.txt')) event.respondWith(new Response('made'));
    else event.respondWith(fetch(event.request));
  });`;

/** By path; `other` is the origin of the second server. */
const answers = (other: string): Readonly<Record<string, CaseAnswer>> => ({
  '/': page(
    `<title>cases</title><h1>whole</h1>${CASES.map((name) => `<a href="/${name}">${name}</a>`).join(' ')}`,
  ),

  '/redirects': page(
    '<title>case</title><h1>whole</h1><a href="/redirects/page">page</a><img src="/redirects/1.png">',
  ),
  '/redirects/1.png': {
    status: 301,
    headers: { Location: '/redirects/2.png' },
    type: 'text/plain',
    body: 'moved',
  },
  '/redirects/2.png': { status: 302, headers: { Location: '/redirects/3.png' } },
  '/redirects/3.png': picture(),
  '/redirects/page': {
    status: 308,
    headers: { Location: '/redirects/there' },
    type: 'text/plain',
    body: 'over there',
  },
  '/redirects/there': page('<title>case</title><h1>whole</h1>'),

  '/post':
    waiting(`await fetch('/post/json', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"a":1}' });
    await fetch('/post/json', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"a":2}' });
    const form = new FormData(); form.append('word', 'déjà'); await fetch('/post/form', { method: 'POST', body: form });
    await fetch('/post/put', { method: 'PUT', body: new Uint8Array([0, 255, 128]) }); whole();`),
  '/post/json': { type: 'application/json', body: '{"ok":true}' },
  '/post/form': { type: 'application/json', body: '{"ok":true}' },
  '/post/put': { status: 204, type: 'text/plain' },

  '/ranges': waiting(`const all = await (await fetch('/ranges/bytes')).arrayBuffer();
    const part = await (await fetch('/ranges/bytes', { headers: { range: 'bytes=100-199' } })).arrayBuffer();
    if (all.byteLength === ${BYTES.length} && part.byteLength === 100) whole();`),
  '/ranges/bytes': bytes({ headers: { 'Accept-Ranges': 'bytes' } }),

  '/lazy': waiting(
    `addEventListener('scroll', async () => { const image = new Image(); image.src = '/lazy/scrolled.png';
      document.body.append(image); await loaded(image); whole(); }, { once: true });`,
    '<div style="height: 3000px"></div><img loading="lazy" src="/lazy/lazy.png" width="1" height="1">',
  ),
  '/lazy/lazy.png': picture(),
  '/lazy/scrolled.png': picture(),

  '/frames': page(`<title>case</title><h1>whole</h1><iframe src="/frames/inner"></iframe>
    <iframe src="${other}/elsewhere"></iframe><iframe srcdoc="<img src='/frames/srcdoc.png'>"></iframe>`),
  '/frames/inner': page('<title>inner</title><img src="/frames/inner.png">'),
  '/frames/inner.png': picture(),
  '/frames/srcdoc.png': picture(),

  '/workers': waiting(`const of = (worker) => new Promise((done) => { worker.onmessage = done; });
    const one = of(new Worker('/workers/worker.js')); const shared = new SharedWorker('/workers/shared.js');
    const two = of(shared.port); shared.port.start(); await Promise.all([one, two]); whole();`),
  '/workers/worker.js': script(
    `importScripts('/workers/part.js'); fetch('/workers/data.txt').then(() => postMessage(1));`,
  ),
  '/workers/part.js': script('/* part */'),
  '/workers/data.txt': { type: 'text/plain', body: 'for the worker' },
  '/workers/shared.js': script(
    `onconnect = ({ ports }) => fetch('/workers/shared.txt').then(() => ports[0].postMessage(1));`,
  ),
  '/workers/shared.txt': { type: 'text/plain', body: 'for the shared worker' },

  '/service-worker': waiting(`await navigator.serviceWorker.register('/service-worker.js');
    if (!navigator.serviceWorker.controller)
      await new Promise((done) => navigator.serviceWorker.addEventListener('controllerchange', done));
    const text = async (url) => (await fetch(url)).text();
    if (await text('/service-worker/passed.txt') === 'passed on' && await text('/service-worker/made.txt') === 'made') whole();`),
  '/service-worker.js': script(WORKER),
  '/service-worker/stored.txt': { type: 'text/plain', body: 'stored by the worker' },
  '/service-worker/passed.txt': { type: 'text/plain', body: 'passed on' },

  '/cookies': {
    ...waiting(`if (await (await fetch('/cookies/mine')).text() === 'first=1; second=2') whole();`),
    headers: { 'Set-Cookie': ['first=1', 'second=2; HttpOnly'] },
  },

  '/codings': waiting(
    `const lengths = await Promise.all(['gzip', 'br', 'deflate', 'chunked', 'gzip-chunked'].map(async (name) =>
      (await (await fetch('/codings/' + name)).arrayBuffer()).byteLength));
    if (lengths.every((length) => length === ${BYTES.length})) whole();`,
    '<link rel="stylesheet" href="/codings/style.css"><script src="/codings/script.js"></script>',
  ),
  '/codings/gzip': bytes({ coding: 'gzip' }),
  '/codings/br': bytes({ coding: 'br' }),
  '/codings/deflate': bytes({ coding: 'deflate' }),
  '/codings/chunked': bytes({ chunked: true }),
  '/codings/gzip-chunked': bytes({ coding: 'gzip', chunked: true }),
  '/codings/style.css': css(`h1 { color: teal } /* ${'é'.repeat(2000)} */`, { coding: 'br', chunked: true }),
  '/codings/script.js': script(`/* ${'ü'.repeat(2000)} */`, { coding: 'gzip' }),

  '/cut': waiting(
    `await fetch('/cut/data').then((answer) => answer.arrayBuffer()).catch(() => {}); whole();`,
    `<link rel="stylesheet" href="/cut/style.css"><script src="/cut/script.js"></script>
    <img src="/cut/length.png"><img src="/cut/chunked.png"><iframe src="/cut/frame"></iframe>`,
  ),
  '/cut/data': bytes({ chunked: true, cutAt: 0.5 }),
  '/cut/style.css': css('h1 { color: teal } '.repeat(500), { chunked: true, cutAt: 0.5 }),
  '/cut/script.js': script('/* a comment */ '.repeat(500), { chunked: true, cutAt: 0.5 }),
  '/cut/length.png': picture({ body: BYTES, cutAt: 0.5 }),
  '/cut/chunked.png': picture({ body: BYTES, chunked: true, cutAt: 0.5 }),
  '/cut/frame': { body: `<p>${'words '.repeat(2000)}`, chunked: true, cutAt: 0.5 },

  '/alternatives':
    page(`<title>case</title><h1>whole</h1><link rel="stylesheet" href="/alternatives/style.css">
    <link rel="stylesheet" href="/alternatives/small.css" media="(max-width: 500px)">
    <link rel="preload" as="image" href="/alternatives/preload.png" media="(max-width: 500px)">
    <style>@media (max-width: 500px) { h1 { background: url(/alternatives/inline-small.png) } }</style>
    <img id="set" src="/alternatives/1x.png" srcset="/alternatives/1x.png 1x, /alternatives/2x.png 2x" width="9">
    <picture><source media="(max-width: 500px)" srcset="/alternatives/narrow.png"><img src="/alternatives/wide.png" width="9"></picture>
    <video poster="/alternatives/poster.png" width="9"><source src="/alternatives/film.webm" type="video/nothing"></video>`),
  '/alternatives/style.css': css(`@media (max-width: 500px) { body { background: url(small.png) } }
    @media (min-width: 501px) { body { background: url(large.png) } }
    h1 { border-image: image-set("set-1.png" 1x, "set-2.png" 2x) 1 }`),
  '/alternatives/small.css': css('h1 { list-style-image: url(of-small.png); display: list-item }'),
  ...Object.fromEntries(
    [
      'preload',
      'inline-small',
      '1x',
      '2x',
      'narrow',
      'wide',
      'poster',
      'small',
      'large',
      'set-1',
      'set-2',
      'of-small',
    ].map((name) => [`/alternatives/${name}.png`, picture()]),
  ),
  '/alternatives/film.webm': { type: 'video/webm', body: BYTES },

  '/popups': page(
    `<title>case</title><h1>whole</h1><script>open('/popups/opened'); open('${other}/advertisement')</script>`,
  ),
  '/popups/opened': page('<title>case</title><h1>whole</h1>'),

  '/single-page': waiting(
    `const view = async (name, push) => {
      const text = await (await fetch('/single-page/' + name + '.json')).json();
      if (push) history.pushState({}, '', '/single-page#' + name);
      document.querySelector('p').textContent = text.said;
    };
    await view('first', false); await view('second', true); whole();`,
    '<p></p><a href="#second">second</a>',
  ),
  '/single-page/first.json': { type: 'application/json', body: '{"said":"first"}' },
  '/single-page/second.json': { type: 'application/json', body: '{"said":"second"}' },
});

const ELSEWHERE: Readonly<Record<string, CaseAnswer>> = {
  '/elsewhere': page('<title>elsewhere</title><img src="/elsewhere.png">'),
  '/elsewhere.png': picture(),
};

export interface CaseSite {
  readonly home: CaseServer;
  readonly other: CaseServer;
  close(): void;
}

export async function startCaseSite(): Promise<CaseSite> {
  const other = await startCaseServer(({ url }) => ELSEWHERE[url ?? '']);
  const known = answers(other.url);
  const home = await startCaseServer(({ url = '', headers }) => {
    if (url === '/cookies/mine') return { type: 'text/plain', body: headers.cookie ?? '' };
    const range = url === '/ranges/bytes' ? headers.range : undefined;
    if (range === undefined) return known[url];
    const [first = 0, last = BYTES.length - 1] = [...range.matchAll(/\d+/g)].map(Number);
    const part = { 'Content-Range': `bytes ${first}-${last}/${BYTES.length}` };
    return bytes({ status: 206, headers: part, body: BYTES.subarray(first, last + 1) });
  });
  return {
    home,
    other,
    close: () => {
      home.close();
      other.close();
    },
  };
}
