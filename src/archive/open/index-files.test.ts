import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { certifiedArchive } from '../../../test/certified-archive.ts';
import { PAGES } from '../../../test/tampered-archive.ts';
import type { Catalog } from '../../ports/catalog.ts';
import { indexFiles } from './index-files.ts';
import { openForWriting } from './open-archive.ts';

let archive: string;
let remove: () => Promise<void>;
beforeEach(async () => {
  ({ archive, remove } = await certifiedArchive(PAGES));
});
afterEach(() => remove());

test('crawls cannot be restored from a file => it is still to be indexed; who opens the archive next brings them back', async () => {
  await rm(join(archive, 'catalog.sqlite'));
  const files = await readdir(join(archive, 'warc'));
  // As after an import: the files are there, and the catalog is about to learn of them.
  const opened = await openForWriting({ archive }, 'import', { rebuild: true });
  const failing: Catalog = {
    ...opened.catalog,
    commit: () => Promise.reject(new Error('the disk is full')),
  };
  await expect(indexFiles(opened.folder, failing, files)).rejects.toThrow('the disk is full');
  expect(await opened.catalog.crawls()).toEqual([]);
  expect(await opened.catalog.filesToIndex()).toEqual(files);
  await opened.close();

  const again = await openForWriting({ archive }, 'import');
  expect(again.mended).toEqual([
    '1 record files that the catalog did not know, or not whole, were indexed',
    'a rebuild of the catalog that had been interrupted was brought to its end',
  ]);
  expect(await again.catalog.filesToIndex()).toEqual([]);
  const [crawl, ...others] = await again.catalog.crawls();
  expect([crawl?.state, others]).toEqual(['finished', []]);
  expect(await again.catalog.tally(crawl?.id ?? 0)).toMatchObject({ captured: PAGES.length });
  await again.close();
});
