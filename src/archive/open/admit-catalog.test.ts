import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  archive,
  editions,
  files,
  inBucket,
  location,
  server,
  storage,
} from '../../../test/archive-in-bucket.ts';
import { startPostgres, type TestPostgres } from '../../../test/postgres.ts';
import { visitEditions } from '../../../test/visited-archive.ts';
import { reindex } from '../reindex.ts';
import { type ArchiveLocation, openForWriting } from './open-archive.ts';
import { openForSharing } from './open-shared.ts';

inBucket();

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());

const database = (name: string): string => {
  const url = new URL(postgres.url);
  url.pathname = `/${name}`;
  return url.href;
};
async function sql(text: string, where = postgres.url): Promise<number | null> {
  const client = new pg.Client({ connectionString: where });
  await client.connect();
  try {
    return (await client.query(text)).rowCount;
  } finally {
    await client.end();
  }
}
async function newDatabase(name: string): Promise<string> {
  await sql(`drop database if exists ${name}`);
  await sql(`create database ${name}`);
  return database(name);
}

const written = async (given: ArchiveLocation): Promise<readonly string[]> => {
  const open = await openForWriting(given, 'test');
  await open.close();
  return open.mended;
};
const shared = (given: ArchiveLocation, silence = 60_000) =>
  openForSharing(given, 'worker', { roles: ['capture'], wait: 0, silence });
const rebuilt = (given: ArchiveLocation) => reindex(given, { onMended: () => {}, onProgress: () => {} });
const refusal = (given: Promise<unknown>): Promise<string> =>
  given.then(
    () => 'admitted',
    (error: Error) => error.message,
  );
const note = (): string =>
  String([...server.objects].find(([key]) => key.endsWith('/archive.json'))?.[1] ?? '');

describe('a database in PostgreSQL that is not the one that wrote last', () => {
  it('empty, while others work with the right one => refused by name, nothing written; the others go on', async () => {
    const [right, wrong] = [await newDatabase('right_one'), await newDatabase('wrong_one')];
    await visitEditions(archive, editions(2), { storage });
    await rebuilt({ ...location, database: right });
    const running = await shared({ ...location, database: right });
    const before = note();
    const there = { archive: join(archive, 'new'), storage, database: wrong };
    for (const refused of [await refusal(shared(there)), await refusal(written(there))]) {
      const { host } = new URL(right);
      expect(refused).toContain(`was last written with postgres://${host}/right_one, from ${archive} on `);
      expect(refused).toContain('--database');
      expect(refused).toContain('daguerre reindex');
      expect(refused).not.toMatch(/test@|postgres:test/);
    }
    expect(note()).toBe(before);
    expect(existsSync(there.archive)).toBe(false);
    expect(await sql(`select 1 from pg_namespace where nspname like 'daguerre%'`, wrong)).toBe(0);
    // Refused by those who are there, after it had joined.
    const joined = await refusal(shared({ ...there, database: right }, 5_000));
    expect(joined).toContain('Give the same --silence');
    expect(existsSync(there.archive)).toBe(false);
    await running.close();
    expect(await written({ ...location, database: right })).toEqual([]);
  });

  it('made to follow by reindex => the former one is refused, by the name of who wrote since, until it is told to', async () => {
    const [one, two] = [await newDatabase('first_one'), await newDatabase('second_one')];
    await visitEditions(archive, editions(2), { storage });
    await rebuilt({ ...location, database: one });
    const other = { archive: join(archive, 'other'), storage, database: two };
    await rebuilt(other);
    const refused = await refusal(written({ ...location, database: one }));
    expect(refused).toMatch(
      /first_one of archive .* is not the one that wrote last: that is .*second_one, from/,
    );
    expect(refused).toMatch(/\/other on .* at 20\d\d-.*Give that one with --database/);
    await rebuilt({ ...location, database: one });
    expect(await written({ ...location, database: one })).toEqual([]);
  });

  it('emptied, with the right name => refused; reindex fills it', async () => {
    const one = { ...location, database: await newDatabase('emptied') };
    await visitEditions(archive, editions(1), { storage });
    await rebuilt(one);
    await newDatabase('emptied');
    expect(await refusal(written(one))).toMatch(/emptied is empty, .* was last written with it, from/);
    await rebuilt(one);
    expect(await written(one)).toEqual([]);
  });
});

describe('SQLite', () => {
  it('a new folder with the bucket of another => refused, nothing of it is indexed; reindex may', async () => {
    await visitEditions(archive, editions(2), { storage });
    const before = [...server.objects.keys(), note()];
    const there = { archive: join(archive, 'new'), storage };
    expect(await refusal(written(there))).toContain(`was last written with ${archive}/catalog.sqlite, from`);
    expect([...server.objects.keys(), note()]).toEqual(before);
    expect(existsSync(there.archive)).toBe(false);
    await rebuilt(there);
    expect(await refusal(written(location))).toContain('Go on there, without --database');
  });

  it('the catalog of this very folder was lost => made anew', async () => {
    await visitEditions(archive, editions(2), { storage });
    await rm(join(archive, 'catalog.sqlite'));
    expect(await written(location)).toEqual([
      `${files().length} record files that the catalog did not know, or not whole, were indexed`,
    ]);
  });
});
