import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type SmallArchive, smallArchive } from '../../test/e2e/small-archive.ts';
import { openSqliteCatalog } from '../catalog/engines/sqlite.ts';
import type { Route } from './api/route.ts';
import { ROUTES } from './api/routes.ts';
import type { Problem } from './api-types.ts';
import { type RunningServer, startServer } from './start-server.ts';

/**
 * Whatever is asked, an answer is a success or problem details that say what to do: over the whole table of routes, and over what stands
 * beside it. The server has nothing to write with, so that bodies are checked and nothing is begun.
 */

const T = Date.UTC(2024, 0, 1);
const HTML = [['Content-Type', 'text/html']] as const;
let archive: SmallArchive;
let server: RunningServer;
beforeAll(async () => {
  archive = await smallArchive([
    { url: 'http://x.org/', at: T, headers: HTML, body: 'one', title: 'Home' },
    { url: 'http://x.org/', at: T + 1000, headers: HTML, body: 'two', title: 'Home' },
    { url: 'http://x.org/a%zz?q=%', at: T, headers: HTML, body: 'odd' },
  ]);
  server = await startServer({ ...archive, port: 0, replayPort: 0, webRoot: '/nowhere' });
});
afterAll(async () => {
  await server?.close();
  await archive?.close();
});

const WORDS = [
  ...[
    '',
    ' ',
    '0',
    '1',
    '-1',
    '1.5',
    '1e400',
    'NaN',
    'true',
    '[]',
    '{}',
    '\0',
    '%',
    '%zz',
    '\ufffd',
    '🦆',
    '../../etc/passwd',
  ],
  ...['http://x.org/', 'x.org', 'http://[', 'urn:x', 'javascript:1', 'http://x.org/\u202e', 'x'.repeat(9000)],
  ...[
    '2024',
    '2024-02-31',
    '0001',
    '99991231235959999',
    '253402300800000',
    '999999999999999',
    '7d',
    '1000000y',
    '+275760-09-13',
  ],
  ...[
    '9007199254740993',
    '9'.repeat(30),
    "' or 1=1 --",
    '"open',
    '(',
    '*',
    'a* -b "c',
    'reverse',
    'closest',
    'changed',
    'UTC',
    'likely',
  ],
  ...[
    'first',
    'url,at',
    'salience',
    'constructor',
    '__proto__',
    'W10',
    '!=status:200',
    '~url:(?=a)',
    '=mime:',
    'timestamp:4',
  ],
];
const word = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...WORDS) },
  fc.string({ unit: 'binary', maxLength: 30 }),
);
const escaped = (text: string): string => encodeURIComponent(text.replace(/[\ud800-\udfff]/gu, '\ufffd'));
const ACCEPTED = ['application/json', 'text/csv', 'application/x-ndjson', '*/*', 'image/png', ';q=', ''];

/** Some of these parameters, seldom one that there is not, each with some word; seldom one twice. */
const queryOf = (names: readonly string[]): fc.Arbitrary<string> =>
  fc
    .array(fc.tuple(fc.constantFrom(...names, ...names, ...names, 'nothing', 'constructor'), word), {
      maxLength: 5,
    })
    .map((pairs) => pairs.map(([name, value]) => `${name}=${escaped(value)}`).join('&'));

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly accept: string;
  readonly body: string | undefined;
}

const PART = ['limit', 'cursor', 'fields'];
const namesOf = (route: Route): readonly string[] => [
  ...Object.keys(route.input.shape),
  ...(route.kind === 'list' ? PART : []),
];

/** A stream has no end to wait for; tries at a password are counted. */
const isAsked = ({ path, method }: Route): boolean =>
  path !== '/events' && !(path === '/session' && method === 'POST');

const onRoute = (route: Route): fc.Arbitrary<Asked> =>
  fc
    .record({
      query: queryOf(namesOf(route)),
      of: word,
      accept: fc.constantFrom(...ACCEPTED),
      body: fc.oneof(
        fc.jsonValue().map((value) => JSON.stringify(value)),
        fc.string({ maxLength: 20 }),
      ),
    })
    .map(({ query, of, accept, body }) => ({
      method: route.method,
      path: `/api${route.path.replace(/:\w+/, escaped(of) || '0')}?${query}`,
      accept,
      body: route.method === 'POST' ? body : undefined,
    }));

const BESIDE = {
  '/api/visits': ['crawl', 'url', 'outcome', 'result', 'kind', 'impaired', 'site', 'offset', 'limit'],
  '/api/skips': ['crawl', 'reason', 'limit'],
  '/api/inferences': ['crawl'],
  '/api/virtual': ['site', 'offset', 'limit'],
  '/api/dropped': ['url', 'offset', 'limit'],
  '/api/thumbnail': ['url', 'at'],
  '/api/archive': ['x'],
  '/feeds/changes.atom': ['site', 'url', 'minSalience'],
  '/feeds/search.atom': ['q', 'site', 'kind', 'event'],
  '/digest/http://x.org/': ['from', 'to', 'format'],
};
const beside: fc.Arbitrary<Asked> = fc
  .constantFrom(...Object.entries(BESIDE))
  .chain(([path, names]) => queryOf(names).map((query) => `${path}?${query}`))
  .map((path) => ({ method: 'GET', path, accept: '*/*', body: undefined }));

const CDX = [
  ...[
    'url',
    'url',
    'matchType',
    'from',
    'to',
    'limit',
    'sort',
    'closest',
    'filter',
    'fl',
    'output',
    'collapse',
    'collapseTime',
  ],
  ...['page', 'pageSize', 'showNumPages', 'offset', 'fastLatest', 'showResumeKey', 'resumeKey', 'reverse'],
];
const archived: fc.Arbitrary<{ path: string; headers: Record<string, string> }> = fc.record({
  path: fc.oneof(
    fc
      .tuple(fc.constantFrom('/archive/cdx', '/cdx/search/cdx'), queryOf(CDX))
      .map(([path, query]) => `${path}?${query}`),
    fc
      .tuple(
        fc.constantFrom(
          'timemap/link/',
          'timemap/json/',
          'timemap/foo/',
          'timegate/',
          '',
          '2024id_/',
          '0id_/',
          '99999999999999999mp_/',
          '*/',
        ),
        word,
      )
      .map(([kind, of]) => `/archive/${kind}${escaped(of)}`),
    fc.tuple(word, word).map(([time, of]) => `/archive/${escaped(time)}/${escaped(of)}`),
    // The page itself is not built here.
    word.map((of) => `/page-${escaped(of)}`),
  ),
  headers: fc.oneof(
    fc.constant({}),
    fc
      .constantFrom(
        '',
        'Sun',
        'Thu, 31 Feb 2022 12:00:00 GMT',
        'Fri, 01 Jan 0001 00:00:00 GMT',
        'Fri, 31 Dec 9999 23:59:59 GMT',
      )
      .map((value): Record<string, string> => ({ 'accept-datetime': value })),
    fc
      .constantFrom('raw', 'rewritten', 'banner-only', ';')
      .map((prefer): Record<string, string> => ({ prefer })),
  ),
});

async function expectAnswer(url: string, init: RequestInit): Promise<void> {
  const answer = await fetch(url, { redirect: 'manual', ...init });
  const text = await answer.text();
  if (answer.status < 400) return;
  const told = `${init.method ?? 'GET'} ${url.slice(0, 300)} ${init.body ?? ''} => ${answer.status} ${text.slice(0, 300)}`;
  expect(answer.status, told).toBeLessThan(500);
  expect(answer.headers.get('content-type'), told).toBe('application/problem+json; charset=utf-8');
  expect(JSON.parse(text), told).toEqual({
    ...{ type: 'about:blank', title: expect.stringMatching(/./), status: answer.status },
    ...{ detail: expect.stringMatching(/./s), hint: expect.stringMatching(/./) },
  });
}

/** The same words at each run: `FUZZ_SEED` and `FUZZ_RUNS` look further. */
const seed = Number(process.env['FUZZ_SEED'] ?? 18);
const runs = (usual: number): number => Number(process.env['FUZZ_RUNS'] ?? usual);

it('any words in any parameter of any route => a success, or problem details', async () => {
  const routes = ROUTES.filter(isAsked);
  const asked = fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...routes).chain(onRoute) },
    { weight: 1, arbitrary: beside },
  );
  const check = ({ method, path: asking, accept, body }: Asked) =>
    expectAnswer(server.url + asking, {
      method,
      headers: {
        accept,
        origin: server.url,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body }),
    });
  await fc.assert(fc.asyncProperty(asked, check), { seed, numRuns: runs(400) });
}, 300_000);

it.each(['/api/crawls/%zz', '/feeds/%', '/%ff', '/api/nothing', '/api/sites/'])(
  '%s => problem details',
  async (path) => {
    for (const origin of [server.url, server.replayUrl]) await expectAnswer(origin + path, {});
  },
);

it('a body past the limit => 413; of another method => 405, which names those it takes', async () => {
  const headers = { origin: server.url, 'content-type': 'application/json' };
  const large = { method: 'POST', headers, body: JSON.stringify({ url: 'x'.repeat(1_100_000) }) };
  expect((await fetch(`${server.url}/api/pings`, large)).status).toBe(413);
  await expectAnswer(`${server.url}/api/pings`, large);
  const put = { method: 'PUT', headers, body: '{}' };
  await expectAnswer(`${server.url}/api/sites`, put);
  const refused = await fetch(`${server.url}/api/sites`, put);
  expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
});

it('a catalog from a newer Daguerre => 503 that says so, and the server goes on', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'daguerre-'));
  const file = path.join(folder, 'catalog.sqlite');
  await (await openSqliteCatalog(file)).close();
  const database = new Database(file);
  database.exec('update schema_version set version = version + 1');
  database.close();
  const { reader, pageReader } = archive;
  const newer = await startServer({
    archive: async () => ({ catalog: await openSqliteCatalog(file, { readonly: true }), reader }),
    ...{ pageReader, port: 0, replayPort: 0, webRoot: '/nowhere' },
  });
  for (const asked of [
    `${newer.url}/api/sites`,
    `${newer.url}/api/changes`,
    `${newer.replayUrl}/archive/cdx?url=x.org`,
  ]) {
    const answer = await fetch(asked);
    const { detail, hint } = (await answer.json()) as Problem;
    expect([answer.status, detail, hint]).toEqual([
      503,
      expect.stringMatching(/newer/),
      expect.stringMatching(/./),
    ]);
  }
  await newer.close();
  await rm(folder, { recursive: true, force: true });
});

it('any words to CDX, TimeGates, TimeMaps and mementos => an answer, or problem details', async () => {
  const check = ({ path, headers }: { path: string; headers: Record<string, string> }) =>
    expectAnswer(server.replayUrl + path, { headers });
  await fc.assert(fc.asyncProperty(archived, check), { seed, numRuns: runs(400) });
}, 300_000);
