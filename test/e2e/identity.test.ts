import { cp, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startPostgres, type TestPostgres } from '../postgres.ts';
import {
  capturesOf,
  complaints,
  daguerre,
  eachRecord,
  FAST,
  spawnDaguerre,
  temporaryFolder,
} from './daguerre.ts';
import { page, type SmallSite, startSite } from './small-site.ts';

const PAGES = 12;
let site: SmallSite;
let server: TestPostgres;

beforeAll(async () => {
  site = await startSite((path) => {
    const number = path === '/' ? 0 : Number(/^\/p(\d+)$/.exec(path)?.[1] ?? Number.NaN);
    if (Number.isNaN(number)) return undefined;
    const links = number + 1 < PAGES ? [`/p${number + 1}`] : [];
    return { body: page(`Page ${number}`, links), after: 20 };
  });
  server = await startPostgres();
});
afterAll(async () => {
  await site?.close();
  await server?.stop();
});

/** A folder that is not there yet: its name becomes the archive's. */
const newArchive = async (name: string): Promise<string> => join(await temporaryFolder(), name);
const shared = (): readonly string[] => ['--database', server.url];
const archive = (folder: string, more: readonly string[] = []) =>
  daguerre(['archive', `${site.url}/`, '--archive', folder, ...FAST, ...more]);
const verify = (folder: string, more: readonly string[] = []) =>
  daguerre(['verify', '--archive', folder, '--json', ...more]);

interface Identity {
  readonly id: string;
  readonly name: string;
  readonly opening: string;
}
const identityOf = async (folder: string): Promise<Identity> =>
  JSON.parse(await readFile(join(folder, 'archive.json'), 'utf8')) as Identity;

async function rows(text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  const result = await client.query<Record<string, unknown>>(text);
  await client.end();
  return result.rows;
}

async function warcinfo(folder: string): Promise<readonly string[]> {
  const texts: string[] = [];
  await eachRecord(folder, ({ type, payload }) => {
    if (type === 'warcinfo') texts.push(Buffer.from(payload.bytes ?? []).toString());
  });
  return texts;
}

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
      if (command[0] === 'verify') await mkdir(b, { recursive: true });
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

  it('tables of an earlier Daguerre go to the archive whose files they name', async () => {
    const [a, b] = [await newArchive('a'), await newArchive('b')];
    const old = ['--database', `${server.url}?schema=daguerre`];
    expect((await archive(a, old)).code).toBe(0);
    await rows('delete from daguerre.owner');
    await rm(join(a, 'archive.json'));
    expect((await archive(b, shared())).code).toBe(0);
    expect(await rows(`select 1 from pg_namespace where nspname = 'daguerre'`)).toHaveLength(1);
    const again = await archive(a, shared());
    expect(again.json()).toMatchObject({ crawl: 2, unchanged: PAGES });
    expect(await rows(`select 1 from pg_namespace where nspname = 'daguerre'`)).toEqual([]);
    for (const folder of [a, b])
      expect((await verify(folder, shared())).json()).toMatchObject({ errors: [] });
  });
});

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
