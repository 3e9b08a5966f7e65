import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { archiveFolder, createFolders, recordFiles } from './archive-folder.ts';
import { ArchiveLocked, lockArchive } from './archive-lock.ts';
import { compareFiles, setAsideTail } from './set-aside.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'daguerre-'));
  await createFolders(archiveFolder(root));
});
afterEach(() => rm(root, { recursive: true, force: true }));

test('a second writer is told who holds the archive; after release it gets in', async () => {
  const first = await lockArchive(root, 'daguerre archive, process 7');
  await expect(lockArchive(root, 'second')).rejects.toThrow(ArchiveLocked);
  await expect(lockArchive(root, 'second')).rejects.toThrow(/written by daguerre archive, process 7/);
  await first.release();
  await (await lockArchive(root, 'second')).release();
});

test('kill -9 of the holder frees the lock', async () => {
  const script = `
    import { lockArchive } from ${JSON.stringify(new URL('./archive-lock.ts', import.meta.url).href)};
    await lockArchive(${JSON.stringify(root)}, 'doomed');
    process.kill(process.pid, 'SIGKILL');`;
  const run = promisify(execFile)(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script]);
  await expect(run).rejects.toMatchObject({ signal: 'SIGKILL' });
  await (await lockArchive(root, 'next')).release();
});

test('files on disk against the catalog => whole, longer, shorter, missing, unknown', () => {
  const states = compareFiles(
    [
      { file: 'a', size: 10 },
      { file: 'b', size: 15 },
      { file: 'c', size: 5 },
      { file: 'e', size: 1 },
    ],
    ['a', 'b', 'c', 'd'].map((file) => ({ file, length: 10 })),
  );
  expect(states.map(({ kind, file }) => `${file} ${kind}`)).toEqual([
    'a whole',
    'b longer',
    'c shorter',
    'd missing',
    'e unknown',
  ]);
});

test('a tail set aside is cut from the file and kept', async () => {
  const folder = archiveFolder(root);
  await writeFile(join(folder.warc, 'x.warc.gz'), 'committed|tail');
  const kept = await setAsideTail(folder, 'x.warc.gz', 10);
  expect(await readFile(join(folder.warc, 'x.warc.gz'), 'utf8')).toBe('committed|');
  expect(await readFile(kept, 'utf8')).toBe('tail');
  expect(await recordFiles(folder)).toEqual([{ file: 'x.warc.gz', size: 10 }]);
});
