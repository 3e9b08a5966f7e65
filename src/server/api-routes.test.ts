import { describe, expect, it } from 'vitest';
import { servedExample, T } from '../../test/served-example.ts';
import type { Skip, Visit } from '../model/crawl.ts';
import type { CaptureRow, CrawlRow, InferredRow, ListPart, PageRow, SiteRow } from './api-types.ts';

const served = servedExample();

async function json<Answer>(path: string): Promise<Answer> {
  const response = await fetch(served().server.url + path);
  expect(response.status, await response.clone().text()).toBe(200);
  return (await response.json()) as Answer;
}

describe('API', () => {
  it('/api/sites => one site with its counts', async () => {
    const [site, ...others] = (await json<ListPart<SiteRow>>('/api/sites')).rows;
    expect(others).toEqual([]);
    expect(site).toMatchObject({ site: 'x.org', pages: 2, firstAt: T, lastAt: T + 2000 });
  });

  it('/api/pages => by site, by text, in parts', async () => {
    const all = await json<ListPart<PageRow>>('/api/pages?site=x.org');
    expect(all.rows.map((row) => row.title)).toEqual(['Home', 'About us']);
    expect(all.next).toBeUndefined();
    // Its last capture is a 304, which confirms a 200.
    expect(all.rows.map((row) => row.lastStatus)).toEqual([200, 200]);
    expect((await json<ListPart<PageRow>>('/api/pages?q=about')).rows.map((row) => row.url)).toEqual([
      'http://x.org/about',
    ]);
    const first = await json<ListPart<PageRow>>('/api/pages?limit=1');
    const second = await json<ListPart<PageRow>>(`/api/pages?limit=1&cursor=${first.next}`);
    expect([first, second].map(({ rows }) => rows[0]?.title)).toEqual(['Home', 'About us']);
    expect(second.next).toBeUndefined();
  });

  it('/api/captures => oldest first, each compared with the one before, in parts too', async () => {
    const url = encodeURIComponent('http://x.org/');
    const { rows } = await json<ListPart<CaptureRow>>(`/api/captures?url=${url}`);
    expect(rows.map((row) => [row.timestamp, row.comparison?.kind])).toEqual([
      ['20240101000000', 'first'],
      ['20240101000001', 'not-comparable'],
      ['20240101000002', 'same-bytes'],
    ]);
    const told: unknown[] = [];
    for (let cursor = ''; ; ) {
      const part = await json<ListPart<CaptureRow>>(`/api/captures?url=${url}&limit=1&cursor=${cursor}`);
      told.push(...part.rows.map(({ comparison }) => comparison));
      if (part.next === undefined) break;
      cursor = part.next;
    }
    expect(told).toEqual(rows.map(({ comparison }) => comparison));
  });

  it('/api/crawls, /api/visits, /api/skips => the report and its reasons', async () => {
    const crawls = await json<ListPart<CrawlRow>>('/api/crawls');
    const crawl = crawls.rows.find((row) => row.id === served().archive.crawlId);
    expect(crawl?.tally).toMatchObject({ failed: 1, failures: { 'connection-refused': 1 } });
    // The same again, from what was counted: another limit is another answer.
    const again = await json<ListPart<CrawlRow>>('/api/crawls?limit=50');
    expect(again.rows).toEqual(crawls.rows);
    expect(await json<CrawlRow>(`/api/crawls/${crawl?.id}`)).toEqual(crawl);
    const visits = await json<Visit[]>(`/api/visits?crawl=${served().archive.crawlId}&outcome=failed`);
    expect(visits.map((visit) => visit.fault?.kind)).toEqual(['connection-refused']);
    const counted = await json<Visit[]>(`/api/visits?crawl=${served().archive.crawlId}&result=new`);
    expect(counted).toHaveLength(crawl?.tally.new ?? Number.NaN);
    expect((await fetch(`${served().server.url}/api/visits?result=new`)).status).toBe(400);
    const skips = await json<Skip[]>(`/api/skips?crawl=${served().archive.crawlId}&reason=robots`);
    expect(skips.map((skip) => skip.url)).toEqual(['http://x.org/private']);
  });

  it('/api/inferences => what a crawl took for unchanged; of one without rules: nothing, and no counts', async () => {
    const { crawlId } = served().archive;
    expect((await json<ListPart<CrawlRow>>('/api/crawls')).rows.map(({ inferred }) => inferred)).toContain(
      null,
    );
    expect(await json<InferredRow[]>(`/api/inferences?crawl=${crawlId}`)).toEqual([]);
    expect((await fetch(`${served().server.url}/api/inferences`)).status).toBe(400);
  });

  it('/api/thumbnail => the nearest in time; none => 404; no picture => 415', async () => {
    const at = (url: string, time: number) =>
      fetch(`${served().server.url}/api/thumbnail?url=${encodeURIComponent(url)}&at=${time}`);
    const early = await at('http://x.org/', T + 10);
    expect([await early.text(), early.headers.get('content-type')]).toEqual(['early', 'image/png']);
    expect(await (await at('http://x.org/', T + 1999)).text()).toBe('late');
    expect((await at('http://x.org/ten', T)).status).toBe(404);
    expect((await at('http://x.org/about', T)).status).toBe(415);
  });

  it.each(['/api/pages?limit=0', '/api/visits?outcome=odd', '/api/skips?crawl=x', '/api/nothing'])(
    '%s => problem details',
    async (path) => {
      const response = await fetch(served().server.url + path);
      expect(response.status).toBe(path === '/api/nothing' ? 404 : 400);
      expect(response.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
      const problem = { type: 'about:blank', title: expect.any(String), status: response.status };
      expect(await response.json()).toEqual({
        ...problem,
        detail: expect.any(String),
        hint: expect.any(String),
      });
    },
  );
});
