import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  archive,
  editions,
  files,
  inBucket,
  location,
  merge,
  merged,
  NOW,
  options,
  reading,
  server,
  storage,
  told,
  writing,
} from '../../../test/archive-in-bucket.ts';
import { shownCaptures } from '../../../test/shown-captures.ts';
import { HOUR, visitEditions } from '../../../test/visited-archive.ts';
import { reindex } from '../reindex.ts';
import { verify } from '../verify/verify.ts';
import { ALL } from './choose-files.ts';
import { type MergeStep, mergeArchive } from './merge-archive.ts';

inBucket();

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
      const before = await shownCaptures(open);
      await merge({ grace: 0 });
      await rm(join(archive, 'warc'), { recursive: true });
      for (const fact of old) expect((await open.reader.read(fact)).type).toBe(fact.type);
      expect(await shownCaptures(open)).toEqual(before);
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
