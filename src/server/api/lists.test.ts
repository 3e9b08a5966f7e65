import { describe, expect, it } from 'vitest';
import { servedExample } from '../../../test/served-example.ts';
import type { ListPart, PageRow, Problem } from '../api-types.ts';

const served = servedExample();
const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(served().server.url + path, { headers });
const rows = async (path: string) => ((await (await get(path)).json()) as ListPart<PageRow>).rows;

describe('lists', () => {
  it('fields => those alone, each where it stood', async () => {
    expect(await rows('/api/pages?fields=title,lastStatus')).toEqual([
      { title: 'Home', lastStatus: 200 },
      { title: 'About us', lastStatus: 200 },
    ]);
    const captures = await rows(`/api/captures?url=http://x.org/&fields=comparison.kind`);
    expect(captures[0]).toEqual({ comparison: { kind: 'first' } });
  });

  it('text/csv => a line of names, RFC 4180; the next part in the Link header', async () => {
    const answer = await get('/api/pages?fields=url,title,decisions&limit=1', { accept: 'text/csv' });
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(await answer.text()).toBe('url,title,decisions\r\nhttp://x.org/,Home,\r\n');
    const [, next = ''] = /^<([^>]+)>; rel="next"$/.exec(answer.headers.get('link') ?? '') ?? [];
    const second = await get(next, { accept: 'text/csv' });
    expect((await second.text()).split('\r\n')[1]).toBe('http://x.org/about,About us,');
    expect(second.headers.get('link')).toBeNull();
  });

  it('application/x-ndjson => a line a row; anything else that is no JSON => 406', async () => {
    const answer = await get('/api/pages?fields=title', { accept: 'application/x-ndjson' });
    expect(await answer.text()).toBe('{"title":"Home"}\n{"title":"About us"}\n');
    expect((await get('/api/pages', { accept: 'image/png' })).status).toBe(406);
    expect((await get('/api/pages', { accept: 'text/html,*/*;q=0.1' })).status).toBe(200);
  });

  it('If-None-Match with the ETag => 304 without a body; of another list => 200', async () => {
    const etag = (await get('/api/pages')).headers.get('etag') as string;
    const again = await get('/api/pages', { 'if-none-match': etag });
    expect([again.status, await again.text()]).toEqual([304, '']);
    expect((await get('/api/pages?limit=1', { 'if-none-match': etag })).status).toBe(200);
  });

  it('cursors: of another question, cut, forged, no base64 => 400 that says what to do', async () => {
    const { next = '' } = (await (await get('/api/pages?limit=1')).json()) as ListPart<PageRow>;
    const forged = Buffer.from('["x",{"a":1}]').toString('base64url');
    for (const path of [
      `/api/pages?limit=1&site=x.org&cursor=${next}`,
      `/api/pages?limit=1&cursor=${next.slice(2)}`,
      `/api/pages?limit=1&cursor=${forged}`,
      '/api/pages?limit=1&cursor=%00',
      `/api/captures?cursor=${next}`,
    ]) {
      const answer = await get(path);
      expect([path, answer.status, ((await answer.json()) as Problem).detail]).toEqual([
        path,
        400,
        expect.stringContaining('cursor'),
      ]);
    }
  });

  it.each([
    ['/api/pages?limit=1001', 'limit'],
    ['/api/pages?fields=nothing', "there is no 'nothing'"],
    ['/api/captures?since=yesterday-ish', 'since'],
    ['/api/captures?url=http://x.org/&site=x.org', 'which of them'],
    ['/api/changes?minSalience=2', 'minSalience'],
    ['/api/deltas?url=http://x.org/', 'from'],
    ['/api/crawls/none', 'id'],
    ['/api/captures?since=2022-02-31', 'there is no day 31 in that month'],
    ['/api/captures?sinze=2022-02-01', "no parameter 'sinze'"],
    ['/api/crawls/1?limit=1', "no parameter 'limit'"],
    ['/api/archive?x=1', "no parameter 'x'"],
    ['/api/visits?cursor=1', "no parameter 'cursor'"],
    ['/api/events?since=1', "no parameter 'since'"],
    ['/digest/http://x.org/?until=2022', "no parameter 'until'"],
    ['/api/events?lastEventId=1.2', 'no id of an event'],
  ])('%s => 400 that names it', async (path, word) => {
    const answer = await get(path);
    const { detail } = (await answer.json()) as Problem;
    expect([answer.status, detail]).toEqual([400, expect.stringContaining(word)]);
  });

  it('a parameter that nothing knows => the hint names those that are', async () => {
    const { hint } = (await (await get('/api/pages?limit=5&Site=x.org')).json()) as Problem;
    expect(hint).toBe('this takes url, site, q, limit, cursor, fields');
    const { hint: none } = (await (await get('/api/session?x')).json()) as Problem;
    expect(none).toBe('this takes no parameters');
  });

  it('days => captures of each, by the calendar of a zone', async () => {
    const all = await rows('/api/days?site=x.org');
    expect(all).toEqual([{ date: '2024-01-01', at: Date.UTC(2024, 0, 1), captures: 12, changes: 0 }]);
    expect(await rows('/api/days?url=http://x.org/&timezone=America/New_York')).toEqual([
      { date: '2023-12-31', at: Date.UTC(2024, 0, 1), captures: 3, changes: 0 },
    ]);
    expect(await rows('/api/days?since=2024-02')).toEqual([]);
    const problem = (await (await get('/api/days?timezone=Mars/Olympus')).json()) as Problem;
    expect(problem.detail).toContain("no time zone is named 'Mars/Olympus'");
  });

  it('captures without a page => those of a site, newest first, in parts', async () => {
    const all = await rows('/api/captures?site=x.org');
    const times = all.map((row) => (row as unknown as { at: number }).at);
    expect(times).toEqual([...times].sort((a, b) => b - a));
    const parts: unknown[] = [];
    for (let path = '/api/captures?site=x.org&limit=2'; path; ) {
      const answer = await get(path);
      parts.push(...((await answer.json()) as ListPart<unknown>).rows);
      path = /^<([^>]+)>/.exec(answer.headers.get('link') ?? '')?.[1] ?? '';
    }
    expect(parts).toEqual(all);
  });

  it('bytes that differ and no layout => not comparable by /api/deltas, 404 by /api/layouts, both with what to do', async () => {
    const delta = await get(`/api/deltas?url=http://x.org/&from=20240101000000&to=20240101000001`);
    expect(await delta.json()).toMatchObject({
      comparison: { kind: 'not-comparable', why: expect.stringContaining('daguerre analyse') },
      ...{ source: 'bytes', operations: [] },
    });
    const same = await get(`/api/deltas?url=http://x.org/&from=20240101000001&to=20240101000002`);
    expect(await same.json()).toMatchObject({ comparison: { kind: 'same-bytes' } });
    expect((await get('/api/layouts?url=http://x.org/&at=2024')).status).toBe(404);
    expect((await get('/api/deltas?url=http://never.org/&from=2024&to=2025')).status).toBe(404);
  });
});
