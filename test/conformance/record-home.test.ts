import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openFolderReader } from '../../src/archive/open/open-folder.ts';
import type { RemoteRecords } from '../../src/ports/remote-records.ts';
import {
  type ArchiveFolder,
  archiveFolder,
  createFolders,
  recordFiles,
} from '../../src/storage/archive-folder.ts';
import { adoptFile, emptySpool, localFile, recordHome, removeFile } from '../../src/storage/record-copies.ts';
import { s3Place } from '../../src/storage/s3/s3-place.ts';
import { openS3Records } from '../../src/storage/s3/s3-records.ts';
import { setAsideTail } from '../../src/storage/set-aside.ts';
import { LOOPBACK_BUCKET, loopbackS3 } from '../loopback-s3.ts';
import { testS3 } from '../s3.ts';
import { event, exchange, temporaryArchive, testStore } from '../warc-events.ts';

/* One suite over every home of record files: whatever holds for a folder holds for an object store. */

const loopback = await loopbackS3();
const real = await testS3('record files in a real object store');
afterAll(() => loopback.close());

const remote = (env: Readonly<Record<string, string>>, storage: string): Promise<RemoteRecords> => {
  const place = s3Place(storage);
  if (!place) throw new Error(storage);
  return openS3Records({ place, env, cacheSize: 1e9, patience: { wait: 0, tell: () => {} } });
};

let number = 0;
const homes: Record<string, () => Promise<(() => Promise<RemoteRecords>) | undefined>> = {
  folder: async () => undefined,
  'S3 on loopback': async () => {
    const storage = `s3://${LOOPBACK_BUCKET}/${number++}`;
    return () => remote(loopback.env, storage);
  },
  ...(real && {
    'real S3': async () => {
      const storage = `${real.storage}/${number++}`;
      return () => remote(real.env, storage);
    },
  }),
};

describe.each(Object.entries(homes))('%s', (_name, home) => {
  let folder: ArchiveFolder;
  /** The same archive as another machine sees it; the same folder where records lie in it. */
  let elsewhere: ArchiveFolder;
  const removes: (() => Promise<void>)[] = [];
  beforeEach(async () => {
    const [one, other] = [await temporaryArchive(), await temporaryArchive()];
    removes.push(one.remove, other.remove);
    const open = await home();
    folder = archiveFolder(one.archive, await open?.());
    elsewhere = open ? archiveFolder(other.archive, await open()) : folder;
    await createFolders(folder);
    await createFolders(elsewhere);
  });
  afterEach(async () => {
    folder.remote?.close();
    elsewhere.remote?.close();
    for (const remove of removes.splice(0)) await remove();
  });

  const stored = async (bodies: readonly string[]) => {
    const store = await testStore(folder.root, recordHome(folder));
    const facts = [];
    for (const body of bodies) facts.push(...(await store.append(await event(store, [exchange({ body })]))));
    await store.sync();
    return { store, facts };
  };

  const textOf = async (from: ArchiveFolder, position: { file: string; offset: number; length: number }) => {
    const reader = openFolderReader(from);
    try {
      return Buffer.from((await reader.read(position)).payload.bytes ?? []).toString();
    } finally {
      await reader.close();
    }
  };

  test('appended and synced => listed with its length, and readable by any machine', async () => {
    const { store, facts } = await stored(['<p>one', '<p>two']);
    expect(await recordFiles(elsewhere)).toEqual(
      [...store.lengths()].map(([file, size]) => ({ file, size })),
    );
    expect(await Promise.all(facts.map((fact) => textOf(elsewhere, fact)))).toEqual(['<p>one', '<p>two']);
    await store.close();
  });

  test('appended after a sync => readable after the next; lengths tell of every file that has grown', async () => {
    const { store } = await stored(['<p>one']);
    const facts = await store.append(await event(store, [exchange({ body: '<p>two' })]));
    const lengths = store.lengths();
    await store.sync();
    for (const fact of facts) expect(await textOf(elsewhere, fact)).toBe('<p>two');
    const sizes = new Map((await recordFiles(elsewhere)).map(({ file, size }) => [file, size]));
    for (const [file, length] of lengths) expect(sizes.get(file)).toBe(length);
    await store.close();
  });

  test('a record of 6 MB, then a small one => both read back', async () => {
    const large = 'x'.repeat(100) + Array.from({ length: 300_000 }, (_, i) => Math.sin(i)).join(' ');
    const { store, facts } = await stored([large, '<p>small']);
    await store.close();
    expect((await textOf(elsewhere, facts[0] as (typeof facts)[0])).length).toBe(large.length);
    expect(await textOf(elsewhere, facts[1] as (typeof facts)[0])).toBe('<p>small');
  });

  test('another file of the same name => refused, and the first one stays', async () => {
    if (!folder.remote) return;
    await writeFile(join(folder.tmp, 'a'), 'first');
    await adoptFile(folder, join(folder.tmp, 'a'), 'x.warc');
    await writeFile(join(elsewhere.tmp, 'a'), 'other');
    await expect(adoptFile(elsewhere, join(elsewhere.tmp, 'a'), 'x.warc')).rejects.toThrow(
      'holds another x.warc',
    );
    expect((await folder.remote.range('x.warc', 0, 10)).toString()).toBe('first');
    expect((await folder.remote.range('x.warc', 99, 10)).length).toBe(0);
  });

  test('no such file => ENOENT for the reader and for a copy', async () => {
    const position = { file: 'none.warc.gz', offset: 0, length: 10 };
    await expect(textOf(elsewhere, position)).rejects.toMatchObject({ code: 'ENOENT' });
    if (elsewhere.remote)
      await expect(localFile(elsewhere, 'none.warc.gz')).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('a tail is set aside => the file ends there for everyone, and the tail is kept', async () => {
    const { store, facts } = await stored(['<p>one', '<p>two']);
    await store.close();
    const [one, two] = facts as [(typeof facts)[0], (typeof facts)[0]];
    const before = await readFile(await localFile(folder, two.file));
    const cut = one.offset + one.length;
    const aside = await setAsideTail(folder, two.file, cut);
    expect(await recordFiles(elsewhere)).toEqual([{ file: two.file, size: cut }]);
    expect(Buffer.compare(await readFile(aside), before.subarray(cut))).toBe(0);
    expect(await textOf(elsewhere, one)).toBe('<p>one');
    await setAsideTail(folder, two.file, 0);
    expect(await recordFiles(elsewhere)).toEqual([]);
  });

  test('adopted, then removed => listed, then not', async () => {
    await writeFile(join(folder.tmp, 'staged'), 'records');
    await adoptFile(folder, join(folder.tmp, 'staged'), 'given.warc');
    expect(await recordFiles(elsewhere)).toEqual([{ file: 'given.warc', size: 7 }]);
    expect(await readFile(await localFile(elsewhere, 'given.warc'), 'utf8')).toBe('records');
    await removeFile(folder, 'given.warc');
    expect(await recordFiles(elsewhere)).toEqual([]);
  });

  test('broken off before a sync => not in the store; whoever opens next puts it there', async () => {
    const store = await testStore(folder.root, recordHome(folder));
    await store.append(await event(store, [exchange()]));
    await store.close({ isBrokenOff: true });
    expect((await recordFiles(elsewhere)).length).toBe(folder.remote ? 0 : 1);
    await emptySpool(folder, false);
    expect((await recordFiles(elsewhere)).length).toBe(1);
  });

  test('copies take more than they may => the oldest goes, and is read from the store again', async () => {
    if (!elsewhere.remote) return;
    const { store, facts } = await stored(['<p>one']);
    await store.close();
    const [fact] = facts as [(typeof facts)[0]];
    const small = { ...elsewhere, remote: { ...bound(elsewhere.remote), cacheSize: 1 } };
    await mkdir(small.warc, { recursive: true });
    expect(existsSync(await localFile(small, fact.file))).toBe(true);
    expect(await textOf(small, fact)).toBe('<p>one');
  });
});

/** Its methods need their own `this`. */
function bound(store: RemoteRecords): RemoteRecords {
  return {
    url: store.url,
    cacheSize: store.cacheSize,
    list: () => store.list(),
    has: (file) => store.has(file),
    put: (...given) => store.put(...given),
    range: (...given) => store.range(...given),
    copyTo: (...given) => store.copyTo(...given),
    remove: (file) => store.remove(file),
    readNote: (name) => store.readNote(name),
    writeNote: (...given) => store.writeNote(...given),
    removeNote: (name) => store.removeNote(name),
    notesAround: (name) => store.notesAround(name),
    listNotes: (folder) => store.listNotes(folder),
    close: () => store.close(),
  };
}
