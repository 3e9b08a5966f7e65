import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  capturesOf,
  complaints,
  daguerre,
  eachRecord,
  FAST,
  type Finished,
  spawnDaguerre,
  temporaryFolder,
} from './daguerre.ts';
import { page, type SmallSite, startSite } from './small-site.ts';

const PAGES = 40;
/** Bytes per page. */
const SIZE = 300_000;

/** Text that compresses by a quarter at most. */
function noise(seed: string, size: number): string {
  const blocks: Buffer[] = [];
  for (let length = 0; length < size; length += 32)
    blocks.push(createHash('sha256').update(`${seed} ${length}`).digest());
  return Buffer.concat(blocks).toString('base64').slice(0, size);
}

const site = (path: string) => {
  if (path === '/') {
    const links = Array.from({ length: PAGES - 1 }, (_, number) => `/p${number}`);
    return page('Home', links);
  }
  const number = /^\/p(\d+)$/.exec(path)?.[1];
  if (number === undefined) return undefined;
  return page(`Page ${number}`, [], noise(path, SIZE));
};

let server: SmallSite;
beforeAll(async () => {
  server = await startSite(site);
});
afterAll(() => server.close());

const command = (archive: string): string[] => [
  'archive',
  `${server.url}/`,
  '--archive',
  archive,
  ...FAST,
  '--per-host',
  '4',
];

/** What must hold of a run that hit the wall, then of the run that had room. */
async function fullThenFinished(full: Finished, archive: string, finish: () => Promise<Finished>) {
  expect(full.stderr).toContain('no space left to write');
  expect(full.stderr).toContain('free some space, then run the same command to go on');
  expect(full.stderr).not.toMatch(/^\s+at /m);
  expect(full.code).toBe(4);
  expect(await complaints(archive)).toEqual([]);
  const before = await capturesOf(archive);
  expect(before.length).toBeGreaterThan(5);

  const { code, stderr, json } = await finish();
  expect(stderr).toContain('Resuming crawl 1');
  expect(code).toBe(0);
  expect(json()).toMatchObject({ crawl: 1, state: 'finished', captured: PAGES, failed: 0, pending: 0 });
  expect(await complaints(archive)).toEqual([]);
  const ids = new Set((await capturesOf(archive)).map(({ recordId }) => recordId));
  for (const { recordId } of before) expect(ids).toContain(recordId);
  const responses: string[] = [];
  await eachRecord(archive, ({ type, url }) => {
    if (type === 'response' && !url.endsWith('/robots.txt')) responses.push(url);
  });
  expect(responses).toHaveLength(PAGES);
  expect(new Set(responses).size).toBe(PAGES);
}

it('a limit on the size of files => exit code 4; without it the same command finishes', async () => {
  const archive = await temporaryFolder();
  // In blocks of 1024 bytes: room for some 20 pages in the record file, and far more than the catalog needs.
  const full = await spawnDaguerre(command(archive), { shellSetup: 'ulimit -f 5000' }).ended;
  await fullThenFinished(full, archive, () => daguerre(command(archive)));
});

it('a limit that the catalog meets first => exit code 4, no talk of a broken disk; then the same command finishes', async () => {
  const links = Array.from({ length: 300 }, (_, number) => `/${number}`);
  const many = await startSite((path) => page(path, links));
  try {
    const archive = await temporaryFolder();
    const crawl = ['archive', `${many.url}/`, '--archive', archive, ...FAST, '--per-host', '4'];
    const full = await spawnDaguerre(crawl, { shellSetup: 'ulimit -f 450' }).ended;
    expect(full.stderr).toMatch(/no space left to write .*catalog\.sqlite/);
    expect(full.stderr).not.toContain('check the disk');
    expect(full.code).toBe(4);
    const { code, json } = await daguerre(crawl);
    expect(code).toBe(0);
    expect(json()).toMatchObject({ state: 'finished', captured: 301, failed: 0, pending: 0 });
    expect(await complaints(archive)).toEqual([]);
  } finally {
    await many.close();
  }
});

it.each([100, 130])('a limit of %i kB, below a new catalog => exit code 4 and what to do', async (limit) => {
  const archive = join(await temporaryFolder(), 'archive');
  const full = await spawnDaguerre(command(archive), { shellSetup: `ulimit -f ${limit}` }).ended;
  expect(full).toMatchObject({ code: 4, stderr: expect.stringMatching(/no space left to write/) });
});

it('a limit below the size of a spooled body => exit code 4', async () => {
  const large = await startSite({ '/': { body: noise('large', 4_000_000) } });
  const archive = await temporaryFolder();
  try {
    const args = ['archive', `${large.url}/`, '--archive', archive, ...FAST];
    const full = await spawnDaguerre(args, { shellSetup: 'ulimit -f 2500' }).ended;
    expect(full.stderr).toContain('free some space');
    expect(full.code).toBe(4);
    expect(await readdir(join(archive, 'tmp'))).toEqual([]);
    expect((await daguerre(args)).json()).toMatchObject({ crawl: 1, captured: 1, failed: 0 });
    expect(await complaints(archive)).toEqual([]);
  } finally {
    await large.close();
  }
});

it('a watch => exit code 4, and nothing of it stays: whoever restarts it waits for its end', async () => {
  const archive = await temporaryFolder();
  const config = join(archive, 'watch.yaml');
  const defaults = 'defaults: { render: never, delay: 0s, allowPrivate: true }';
  await writeFile(
    config,
    `budget: { requestsPerHour: 36000 }\n${defaults}\nsites:\n  - url: ${server.url}/\n`,
  );
  const watching = ['watch', '--config', config, '--archive', archive, '--no-serve', '--json'];
  const full = await spawnDaguerre(watching, { shellSetup: 'ulimit -f 5000' }).ended;
  expect(full.stderr).toMatch(/daguerre: no space left to write/);
  expect(full.code).toBe(4);
});

/** Mounting takes a user namespace of one's own, which not every system gives. */
const canMount =
  process.platform === 'linux' &&
  spawnSync('unshare', ['-rm', 'sh', '-c', 'mount -t tmpfs -o size=1m tmpfs /mnt']).status === 0;
if (!canMount) console.warn('skipped: a full disk, because a tmpfs cannot be mounted here');

describe.skipIf(!canMount)('a disk of 8 MB', () => {
  it('=> exit code 4; with room the same command finishes', async () => {
    const folder = await temporaryFolder();
    const disk = join(folder, 'disk');
    const archive = join(folder, 'archive');
    await mkdir(disk);
    await mkdir(archive);
    // The disk is gone with the process, so what it held is copied out before.
    const script = `mount -t tmpfs -o size=8m tmpfs ${disk} && "$@"; code=$?; cp -a ${disk}/. ${archive}; exit $code`;
    const full = await spawnDaguerre(command(disk), {
      shellSetup: `exec unshare -rm bash -c '${script}' bash "$@"`,
    }).ended;
    await fullThenFinished(full, archive, () => daguerre(command(archive)));
  });

  it('served full, or read-only => decisions and crawls are refused alike, with what to do', async () => {
    const folder = await temporaryFolder();
    const archive = join(folder, 'archive');
    const few = await startSite({ '/': page('Home') });
    const made = await daguerre(['archive', `${few.url}/`, '--archive', archive, ...FAST]);
    expect(made.code).toBe(0);
    for (const [then, status, detail, hint] of [
      [`cat /dev/zero > ${folder}/disk/fill`, 507, /disk is full/, /free some space/],
      [`mount -o remount,ro ${folder}/disk`, 503, /EROFS/, /let the user/],
    ] as const) {
      await mkdir(join(folder, 'disk'), { recursive: true });
      const script = `mount -t tmpfs -o size=8m tmpfs ${folder}/disk && cp -a ${archive}/. ${folder}/disk && { ${then}; } 2>/dev/null; exec "$@"`;
      const serve = [
        'serve',
        '--archive',
        join(folder, 'disk'),
        '--port',
        '0',
        '--replay-port',
        '0',
        '--json',
      ];
      const running = spawnDaguerre(serve, { shellSetup: `exec unshare -rm bash -c '${script}' bash "$@"` });
      const said = await running.said('"url"');
      const { url } = JSON.parse(said.split('\n').find((line) => line.startsWith('{')) ?? '') as {
        url: string;
      };
      const headers = { 'content-type': 'application/json', origin: url };
      const post = async (path: string, body: unknown) =>
        (await fetch(`${url}/api/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).json();
      const told = {
        status,
        detail: expect.stringMatching(detail),
        hint: expect.stringMatching(hint),
      };
      const decision = { targets: ['x.org'], act: { kind: 'out' }, by: 'A', why: 'b' };
      expect(await post('decisions', decision)).toMatchObject(told);
      expect(await post('crawls', { urls: [`${few.url}/new`], render: 'never' })).toMatchObject(told);
      running.child.kill('SIGINT');
      await running.ended;
    }
    await few.close();
  });
});
