import { appendFile, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readRecords } from '../../src/warc/read-records.ts';
import { startPostgres, type TestPostgres } from '../postgres.ts';
import { collect } from '../warc-events.ts';
import { DELAY, openWorkersRig, type WorkersRig } from '../workers-rig.ts';
import { daguerre, temporaryFolder } from './daguerre.ts';

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server?.stop());

interface Batch {
  readonly state: string;
  readonly captured: number;
  readonly pending: number;
  readonly crawls: readonly { readonly state: string; readonly error?: string }[];
}

/** Answers and pictures, each once, and `verify` has nothing to say. */
async function expectWhole(rig: WorkersRig, pages: number): Promise<void> {
  const answers = (await rig.captures()).filter(
    ({ type, url }) => type === 'response' && !url.endsWith('/robots.txt'),
  );
  const urls = answers.map(({ url }) => url).filter((url) => url.startsWith('http'));
  const pictures = [...rig.pictures.counts().keys()].length;
  const twice = urls.filter((url, i) => urls.indexOf(url) !== i);
  expect(answers.filter(({ url }) => twice.includes(url))).toEqual([]);
  expect(urls).toHaveLength(rig.sites.length * pages + pictures);
  expect(pictures).toBe(rig.sites.length * Math.ceil(pages / 3));
  const verified = await rig.run('verify', '--json');
  expect(verified.json<{ errors: unknown[] }>().errors).toEqual([]);
}

/** By the servers' own logs. */
function expectPolite({ sites, pictures }: WorkersRig): void {
  for (const site of [...sites, pictures]) {
    expect(site.atOnce).toBe(1);
    expect(site.closest()).toBeGreaterThanOrEqual(DELAY);
  }
}

/** The same records under other ids. */
async function asAnswersOfTheirOwn(path: string): Promise<Buffer> {
  const bytes = await readFile(path);
  return Buffer.concat(
    (await collect(readRecords(path))).map(({ offset, length }) => {
      const record = gunzipSync(bytes.subarray(offset, offset + length)).toString('latin1');
      return gzipSync(Buffer.from(record.replaceAll(/(?<=urn:uuid:)[0-9a-f]{8}/g, '00000000'), 'latin1'));
    }),
  );
}

/**
 * As by workers that died between writing and committing, while others finished their crawls: records at the end of one file, and a
 * file that the catalog has never heard of. Both without an index, which comes when a file is closed.
 */
async function leaveUncommitted(archive: string): Promise<void> {
  const [first = '', second = ''] = (await readdir(join(archive, 'warc'))).filter((name) =>
    /-\d+-\d{14}-\d+\.warc\.gz$/.test(name),
  );
  const inWarc = (name: string): string => join(archive, 'warc', name);
  const other = await asAnswersOfTheirOwn(inWarc(second));
  await appendFile(inWarc(first), other);
  await writeFile(inWarc(second.replace(/\d+(?=\.warc\.gz$)/, '999')), other);
  await rm(join(archive, 'indexes', `${first}.cdxj`), { force: true });
}

describe('workers', { timeout: 300_000 }, () => {
  it('sites are handed over and three workers join => every page once, each host asked by one at a time, at its pace', async () => {
    const pages = 9;
    const rig = await openWorkersRig(join(await temporaryFolder(), 'archive'), server.url, {
      sites: 3,
      pages,
    });
    try {
      const handing = rig.handOver();
      expect(await handing.said('no worker has joined yet')).toContain('daguerre worker --database');
      const workers = await Promise.all(
        [1, 2, 3].map(() => rig.worker('--concurrency', '1', '--piece-visits', '4')),
      );
      const done = await handing.ended;
      expect(done.stderr).not.toContain(':test@');
      expect(done.code).toBe(0);
      expect(done.json<Batch>()).toMatchObject({ state: 'finished', captured: 3 * pages, pending: 0 });
      expectPolite(rig);
      for (const site of rig.sites)
        expect([...site.counts().values()].every((count) => count === 1)).toBe(true);

      const listed = (await rig.run('workers', '--json')).json<{
        workers: { settled: number }[];
        finished: number;
      }>();
      expect(listed.workers).toHaveLength(3);
      expect(listed.finished).toBe(3);
      const { host } = new URL(rig.sites[0]?.url ?? '');
      const ranked = (await rig.run('importance', '--json', '--site', host)).stdout.trim().split('\n');
      const online = ranked.map((line) => (JSON.parse(line) as { readonly online?: number }).online);
      // Then comes the site itself.
      expect(online.slice(0, -1).filter((importance) => Number(importance) > 0)).toHaveLength(pages);
      for (const { child } of workers) child.kill('SIGTERM');
      for (const { ended } of workers) expect((await ended).code).toBe(0);
      expect((await rig.run('workers')).stdout).toContain('No worker has joined this archive.');
      await expectWhole(rig, pages);
    } finally {
      await rig.close();
    }
  });

  it('one worker is killed and one told to leave in mid-crawl => the third goes on, nothing lost, nothing twice', async () => {
    const pages = 12;
    const rig = await openWorkersRig(join(await temporaryFolder(), 'archive'), server.url, {
      sites: 3,
      pages,
    });
    try {
      const [killed, leaving] = [
        await rig.worker('--concurrency', '1'),
        await rig.worker('--concurrency', '1'),
      ];
      const handing = rig.handOver();
      const asked = (): number => rig.sites.reduce((sum, { requests }) => sum + requests.length, 0);
      await expect.poll(asked, { timeout: 120_000 }).toBeGreaterThan(8);
      killed.child.kill('SIGKILL');
      leaving.child.kill('SIGTERM');
      expect((await leaving.ended).code).toBe(0);
      const last = await rig.worker('--concurrency', '3');
      const done = await handing.ended;
      expect(done.json<Batch>()).toMatchObject({ state: 'finished', captured: 3 * pages, pending: 0 });
      expect(done.code).toBe(0);
      expectPolite(rig);
      last.child.kill('SIGTERM');
      expect((await last.ended).code).toBe(0);
      await leaveUncommitted(rig.archive);
      // Whoever has the archive alone next, as a worker that comes first has, writes the index that the killed one could not.
      const next = await rig.worker();
      next.child.kill('SIGTERM');
      await next.ended;
      await expectWhole(rig, pages);
    } finally {
      await rig.close();
    }
  });

  it('Ctrl-C => withdrawn; the same command goes on where it was', async () => {
    const pages = 9;
    const rig = await openWorkersRig(join(await temporaryFolder(), 'archive'), server.url, {
      sites: 2,
      pages,
    });
    try {
      const worker = await rig.worker();
      const first = rig.handOver();
      await expect.poll(() => rig.sites[0]?.requests.length, { timeout: 120_000 }).toBeGreaterThan(3);
      first.child.kill('SIGINT');
      const stopped = await first.ended;
      expect(stopped.code).toBe(130);
      expect(stopped.json<Batch>().state).toBe('withdrawn');
      const again = await rig.handOver().ended;
      expect(again.stderr).toContain('Resuming crawl 1');
      expect(again.json<Batch>()).toMatchObject({ state: 'finished', captured: 2 * pages, pending: 0 });
      expectPolite(rig);
      worker.child.kill('SIGTERM');
      expect((await worker.ended).code).toBe(0);
      await expectWhole(rig, pages);
    } finally {
      await rig.close();
    }
  });

  it('one with another silence comes, or one with another clock => refused with both; the one that is there is not dismissed', async () => {
    const rig = await openWorkersRig(join(await temporaryFolder(), 'archive'), server.url, {
      sites: 1,
      pages: 1,
    });
    try {
      const first = await rig.worker();
      for (const other of [
        await rig.run('worker', '--silence', '5s'),
        await rig.handOver('--silence', '5s').ended,
      ]) {
        expect(other.code).toBe(2);
        expect(other.stderr).toMatch(/worker \d+ .* with a silence of 8 s, and this one with 5 s/);
      }
      const late = await daguerre(['worker', '--archive', rig.archive, '--database', rig.database], {
        env: {
          DAGUERRE_SILENCE: '8s',
          NODE_OPTIONS: '--import=data:text/javascript,const%20now=Date.now;Date.now=()=>now()+300000',
        },
      });
      expect(late.stderr).toMatch(
        /the clock of this machine .* says .*, and that of the database .*: .*5 min late/,
      );
      expect(late.code).toBe(2);
      const listed = (await rig.run('workers', '--json')).json<{ workers: unknown[] }>();
      expect(listed.workers).toHaveLength(1);
      first.child.kill('SIGTERM');
      expect((await first.ended).code).toBe(0);
    } finally {
      await rig.close();
    }
  });

  it('what cannot work is refused in a sentence', async () => {
    const archive = join(await temporaryFolder(), 'archive');
    const worker = (...flags: string[]) => daguerre(['worker', '--archive', archive, ...flags]);
    const none = await worker();
    expect(none.stderr).toContain('several processes share a catalog in PostgreSQL alone');
    expect(none.code).toBe(2);
    expect((await worker('--database', 'catalog.sqlite')).code).toBe(2);
    for (const [flag, value, sentence] of [
      ['--concurrency', '0', 'from 1 to 64'],
      ['--concurrency', '65', 'from 1 to 64'],
      ['--piece-visits', '0', '1 at least'],
      ['--piece-time', '0', '1 s at least'],
      ['--silence', '1s', '5 s at least'],
    ] as const) {
      const { code, stderr } = await worker('--database', server.url, flag, value);
      expect(stderr).toContain(sentence);
      expect(code).toBe(2);
    }
    const wrong = new URL(server.url);
    wrong.username = 'nobody';
    wrong.password = 'secret';
    const refused = await worker('--database', wrong.href);
    expect(refused.code).toBe(7);
    expect(refused.stderr).not.toContain('secret');
    const away = ['--database', 'postgres://nobody@127.0.0.1:1/none', '--database-wait', '300ms'];
    const absent = await worker(...away);
    expect(absent.stderr).toContain('Waiting for it');
    expect(absent.code).toBe(7);
    const listed = await daguerre(['workers', '--archive', await temporaryFolder(), ...away]);
    expect(listed.stderr).toContain('Waiting for it');
    expect(listed.code).toBe(7);
    const local = await daguerre(['workers', '--archive', archive]);
    expect(local.stderr).toContain('give --database postgres://');
    expect(local.code).toBe(2);
    const handed = await daguerre(['archive', 'http://127.0.0.1:1/', '--archive', archive, '--hand-over']);
    expect(handed.stderr).toContain('give --database postgres://');
    expect(handed.code).toBe(2);
    const secret = await daguerre([
      ...['archive', 'http://127.0.0.1:1/', '--archive', archive, '--database', server.url, '--hand-over'],
      ...['--cookie', 'a=b'],
    ]);
    expect(secret.stderr).toContain('secrets, which are never stored');
    expect(secret.code).toBe(2);
  });
});
