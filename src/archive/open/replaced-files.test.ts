import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { certifiedArchive } from '../../../test/certified-archive.ts';
import { isVisit, PAGES, rewrite } from '../../../test/tampered-archive.ts';
import { collect } from '../../../test/warc-events.ts';
import { readRecords } from '../../warc/read-records.ts';
import { reindex } from '../reindex.ts';
import { openForReading, openForWriting } from './open-archive.ts';

let archive: string;
let remove: () => Promise<void>;
beforeEach(async () => {
  ({ archive, remove } = await certifiedArchive(PAGES));
});
afterEach(() => remove());

/** Every record unchanged, in a gzip member of this compression level. */
async function packedAnew(level: number): Promise<{ before: number; after: number }> {
  const folder = join(archive, 'warc');
  const [name = ''] = await readdir(folder);
  const path = join(folder, name);
  const bytes = await readFile(path);
  const records = await collect(readRecords(path));
  const members = records.map(({ offset, length }) =>
    gzipSync(gunzipSync(bytes.subarray(offset, offset + length)), { level }),
  );
  await writeFile(path, Buffer.concat(members));
  return { before: bytes.byteLength, after: members.reduce((sum, { byteLength }) => sum + byteLength, 0) };
}

async function recordIds(): Promise<string[]> {
  const { catalog, close } = await openForReading({ archive });
  try {
    return (await collect(catalog.captures({}))).map(({ recordId }) => recordId).toSorted();
  } finally {
    await close();
  }
}

async function rebuilt() {
  const mended: string[] = [];
  const report = await reindex(
    { archive },
    { onMended: (sentence) => void mended.push(sentence), onProgress: () => undefined },
  );
  return { mended, errors: report.errors.map(({ reason }) => reason) };
}

test.each([
  ['larger', 0],
  ['smaller', 9],
])(
  'a record file packed anew, %s => refused with what to do; reindex keeps every record of it',
  async (what, level) => {
    const ids = await recordIds();
    const { before, after } = await packedAnew(level);
    expect(what).toBe(after > before ? 'larger' : 'smaller');
    await expect(openForWriting({ archive }, 'archive')).rejects.toThrow(
      "packed anew or replaced. Nothing was changed. Put it back as it was, or run 'daguerre reindex'",
    );
    const { mended, errors } = await rebuilt();
    expect(errors).toEqual([]);
    expect(mended).toEqual([
      expect.stringContaining(`${ids.length} of ${ids.length} captures that were known are in it`),
    ]);
    expect(await recordIds()).toEqual(ids);
    expect(await readdir(join(archive, 'set-aside')).catch(() => [])).toEqual([]);
    expect((await rebuilt()).mended).toEqual([]);
  },
);

test('a record file replaced by one without a capture of it => the loss is told, and what is there is kept', async () => {
  const ids = await recordIds();
  await rewrite(archive, (records) => records.filter((record) => !isVisit(record, 'once')));
  const [name = ''] = await readdir(join(archive, 'warc'));
  const here = new Set((await collect(readRecords(join(archive, 'warc', name)))).map(({ id }) => id));
  const left = ids.filter((id) => here.has(id));
  expect(left).toHaveLength(ids.length - 1);
  const { errors } = await rebuilt();
  expect(errors).toEqual(['1 records of the file are lost: it was replaced by one without them']);
  expect((await recordIds()).filter((id) => ids.includes(id))).toEqual(left);
});
