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
import { type MergeOptions, mergeArchive } from './merge-archive.ts';

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

/** What replay shows of each capture. */
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

/** All that the catalog tells, wherever it lies. */
const told = () =>
  reading(async (open) => {
    const { catalog } = open;
    const ids: string[] = [];
    // A page info that says nothing new is listed or not, by what was indexed with it.
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
