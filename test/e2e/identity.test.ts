import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { complaints, daguerre, FAST } from './daguerre.ts';
import {
  archive,
  identityOf,
  newArchive,
  PAGES,
  rows,
  server,
  shared,
  site,
  useSiteAndDatabase,
  verify,
  warcinfo,
} from './identity-archive.ts';

useSiteAndDatabase();

describe('an archive has an identity', () => {
  it('in its folder, its catalog and every warcinfo; later commands keep it', async () => {
    const folder = await newArchive('news');
    expect((await archive(folder)).code).toBe(0);
    const first = await identityOf(folder);
    expect(first).toMatchObject({ name: 'news', id: expect.stringMatching(/^\w{4}-\w{4}-\w{4}$/) });
    expect((await archive(folder)).code).toBe(0);
    const { code } = await daguerre(['reindex', '--archive', folder]);
    expect(code).toBe(0);
    expect(await identityOf(folder)).toMatchObject({ id: first.id, name: 'news' });
    const infos = await warcinfo(folder);
    expect(infos).toHaveLength(2);
    for (const info of infos) {
      expect(info).toContain(`archive-id: ${first.id}\r\n`);
      expect(info).toContain('archive-name: news\r\n');
    }
    expect(await complaints(folder)).toEqual([]);
  });

  it('archive.json and catalog lost => reindex finds it in the newest warcinfo', async () => {
    const folder = await newArchive('news');
    await archive(folder);
    const { id } = await identityOf(folder);
    for (const name of ['archive.json', 'catalog.sqlite']) await rm(join(folder, name));
    const { code, stderr } = await daguerre(['reindex', '--archive', folder]);
    expect(code).toBe(0);
    expect(stderr).toContain(id);
    expect(await identityOf(folder)).toMatchObject({ id, name: 'news' });
  });

  it('an archive of an earlier Daguerre => gets one when it is next written to, not when it is read', async () => {
    const folder = await newArchive('old');
    await archive(folder);
    await rm(join(folder, 'archive.json'));
    const sqlite = (await import('better-sqlite3')).default;
    const database = new sqlite(join(folder, 'catalog.sqlite'));
    database.exec('delete from owner');
    database.close();
    expect(await complaints(folder)).toEqual([]);
    await expect(stat(join(folder, 'archive.json'))).rejects.toThrow('ENOENT');
    expect((await archive(folder)).code).toBe(0);
    expect(await identityOf(folder)).toMatchObject({ name: 'old' });
  });

  it('a catalog that an earlier Daguerre made => told, exit code 2; reindex makes it anew and keeps the old', async () => {
    const folder = await newArchive('old');
    await archive(folder);
    const sqlite = (await import('better-sqlite3')).default;
    new sqlite(join(folder, 'catalog.sqlite')).exec('update schema_version set version = 11').close();
    for (const command of [['verify'], ['archive', `${site.url}/`, ...FAST]]) {
      const { code, stderr } = await daguerre([...command, '--archive', folder]);
      expect(code).toBe(2);
      expect(stderr).toMatch(/made by an earlier Daguerre.*daguerre reindex/);
    }
    expect((await daguerre(['reindex', '--archive', folder])).code).toBe(0);
    await stat(join(folder, 'catalog.sqlite.older'));
    expect((await verify(folder)).json()).toMatchObject({ errors: [] });
    expect((await archive(folder)).json()).toMatchObject({ crawl: 2, unchanged: PAGES });
  });

  it('an empty archive.json => a message and exit code 6; reindex mends it', async () => {
    const folder = await newArchive('news');
    await archive(folder);
    const { id } = await identityOf(folder);
    await writeFile(join(folder, 'archive.json'), '');
    for (const command of ['verify', 'export']) {
      const { code, stderr } = await daguerre([command, '--archive', folder]);
      expect(code).toBe(6);
      expect(stderr).toMatch(/archive\.json is empty.*daguerre reindex/);
    }
    expect((await archive(folder)).code).toBe(6);
    expect((await daguerre(['reindex', '--archive', folder])).code).toBe(0);
    expect(await identityOf(folder)).toMatchObject({ id });
  });
});

describe('a crash while the archive is opened', () => {
  const opening = 'f2b4f6d8-0000-4000-8000-000000000000';

  it.each([
    ['after the folder noted the next opening', (now: string) => ({ opening: now, nextOpening: opening }), 0],
    ['after the catalog took it', (now: string) => ({ opening, nextOpening: now }), 0],
    ['none: the catalog has one that the folder never heard of', () => ({ opening }), 2],
  ])('%s', async (_, noted, code) => {
    const folder = await newArchive('a');
    await archive(folder);
    const stored = await identityOf(folder);
    const { opening: now, ...rest } = stored;
    await writeFile(join(folder, 'archive.json'), JSON.stringify({ ...rest, ...noted(now) }));
    expect((await archive(folder)).code).toBe(code);
    if (code === 0) expect(await identityOf(folder)).not.toHaveProperty('nextOpening');
  });
});

describe('two archives on one PostgreSQL database', () => {
  it('keep apart, each in a schema of its own', async () => {
    const [a, b] = [await newArchive('a'), await newArchive('b')];
    for (const folder of [a, b, a]) {
      const { code, stderr } = await archive(folder, shared());
      expect(code).toBe(0);
      expect(stderr).not.toContain('forgotten');
    }
    for (const folder of [a, b]) {
      const { code, json } = await verify(folder, shared());
      expect(code).toBe(0);
      expect(json()).toMatchObject({ errors: [] });
      const { id } = await identityOf(folder);
      const schema = `daguerre_${id.replaceAll('-', '_')}`;
      expect(await rows(`select id, name from "${schema}".owner`)).toEqual([{ id, name: basename(folder) }]);
    }
  });

  it('one schema named for both => the second is refused, with both names, and the first is untouched', async () => {
    const [a, b] = [await newArchive('a'), await newArchive('b')];
    const database = ['--database', `${server.url}?schema=both`];
    expect((await archive(a, database)).code).toBe(0);
    const before = await rows('select count(*) from "both".captures');
    const warc = join(a, 'warc', (await readdir(join(a, 'warc')))[0] as string);
    for (const command of [['archive', `${site.url}/`, ...FAST], ['reindex'], ['import', warc], ['verify']]) {
      // Who is refused leaves no folders behind, and without them there is no archive to read.
      if (['reindex', 'verify'].includes(command[0] ?? '')) await mkdir(join(b, 'warc'), { recursive: true });
      const { code, stderr } = await daguerre([...command, '--archive', b, ...database]);
      expect(code, command[0]).toBe(2);
      const [one, two] = [await identityOf(a), await identityOf(b)];
      expect(stderr).toContain(`'a' (${one.id})`);
      expect(stderr).toContain(`'b' (${two.id})`);
      expect(stderr).toContain(a);
      expect(stderr).not.toContain('    at ');
    }
    expect(await rows('select count(*) from "both".captures')).toEqual(before);
    expect((await archive(a, database)).code).toBe(0);
  });
});
