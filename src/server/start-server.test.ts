import http from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SmallArchive, smallArchive } from '../../test/e2e/small-archive.ts';
import type { CaptureRow, CrawlRow, PageRow, SiteRow, SkipRow, Slice, VisitRow } from './api-types.ts';
import { type RunningServer, startServer } from './start-server.ts';

const T = Date.UTC(2024, 0, 1);
const HTML = [['Content-Type', 'text/html']] as const;
const PLAIN = [['Content-Type', 'text/plain']] as const;
const TEXT = '0123456789';

let archive: SmallArchive;
let server: RunningServer;

beforeAll(async () => {
  archive = await smallArchive(
    [
      { url: 'http://x.org/', at: T, headers: HTML, body: 'one', title: 'Home' },
      { url: 'http://x.org/', at: T + 1000, headers: HTML, body: 'two', title: 'Home' },
      { url: 'http://x.org/', at: T + 2000, status: 304, title: 'Home', revisit: 'server-not-modified' },
      { url: 'http://x.org/about', at: T, headers: HTML, body: 'about', title: 'About us' },
      {
        url: 'http://x.org/acting',
        at: T,
        headers: HTML,
        body: '<link rel="preconnect" href="//y.org"><script>1</script><p onclick="2">text</p>',
      },
      { url: 'http://x.org/drawn', at: T, headers: HTML, body: '<title>D</title><script>1</script>' },
      {
        url: 'urn:text:http://x.org/drawn',
        at: T,
        body: 'what a script had written <here>, long enough',
        resource: 'text/plain',
      },
      { url: 'urn:view:http://x.org/drawn', at: T, body: 'picture', resource: 'image/png' },
      { url: 'http://x.org/ten', at: T, headers: PLAIN, body: TEXT },
      { url: 'http://x.org/a%zz?q=%', at: T, headers: PLAIN, body: 'odd' },
      {
        url: 'http://x.org/packed',
        at: T,
        headers: [['Content-Encoding', 'gzip']],
        body: gzipSync('packed'),
      },
      { url: 'http://x.org/lies', at: T, headers: [['Content-Encoding', 'gzip']], body: 'not packed' },
      {
        url: 'http://x.org/go',
        at: T,
        status: 302,
        headers: [
          ['Location', '/ten'],
          ['Set-Cookie', 'a=1'],
        ],
      },
      { url: 'http://x.org/odd-status', at: T, status: 599, headers: PLAIN, body: 'odd' },
      { url: 'urn:thumbnail:http://x.org/', at: T, body: 'early', resource: 'image/png' },
      { url: 'urn:thumbnail:http://x.org/', at: T + 2000, body: 'late', resource: 'image/png' },
      { url: 'urn:thumbnail:http://x.org/about', at: T, body: '<script>', resource: 'text/html' },
    ],
    {
      visits: [
        {
          url: 'http://x.org/down',
          at: T,
          duration: 5,
          reason: 'breadth-first: depth 1',
          outcome: 'failed',
          bytes: 0,
          fault: { kind: 'connection-refused', detail: 'nothing listens' },
        },
      ],
      skips: [{ url: 'http://x.org/private', reason: 'robots', detail: 'Disallow: /private', depth: 1 }],
    },
  );
  server = await startServer({ ...archive, port: 0, replayPort: 0, webRoot: '/nowhere' });
});

afterAll(async () => {
  await server.close();
  await archive.close();
});

async function json<Answer>(path: string): Promise<Answer> {
  const response = await fetch(server.url + path);
  expect(response.status, await response.clone().text()).toBe(200);
  return (await response.json()) as Answer;
}

/** As on the wire: no decoding, no following, any header. */
function raw(url: string, headers: Record<string, string> = {}) {
  return new Promise<{ status: number; headers: http.IncomingHttpHeaders; body: string }>(
    (resolve, reject) => {
      const { hostname, port } = new URL(url);
      const path = url.slice(new URL(url).origin.length);
      const request = http.get({ hostname, port, path, headers, agent: false }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks).toString('latin1'),
          }),
        );
      });
      request.on('error', reject);
    },
  );
}

describe('API', () => {
  it('/api/sites => one site with its counts', async () => {
    const [site, ...others] = await json<SiteRow[]>('/api/sites');
    expect(others).toEqual([]);
    expect(site).toMatchObject({ site: 'x.org', pages: 2, firstAt: T, lastAt: T + 2000 });
  });

  it('/api/pages => by site, by text, in slices', async () => {
    const all = await json<Slice<PageRow>>('/api/pages?site=x.org');
    expect(all.rows.map((row) => row.title)).toEqual(['Home', 'About us']);
    expect(all.next).toBeUndefined();
    expect((await json<Slice<PageRow>>('/api/pages?q=about')).rows.map((row) => row.url)).toEqual([
      'http://x.org/about',
    ]);
    const first = await json<Slice<PageRow>>('/api/pages?limit=1');
    expect([first.rows.length, first.next]).toEqual([1, 1]);
  });

  it('/api/captures => oldest first, with what changed, in slices too', async () => {
    const url = encodeURIComponent('http://x.org/');
    const { rows } = await json<Slice<CaptureRow>>(`/api/captures?url=${url}`);
    expect(rows.map((row) => [row.timestamp, row.change])).toEqual([
      ['20240101000000', 'first'],
      ['20240101000001', 'changed'],
      ['20240101000002', 'same'],
    ]);
    const second = await json<Slice<CaptureRow>>(`/api/captures?url=${url}&offset=1&limit=1`);
    expect(second.rows.map((row) => row.change)).toEqual(['changed']);
    expect(second.next).toBe(2);
  });

  it('/api/crawls, /api/visits, /api/skips => the report and its reasons', async () => {
    const crawls = await json<CrawlRow[]>('/api/crawls');
    const crawl = crawls.find((row) => row.id === archive.crawlId);
    expect(crawl?.tally).toMatchObject({ failed: 1, failures: { 'connection-refused': 1 } });
    const visits = await json<VisitRow[]>(`/api/visits?crawl=${archive.crawlId}&outcome=failed`);
    expect(visits.map((visit) => visit.fault?.kind)).toEqual(['connection-refused']);
    const counted = await json<VisitRow[]>(`/api/visits?crawl=${archive.crawlId}&result=new`);
    expect(counted).toHaveLength(crawl?.tally.new ?? Number.NaN);
    expect((await fetch(`${server.url}/api/visits?result=new`)).status).toBe(400);
    const skips = await json<SkipRow[]>(`/api/skips?crawl=${archive.crawlId}&reason=robots`);
    expect(skips.map((skip) => skip.url)).toEqual(['http://x.org/private']);
  });

  it('/api/thumbnail => the nearest in time; none => 404; no picture => 415', async () => {
    const at = (url: string, time: number) =>
      fetch(`${server.url}/api/thumbnail?url=${encodeURIComponent(url)}&at=${time}`);
    const early = await at('http://x.org/', T + 10);
    expect([await early.text(), early.headers.get('content-type')]).toEqual(['early', 'image/png']);
    expect(await (await at('http://x.org/', T + 1999)).text()).toBe('late');
    expect((await at('http://x.org/ten', T)).status).toBe(404);
    expect((await at('http://x.org/about', T)).status).toBe(415);
  });

  it.each([
    '/api/captures',
    '/api/pages?limit=0',
    '/api/visits?outcome=odd',
    '/api/skips?crawl=x',
    '/api/nothing',
  ])('%s => {error, hint}', async (path) => {
    const response = await fetch(server.url + path);
    expect(response.status).toBe(path === '/api/nothing' ? 404 : 400);
    expect(await response.json()).toEqual({ error: expect.any(String), hint: expect.any(String) });
  });
});

describe('hosts that are answered', () => {
  it.each(['evil.example', '127.0.0.1.evil.example', 'localhost@evil.example'])(
    'Host: %s => 403 on both origins',
    async (host) => {
      expect((await raw(`${server.url}/api/sites`, { host })).status).toBe(403);
      expect((await raw(`${server.replayUrl}/archive/2024id_/http://x.org/`, { host })).status).toBe(403);
    },
  );

  it('Host: localhost => frames of names below localhost', async () => {
    const port = new URL(server.url).port;
    const { headers } = await raw(`${server.url}/api/archive`, { host: `localhost:${port}` });
    expect(headers['content-security-policy']).toContain('frame-src http://*.localhost:');
  });

  it('a request of the replay origin to the API (same-site) => 403', async () => {
    expect((await raw(`${server.url}/api/sites`, { 'sec-fetch-site': 'same-site' })).status).toBe(403);
  });

  it('a host of replay => answered by replay, not by the web page; any other name => by neither', async () => {
    const asked = async (origin: string, name: string): Promise<number> => {
      const host = `${name}:${new URL(origin).port}`;
      const path = origin === server.url ? '/api/sites' : '/archive/2024id_/http://x.org/ten';
      return (await raw(origin + path, { host })).status;
    };
    for (const [name, ui, replay] of [
      ['x-org-0123-view.localhost', 403, 200],
      ['127.0.0.1', 200, 200],
      ['rebound.example', 403, 403],
      ['a.b.localhost', 403, 403],
      ['localhost.example', 403, 403],
    ] as const) {
      expect([name, await asked(server.url, name), await asked(server.replayUrl, name)]).toEqual([
        name,
        ui,
        replay,
      ]);
    }
  });

  it('strict headers on the web page', async () => {
    const { headers } = await raw(`${server.url}/api/sites`);
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' });
    expect(headers['content-security-policy']).toContain(
      `frame-src http://*.localhost:${new URL(server.replayUrl).port};`,
    );
    expect(headers['content-security-policy']).toContain("default-src 'none'");
  });

  it('web page not built => 503 that says how, API and raw captures work', async () => {
    expect(server.notice).toContain('npm run build');
    const page = await raw(`${server.url}/`);
    expect([page.status, page.body]).toEqual([503, server.notice]);
    expect((await raw(`${server.replayUrl}/`)).status).toBe(503);
  });

  it('collection named like a path of ours, one public origin for both => refused', async () => {
    const options = { ...archive, port: 0, replayPort: 0 };
    await expect(startServer({ ...options, collection: 'w' })).rejects.toThrow('cannot name a collection');
    const same = { publicUrl: 'https://a.org/', publicReplayUrl: 'https://a.org/replay' };
    await expect(startServer({ ...options, ...same })).rejects.toThrow('share one origin');
  });
});

describe('raw captures', () => {
  const get = (path: string, headers?: Record<string, string>) =>
    raw(`${server.replayUrl}/archive/${path}`, headers);

  it('20240101id_ => bytes, Memento headers, no policy that would run it', async () => {
    const { status, headers, body } = await get('20240101id_/http://x.org/');
    expect([status, body]).toEqual([200, 'one']);
    expect(headers['memento-datetime']).toBe('Mon, 01 Jan 2024 00:00:00 GMT');
    expect(headers.link).toContain('<http://x.org/>; rel="original"');
    expect(headers['content-location']).toBe('/archive/20240101000000id_/http://x.org/');
    expect(headers['content-security-policy']).toContain('sandbox');
  });

  it('a 304 capture => the content it refers to', async () => {
    const { status, body } = await get('20240101000002id_/http://x.org/');
    expect([status, body]).toEqual([200, 'two']);
  });

  it('a redirect => into the archive; cookie => renamed', async () => {
    const { status, headers } = await get('2024id_/http://x.org/go');
    expect([status, headers.location]).toEqual([302, '/archive/20240101000000id_/http://x.org/ten']);
    expect(headers['set-cookie']).toBeUndefined();
    expect(headers['x-archive-orig-set-cookie']).toBe('a=1');
  });

  it('gzip => as archived; gzip that is none => without the header', async () => {
    const packed = await get('2024id_/http://x.org/packed');
    expect([packed.headers['content-encoding'], packed.body.charCodeAt(1)]).toEqual(['gzip', 0x8b]);
    const lies = await get('2024id_/http://x.org/lies');
    expect([lies.headers['content-encoding'], lies.body]).toEqual([undefined, 'not packed']);
  });

  it.each([
    ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
    ['bytes=-3', 206, '789', 'bytes 7-9/10'],
    ['bytes=-99', 206, TEXT, 'bytes 0-9/10'],
    ['bytes=10-', 416, '', 'bytes */10'],
  ])('Range: %s => %i %s', async (range, status, body, contentRange) => {
    const answer = await get('2024id_/http://x.org/ten', { range });
    expect([answer.status, answer.body, answer.headers['content-range']]).toEqual([
      status,
      body,
      contentRange,
    ]);
  });

  it('a URL with stray percent signs and a query => found byte for byte', async () => {
    expect((await get('2024id_/http://x.org/a%zz?q=%')).body).toBe('odd');
  });

  it('not archived => 404 {error, hint}', async () => {
    const { status, body } = await get('2024id_/http://x.org/never');
    expect([status, JSON.parse(body)]).toEqual([
      404,
      { error: 'not archived: http://x.org/never', hint: expect.any(String) },
    ]);
  });

  it('mp_ or no modifier => replay in the web page; * => the list', async () => {
    const view = `${server.url}/#/replay?url=http%3A%2F%2Fx.org%2F&at=`;
    expect((await get('2024mp_/http://x.org/')).headers.location).toBe(`${view}20240101000000`);
    expect((await get('http://x.org/')).headers.location).toBe(view);
    expect((await get('*/http://x.org/')).headers.location).toContain(
      `${server.url}/#/page?url=http%3A%2F%2Fx.org`,
    );
  });

  it('a script of the archive as service worker => 403', async () => {
    expect((await get('2024id_/http://x.org/ten', { 'service-worker': 'script' })).status).toBe(403);
  });
});

describe('answers without scripts', () => {
  it('HTML asked for as a document => without scripts and hints, as UTF-8; --scripts off => no other answer', async () => {
    const path = 'archive/20240101000000id_/http://x.org/acting';
    const still = await raw(`${server.replayUrl}/still/${path}`, { 'x-replay-document': '1' });
    expect(still.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(still.body).toBe('<p>text</p>');
    const off = await startServer({ ...archive, port: 0, replayPort: 0, scripts: false });
    expect((await raw(`${off.replayUrl}/wabac/${path}`)).status).toBe(403);
    expect((await raw(`${off.replayUrl}/still/${path}`)).status).toBe(200);
    await off.close();
  });
});

describe('answers without scripts, of a page that scripts drew', () => {
  it('the stored picture and text => in place of the HTML', async () => {
    const path = 'archive/20240101000000id_/http://x.org/drawn';
    const { body } = await raw(`${server.replayUrl}/still/${path}`, { 'x-replay-document': '1' });
    expect(body).toContain('<title>D</title>');
    expect(body).toContain(`src="data:image/png;base64,${Buffer.from('picture').toString('base64')}"`);
    expect(body).toContain('what a script had written &lt;here&gt;, long enough');
    const scripted = await raw(`${server.replayUrl}/wabac/${path}`, { 'x-replay-document': '1' });
    expect(scripted.body).toBe('<title>D</title><script>1</script>');
  });
});

describe('answers to wabac', () => {
  const get = (url: string, headers?: Record<string, string>) =>
    raw(`${server.replayUrl}/wabac/archive/20240101000000id_/${url}`, headers);

  it('a redirect => 200 with the status, the target and the cookie aside', async () => {
    const { status, headers } = await get('http://x.org/go');
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'x-redirect-status': '302',
      'x-orig-location': 'http://x.org/ten',
      'x-proxy-set-cookie': 'a=1',
    });
    expect(headers.location).toBeUndefined();
  });

  it('an archived error => 200 with the status aside', async () => {
    const { status, headers, body } = await get('http://x.org/odd-status');
    expect([status, headers['x-redirect-status'], body]).toEqual([200, '599', 'odd']);
  });

  it('not archived => 404, a page for documents, nothing for the rest', async () => {
    const page = await get('http://x.org/<never>', { accept: 'text/html' });
    expect(page.status).toBe(404);
    expect(page.body).toContain('name="daguerre-replay" content="not-archived"');
    expect(page.body).not.toContain('<never>');
    expect(await get('http://x.org/never.css')).toMatchObject({ status: 404, body: '' });
  });
});
