import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { raw, servedExample } from '../../test/served-example.ts';
import { UserError } from '../archive/user-error.ts';
import { StorageFull } from '../ports/record-store.ts';
import type { ArchiveInfo, Problem } from './api-types.ts';
import type { ServerWork } from './server-work.ts';
import { type RunningServer, startServer } from './start-server.ts';

/** What people asked wrongly, or on a machine that could not, and what they are told. */

const system = (code: string) =>
  Object.assign(new Error(`${code}: open '/a/lock.sqlite'`), {
    code,
    syscall: 'open',
    path: '/a/lock.sqlite',
  });

const served = servedExample();
/** What decisions and crawls meet. */
let met: Error;
let watching = false;
let working: RunningServer;
beforeAll(async () => {
  const fails = async (): Promise<never> => {
    throw met;
  };
  const work: Partial<ServerWork> = {
    ask: fails,
    startCrawl: fails,
    watches: async () => watching,
    rules: async () => [{ name: 'quiet' }] as never,
  };
  working = await startServer({
    ...served().archive,
    ...{ work: work as ServerWork, port: 0, replayPort: 0, webRoot: '/nowhere' },
  });
});
afterAll(() => working.close());

async function post(path: string, body: unknown): Promise<Problem> {
  const headers = { 'content-type': 'application/json', origin: working.url };
  const answer = await fetch(working.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  return (await answer.json()) as Problem;
}
const DECISION = { targets: ['x.org'], act: { kind: 'in' }, by: 'A', why: 'b' };

it.each([
  [
    'a full disk',
    new StorageFull('/a/journal', undefined),
    507,
    /disk is full: no space left/,
    /free some space/,
  ],
  [
    'a full disk under the catalog',
    new Error('x', { cause: system('ENOSPC') }),
    507,
    /disk is full/,
    /free some/,
  ],
  [
    'the same in a process',
    new UserError('no space left to write y: free some space', 'storage-full'),
    507,
    /y$/,
    /free/,
  ],
  ['a read-only disk', system('EROFS'), 503, /cannot be written to.*EROFS/, /let the user/],
  ['a folder of others', system('EACCES'), 503, /EACCES/, /let the user/],
  [
    'the same in a process',
    new UserError('/a may not be used (EACCES)', 'read-only'),
    503,
    /\(EACCES\)/,
    /let the/,
  ],
  ['a fault of ours', new UserError('TypeError: x', 'failed'), 500, /TypeError/, /verify/],
])('%s => the same status and advice for decisions and crawls', async (_, error, status, detail, hint) => {
  met = error;
  for (const told of [await post('/api/decisions', DECISION), await post('/api/crawls', { urls: ['x.org'] })])
    expect(told).toMatchObject({
      status,
      detail: expect.stringMatching(detail),
      hint: expect.stringMatching(hint),
    });
});

it('a watch of another process => told by /api/archive as it stands', async () => {
  const told = async (): Promise<boolean> =>
    ((await (await fetch(`${working.url}/api/archive`)).json()) as ArchiveInfo).watching;
  expect(await told()).toBe(false);
  watching = true;
  expect(await told()).toBe(true);
});

const X = encodeURIComponent('http://x.org/');
it.each([
  [`/api/deltas?url=${X}&from=1&to=2`, 404, /same capture of http:\/\/x\.org\/, that of 2024/, /captures/],
  ['/api/captures?url=http://[bad', 400, /'http:\/\/\[bad' is no address/, /https/],
  [`/api/captures?url=${X}&since=2024-02&until=2024-01`, 400, /ends before it begins/, /since/],
  ['/api/changes?since=2024-02&until=2024-01', 400, /ends before it begins/, /since/],
  ['/api/changes?q=""', 400, /no word to look for/, /words/],
  ['/api/deltas?from=1&to=2', 400, /\(url: it is missing\)/, /^give url$/],
  ['/api/pages?limit=x', 400, /limit/, /^correct limit$/],
  ['/feeds/rules/nope.atom', 404, /no rule 'nope'/, /there are: quiet$/],
  ['/feeds/sites/nope.example.atom', 404, /nothing of site nope\.example/, /api\/sites/],
  ['/api/nothing?a=1', 404, /nothing is at \/api\/nothing\?a=1/, /start at/],
])('%s => %i, and what to do', async (path, status, detail, hint) => {
  const answer = await fetch(working.url + path);
  expect(await answer.json()).toMatchObject({
    status,
    detail: expect.stringMatching(detail),
    hint: expect.stringMatching(hint),
  });
});

it('feeds of a known rule or site without alerts => empty', async () => {
  for (const name of ['rules/quiet', 'sites/x.org']) {
    const answer = await fetch(`${working.url}/feeds/${name}.atom`);
    expect([answer.status, await answer.text()]).toEqual([200, expect.not.stringContaining('<entry>')]);
  }
});

it('a body without targets => the name once', async () => {
  const { detail, hint } = await post('/api/decisions', { ...DECISION, targets: [] });
  expect([detail, hint]).toEqual([
    'the request is not valid (targets: name at least one)',
    'correct targets',
  ]);
});

it('a path that climbs out of a folder that is there => 404; a method that is wrong => the address as it was asked', async () => {
  const { server } = served();
  const refused = await fetch(`${server.replayUrl}/archive/cdx?url=x.org`, { method: 'POST' });
  expect([refused.status, ((await refused.json()) as Problem).detail]).toEqual([
    405,
    'POST is not for /archive/cdx?url=x.org',
  ]);
  const webRoot = await mkdtemp(join(tmpdir(), 'daguerre-'));
  for (const name of ['index.html', 'replay/index.html', 'replay/guard.js', 'replay/sw.js', 'assets/a.js']) {
    await mkdir(dirname(join(webRoot, name)), { recursive: true });
    await writeFile(join(webRoot, name), '');
  }
  const built = await startServer({ ...served().archive, port: 0, replayPort: 0, webRoot });
  for (const path of ['..%2f..%2fetc%2fpasswd', 'none.js']) {
    const { status, body } = await raw(`${built.url}/assets/${path}`);
    expect([status, body]).toEqual([404, expect.stringContaining(`nothing is at /assets/${path}`)]);
  }
  await built.close();
  await rm(webRoot, { recursive: true, force: true });
});
