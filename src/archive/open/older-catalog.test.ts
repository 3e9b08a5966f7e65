import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import {
  archive,
  files,
  inBucket,
  location,
  merged,
  NOW,
  options,
  server,
  told,
} from '../../../test/archive-in-bucket.ts';
import { startPoliteSite } from '../../../test/polite-site.ts';
import { HOUR } from '../../../test/visited-archive.ts';
import { CRAWL_SETTINGS, crawlSpec } from '../crawl/crawl-settings.ts';
import { runCrawl } from '../crawl/run-crawl.ts';
import { mergeArchive } from '../merge/merge-archive.ts';
import { reindex } from '../reindex.ts';
import { systemClock } from '../system-clock.ts';
import { verify } from '../verify/verify.ts';
import { openForWriting } from './open-archive.ts';

inBucket();

const catalogFile = (): string => join(archive, 'catalog.sqlite');

/**
 * Each page leads to the next alone, so that the crawl waits for each commit, and each has a file of its own. When page `copyAt` is
 * asked for, the catalog is copied; at page `stopAt` the crawl is stopped. `mergedAt`: that page
 * is the last one instead, and small files are merged at each of these times. Then the copy takes the place of the catalog.
 */
async function restored({
  copyAt,
  stopAt,
  mergedAt = [],
}: {
  readonly copyAt: number;
  readonly stopAt: number;
  readonly mergedAt?: readonly number[];
}): Promise<void> {
  const copy = join(archive, 'copy.sqlite');
  const stop = new AbortController();
  const site = await startPoliteSite('127.0.0.1', (path) => {
    const number = path === '/' ? 0 : Number(path.slice(1));
    if (Number.isNaN(number)) return undefined;
    if (number === copyAt) {
      const database = new Database(catalogFile(), { readonly: true });
      database.exec(`vacuum into '${copy}'`);
      database.close();
    }
    if (number === stopAt && mergedAt.length === 0) stop.abort();
    if (number === stopAt && mergedAt.length > 0) return { type: 'text/html', body: '<p>the end' };
    return { type: 'text/html', body: `<p>page ${number} <a href="/${number + 1}">next</a>` };
  });
  const open = await openForWriting(location, 'test');
  try {
    await runCrawl(open, {
      spec: crawlSpec(
        CRAWL_SETTINGS.parse({
          ...{ seeds: [`${site.url}/`], robots: false, allowPrivate: true, delay: 0, sitemaps: false },
          ...{ scopeType: 'host', render: 'never', workers: 1 },
        }),
      ),
      clock: systemClock,
      signal: stop.signal,
      restart: true,
      syncEvery: 60_000,
    });
    for (const at of mergedAt) await mergeArchive(open, { ...options, now: () => at });
  } finally {
    await open.close();
    await site.close();
  }
  for (const end of ['-wal', '-shm']) await rm(`${catalogFile()}${end}`, { force: true });
  await copyFile(copy, catalogFile());
}

const written = async (): Promise<readonly string[]> => {
  const open = await openForWriting(location, 'test');
  await open.close();
  return open.mended;
};

const pages = async (): Promise<number> => (await told()).pages.length;

it('a catalog that was copied while a crawl went on => refused, nothing set aside; reindex has all again', async () => {
  await restored({ copyAt: 4, stopAt: 10 });
  const refused = { message: expect.stringContaining('the catalog is older than the records') };
  await expect(written()).rejects.toMatchObject(refused);
  expect((await verify(location, {})).errors).toEqual([expect.objectContaining({ reason: refused.message })]);
  // Nothing was claimed, or changed.
  await expect(written()).rejects.toMatchObject(refused);
  await reindex(location, { onMended: () => undefined, onProgress: () => undefined });
  expect(await pages()).toBe(11);
  expect(await written()).toEqual([]);
  expect((await verify(location, {})).errors).toEqual([]);
});

it('a catalog that lacks what a crash may leave => that is set aside', async () => {
  await restored({ copyAt: 10, stopAt: 10 });
  const [last = ''] = files().toSorted().slice(-1);
  server.objects.delete([...server.objects.keys()].find((key) => key.endsWith(last)) ?? '');
  expect(await written()).toEqual([expect.stringContaining('never committed, set aside')]);
  expect(await pages()).toBe(10);
});

it.each([
  ['for less than an hour', 2, [NOW]],
  ['and the old ones are deleted', 1, [NOW, NOW + 2 * HOUR]],
])(
  'its later files are merged %s => refused all the same; reindex has all again',
  async (_, copyAt, mergedAt) => {
    await restored({ copyAt, stopAt: 10, mergedAt });
    expect(merged()).toHaveLength(1);
    const before = [...server.objects.keys()];
    for (let i = 0; i < 2; i++) {
      await expect(written()).rejects.toThrow('the catalog is older than the records');
      expect([...server.objects.keys()]).toEqual(before);
    }
    expect((await verify(location, {})).errors).toContainEqual(
      expect.objectContaining({ reason: expect.stringContaining('older than the records') }),
    );
    await reindex(location, { onMended: () => undefined, onProgress: () => undefined });
    expect(await pages()).toBe(11);
    await written();
    const { errors, warnings } = await verify(location, {});
    expect({ errors, warnings, pages: await pages() }).toEqual({ errors: [], warnings: [], pages: 11 });
  },
);

it('what a crash left, and reindex is the first to come => set aside, and no capture', async () => {
  await restored({ copyAt: 10, stopAt: 10 });
  const [last = ''] = files().toSorted().slice(-1);
  server.objects.delete([...server.objects.keys()].find((key) => key.endsWith(last)) ?? '');
  const mended: string[] = [];
  await reindex(location, { onMended: (sentence) => mended.push(sentence), onProgress: () => undefined });
  expect(mended).toEqual([expect.stringContaining('never committed, set aside')]);
  expect(await pages()).toBe(10);
});
