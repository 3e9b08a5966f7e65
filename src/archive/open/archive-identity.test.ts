import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { archive, editions, files, inBucket, server, storage } from '../../../test/archive-in-bucket.ts';
import { LOOPBACK_BUCKET } from '../../../test/loopback-s3.ts';
import { visitEditions } from '../../../test/visited-archive.ts';
import { createFolders } from '../../storage/archive-folder.ts';
import { localFile } from '../../storage/record-copies.ts';
import { openForWriting } from './open-archive.ts';
import { openFolder } from './open-folder.ts';

inBucket();

it('copies of record files on a machine that only joined others, deleted in the store since => not put there again', async () => {
  await visitEditions(archive, editions(2), { storage });
  const other = await mkdtemp(join(tmpdir(), 'daguerre-'));
  try {
    const folder = await openFolder({ archive: other, storage });
    await createFolders(folder);
    const before = files();
    for (const file of before) await localFile(folder, file);
    expect(await readdir(join(other, 'warc'))).toHaveLength(before.length);
    const [deleted = ''] = before;
    server.objects.delete([...server.objects.keys()].find((key) => key.endsWith(deleted)) ?? '');

    const open = await openForWriting({ archive: other, storage }, 'test', { rebuild: true });
    await open.close();
    expect(files()).toEqual(before.filter((file) => file !== deleted));
  } finally {
    await rm(other, { recursive: true, force: true });
  }
});

it.each([
  ['within', `${storage}/warc`],
  ['deep within', `${storage}/a/b`],
  ['around', `s3://${LOOPBACK_BUCKET}`],
])('a place %s that of another archive => refused by both names, nothing made', async (_, nested) => {
  await visitEditions(archive, editions(1), { storage });
  const before = [...server.objects.keys()];
  const other = join(archive, 'other');
  await expect(openForWriting({ archive: other, storage: nested }, 'test')).rejects.toThrow(
    `${nested} holds no archive, and ${storage} holds archive '`,
  );
  expect([...server.objects.keys()]).toEqual(before);
  expect(existsSync(other)).toBe(false);
});

it('a place beside that of another archive, or above a file that is only named so => a new archive', async () => {
  await visitEditions(archive, editions(1), { storage });
  server.objects.set('q/x/archive.json', Buffer.from('{"id": 7}'));
  for (const place of [`${storage}2`, `s3://${LOOPBACK_BUCKET}/q`]) {
    const open = await openForWriting({ archive: join(archive, place.slice(-2)), storage: place }, 'test');
    await open.close();
  }
});
