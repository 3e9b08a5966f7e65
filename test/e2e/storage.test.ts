import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { LOOPBACK_BUCKET, loopbackS3 } from '../loopback-s3.ts';
import { testS3 } from '../s3.ts';
import { daguerre, FAST, type Finished, spawnDaguerre, temporaryFolder } from './daguerre.ts';
import { page, type SmallSite, startSite } from './small-site.ts';

/* The commands over an archive in an object store: a small one of the test's own on loopback, and a real one where there is one. */

const PAGES = 40;
const site = (path: string) => {
  const number = path === '/' ? 0 : Number(/^\/p(\d+)$/.exec(path)?.[1] ?? Number.NaN);
  if (Number.isNaN(number)) return undefined;
  const links = [1, 2, 3].map((child) => 3 * number + child).filter((child) => child < PAGES);
  return {
    body: page(
      `Page ${number}`,
      links.map((child) => `/p${child}`),
    ),
    after: 5,
  };
};

const loopback = await loopbackS3();
const real = await testS3('archives in a real object store');
afterAll(() => loopback.close());

let server: SmallSite;
let folder: string;
beforeEach(async () => {
  loopback.objects.clear();
  loopback.interfere = () => undefined;
  server = await startSite(site);
  folder = await temporaryFolder();
});
afterEach(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const stores = [
  { name: 'S3 on loopback', env: loopback.env, storage: () => `s3://${LOOPBACK_BUCKET}/archive` },
  ...(real
    ? [{ name: 'real S3', env: real.env, storage: () => `${real.storage}/${performance.now()}` }]
    : []),
];

describe.each(stores)('$name', ({ env, storage }) => {
  test('archived here => verified, rebuilt and exported on another machine from the bucket alone', async () => {
    const place = ['--storage', storage()];
    const here = ['--archive', join(folder, 'here'), ...place];
    const there = ['--archive', join(folder, 'there'), ...place];
    const run = (...args: string[]): Promise<Finished> => daguerre(args, { env });
    const crawl = await run('archive', `${server.url}/`, ...here, ...FAST);
    expect(crawl.stderr).not.toContain('Warning');
    expect(crawl.json()).toMatchObject({ state: 'finished', captured: PAGES, failed: 0 });
    expect(await readdir(join(folder, 'here', 'spool'))).toEqual([]);
    expect((await run('verify', ...here, '--json')).json()).toMatchObject({ errors: [] });

    const rebuilt = await run('reindex', ...there, '--json');
    expect(rebuilt.json()).toMatchObject({ pages: PAGES, errors: [] });
    // Copies may go at any time.
    await rm(join(folder, 'there', 'warc'), { recursive: true });
    expect((await run('verify', ...there, '--json')).json()).toMatchObject({ errors: [] });
    const out = join(folder, 'out.wacz');
    expect((await run('export', ...there, '--out', out, '--format', 'wacz', '--json')).json()).toMatchObject({
      pages: PAGES,
      capturesLeftOut: 0,
    });
    // The catalog here does not know what was written there since.
    const late = await run('archive', `${server.url}/`, ...here, ...FAST);
    expect(late.code).toBe(2);
    expect(late.stderr).toContain("run 'daguerre reindex'");
  });

  test('an archive of a folder, opened with --storage => its records move to the bucket', async () => {
    const archive = ['--archive', join(folder, 'a')];
    const place = ['--storage', storage()];
    await daguerre(['archive', `${server.url}/`, ...archive, ...FAST]);
    const early = await daguerre(['verify', ...archive, ...place], { env });
    expect(early.stderr).toContain('there is no archive in');
    const again = await daguerre(['archive', `${server.url}/`, ...archive, ...place, ...FAST], { env });
    expect(again.stderr).toContain('that lay in the folder were put into s3://');
    expect(again.json()).toMatchObject({ state: 'finished', failed: 0 });
    await rm(join(folder, 'a', 'warc'), { recursive: true });
    const verified = await daguerre(['verify', ...archive, ...place, '--json'], { env });
    expect(verified.json()).toMatchObject({ errors: [] });
    const without = await daguerre(['verify', ...archive]);
    expect(without.code).toBe(2);
    expect(without.stderr).toContain('add --storage s3://');
    const thin = await daguerre(['thin', ...archive, '--storage', '100MB'], { env });
    expect(thin.code).toBe(0);
  });

  test('a machine without a folder of the archive => thin, analyse, stop, merge work there; without an archive they say so', async () => {
    const place = storage();
    const made = await daguerre(
      ['archive', `${server.url}/`, '--archive', join(folder, 'one'), '--storage', place, ...FAST],
      { env },
    );
    expect(made.code).toBe(0);
    const there = (name: string, bucket = place) => ({
      env: { ...env, DAGUERRE_ARCHIVE: join(folder, name), DAGUERRE_STORAGE: bucket },
    });
    const commands = [['thin', '--storage', '1GB'], ['analyse'], ['stop'], ['merge']] as const;
    await daguerre(['reindex'], there('other'));
    for (const command of commands) {
      const done = await daguerre([...command, '--json'], there('other'));
      expect([command, done.code, done.stderr]).toEqual([command, 0, expect.any(String)]);
      const nowhere = await daguerre(command, there('nowhere', `${place}-mistyped`));
      expect([command, nowhere.code, nowhere.stderr]).toEqual([
        command,
        2,
        expect.stringContaining('there is no archive in'),
      ]);
    }
    const named = await daguerre(['thin', '--storage', '1GB', '--storage', place, '--json'], {
      env: { ...env, DAGUERRE_ARCHIVE: join(folder, 'other') },
    });
    expect(named.code).toBe(0);
    const key = await daguerre(['key'], there('unused'));
    expect([key.code, key.stderr]).toEqual([2, expect.stringContaining('has no key yet')]);
  });

  test('a bucket of another archive => refused by both names, nothing changed', async () => {
    const place = ['--storage', storage()];
    const [one, other] = [join(folder, 'one'), join(folder, 'other')];
    await daguerre(['archive', `${server.url}/`, '--archive', one, ...place, ...FAST], { env });
    await daguerre(['archive', `${server.url}/`, '--archive', other, ...FAST]);
    const refused = await daguerre(['archive', `${server.url}/`, '--archive', other, ...place, ...FAST], {
      env,
    });
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("belongs to another archive: 'one'");
    expect((await daguerre(['verify', '--archive', other, '--json'])).json()).toMatchObject({ errors: [] });
  });

  test.each([
    ['s3://no-such-bucket/x', {}, 'no bucket'],
    ['storage', { AWS_SECRET_ACCESS_KEY: 'wrong' }, 'check AWS_ACCESS_KEY_ID'],
    [
      'storage',
      { AWS_SECRET_ACCESS_KEY: '', AWS_CONFIG_FILE: '/dev/null', AWS_SHARED_CREDENTIALS_FILE: '/dev/null' },
      'no credentials',
    ],
    ['http://bucket/x', {}, 'Write it as s3://bucket/prefix'],
  ])('%s %j => exit 2: %s', async (given, more, words) => {
    loopback.interfere = () =>
      'AWS_SECRET_ACCESS_KEY' in more ? { status: 403, code: 'SignatureDoesNotMatch' } : undefined;
    const place = given === 'storage' ? storage() : given;
    const args = ['archive', `${server.url}/`, '--archive', join(folder, 'a'), '--storage', place, ...FAST];
    const refused = await daguerre(args, { env: { ...env, ...more } });
    expect(refused.stderr).toContain(words);
    expect(refused.code).toBe(2);
  });
});

const crawl = (...more: string[]): string[] => [
  ...['archive', `${server.url}/`, '--archive', join(folder, 'a')],
  ...['--storage', `s3://${LOOPBACK_BUCKET}/archive`, ...FAST, ...more],
];

test('the store goes away and comes back => waits, says so, and goes on', async () => {
  const running = spawnDaguerre(crawl(), { env: loopback.env });
  await server.seen(10);
  loopback.interfere = () => ({ status: 503 });
  await running.said('does not answer for s3://');
  loopback.interfere = () => undefined;
  const { json, stderr } = await running.ended;
  expect(json()).toMatchObject({ state: 'finished', captured: PAGES, failed: 0 });
  expect(stderr).toContain('answers again: going on');
});

test('the store is full => exit code of a full disk; with room again, every page once', async () => {
  let puts = 0;
  loopback.interfere = (asked) =>
    asked.startsWith(`PUT /${LOOPBACK_BUCKET}/archive/warc/`) && ++puts > 2
      ? { status: 507, code: 'InsufficientStorage' }
      : undefined;
  const full = await daguerre(crawl(), { env: loopback.env });
  expect(full.stderr).toContain('no space left to write s3://');
  expect(full.code).toBe(4);
  loopback.interfere = () => undefined;
  const again = await daguerre(crawl(), { env: loopback.env });
  expect(again.json()).toMatchObject({ state: 'finished', captured: PAGES, failed: 0 });
  const verified = await daguerre(
    ['verify', '--archive', join(folder, 'a'), '--storage', `s3://${LOOPBACK_BUCKET}/archive`, '--json'],
    { env: loopback.env },
  );
  expect(verified.json()).toMatchObject({ errors: [] });
});
