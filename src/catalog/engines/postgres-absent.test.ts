import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type OwnPostgres, startOwnPostgres } from '../../../test/postgres.ts';
import type { Catalog } from '../../ports/catalog.ts';
import { openPostgresCatalog } from './postgres.ts';

let server: OwnPostgres;
let told: string[];
const schema = 'late';

beforeAll(async () => {
  server = await startOwnPostgres();
});
afterAll(() => server?.stop());
beforeEach(() => {
  told = [];
});

async function query(text: string): Promise<void> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  await client.query(text);
  await client.end();
}

const patient = (wait = 60_000) => ({ wait, tell: (sentence: string) => void told.push(sentence) });

const open = (wait?: number): Promise<Catalog> =>
  openPostgresCatalog(server.url, { schema, access: { kind: 'alone' }, patience: patient(wait) });

describe('a server that is not there yet', { timeout: 120_000 }, () => {
  it('stopped => whoever opens the catalog waits, and says so', async () => {
    await server.halt();
    const opening = open();
    await expect.poll(() => told.length, { timeout: 30_000 }).toBeGreaterThan(0);
    await server.start();
    const catalog = await opening;
    expect(await catalog.crawls()).toEqual([]);
    await catalog.close();
    expect(told).toEqual([
      expect.stringMatching(/no server answers at that address\. Waiting for it, up to \d+ s\.$/),
      expect.stringMatching(/^The database is back after \d+ s: going on\.$/),
    ]);
  });

  it('for good => unreachable when patience is over, with what to do', async () => {
    await server.halt();
    try {
      await expect(open(300)).rejects.toThrow(/check host and port, and that it runs \(waited 0 s\)/);
    } finally {
      await server.start();
    }
  });

  it('full, with room for none or for one => waited for; a reader is told at once', async () => {
    for (const room of [0, 1]) {
      const role = `crowd_${room}`;
      await query(`create role ${role} superuser login password 'test'`);
      await query(`alter role ${role} nosuperuser connection limit ${room + 1}`);
      await query(`grant create on database postgres to ${role}`);
      const url = new URL(server.url);
      url.username = role;
      const crowd = new pg.Client({ connectionString: url.href });
      await crowd.connect();
      const access = { kind: 'alone' as const };
      told = [];
      const opening = openPostgresCatalog(url.href, { schema: role, patience: patient(), access });
      await expect.poll(() => told.length, { timeout: 30_000 }).toBeGreaterThan(0);
      expect(told[0]).toContain('takes no more connections');
      const reading = openPostgresCatalog(url.href, { schema: role, readonly: true });
      if (room === 0) await expect(reading).rejects.toMatchObject({ kind: 'unreachable' });
      else await reading.catch(() => {});
      await query(`alter role ${role} connection limit 20`);
      const catalog = await opening;
      expect(await catalog.crawls()).toEqual([]);
      await catalog.close();
      await crowd.end();
      await query(`drop schema ${role} cascade; drop owned by ${role}; drop role ${role}`);
    }
  });

  it.each([
    ['a password', (url: URL) => Object.assign(url, { username: 'nobody', password: 'no' }), /rejects/],
    ['a database', (url: URL) => Object.assign(url, { pathname: '/none' }), 'no such database'],
    ['a host', (url: URL) => Object.assign(url, { hostname: 'no-such-host.invalid' }), 'cannot be resolved'],
  ])('%s that is wrong => refused at once', async (_, change, why) => {
    const url = change(new URL(server.url));
    await expect(openPostgresCatalog(url.href, { schema, patience: patient() })).rejects.toThrow(why);
    expect(told).toEqual([]);
  });
});
