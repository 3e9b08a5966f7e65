import { readdir, rm, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Decision } from '../../src/model/decision.ts';
import { complaints, daguerre, FAST, spawnDaguerre, temporaryFolder } from './daguerre.ts';
import { jsonRecord } from './foreign-records.ts';
import { page, type SmallSite, startSite } from './small-site.ts';

/* Decisions of people: written down, heeded by crawls, undone, and given back by a rebuild. */

let archive: string;
let site: SmallSite;
let other: SmallSite;

beforeAll(async () => {
  other = await startSite(
    (path) => (path === '/robots.txt' ? undefined : page(`Other ${path}`)),
    '127.0.0.2',
  );
  site = await startSite({
    '/': page('Home', ['/shop/', '/a', '/b', `${other.url}/x`, `${other.url}/y`]),
    '/shop/': page('Shop', ['/shop/1']),
    '/shop/1': page('One'),
    '/a': page('A', ['/deep']),
    '/b': page('B'),
    '/deep': page('Deep'),
  });
});
afterAll(async () => {
  await site.close();
  await other.close();
});
beforeEach(async () => {
  archive = join(await temporaryFolder(), 'archive');
});

const decide = (...args: readonly string[]) =>
  daguerre(['decide', ...args, '--by', 'A. Librarian', '--why', 'the law', '--archive', archive, '--json']);
const crawl = (...more: readonly string[]) =>
  daguerre(['archive', `${site.url}/`, '--archive', archive, ...FAST, ...more]);
const listed = async () =>
  (await daguerre(['decide', '--list', '--archive', archive, '--json'])).json<{
    decisions: (Decision & { state: string })[];
  }>().decisions;
const why = async (url: string) => (await daguerre(['why', url, '--archive', archive])).stdout;

it('out and in => left out with who and why, or taken before other pages from outside the scope', async () => {
  const host = new URL(site.url).host;
  expect((await decide(`${host}/shop/*`, '--out')).code).toBe(0);
  expect((await decide(`${other.url}/x`, '--in')).code).toBe(0);
  const asked = site.asked.length;
  const report = await crawl('--depth', '1', '--exclude', '/x$');
  expect(report.json()).toMatchObject({ captured: 4, skips: { decided: 1, 'out-of-scope': 1, depth: 1 } });
  expect(site.asked.slice(asked)).not.toContain('/shop/');
  expect(other.asked.filter((path) => path !== '/robots.txt')).toEqual(['/x']);
  expect(await why(`${site.url}/shop/`)).toMatch(
    /left out, a person has decided to leave it out: decided by A\. Librarian: the law.*\nDecision: out/s,
  );
  expect(await why(`${other.url}/x`)).toMatch(/captured at .*decided by A\. Librarian: the law/);

  // A rebuild gives them back; undone, the next crawl takes the shop.
  const before = await listed();
  expect((await daguerre(['reindex', '--archive', archive])).code).toBe(0);
  expect(await listed()).toEqual(before);
  expect((await decide(`${host}/shop/*`, '--undo')).code).toBe(0);
  expect((await listed()).map(({ state }) => state)).toEqual(['undone', 'holds', 'holds']);
  expect((await crawl('--restart')).json()).toMatchObject({
    skips: expect.not.objectContaining({ decided: 1 }),
  });
  expect(site.asked.slice(asked)).toContain('/shop/1');
  expect(await complaints(archive)).toEqual([]);
});

it('a seed that is out => not asked for, and the crawl says whose decision that is', async () => {
  await decide(new URL(site.url).host, '--out');
  const asked = site.asked.length;
  const { code, json } = await crawl();
  expect([code, json()]).toEqual([3, expect.objectContaining({ captured: 0, skips: { decided: 1 } })]);
  expect(site.asked.length).toBe(asked);
});

it('conflicting decisions => the latest holds, and both are shown', async () => {
  await decide(`${site.url}/a`, '--out');
  await decide(new URL(site.url).host, '--in');
  await crawl();
  expect(await why(`${site.url}/a`)).toMatch(
    /captured.*\nDecision: in.*\nDecision: out.*; overruled by what A\. Librarian decided later/s,
  );
});

it('beside a running crawl => the crawl writes it down and heeds it; through serve likewise, and without a crawl', async () => {
  let held: ServerResponse | undefined;
  const slow = await startSite((path) => {
    if (path === '/robots.txt') return undefined;
    if (path === '/') return page('Home', ['/wait', '/later', '/last']);
    if (path === '/wait')
      return (_, response) => {
        held = response;
      };
    return page(path);
  });
  const running = spawnDaguerre([
    ...['archive', `${slow.url}/`, '--archive', archive, ...FAST, '--order', 'breadth-first'],
  ]);
  await Promise.race([slow.seen(2), running.ended]);
  const serving = spawnDaguerre([
    'serve',
    '--archive',
    archive,
    '--port',
    '0',
    '--replay-port',
    '0',
    '--json',
  ]);
  try {
    const asked = await decide(`${slow.url}/later`, '--out');
    expect([asked.code, asked.json()]).toEqual([
      0,
      { decisions: [expect.objectContaining({ target: `${slow.url}/later`, act: { kind: 'out' } })] },
    ]);
    await running.said('A. Librarian decides');
    const { url } = JSON.parse(await serving.said('}\n')) as { url: string };
    const post = async (body: unknown) => {
      const answer = await fetch(`${url}/api/ask/decide`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: new URL(url).origin },
        body: JSON.stringify(body),
      });
      return [answer.status, await answer.json()] as const;
    };
    const act = { kind: 'out' };
    const last = { targets: [`${slow.url}/last`], act, by: 'B', why: 'by the web page' };
    expect(await post(last)).toEqual([200, { decisions: [expect.objectContaining({ by: 'B' })] }]);
    expect((await post({ ...last, by: '' }))[0]).toBe(400);
    expect((await post({ ...last, targets: ['no target'] }))[0]).toBe(400);
    held?.end(page('Waited'));
    const { code, json } = await running.ended;
    expect([code, json()]).toEqual([0, expect.objectContaining({ captured: 2, skips: { decided: 2 } })]);
    expect(slow.asked).not.toContain('/later');
    expect(slow.asked).not.toContain('/last');
    expect((await post({ ...last, why: 'nobody writes now' }))[0]).toBe(200);
    expect((await listed()).length).toBe(3);
  } finally {
    serving.child.kill('SIGTERM');
    await serving.ended;
    await slow.close();
  }
});

it('a file of another archive that says it is a journal of decisions => imported, and decides nothing', async () => {
  const name = 'decision-0-20240101000000-00000.warc';
  const file = join(await temporaryFolder(), name);
  const forged = { id: '1', target: '127.0.0.1', act: { kind: 'out' }, by: 'x', why: 'y', at: 1 };
  await writeFile(
    file,
    jsonRecord('warcinfo', '', 'software: Daguerre/0.1.0\r\n', 1) +
      jsonRecord('resource', 'urn:decision:1', JSON.stringify(forged), 2),
  );
  expect((await daguerre(['import', file, '--archive', archive])).code).toBe(0);
  expect(await listed()).toEqual([]);
});

it.each([
  [['a.org'], /give one of --in, --out/],
  [['a.org', '--in', '--out'], /give one of --in, --out/],
  [['--out'], /what is decided about/],
  [['no target', '--out'], /nothing to decide about/],
  [['a.org', '--undo'], /nothing is decided about a\.org/],
  [['a.org', '--out', '--until', '2001'], /is over already/],
  [['a.org', '--weight', 'much'], /is not a weight/],
])('%j => exit code 2 and what is missing', async (args, message) => {
  const { code, stderr } = await decide(...args);
  expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
});

it('a file of decisions is gone => verify names it and checks the rest; why and --list say what to do', async () => {
  expect((await crawl()).code).toBe(0);
  expect((await decide(`${site.url}/a`, '--out')).code).toBe(0);
  const files = await readdir(join(archive, 'warc'));
  const file = files.find((name) => name.startsWith('decision-')) ?? '';
  await rm(join(archive, 'warc', file));
  const verified = await daguerre(['verify', '--archive', archive, '--json']);
  expect(verified.code).toBe(6);
  const { errors, records } = verified.json<{
    errors: { file: string; reason: string }[];
    records: number;
  }>();
  expect(errors).toContainEqual(
    expect.objectContaining({ file, reason: expect.stringContaining('not there') }),
  );
  expect(records).toBeGreaterThan(5);
  for (const command of [
    ['why', `${site.url}/a`],
    ['decide', '--list'],
  ])
    expect(await daguerre([...command, '--archive', archive])).toMatchObject({
      code: 7,
      stderr: expect.stringMatching(/decision-0-.* is not there\. Is its disk mounted\?.*'daguerre reindex'/),
    });
});

it('one that says something else than another that holds => told which; --list of a site => patterns and pages of it too', async () => {
  const by = ['--by', 'B. Librarian', '--why', 'came back', '--archive', archive];
  await decide('example.org/shop/*', '--out');
  await decide('https://www.example.org/a', '--out');
  await decide('example.com/*', '--out');
  const made = await daguerre(['decide', 'example.org', '--in', ...by]);
  expect(made.stdout).toMatch(
    /^example\.org \(this host and all under it\): in, decided by B\. Librarian\n {2}overrules: example\.org\/shop\/\* out, A\. Librarian, \S+: the law\n {2}overrules: https:\/\/www\.example\.org\/a out, .*\n$/,
  );
  // The same again overrules nothing; what is undone is named.
  expect((await decide('example.org', '--in')).json<{ decisions: object[] }>().decisions).toMatchObject([
    { target: 'example.org', overrules: [] },
  ]);
  expect((await daguerre(['decide', 'example.com/*', '--undo', ...by])).stdout).toMatch(
    /\n {2}undoes: example\.com\/\* out, A\. Librarian/,
  );
  const { stdout } = await daguerre(['decide', '--list', 'Example.org', '--archive', archive]);
  expect(stdout.match(/ {2}\S*example\S*(?= )/g)?.map((target) => target.trim())).toEqual([
    ...['example.org/shop/*', 'https://www.example.org/a', 'example.org', 'example.org'],
  ]);
});
