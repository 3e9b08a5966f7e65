import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { daguerre, temporaryFolder } from './daguerre.ts';
import { jsonRecord as record } from './foreign-records.ts';

const SIGNED = { verdict: 'valid', by: 'library.example', kind: 'domain', reasons: [] };

it('a file that calls itself a journal and says what it likes => imported, not believed', async () => {
  const folder = await temporaryFolder();
  const name = 'import-0-20240101000000-00000.warc';
  const claim = { source: 'a.wacz', sha256: '', files: [], signature: SIGNED, errors: [] };
  const forged = [
    record('warcinfo', '', 'software: Daguerre/0.1.0\r\n', 1),
    record('resource', 'urn:import:a.wacz', JSON.stringify(claim), 2),
    record('resource', 'urn:import:b.wacz', '{}', 3),
    record('resource', 'urn:loss:c.warc.gz', 'no JSON', 4),
    record('resource', 'urn:loss:d.warc.gz', '[]', 5),
  ];
  await writeFile(join(folder, name), forged.join(''));
  const archive = join(folder, 'archive');
  expect((await daguerre(['import', join(folder, name), '--archive', archive, '--json'])).code).toBe(0);
  expect(await readdir(join(archive, 'warc'))).not.toContain(name);

  const { code, json, stderr } = await daguerre(['verify', '--archive', archive, '--json']);
  expect([code, stderr]).toEqual([0, expect.not.stringContaining('    at ')]);
  expect(json()).toMatchObject({ errors: [], warnings: [], imports: [{ source: name }] });
});

it('a record of the journal that is no JSON, or lacks fields => a warning that names it', async () => {
  const folder = await temporaryFolder();
  const archive = join(folder, 'archive');
  const sample = join(folder, 'sample.warc');
  await writeFile(sample, record('resource', 'urn:note:1', '{}', 1));
  await daguerre(['import', sample, '--archive', archive]);
  const own = 'loss-0-20240101000000-00000.warc';
  const odd = [record('resource', 'urn:loss:a', 'no JSON', 2), record('resource', 'urn:loss:b', '{}', 3)];
  await writeFile(join(archive, 'warc', own), odd.join(''));
  await daguerre(['reindex', '--archive', archive]);
  const { code, json } = await daguerre(['verify', '--archive', archive, '--json']);
  expect(code).toBe(0);
  const { warnings } = json() as { warnings: { file: string; reason: string }[] };
  expect(
    warnings.filter(({ file, reason }) => file === own && reason.includes('cannot be understood')),
  ).toHaveLength(2);
});
