import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { LOOPBACK_BUCKET, type LoopbackS3, loopbackS3 } from '../../../test/loopback-s3.ts';
import { HOUR, START, visitEditions } from '../../../test/visited-archive.ts';
import { captureResolver } from '../../access/resolve-capture.ts';
import {
  type ArchiveLocation,
  type OpenArchive,
  openForReading,
  openForWriting,
} from '../open/open-archive.ts';
import { reindex } from '../reindex.ts';
import { verify } from '../verify/verify.ts';
import { ALL } from './choose-files.ts';
import { type MergeOptions, type MergeStep, mergeArchive } from './merge-archive.ts';

const storage = `s3://${LOOPBACK_BUCKET}/p`;
const page = (title: string, text: string): string =>
  `<!doctype html><title>${title}</title><a href="/a">a</a><p>${text}</p>`;
const edition = (hour: number) => ({
  '/': page('Home', `hour ${hour}`),
  '/a': page('A', `part ${Math.floor(hour / 2)}`),
});
const editions = (count: number, from = 0) => Array.from({ length: count }, (_, i) => edition(from + i));

let server: LoopbackS3;
let archive: string;
let location: ArchiveLocation;
beforeEach(async () => {
  server = await loopbackS3();
  for (const [name, value] of Object.entries(server.env)) vi.stubEnv(name, value);
  archive = await mkdtemp(join(tmpdir(), 'daguerre-'));
  location = { archive, storage };
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await server.close();
  await rm(archive, { recursive: true, force: true });
});

const NOW = START + 100 * HOUR;
const options: MergeOptions = { now: () => NOW, sizes: ALL, grace: HOUR };

const writing = async <T>(work: (open: OpenArchive) => Promise<T>): Promise<T> => {
  const open = await openForWriting(location, 'test');
  try {
    return await work(open);
  } finally {
    await open.close();
  }
};
const merge = (some: Partial<MergeOptions> = {}) =>
  writing((open) => mergeArchive(open, { ...options, ...some }));

const files = (): readonly string[] =>
  [...server.objects.keys()].filter((key) => key.includes('.warc')).map((key) => key.replace(/^.*\//, ''));
const merged = () => files().filter((file) => file.includes('-merged'));

/** What replay shows for each capture. */
async function replayed(open: OpenArchive): Promise<ReadonlyMap<string, string>> {
  const shown = new Map<string, string>();
  const resolver = captureResolver(open.catalog, open.reader);
  for await (const { url, at, type } of open.catalog.captures({ urlPrefix: 'http' })) {
    if (type === 'resource') continue;
    const found = await resolver.resolve(url, at);
    if (found.kind !== 'found') throw new Error(`${url} at ${at}: ${found.kind}`);
    const hash = createHash('sha256');
    for await (const chunk of found.capture.payload.chunks()) hash.update(chunk);
    shown.set(`${url} ${at}`, hash.digest('hex'));
  }
  return shown;
}

const reading = async <T>(work: (open: OpenArchive) => Promise<T>): Promise<T> => {
  const open = await openForReading(location);
  try {
    return await work(open);
  } finally {
    await open.close();
  }
};

/** Everything the catalog tells, wherever the records lie. */
const told = () =>
  reading(async (open) => {
    const { catalog } = open;
    const ids: string[] = [];
    // A page info that says nothing new is listed or not, depending on what was indexed with it.
    for await (const { url, at, recordId, type } of catalog.captures({}))
      if (!/^urn:(?:merged|pageinfo):/.test(url)) ids.push(`${url} ${at} ${recordId} ${type}`);
    return {
      ids: ids.sort(),
      shown: await replayed(open),
      versions: await catalog.versions({}),
      pages: await catalog.pages({}),
      changes: await catalog.changes({}),
    };
  });

const problems = async () => {
  const { errors, warnings } = await verify(location, {});
  return [...errors, ...warnings];
};

describe('mergeArchive', () => {
  test('crawls of several hours => one file; all captures are shown as before, by the catalog and by a new one', async () => {
    await visitEditions(archive, editions(4), { storage });
    const before = await told();
    const small = files().length;
    const report = await merge();
    expect(report).toMatchObject({ files: small, into: 1, left: [], deleted: 0, waiting: small });
    expect(merged()).toHaveLength(1);
    expect(await told()).toEqual(before);
    expect(await problems()).toEqual([]);
    // The old ones are deleted after their grace period.
    expect(await merge({ now: () => NOW + 2 * HOUR })).toMatchObject({
      files: 0,
      deleted: small,
      waiting: 0,
    });
    expect(files()).toEqual(merged());
    expect(await told()).toEqual(before);
    expect(await problems()).toEqual([]);
    await reindex(location, { onMended: () => {}, onProgress: () => {} });
    expect(await told()).toEqual(before);
    expect(await problems()).toEqual([]);
  });

  test('merged, then crawled on and merged again => one file, nothing lost', async () => {
    const { url } = await visitEditions(archive, editions(2), { storage });
    await merge({ grace: 0 });
    await visitEditions(archive, editions(2, 2), { storage, from: 2, port: Number(new URL(url).port) });
    const before = await told();
    await merge({ grace: 0 });
    expect(files()).toHaveLength(1);
    expect(await told()).toEqual(before);
    await reindex(location, { onMended: () => {}, onProgress: () => {} });
    expect(await told()).toEqual(before);
  });

  test('files of like size, then merged ones with the rest => certificates hold', async () => {
    const certified = new Set([0, 1, 2, 3]);
    const { url } = await visitEditions(archive, editions(2), { storage, certified });
    const before = await problems();
    await merge({ grace: 0, sizes: { ...ALL, bySize: true } });
    const port = Number(new URL(url).port);
    await visitEditions(archive, editions(2, 2), { storage, certified, from: 2, port });
    await merge({ grace: 0, sizes: { ...ALL, bySize: true } });
    await merge({ grace: 0 });
    expect(files()).toHaveLength(1);
    const { errors, warnings, certificates } = await verify(location, {});
    expect([...errors, ...warnings]).toEqual(before);
    expect(certificates).toHaveLength(4);
  });

  test('a reader that knows the old place => follows its record when the old file is gone', async () => {
    await visitEditions(archive, editions(2), { storage });
    await reading(async (open) => {
      const old = [];
      for await (const fact of open.catalog.captures({ urlPrefix: 'http' })) old.push(fact);
      const before = await replayed(open);
      await merge({ grace: 0 });
      await rm(join(archive, 'warc'), { recursive: true });
      for (const fact of old) expect((await open.reader.read(fact)).type).toBe(fact.type);
      expect(await replayed(open)).toEqual(before);
    });
  });

  test.each<MergeStep>(['staged', 'placed', 'committed'])(
    'killed after %s => what counts is read by all, the rest goes, and the next merge ends it',
    async (last) => {
      await visitEditions(archive, editions(3), { storage });
      const before = await told();
      const small = files();
      const stop = (step: MergeStep): void => {
        if (step === last) throw new Error('killed');
      };
      // As after kill -9: nothing is cleaned up.
      const kept = new Map(server.objects);
      await expect(merge({ onStep: stop })).rejects.toThrow('killed');
      for (const [key, body] of kept)
        if (!server.objects.has(key)) throw new Error(`${key} ${body.length} went`);
      expect(await told()).toEqual(before);
      expect(await problems()).toEqual([]);
      await writing(async ({ mended }) => {
        expect(mended).toEqual(
          last === 'placed'
            ? [
                '1 record files of merges that had been interrupted were deleted: their records stand in others',
              ]
            : [],
        );
      });
      expect(merged()).toHaveLength(last === 'committed' ? 1 : 0);
      expect(await told()).toEqual(before);
      await merge({ grace: 0 });
      expect(files()).toHaveLength(1);
      expect(small).not.toContain(files()[0]);
      expect(await told()).toEqual(before);
      expect(await problems()).toEqual([]);
    },
  );

  test.each<MergeStep>(['placed', 'committed'])(
    'killed after %s and the catalog is lost => rebuilt without anything twice',
    async (last) => {
      await visitEditions(archive, editions(3), { storage });
      const before = await told();
      const stop = (step: MergeStep): void => {
        if (step === last) throw new Error('killed');
      };
      await expect(merge({ onStep: stop })).rejects.toThrow('killed');
      // Some of the old ones are already deleted.
      if (last === 'committed') {
        const [first = ''] = [...server.objects.keys()].filter(
          (key) => /\.warc/.test(key) && !/-merged/.test(key),
        );
        server.objects.delete(first);
      }
      await rm(archive, { recursive: true });
      await reindex(location, { onMended: () => {}, onProgress: () => {} });
      const { ids, shown } = await told();
      expect({ ids, shown }).toEqual({ ids: before.ids, shown: before.shown });
      // Whole, and in the store: a catalog that knows neither takes the merged one.
      expect(merged()).toHaveLength(1);
      expect(await problems()).toEqual([]);
      await merge({ now: () => Date.now() + 2 * HOUR });
      expect(files()).toEqual(merged());
      expect(await problems()).toEqual([]);
    },
  );

  test('a damaged file, and one of a crawl that goes on => left as they are', async () => {
    await visitEditions(archive, editions(3), { storage });
    const [damaged = ''] = [...server.objects.keys()].filter((key) => key.includes('.warc'));
    const body = Buffer.from(server.objects.get(damaged) as Buffer);
    body.fill(0, body.length - 200, body.length - 100);
    server.objects.set(damaged, body);
    const { left } = await merge({ grace: 0 });
    expect(left).toEqual([damaged.replace(/^.*\//, '')]);
    expect(server.objects.get(damaged)).toEqual(body);
  });

  test('two merge at once => one of them does it, and nothing is lost', async () => {
    await visitEditions(archive, editions(3), { storage });
    const before = await told();
    await writing(async (open) => {
      const both = await Promise.all([mergeArchive(open, options), mergeArchive(open, options)]);
      expect(both.map(({ into }) => into).sort()).toEqual([0, 1]);
    });
    expect(merged()).toHaveLength(1);
    expect(await told()).toEqual(before);
  });

  test('a file that has been merged => not known again by a late commit', async () => {
    await visitEditions(archive, editions(2), { storage });
    await writing(async (open) => {
      const [old] = await open.catalog.warcFiles();
      if (!old) throw new Error('no files');
      await mergeArchive(open, options);
      await open.catalog.index({ captures: [], pages: [], fileLengths: new Map([[old.file, old.length]]) });
      expect((await open.catalog.warcFiles()).map(({ file }) => file)).not.toContain(old.file);
    });
  });
});
