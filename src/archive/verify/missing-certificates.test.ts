import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { certifiedArchive } from '../../../test/certified-archive.ts';
import { fieldOf, PAGES, rewrite, rewriteCertificate } from '../../../test/tampered-archive.ts';
import { CERTIFICATE } from '../../model/certificate.ts';
import { reindex } from '../reindex.ts';
import { verify } from './verify.ts';

let archive: string;
let remove: () => Promise<void>;
beforeEach(async () => {
  ({ archive, remove } = await certifiedArchive(PAGES));
});
afterEach(() => remove());

const warnings = async (): Promise<readonly string[]> =>
  (await verify({ archive }, { threads: 1 })).warnings.map(({ reason }) => reason);

const withoutCertificate = (): Promise<void> =>
  rewrite(archive, (records) =>
    records.filter((record) => !fieldOf(record, 'WARC-Target-URI').startsWith(CERTIFICATE)),
  );

const MISSING =
  'certificate: the crawl of https://example.org/ that began at 2026-11-02T08:59:59.000Z ended with one, and it is not ' +
  'among the records: nothing proves what was captured';

test('an archive as it was written => no warning', async () => {
  expect(await warnings()).toEqual([]);
});

test('its certificate taken away, and the catalog rebuilt from what is left => a warning', async () => {
  await withoutCertificate();
  await rm(join(archive, 'catalog.sqlite'));
  await reindex({ archive }, { onMended: () => undefined, onProgress: () => undefined });
  expect(await warnings()).toEqual([MISSING]);
});

test('its certificate cannot be read => an error, and it is not missed as well', async () => {
  await rewriteCertificate(archive, () => '{}');
  expect(await warnings()).toEqual([]);
});
