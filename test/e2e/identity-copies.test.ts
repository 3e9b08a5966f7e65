import { cp, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { capturesOf, complaints, daguerre, FAST, spawnDaguerre } from './daguerre.ts';
import {
  archive,
  identityOf,
  newArchive,
  PAGES,
  rows,
  shared,
  site,
  useSiteAndDatabase,
  verify,
} from './identity-archive.ts';

useSiteAndDatabase();

describe('copies and moves', () => {
  it('a folder that was moved => goes on with its catalog', async () => {
    const folder = await newArchive('a');
    await archive(folder, shared());
    const moved = await newArchive('moved');
    await rename(folder, moved);
    const { code, json } = await archive(moved, shared());
    expect(code).toBe(0);
    expect(json()).toMatchObject({ crawl: 2, unchanged: PAGES });
    expect(await identityOf(moved)).toMatchObject({ name: 'a' });
  });

  it('a copy on the same database => refused while the original lives; reindex --new-identity parts them', async () => {
    const folder = await newArchive('a');
    await archive(folder, shared());
    const copy = await newArchive('copy');
    await cp(folder, copy, { recursive: true, preserveTimestamps: true });
    for (const command of [['archive', `${site.url}/`, ...FAST], ['reindex']]) {
      const { code, stderr } = await daguerre([...command, '--archive', copy, ...shared()]);
      expect(code).toBe(2);
      expect(stderr).toContain(folder);
      expect(stderr).toContain('--new-identity');
    }
    const parted = await daguerre(['reindex', '--new-identity', '--archive', copy, ...shared()]);
    expect(parted.code).toBe(0);
    expect((await identityOf(copy)).id).not.toBe((await identityOf(folder)).id);
    for (const one of [folder, copy]) {
      expect((await archive(one, shared())).json()).toMatchObject({ unchanged: PAGES });
      expect((await verify(one, shared())).json()).toMatchObject({ errors: [] });
    }
  });

  it('a copy that took over => the original is refused, and takes it back only when told to', async () => {
    const folder = await newArchive('a');
    await archive(folder, shared());
    const copy = await newArchive('copy');
    await cp(folder, copy, { recursive: true });
    expect((await daguerre(['reindex', '--take-over', '--archive', copy, ...shared()])).code).toBe(0);
    expect((await archive(copy, shared())).code).toBe(0);
    const refused = await archive(folder, shared());
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(copy);
    expect(refused.stderr).not.toContain('forgotten');
    expect((await verify(copy, shared())).json()).toMatchObject({ errors: [] });
  });

  it('copies with SQLite => each goes on by itself', async () => {
    const folder = await newArchive('a');
    await archive(folder);
    const copy = await newArchive('copy');
    await cp(folder, copy, { recursive: true });
    for (const one of [folder, copy]) {
      expect((await archive(one)).json()).toMatchObject({ unchanged: PAGES });
      expect(await complaints(one)).toEqual([]);
    }
  });

  it('an old copy of the catalog put back => refused; reindex keeps what was captured since', async () => {
    const folder = await newArchive('a');
    const begun = spawnDaguerre(['archive', `${site.url}/`, '--archive', folder, ...FAST]);
    const before = site.asked.filter((path) => path !== '/robots.txt').length;
    await site.seen(before + 3);
    begun.child.kill('SIGINT');
    expect((await begun.ended).code).toBe(130);
    const catalog = join(folder, 'catalog.sqlite');
    // Of a crawl that is not finished: what it captures next is unknown to this copy.
    const old = await readFile(catalog);
    expect((await archive(folder)).code).toBe(0);
    const captures = (await capturesOf(folder)).map(({ recordId }) => recordId);
    await writeFile(catalog, old);
    const refused = await archive(folder);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/old copy.*daguerre reindex/);
    expect((await daguerre(['reindex', '--archive', folder])).code).toBe(0);
    expect(new Set((await capturesOf(folder)).map(({ recordId }) => recordId))).toEqual(new Set(captures));
    expect(await readdir(folder)).not.toContain('set-aside');
    expect((await archive(folder)).code).toBe(0);
    expect(await complaints(folder)).toEqual([]);
  });

  it('the catalog of another archive copied in => refused; reindex puts it away', async () => {
    const [a, b] = [await newArchive('a'), await newArchive('b')];
    await archive(a);
    await archive(b);
    await cp(join(b, 'catalog.sqlite'), join(a, 'catalog.sqlite'));
    for (const command of ['verify', 'changes', 'export']) {
      const { code, stderr } = await daguerre([command, '--archive', a]);
      expect(code).toBe(2);
      expect(stderr).toContain("belongs to another archive: it is of 'b'");
    }
    expect((await archive(a)).code).toBe(2);
    expect((await daguerre(['reindex', '--archive', a])).code).toBe(0);
    expect(await readdir(a)).toContain('catalog.sqlite.foreign');
    expect(await complaints(a)).toEqual([]);
  });
});

describe('readers make nothing', () => {
  const readers = [
    ['serve', '--port', '0', '--replay-port', '0'],
    ['verify'],
    ['export', '--out', '/dev/null'],
    ['changes'],
    ['patterns'],
    ['query', '1'],
    ['report', 'example.org'],
    ['diff', 'https://example.org/@20260101', 'https://example.org/@last'],
    ['segment', 'https://example.org/@last'],
    ['key'],
    ['key', 'export', '--public'],
  ];

  it.each(readers)('%s where there is no folder => a message, no folder, no schema', async (...command) => {
    const folder = await newArchive('none');
    const before = await rows('select nspname from pg_namespace order by 1');
    for (const database of [[], shared()]) {
      const { code, stderr } = await daguerre([...command, '--archive', folder, ...database]);
      expect(code).toBe(2);
      expect(stderr).toContain(`there is no archive at ${folder}`);
      expect(stderr).not.toContain('    at ');
      await expect(stat(folder)).rejects.toThrow('ENOENT');
    }
    expect(await rows('select nspname from pg_namespace order by 1')).toEqual(before);
  });

  it('a folder whose catalog is not in the database => a message that names reindex, no schema', async () => {
    const folder = await newArchive('a');
    await archive(folder);
    const before = await rows('select nspname from pg_namespace order by 1');
    for (const command of readers.filter(([name]) => name !== 'key')) {
      const { code, stderr } = await daguerre([...command, '--archive', folder, ...shared()]);
      expect(code, command[0]).toBe(2);
      expect(stderr).toMatch(/there is no catalog yet: run `daguerre reindex`/);
    }
    expect(await rows('select nspname from pg_namespace order by 1')).toEqual(before);
  });
});
