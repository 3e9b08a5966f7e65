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
  server,
  storage,
  told,
  writing,
} from '../../../test/archive-in-bucket.ts';
import { HOUR, visitEditions } from '../../../test/visited-archive.ts';
import { reindex } from '../reindex.ts';
import { verify } from '../verify/verify.ts';

inBucket();

const rebuild = () => reindex(location, { onMended: () => {}, onProgress: () => {} });
/** Without a word of anything that would be known from two places. */
const inOrder = async () => {
  const { errors, warnings, notes } = await verify(location, {});
  expect({
    errors,
    warnings,
    notes: notes.filter(({ reason }) => /known already|twice/.test(reason)),
  }).toEqual({
    ...{ errors: [], warnings: [], notes: [] },
  });
};

describe('mergeArchive, then reindex while the old files are there', () => {
  test('twice in a row => nothing is lost, the merged file counts, and the old ones go after their grace', async () => {
    const { url } = await visitEditions(archive, editions(2), { storage });
    await merge();
    await visitEditions(archive, editions(2, 2), { storage, from: 2, port: Number(new URL(url).port) });
    // Of what was merged twice all three are there.
    await merge();
    const before = await told();
    const all = files().length;
    for (let i = 0; i < 2; i++) {
      const { errors, warnings, notes } = await rebuild();
      expect({ errors, warnings, notes }).toEqual({ errors: [], warnings: [], notes: [] });
      expect(await told()).toEqual(before);
      await inOrder();
      expect(files()).toHaveLength(all);
    }
    await writing(async ({ mended }) => expect(mended).toEqual([]));
    expect(await merge({ now: () => Date.now() + 2 * HOUR })).toMatchObject({ waiting: 0 });
    expect(files()).toHaveLength(1);
    expect(await told()).toEqual(before);
    await inOrder();
  });

  test('a copy of the bucket, by a new catalog, also by a command that is not reindex => the same', async () => {
    await visitEditions(archive, editions(3), { storage });
    await merge();
    const before = await told();
    for (const next of [rebuild, rebuild, () => writing(async () => {})]) {
      if (next !== rebuild) await rm(join(archive, 'catalog.sqlite'));
      else await rm(archive, { recursive: true });
      await next();
      const { ids, shown } = await told();
      expect({ ids, shown }).toEqual({ ids: before.ids, shown: before.shown });
      await inOrder();
      await rebuild();
      await inOrder();
    }
    expect(merged()).toHaveLength(1);
  });

  test('killed while it reads the files => whoever comes next ends it, and nothing is lost', async () => {
    await visitEditions(archive, editions(3), { storage });
    await merge();
    const before = await told();
    const onProgress = (): never => {
      throw new Error('killed');
    };
    for (const isNew of [false, true]) {
      if (isNew) await rm(archive, { recursive: true });
      await expect(reindex(location, { onMended: () => {}, onProgress })).rejects.toThrow('killed');
      await writing(async ({ lost }) => expect(lost).toEqual([]));
      const { ids, shown } = await told();
      expect({ ids, shown }).toEqual({ ids: before.ids, shown: before.shown });
      await inOrder();
    }
  });

  test('the merged file is cut, all old ones are there => they count', async () => {
    await visitEditions(archive, editions(3), { storage });
    const before = await told();
    await merge();
    const [key = ''] = [...server.objects.keys()].filter((name) => name.includes('-merged'));
    server.objects.set(key, (server.objects.get(key) as Buffer).subarray(0, -500));
    await rm(archive, { recursive: true });
    await rebuild();
    const { ids, shown } = await told();
    expect({ ids, shown }).toEqual({ ids: before.ids, shown: before.shown });
  });

  test('a merged file that an earlier version deleted => told as lost no more', async () => {
    await visitEditions(archive, editions(3), { storage });
    const before = await told();
    await merge();
    for (const key of [...server.objects.keys()]) if (key.includes('-merged')) server.objects.delete(key);
    await rm(join(archive, 'warc'), { recursive: true });
    const { errors } = await rebuild();
    expect(errors).toEqual([]);
    expect((await told()).shown).toEqual(before.shown);
    await inOrder();
  });

  test('however many files the store has => they are listed once for the opening, and not for each of them', async () => {
    const lists = async (): Promise<number> => {
      const before = server.asked.length;
      await rm(archive, { recursive: true });
      await rebuild();
      const pages = server.asked.slice(before).filter((line) => /^GET \/[^/]+\/?$/.test(line)).length;
      // Two keys a page (loopback-s3.ts).
      return pages / Math.ceil(files().length / 2);
    };
    await visitEditions(archive, editions(2), { storage });
    const few = await lists();
    await visitEditions(archive, editions(6, 2), { storage, from: 2 });
    expect(await lists()).toBeLessThanOrEqual(few);
    expect(few).toBeLessThan(6);
  });
});
