import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type OwnPostgres, startOwnPostgres } from '../postgres.ts';
import { complaints, daguerre, eachRecord, FAST, spawnDaguerre, temporaryFolder } from './daguerre.ts';
import { page, type SmallSite, startSite } from './small-site.ts';

const PAGES = 120;
let server: OwnPostgres;
let site: SmallSite;
let archive: string;

beforeAll(async () => {
  server = await startOwnPostgres();
});
afterAll(() => server?.stop());
beforeEach(async () => {
  site = await startSite((path) => {
    const number = path === '/' ? 0 : Number(/^\/p(\d+)$/.exec(path)?.[1] ?? Number.NaN);
    if (Number.isNaN(number)) return undefined;
    const links = [1, 2, 3].map((child) => 3 * number + child).filter((child) => child < PAGES);
    return {
      body: page(
        `Page ${number}`,
        links.map((child) => `/p${child}`),
      ),
      after: 10,
    };
  });
  archive = await temporaryFolder();
});
afterEach(() => site.close());

const database = (more: readonly string[] = []) => ['--archive', archive, '--database', server.url, ...more];
const command = (more: readonly string[] = []) => [
  'archive',
  `${site.url}/`,
  ...FAST,
  '--per-host',
  '2',
  ...database(more),
];

async function query(text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  const { rows } = await client.query<Record<string, unknown>>(text);
  await client.end();
  return rows;
}

/** Every page is in the records, once, and all is well. */
async function expectWhole(): Promise<void> {
  const responses = new Map<string, number>();
  await eachRecord(archive, ({ type, url }) => {
    if (type === 'response' && !url.endsWith('/robots.txt'))
      responses.set(url, (responses.get(url) ?? 0) + 1);
  });
  expect(responses.size).toBe(PAGES);
  expect([...responses].filter(([, count]) => count !== 1)).toEqual([]);
  const { json } = await daguerre(['verify', '--json', ...database()]);
  expect(json()).toMatchObject({ errors: [] });
}

const noStack = (text: string): void => expect(text).not.toMatch(/^\s+at .*:\d+/m);

describe('PostgreSQL in mid-crawl', { timeout: 180_000 }, () => {
  it('stopped and started again => the crawl waits, says so, and ends as if nothing had been', async () => {
    const running = spawnDaguerre(command());
    await site.seen(30);
    await server.halt();
    await running.said('Waiting for it, up to');
    await server.start();
    const { code, stderr, json } = await running.ended;
    expect(stderr).toContain('The database is back after');
    noStack(stderr);
    expect(code).toBe(0);
    expect(json()).toMatchObject({ state: 'finished', captured: PAGES, failed: 0, pending: 0 });
    await expectWhole();
  });

  it('connections killed by its administrator, again and again => the crawl goes on', async () => {
    const running = spawnDaguerre(command());
    for (let seen = 10; seen <= 100; seen += 10) {
      await Promise.race([site.seen(seen), running.ended]);
      await query(`select pg_terminate_backend(pid) from pg_stat_activity
        where application_name like 'daguerre %'`);
    }
    const { code, stderr, json } = await running.ended;
    noStack(stderr);
    expect(code).toBe(0);
    expect(json()).toMatchObject({ state: 'finished', captured: PAGES, failed: 0, pending: 0 });
    await expectWhole();
  });

  it('gone for good => exit code 7 and a message; the same command waits for it, and resumes', async () => {
    const running = spawnDaguerre(command(['--database-wait', '2s']));
    await site.seen(30);
    await server.halt();
    const { code, stderr } = await running.ended;
    expect(code).toBe(7);
    expect(stderr).toMatch(/daguerre: catalog postgres:.*gave up after 2 s.*run the same command/);
    noStack(stderr);
    const away = await daguerre(command(['--database-wait', '300ms']));
    expect(away.code).toBe(7);
    expect(away.stderr).toContain('no server answers at that address');
    const waiting = spawnDaguerre(command());
    await waiting.said('Waiting for it, up to');
    waiting.child.kill('SIGINT');
    expect((await waiting.ended).code).toBe(7);
    const early = spawnDaguerre(command());
    await early.said('Waiting for it, up to');
    await server.start();
    const again = await early.ended;
    expect(again.stderr).toContain('Resuming crawl 1');
    expect(again.json()).toMatchObject({ state: 'finished', captured: PAGES, failed: 0, pending: 0 });
    await expectWhole();
  });

  it('gone, then Ctrl-C => ends at once, and later the same command resumes', async () => {
    const running = spawnDaguerre(command());
    await site.seen(30);
    await server.halt();
    await running.said('Waiting for it, up to');
    running.child.kill('SIGINT');
    const { code, stderr } = await running.ended;
    expect(code).toBe(7);
    noStack(stderr);
    await server.start();
    expect((await daguerre(command())).json()).toMatchObject({ state: 'finished', captured: PAGES });
    await expectWhole();
  });

  it('killed (-9) again and again => the lock in the server is free at once, and nothing is lost', async () => {
    for (let kill = 1; kill <= 5; kill++) {
      const running = spawnDaguerre(command());
      const pages = site.asked.filter((path) => path !== '/robots.txt').length;
      await Promise.race([site.seen(pages + 8), running.ended]);
      running.child.kill('SIGKILL');
      const { stderr } = await running.ended;
      expect(stderr).not.toContain('another process');
    }
    const last = await daguerre(command());
    expect(last.json()).toMatchObject({ state: 'finished', captured: PAGES, failed: 0, pending: 0 });
    await expectWhole();
  });

  it('its disk full => exit code 4; with room again the same command resumes', async () => {
    expect((await daguerre(command(['--page-limit', '1']))).code).toBe(0);
    const [row] = await query(`select nspname from pg_namespace where nspname like 'daguerre%'
      and exists (select 1 from pg_tables where schemaname = nspname) order by oid desc limit 1`);
    const schema = String(row?.nspname);
    await query(`create function "${schema}".full() returns trigger language plpgsql as
      $$ begin raise exception using errcode = '53100', message = 'No space left on device'; end $$;
      create trigger full_disk before insert on "${schema}".captures
      for each row when (new.id % 50 = 0) execute function "${schema}".full()`);
    const { code, stderr } = await daguerre(command());
    expect(code).toBe(4);
    noStack(stderr);
    await query(`drop trigger full_disk on "${schema}".captures`);
    const again = await daguerre(command());
    expect(again.stderr).toContain('Resuming crawl');
    expect(again.code).toBe(0);
    const { json } = await daguerre(['verify', '--json', ...database()]);
    expect(json()).toMatchObject({ errors: [] });
  });
});

describe('PostgreSQL while the archive is served', () => {
  it('stopped => requests are answered with 503; started again => with what is there', {
    timeout: 180_000,
  }, async () => {
    expect((await daguerre(command(['--page-limit', '3']))).code).toBe(0);
    const serving = spawnDaguerre(['serve', '--json', '--port', '0', '--replay-port', '0', ...database()]);
    try {
      const { url } = JSON.parse((await serving.said('"url"')).trim().split('\n').at(-1) as string) as {
        url: string;
      };
      const sites = () => fetch(new URL('/api/sites', url));
      expect((await sites()).status).toBe(200);
      await server.halt();
      const away = await sites();
      expect(away.status).toBe(503);
      expect(await away.json()).toMatchObject({ hint: 'start the database server, then try again' });
      await server.start();
      expect((await sites()).status).toBe(200);
    } finally {
      serving.child.kill('SIGINT');
    }
    const { code, stderr } = await serving.ended;
    noStack(stderr);
    expect(code).toBe(0);
  });
});

describe('PostgreSQL at the start', () => {
  it.each([
    ['no server', { port: '1' }, 'no server answers', '300ms'],
    // It does not mend itself: nobody waits.
    ['a wrong password', { username: 'guest', password: 'wrong' }, 'rejects user name or password', '5m'],
    ['no such database', { pathname: '/nothing' }, 'there is no such database', '5m'],
  ])('%s => exit code 7 and a message, for who writes and who reads', async (_, change, message, wait) => {
    if (message.startsWith('rejects')) await query(`create role guest login password 'right'`);
    const url = Object.assign(new URL(server.url), change);
    const where = ['--archive', archive, '--database', url.href, '--database-wait', wait];
    for (const args of [
      ['archive', `${site.url}/`, ...FAST],
      ['verify'],
      ['serve'],
      ['changes'],
      ['reindex'],
    ]) {
      // Who is refused leaves no folders behind.
      await mkdir(join(archive, 'warc'), { recursive: true });
      const { code, stderr } = await daguerre([...args, ...where]);
      expect(code, args[0]).toBe(7);
      expect(stderr).toContain(message);
      expect(stderr).not.toContain('wrong');
      noStack(stderr);
    }
  });

  it('a URL that is none => exit code 2 and a message', async () => {
    const { code, stderr } = await daguerre([
      'verify',
      '--archive',
      archive,
      '--database',
      'postgres://a b:c',
    ]);
    expect(code).toBe(2);
    expect(stderr).toContain('postgres://user@host/database');
  });
});

describe('SQLite in mid-crawl', { timeout: 180_000 }, () => {
  const local = () => ['archive', `${site.url}/`, ...FAST, '--per-host', '2', '--archive', archive];

  it.each(['removed', 'replaced by that of another archive'])(
    'the catalog is %s => exit code 7, nothing lost',
    async (how) => {
      const catalog = join(archive, 'catalog.sqlite');
      const running = spawnDaguerre(local());
      await site.seen(20);
      const kept = join(await temporaryFolder(), 'kept');
      await mkdir(kept);
      const parts = ['', '-wal', '-shm'];
      for (const part of parts) await rename(`${catalog}${part}`, join(kept, `catalog${part}`));
      if (how !== 'removed') {
        const other = await temporaryFolder();
        expect((await daguerre([...local().slice(0, -1), other, '--page-limit', '2'])).code).toBe(0);
        await rename(join(other, 'catalog.sqlite'), catalog);
      }
      const { code, stderr } = await running.ended;
      expect(code).toBe(7);
      expect(stderr).toContain('was moved, removed or replaced while it was open');
      noStack(stderr);
      if (how === 'removed') {
        // Put back, as the message says.
        for (const part of parts) await rename(join(kept, `catalog${part}`), `${catalog}${part}`);
      } else {
        expect((await daguerre(local())).code).toBe(2);
        expect((await daguerre(['reindex', '--archive', archive])).code).toBe(0);
        await rm(`${catalog}.foreign`);
      }
      const again = await daguerre(local());
      expect(again.code).toBe(0);
      expect(await complaints(archive)).toEqual([]);
      const urls = new Set<string>();
      await eachRecord(archive, ({ type, url }) => void (type === 'response' && urls.add(url)));
      expect([...urls].filter((url) => !url.endsWith('/robots.txt'))).toHaveLength(PAGES);
    },
  );
});
