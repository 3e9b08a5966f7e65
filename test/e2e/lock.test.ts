import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  complaints,
  daguerre,
  FAST,
  type Running,
  spawnDaguerre,
  temporaryFolder,
  withCatalog,
} from './daguerre.ts';
import { page, type SmallSite, startSite } from './small-site.ts';

let site: SmallSite;
let archive: string;
let writer: Running;

/** Pages without end: the writer writes for as long as the tests last. */
const endless = (path: string) => {
  const number = Number(/^\/p(\d+)$/.exec(path)?.[1] ?? 0);
  if (path === '/robots.txt') return undefined;
  return { body: page(`Page ${number}`, [`/p${number + 1}`, `/p${number + 2}`]), after: 3 };
};

beforeAll(async () => {
  site = await startSite(endless);
  archive = await temporaryFolder();
  writer = spawnDaguerre(['archive', `${site.url}/`, '--archive', archive, ...FAST, '--per-host', '2']);
  await Promise.race([site.seen(60), writer.ended]);
});
afterAll(async () => {
  writer.child.kill('SIGKILL');
  await writer.ended;
  await site.close();
});

it.each([
  ['archive', ['archive', 'http://127.0.0.1:9/', '--allow-private']],
  ['reindex', ['reindex']],
])('%s beside a writer => exit code 5, and the message names the writer', async (_, args) => {
  const { code, stderr } = await daguerre([...args, '--archive', archive]);
  expect(code).toBe(5);
  expect(stderr).toContain(`'daguerre archive', process ${writer.child.pid}`);
  expect(stderr).toContain(archive);
});

it('verify beside a writer => all well', async () => {
  const before = site.asked.length;
  expect(await complaints(archive)).toEqual([]);
  expect(site.asked.length).toBeGreaterThan(before);
});

it('export beside a writer => a WACZ of what is committed', async () => {
  const out = join(await temporaryFolder(), 'site.wacz');
  const { code, json } = await daguerre(['export', '--archive', archive, '--out', out, '--json']);
  expect(code).toBe(0);
  expect(json<{ captures: number }>().captures).toBeGreaterThan(50);
});

it('serve beside a writer => shows what is there', async () => {
  const ports = ['--port', '0', '--replay-port', '0'];
  const server = spawnDaguerre(['serve', '--archive', archive, '--json', ...ports]);
  try {
    const said = await server.said('"url"');
    const { url } = JSON.parse(said.trim().split('\n').at(-1) as string) as { url: string };
    const answer = await fetch(new URL('/api/sites', url));
    expect(answer.status).toBe(200);
    expect(JSON.stringify(await answer.json())).toContain('127.0.0.1');
  } finally {
    server.child.kill('SIGINT');
  }
  expect((await server.ended).code).toBe(0);
});

it('the writer is killed => the lock is free at once, and the same command resumes', async () => {
  writer.child.kill('SIGKILL');
  await writer.ended;
  const again = spawnDaguerre(['archive', `${site.url}/`, '--archive', archive, ...FAST, '--per-host', '2']);
  await again.said('Resuming crawl 1');
  again.child.kill('SIGINT');
  expect((await again.ended).code).toBe(130);
  expect(await withCatalog(archive, (catalog) => catalog.crawls())).toMatchObject([{ state: 'stopped' }]);
  expect(await complaints(archive)).toEqual([]);
});
