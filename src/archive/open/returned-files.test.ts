import { readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { certifiedArchive } from '../../../test/certified-archive.ts';
import { PAGES } from '../../../test/tampered-archive.ts';
import { collect } from '../../../test/warc-events.ts';
import { readRecords } from '../../warc/read-records.ts';
import { reindex } from '../reindex.ts';
import { verify } from '../verify/verify.ts';
import { openForReading, openForWriting } from './open-archive.ts';

let archive: string;
let remove: () => Promise<void>;
let path: string;
let original: Buffer;
beforeEach(async () => {
  ({ archive, remove } = await certifiedArchive(PAGES));
  const [name = ''] = await readdir(join(archive, 'warc'));
  path = join(archive, 'warc', name);
  original = await readFile(path);
});
afterEach(() => remove());

const recordByRecord = async (level: number): Promise<Buffer> =>
  Buffer.concat(
    (await collect(readRecords(path))).map(({ offset, length }) =>
      gzipSync(gunzipSync(original.subarray(offset, offset + length)), { level }),
    ),
  );

const HARM: Readonly<Record<string, () => Promise<void>>> = {
  'cut in mid-record': () => truncate(path, original.length - 700),
  'cut to a few bytes': () => truncate(path, 40),
  deleted: () => rm(path),
  'compressed whole': () => writeFile(path, gzipSync(gunzipSync(original), { level: 9 })),
  'compressed whole, larger': () => writeFile(path, gzipSync(gunzipSync(original), { level: 0 })),
  'compressed anew': async () => writeFile(path, await recordByRecord(9)),
  'compressed anew, larger': async () => writeFile(path, await recordByRecord(0)),
};

async function rebuilt(): Promise<readonly string[]> {
  const { errors } = await reindex({ archive }, { onMended: () => undefined, onProgress: () => undefined });
  return errors.map(({ reason }) => reason);
}

async function written(): Promise<void> {
  await (await openForWriting({ archive }, 'archive')).close();
}

async function recordIds(): Promise<readonly string[]> {
  const { catalog, close } = await openForReading({ archive });
  try {
    return (await collect(catalog.captures({}))).map(({ recordId }) => recordId);
  } finally {
    await close();
  }
}

const inAside = async (): Promise<number> => {
  const folder = join(archive, 'set-aside');
  const names = await readdir(folder).catch(() => []);
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
};

test.each(Object.keys(HARM).flatMap((harm) => ['reindex', 'archive'].map((next) => ({ harm, next }))))(
  '$harm, reindex, the original is back, $next => every capture is back, nothing is set aside',
  async ({ harm, next }) => {
    const before = await recordIds();
    await HARM[harm]?.();
    await rebuilt();
    const aside = await inAside();
    await writeFile(path, original);
    if (next === 'reindex') expect(await rebuilt()).toEqual([]);
    else
      await written().catch(async (error: unknown) => {
        // A file whose records are not where the catalog knows them is refused, and not touched.
        expect(String(error)).toContain('packed anew or replaced. Nothing was changed');
        expect(await rebuilt()).toEqual([]);
      });
    expect(await readFile(path)).toEqual(original);
    expect(await inAside()).toBe(aside);
    expect(await recordIds()).toEqual(expect.arrayContaining([...before]));
    const { errors, warnings } = await verify({ archive }, { threads: 1 });
    expect({ errors, warnings }).toEqual({ errors: [], warnings: [] });
  },
);

test('cut, reindex, then compressed whole, reindex, then back => every capture is back', async () => {
  const before = await recordIds();
  await HARM['cut in mid-record']?.();
  await rebuilt();
  await HARM['compressed whole']?.();
  await rebuilt();
  await writeFile(path, original);
  await rebuilt();
  expect(await readFile(path)).toEqual(original);
  expect(await recordIds()).toEqual(expect.arrayContaining([...before]));
});

test('cut, reindex, then half of an original is back => only what is no record is set aside', async () => {
  const records = await collect(readRecords(path));
  const last = records.at(-1);
  const { offset = 0, length = 0 } = last ?? {};
  await truncate(path, records.at(-4)?.offset ?? 0);
  await rebuilt();
  const aside = await inAside();
  await writeFile(path, original.subarray(0, offset + Math.floor(length / 2)));
  await written();
  expect((await stat(path)).size).toBe(offset);
  expect((await inAside()) - aside).toBe(Math.floor(length / 2));
});

test('compressed whole => reindex says how many captures it can read', async () => {
  const { length } = await recordIds();
  await HARM['compressed whole']?.();
  const mended: string[] = [];
  await reindex(
    { archive },
    { onMended: (sentence) => void mended.push(sentence), onProgress: () => undefined },
  );
  expect(mended[0]).toContain(`0 of ${length} captures that were known are in it, ${length} more are but`);
});
