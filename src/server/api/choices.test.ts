import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SmallArchive, smallArchive } from '../../../test/e2e/small-archive.ts';
import { raw } from '../../../test/served-example.ts';
import { type RunningServer, startServer } from '../start-server.ts';

const HOUR = 3_600_000;
const T = Date.UTC(2024, 0, 1);
const HTML = ['Content-Type', 'text/html'] as const;
const SITEMAP = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>http://x.org/listed</loc><lastmod>2024-01-01T02:00:00Z</lastmod></url></urlset>`;

let archive: SmallArchive;
let server: RunningServer;
beforeAll(async () => {
  const page = (url: string, hour: number, body: string, modified?: string) => ({
    url: `http://x.org/${url}`,
    at: T + hour * HOUR,
    headers: [HTML, ...(modified ? [['Last-Modified', modified] as const] : [])],
    body,
    title: url,
  });
  archive = await smallArchive([
    page('', 0, 'one'),
    page('', 10, 'two'),
    page('same', 0, 'one'),
    page('same', 10, 'one'),
    page('dated', 0, 'one'),
    page('dated', 10, 'two', 'Mon, 01 Jan 2024 01:00:00 GMT'),
    page('listed', 0, 'one'),
    page('listed', 10, 'two'),
    {
      url: 'http://x.org/sitemap.xml',
      at: T + 9 * HOUR,
      headers: [['Content-Type', 'text/xml']],
      body: SITEMAP,
    },
  ]);
  server = await startServer({ ...archive, port: 0, replayPort: 0, webRoot: '/nowhere' });
});
afterAll(async () => {
  await server.close();
  await archive.close();
});

const choice = async (path: string, hour: number, more = '') => {
  const query = `url=${encodeURIComponent(`http://x.org/${path}`)}&at=${T + hour * HOUR}${more}`;
  const { status, body } = await raw(`${server.url}/api/choice?${query}`);
  return { status, ...JSON.parse(body), hour: (JSON.parse(body).at - T) / HOUR };
};

describe('GET /api/choice', () => {
  it('neighbours that differ => the likelier, its chance, that of neither, and the others', async () => {
    const answer = await choice('', 4);
    expect(answer).toMatchObject({
      choice: 'likely',
      hour: 0,
      areEqual: false,
      basis: 'prior',
      evidence: [],
    });
    const [likely, before, after, closest] = answer.alternatives;
    expect([likely, before, after, closest].map((one) => [one.choice, (one.at - T) / HOUR])).toEqual([
      ['likely', 0],
      ['before', 0],
      ['after', 10],
      ['closest', 0],
    ]);
    expect(before.chance + after.chance + answer.neither).toBeCloseTo(1, 9);
    expect(answer.confidence).toBe(before.chance);
  });

  it.each([
    ['before', 9, 0],
    ['after', 1, 10],
    ['closest', 6, 10],
  ])('choice=%s at %i h => the capture of %i h', async (name, hour, expected) => {
    expect(await choice('', hour, `&choice=${name}`)).toMatchObject({ choice: name, hour: expected });
  });

  it('equal neighbours => sure; an exact time => certain; outside => the one there is, less sure', async () => {
    expect((await choice('same', 5)).confidence).toBeGreaterThan(0.99);
    expect(await choice('', 10)).toMatchObject({ hour: 10, confidence: 1, neither: 0 });
    const far = await choice('', 24 * 365 * 30);
    expect([far.hour, far.why]).toEqual([10, 'there is no capture after that moment']);
    expect(far.confidence).toBeLessThan(0.5);
    expect((await choice('', -24 * 365 * 20)).hour).toBe(0);
  });

  it.each([
    ['dated', 2, 10, 'last modified 2024-01-01T01:00'],
    ['listed', 3, 10, 'sitemap.xml of 2024-01-01T09:00:00.000Z dates its last change 2024-01-01T02:00'],
  ])('%s at %i h => the capture of %i h: %s', async (path, hour, expected, words) => {
    const answer = await choice(path, hour);
    expect(answer).toMatchObject({ hour: expected, evidence: [expect.stringContaining(words)] });
    expect(answer.confidence).toBeGreaterThan(0.9);
  });

  it('choice=capture => of that crawl; a page that it lacks => from elsewhere, and marked', async () => {
    const own = await choice('', 9, `&choice=capture&crawl=${archive.crawlId}`);
    expect(own).toMatchObject({ hour: 0, choice: 'capture', capture: { isElsewhere: false } });
    // The chances are of the moment that was asked for, not of the time of the crawl.
    const likely = await choice('', 9);
    const before = likely.alternatives.find(({ choice: one }: { choice: string }) => one === 'before');
    expect(own).toMatchObject({
      confidence: before.chance,
      neither: likely.neither,
      alternatives: likely.alternatives,
    });
    expect(own.confidence).toBeLessThan(0.5);
    const crawls = await archive.catalog.crawls();
    const other = crawls.find(({ spec }) => spec.seeds[0] === 'http://x.org/same')?.id;
    expect(await choice('dated', 9, `&choice=capture&crawl=${other}`)).toMatchObject({
      choice: 'capture',
      capture: { crawl: other, isElsewhere: true },
    });
  });

  it.each([
    ['&choice=best', 400],
    ['&choice=capture', 400],
    ['&choice=capture&crawl=999', 404],
    ['&at=', 400],
  ])('%s => %i', async (more, status) => {
    expect((await choice('', 1, more)).status).toBe(status);
  });

  it('a page that nobody archived => 404', async () => {
    expect(await choice('never', 1)).toMatchObject({
      status: 404,
      detail: 'not archived: http://x.org/never',
    });
  });
});

describe('replay of documents', () => {
  const document = (path: string, time: string, host: string) =>
    raw(`${server.replayUrl}/wabac/archive/${time}id_/http://x.org/${path}`, {
      host: `${host}.localhost:${new URL(server.replayUrl).port}`,
      'x-replay-document': '1',
    });

  it('a moment between => the most likely version, and how sure that is; a view that says otherwise => its choice', async () => {
    const likely = await document('dated', '20240101020000', 'x-0-view');
    expect([likely.body, likely.headers['x-archive-choice']]).toEqual([
      'two',
      expect.stringMatching(/^likely; confidence=0\.9\d\d; neither=0\.0\d\d$/),
    ]);
    expect(likely.headers['x-archive-taken']).toBe('20240101100000');
    expect((await document('dated', '20240101020000', 'x-0-zzbzzview')).body).toBe('one');
    expect((await document('dated', '20240101060000', 'x-0-zzczzview')).body).toBe('two');
  });

  it('a part of a document => the closest to when that was captured, not to the day', async () => {
    const part = (headers: Record<string, string>) =>
      raw(`${server.replayUrl}/wabac/archive/20240101020000id_/http://x.org/`, headers);
    expect((await part({})).body).toBe('one');
    expect((await part({ 'x-replay-page': '20240101100000' })).body).toBe('two');
    expect((await part({ 'x-replay-page': 'now' })).body).toBe('one');
  });
});
