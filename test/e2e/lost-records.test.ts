import { copyFile, mkdir, readdir, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { capturesOf, complaints, daguerre, FAST, spawnDaguerre, temporaryFolder } from './daguerre.ts';
import { page, type SmallSite, startSite } from './small-site.ts';

const links = Array.from({ length: 40 }, (_, n) => `/p${n + 1}`);
const site = (path: string) =>
  path === '/' ? page('Home', links) : /^\/p\d+$/.test(path) ? { body: page(path), after: 5 } : undefined;

let server: SmallSite;
beforeAll(async () => {
  server = await startSite(site);
});
afterAll(() => server.close());

/** An archive with two finished crawls. */
async function crawledTwice() {
  const archive = await temporaryFolder();
  const warc = join(archive, 'warc');
  const command = ['archive', `${server.url}/`, '--archive', archive, ...FAST];
  for (let i = 0; i < 2; i++) expect((await daguerre(command)).code).toBe(0);
  const [first = ''] = (await readdir(warc)).sort();
  return { archive, warc, command, first };
}

const verified = async (archive: string) => {
  const { code, json } = await daguerre(['verify', '--archive', archive, '--json']);
  const { errors, warnings } = json() as Record<'errors' | 'warnings', { file: string; reason: string }[]>;
  return { code, errors, warnings };
};
const reindex = (archive: string) => daguerre(['reindex', '--archive', archive, '--json']);

it('the disk with the records is not mounted => refused, nothing changed; mounted again => all there', async () => {
  const { archive, warc, command } = await crawledTwice();
  const before = await capturesOf(archive);
  await rename(warc, `${warc}.away`);
  await mkdir(warc);
  const { code, stderr } = await daguerre(command);
  expect(code).toBe(7);
  expect(stderr).toContain('is not there');
  await rm(warc, { recursive: true });
  await rename(`${warc}.away`, warc);
  expect(await capturesOf(archive)).toEqual(before);
  expect(await complaints(archive)).toEqual([]);
});

it('a record file is deleted => reindex goes on without it, and the loss is kept until it is back', async () => {
  const { archive, warc, first } = await crawledTwice();
  const before = await capturesOf(archive);
  await rename(join(warc, first), join(archive, 'kept'));
  const { code, json } = await reindex(archive);
  expect(code).toBe(6);
  expect(json()).toMatchObject({ errors: [{ file: first, reason: expect.stringContaining('lost') }] });
  // Errors, too: revisits of the second crawl refer to records in it.
  expect((await verified(archive)).warnings).toMatchObject([{ file: first }]);
  // Also when the catalog goes as well.
  for (const name of await readdir(archive)) if (name.startsWith('catalog')) await rm(join(archive, name));
  await reindex(archive);
  expect((await verified(archive)).warnings).toMatchObject([{ file: first }]);

  await rename(join(archive, 'kept'), join(warc, first));
  expect((await reindex(archive)).code).toBe(0);
  const ids = new Set((await capturesOf(archive)).map(({ recordId }) => recordId));
  expect(before.filter(({ recordId }) => !ids.has(recordId))).toEqual([]);
  expect(await complaints(archive)).toEqual([]);
});

it('a record file and the catalog are deleted => its index tells the loss', async () => {
  const { archive, warc, first } = await crawledTwice();
  await rm(join(warc, first));
  for (const name of await readdir(archive)) if (name.startsWith('catalog')) await rm(join(archive, name));
  expect((await reindex(archive)).code).toBe(6);
  expect((await verified(archive)).warnings).toMatchObject([{ file: first }]);
});

it('a record file and the catalog are deleted => archive does not go on without it', async () => {
  const { archive, warc, command, first } = await crawledTwice();
  await rename(join(warc, first), join(archive, 'kept'));
  for (const name of await readdir(archive)) if (name.startsWith('catalog')) await rm(join(archive, name));
  const { code, stderr } = await daguerre(command);
  expect(code).toBe(7);
  expect(stderr).toContain(`${first} is not there`);
  await rename(join(archive, 'kept'), join(warc, first));
  expect((await daguerre(command)).code).toBe(0);
  expect(await complaints(archive)).toEqual([]);
});

it('a record file is deleted => export and report tell that it is not there', async () => {
  const { archive, warc, first } = await crawledTwice();
  await rm(join(warc, first));
  const out = join(archive, 'out.wacz');
  const host = new URL(server.url).host;
  for (const command of [
    ['export', '--out', out],
    ['export', '--out', out, '--site', host],
    ['report', host, '--crawl', '1'],
  ]) {
    const { code, stderr } = await daguerre([...command, '--archive', archive]);
    expect([command[0], code]).toEqual([command[0], 7]);
    expect(stderr).toContain(`${first}: a record file of this archive is not there`);
  }
});

it('a record file is renamed => reindex finds every capture, and no loss', async () => {
  const { archive, warc, first } = await crawledTwice();
  const before = await capturesOf(archive);
  await rename(join(warc, first), join(warc, 'zzz.warc.gz'));
  const { code, stderr } = await reindex(archive);
  expect(stderr).toContain(`${first}: is not there, and all its captures are in other files`);
  expect(code).toBe(0);
  const ids = new Set((await capturesOf(archive)).map(({ recordId }) => recordId));
  expect(before.filter(({ recordId }) => !ids.has(recordId))).toEqual([]);
  expect((await reindex(archive)).code).toBe(0);
  expect((await verified(archive)).errors).toEqual([]);
});

it('a finished record file is cut => refused; reindex keeps what is whole, and the loss', async () => {
  const { archive, warc, command, first } = await crawledTwice();
  const { size } = await stat(join(warc, first));
  await truncate(join(warc, first), Math.floor(size / 2));
  const { code, stderr } = await daguerre(command);
  expect(code).toBe(6);
  expect(stderr).toContain(`${first} has ${Math.floor(size / 2)} of ${size} bytes`);
  expect((await reindex(archive)).code).toBe(6);
  const { errors, warnings } = await verified(archive);
  // Revisits of the second crawl whose originals are gone.
  expect(errors.every(({ file }) => file !== first)).toBe(true);
  expect(warnings).toMatchObject([{ file: first, reason: expect.stringContaining('at the end') }]);
});

it('the file of an unfinished crawl is given up and comes back => indexed, not set aside', async () => {
  const archive = await temporaryFolder();
  const warc = join(archive, 'warc');
  const command = ['archive', `${server.url}/`, '--archive', archive, ...FAST];
  const asked = server.asked.length;
  const running = spawnDaguerre(command);
  await expect.poll(() => server.asked.length, { timeout: 60_000 }).toBeGreaterThan(asked + 15);
  running.child.kill('SIGINT');
  await running.ended;
  const before = await capturesOf(archive);
  const [file = ''] = await readdir(warc);
  await copyFile(join(warc, file), join(archive, 'kept'));
  await rm(join(warc, file));
  expect((await daguerre(command)).code).toBe(7);
  await reindex(archive);
  await rename(join(archive, 'kept'), join(warc, file));
  expect((await daguerre(command)).code).toBe(0);
  const ids = new Set((await capturesOf(archive)).map(({ recordId }) => recordId));
  expect(before.filter(({ recordId }) => !ids.has(recordId))).toEqual([]);
  expect(await complaints(archive)).toEqual([]);
});

it.each([2, 3, 5])(
  'pages of the catalog are overwritten at 1/%i => verify says so, reindex rebuilds it',
  async (part) => {
    const { archive } = await crawledTwice();
    const path = join(archive, 'catalog.sqlite');
    const bytes = await readFile(path);
    bytes.fill(0, Math.floor(bytes.length / part), Math.floor(bytes.length / part) + 9000);
    await writeFile(path, bytes);
    expect((await daguerre(['verify', '--archive', archive])).code).toBe(6);
    expect((await reindex(archive)).code).toBe(0);
    expect(await complaints(archive)).toEqual([]);
  },
);
