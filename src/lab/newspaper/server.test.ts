import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { Parser } from 'htmlparser2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY, HOUR } from './days.ts';
import { type FastClock, fastClock } from './fast-clock.ts';
import { stripNoise } from './render/ads.ts';
import { type NewspaperServer, startNewspaper } from './server.ts';
import { openTruth } from './truth.ts';
import { createNewspaper } from './world.ts';

const START = Date.UTC(2026, 10, 18, 14);
const world = createNewspaper({ seed: 9, start: START, size: 'small' });
const truth = openTruth(world);
let clock: FastClock;
let server: NewspaperServer;
const get = (path: string, headers: Record<string, string> = {}, init: RequestInit = {}) =>
  fetch(server.origin + path, { redirect: 'manual', ...init, headers });

beforeAll(async () => {
  clock = fastClock({ start: START, speed: 0 });
  server = await startNewspaper({ world, clock: clock.now, tokens: true });
});
afterAll(() => server.close());

/** URLs on this site that an HTML page or style sheet points to. */
function references(type: string, text: string, base: string): string[] {
  const found: string[] = [];
  if (type.startsWith('text/css')) {
    for (const match of text.matchAll(/url\("([^"]+)"\)/g)) found.push(match[1] ?? '');
  } else if (type.startsWith('text/html')) {
    const parser = new Parser({
      onopentag(name, attributes) {
        for (const key of ['href', 'src', 'data-src', 'data-source'] as const)
          if (attributes[key]) found.push(attributes[key]);
        if (name === 'form' && attributes.method !== 'post') found.push(attributes.action ?? '');
      },
    });
    parser.end(text);
  } else if (/xml/.test(type)) {
    for (const match of text.matchAll(/<(?:loc|link)>([^<]+)<|<link [^>]*href="([^"]+)"/g))
      found.push(match[1] ?? match[2] ?? '');
  }
  return found
    .map((href) => new URL(href, base))
    .filter((url) => url.origin === new URL(base).origin)
    .map((url) => url.pathname + url.search);
}

describe('startNewspaper', () => {
  it('the whole site crawled => every link answers 200 or a redirect that does; the sitemaps name every page', async () => {
    const status = new Map<string, number>();
    const queue = ['/', '/robots.txt', '/sitemap.xml'];
    const listed = new Set<string>();
    for (const path of queue) {
      if (status.has(path)) continue;
      const answer = await get(path);
      status.set(path, answer.status);
      const type = answer.headers.get('content-type') ?? '';
      const bytes = Buffer.from(await answer.arrayBuffer());
      const text = path.endsWith('.xml.gz') ? gunzipSync(bytes).toString() : bytes.toString();
      const location = answer.headers.get('location');
      if (location) queue.push(location);
      const next = references(
        path.endsWith('.xml.gz') ? 'application/xml' : type,
        text,
        server.origin + path,
      );
      if (path.startsWith('/sitemaps/')) for (const href of next) listed.add(href);
      queue.push(...next);
    }
    expect([...status].filter(([, code]) => code !== 200 && code !== 301 && code !== 302)).toEqual([]);
    const pages = world.pages(START).map(({ path }) => path);
    expect(pages.filter((path) => !status.has(path))).toEqual([]);
    expect(pages.filter((path) => !listed.has(path))).toEqual([]);
    expect([...listed].filter((path) => !pages.includes(path))).toEqual([]);
    expect(status.get('/members/')).toBe(302);
    expect(status.get('/today')).toBe(302);
  });

  it('a served page without ads and tokens => the bytes whose digest the truth tells', async () => {
    for (const path of ['/', '/sport/', '/login', '/live/']) {
      const text = await (await get(path)).text();
      expect(text).toContain('request-id');
      expect(createHash('sha256').update(stripNoise(text)).digest('hex')).toBe(
        truth.fingerprint(path, START)?.digest,
      );
    }
  });

  it('two requests => other tokens, same page', async () => {
    const [a, b] = [await (await get('/')).text(), await (await get('/')).text()];
    expect(a).not.toBe(b);
    expect(stripNoise(a)).toBe(stripNoise(b));
  });

  it('ads: the frame differs at each request, the banner in a page after some minutes', async () => {
    const frame = async () => (await get('/ads/frame-side.html?c=1')).text();
    expect(await frame()).not.toBe(await frame());
    const banners = new Set<string>();
    for (let i = 0; i < 8; i++) {
      banners.add(/banner-\d+/.exec(await (await get('/')).text())?.[0] ?? '');
      clock.advance(8 * 60_000);
    }
    clock.set(START);
    expect(banners.size).toBeGreaterThan(2);
  });

  it('If-None-Match and If-Modified-Since => 304 while the version lasts, 200 after its end', async () => {
    const first = await get('/');
    const etag = first.headers.get('etag') ?? '';
    const modified = first.headers.get('last-modified') ?? '';
    await first.arrayBuffer();
    expect(etag.startsWith('W/"')).toBe(true);
    expect(Date.parse(modified)).toBe(world.versionAt('/', START)?.from);
    expect((await get('/', { 'if-none-match': etag })).status).toBe(304);
    expect((await get('/', { 'if-modified-since': modified })).status).toBe(304);
    const next = world.changesBetween(START, START + DAY).find(({ path }) => path === '/')?.from ?? 0;
    clock.set(next - 1);
    expect((await get('/', { 'if-none-match': etag })).status).toBe(304);
    clock.set(next);
    for (const headers of [{ 'if-none-match': etag }, { 'if-modified-since': modified }]) {
      const answer = await get('/', headers as Record<string, string>);
      expect(answer.status).toBe(200);
      await answer.arrayBuffer();
    }
    clock.set(START);
    expect((await get('/assets/site.css')).headers.get('etag')).toMatch(/^"/);
  });

  it('the access log => time, path, version and status of each answer', async () => {
    const from = server.log.length;
    await (await get('/economy/markets/')).arrayBuffer();
    clock.advance(HOUR);
    await (await get('/economy/markets/')).arrayBuffer();
    await (await get('/nowhere')).arrayBuffer();
    clock.set(START);
    const version = (time: number) => world.versionAt('/economy/markets/', time)?.version;
    expect(server.log.slice(from)).toMatchObject([
      { at: START, path: '/economy/markets/', status: 200, version: version(START) },
      { at: START + HOUR, path: '/economy/markets/', status: 200, version: version(START + HOUR) },
      { at: START + HOUR, path: '/nowhere', status: 404 },
    ]);
    expect(server.log.at(-1)).not.toHaveProperty('version');
  });

  it('feeds and sitemaps => well-formed XML with absolute links', async () => {
    for (const path of ['/feeds/all.rss', '/feeds/sport.atom', '/sitemap.xml', '/sitemaps/pages.xml']) {
      const text = await (await get(path)).text();
      const implied: string[] = [];
      const open: string[] = [];
      const parser = new Parser(
        {
          onopentagname: (name) => open.push(name),
          onclosetag: (name, isImplied) => {
            if (open.pop() !== name || (isImplied && name !== 'link')) implied.push(name);
          },
        },
        { xmlMode: true },
      );
      parser.end(text);
      expect(implied, path).toEqual([]);
      expect(open, path).toEqual([]);
      expect(text).not.toMatch(/&(?!amp;|lt;|gt;|quot;)/);
      expect(text).toContain(`${server.origin}/`);
    }
  });

  it('gzip when accepted, plain otherwise, HEAD without a body', async () => {
    // fetch decodes by itself, but keeps the header that shows the coding.
    expect((await get('/', { 'accept-encoding': 'gzip' })).headers.get('content-encoding')).toBe('gzip');
    expect((await get('/', { 'accept-encoding': 'identity' })).headers.get('content-encoding')).toBeNull();
    const head = await get('/', {}, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect((await get('/', {}, { method: 'DELETE' })).status).toBe(405);
  });

  it('faults => 503 for a while, cut connections, half a body', async () => {
    server.addFault({ path: '/sport/', kind: 'status', status: 503, retryAfter: 30, to: START + HOUR });
    server.addFault({ path: '/culture/*', kind: 'reset' });
    server.addFault({ path: '/science/', kind: 'truncate' });
    const busy = await get('/sport/');
    expect([busy.status, busy.headers.get('retry-after')]).toEqual([503, '30']);
    clock.set(START + HOUR);
    expect((await get('/sport/')).status).toBe(200);
    clock.set(START);
    await expect(get('/culture/')).rejects.toThrow();
    expect(server.log.at(-1)).toMatchObject({ path: '/culture/', status: 0 });
    await expect(get('/science/').then((answer) => answer.text())).rejects.toThrow();
    server.clearFaults();
    expect((await get('/culture/')).status).toBe(200);
  });

  it('members => to the log-in, and in with name and password', async () => {
    expect((await get('/members/')).headers.get('location')).toBe('/login?next=%2Fmembers%2F');
    const wrong = await get(
      '/login',
      {},
      { method: 'POST', body: new URLSearchParams({ user: 'x', password: 'y' }) },
    );
    expect(wrong.status).toBe(403);
    const right = await get(
      '/login',
      {},
      { method: 'POST', body: new URLSearchParams({ user: 'reader', password: 'reader' }) },
    );
    expect(right.status).toBe(303);
    const cookie = right.headers.get('set-cookie')?.split(';')[0] ?? '';
    expect((await get('/members/', { cookie })).status).toBe(200);
  });

  it('search => articles with the word; robots.txt => what is not to be crawled', async () => {
    const article = world.newsroom.recent(START, 1)[0];
    if (!article) throw new Error('no article');
    const { headline, path } = world.newsroom.state(article, START);
    expect(await (await get(`/search?q=${encodeURIComponent(headline)}`)).text()).toContain(path);
    const robots = await (await get('/robots.txt')).text();
    expect(robots).toMatch(/Disallow: \/search\nDisallow: \/members\//);
    expect(robots).toContain(`Sitemap: ${server.origin}/sitemap.xml`);
    expect((await get('/calendar?month=2026-11')).status).toBe(404);
  });

  it('traps disallowed, crawl delay 2 => both in robots.txt, the calendar endless', async () => {
    const trapped = createNewspaper({ seed: 9, start: START, size: 'small', traps: 'disallowed' });
    const other = await startNewspaper({
      world: trapped,
      clock: () => START,
      ads: 'off',
      crawlDelay: 2,
      latency: 1,
    });
    try {
      const text = async (path: string) => (await fetch(other.origin + path)).text();
      expect(await text('/robots.txt')).toMatch(/Disallow: \/calendar\nCrawl-delay: 2/);
      expect(await text('/events/')).toContain('/calendar?month=');
      expect(await text('/calendar?month=2999-12')).toContain('/calendar?month=3000-01');
      expect(await text('/')).not.toContain('ad-slot');
    } finally {
      await other.close();
    }
  });
});
