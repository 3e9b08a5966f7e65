import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CaptureFact } from '../../src/model/capture.ts';
import {
  capturesOf,
  complaints,
  daguerre,
  FAST,
  spawnDaguerre,
  temporaryFolder,
  withCatalog,
} from './daguerre.ts';
import { page, type SmallSite, startSite } from './small-site.ts';

const PAGES = 30;

/** `/` links to all pages. Some come with validators, one is the same under two URLs. */
const site = (path: string, request: { headers: Record<string, unknown> }) => {
  if (path === '/') {
    const links = Array.from({ length: PAGES }, (_, number) => `/p${number}`);
    return page('Home', [...links, '/twin-a', '/twin-b', '/with-etag', '/with-date', '/with-liar']);
  }
  if (path === '/twin-a' || path === '/twin-b') return page('Twins');
  const date = 'Sun, 01 Feb 2026 10:00:00 GMT';
  if (path === '/with-etag') {
    const headers = { ETag: '"one"' };
    if (request.headers['if-none-match'] === '"one"') return { status: 304, headers };
    return { headers, body: page('With ETag', ['/behind-etag']) };
  }
  if (path === '/behind-etag') return page('Behind ETag');
  if (path === '/with-date') {
    const headers = { 'Last-Modified': date };
    if (request.headers['if-modified-since'] === date) return { status: 304, headers };
    return { headers, body: page('With date') };
  }
  // Another ETag each time, the same page.
  if (path === '/with-liar') return { headers: { ETag: `"${Math.random()}"` }, body: page('Liar') };
  return /^\/p\d+$/.test(path) ? { body: page(path), after: 15 } : undefined;
};
/** Home, the twins, the four with validators and what lies behind one of them. */
const ALL = PAGES + 1 + 2 + 3 + 1;

describe('Ctrl-C, the same command, the same command again', () => {
  let server: SmallSite;
  let archive: string;
  let command: string[];
  beforeAll(async () => {
    server = await startSite(site);
    archive = await temporaryFolder();
    command = ['archive', `${server.url}/`, '--archive', archive, ...FAST];
  });
  afterAll(() => server.close());

  const pages = async (): Promise<CaptureFact[]> =>
    (await capturesOf(archive)).filter(({ url }) => url.startsWith('http') && !url.endsWith('/robots.txt'));

  it('Ctrl-C => exit code 130, says so, the state can be resumed', async () => {
    const running = spawnDaguerre(command);
    await server.seen(10);
    running.child.kill('SIGINT');
    const { code, stderr, json } = await running.ended;
    expect(code).toBe(130);
    expect(stderr).toContain('Stopping: finishing the pages in hand');
    expect(stderr).not.toContain('Error');
    expect(json()).toMatchObject({ state: 'stopped' });
    expect(json<{ pending: number }>().pending).toBeGreaterThan(0);
    const [crawl] = await withCatalog(archive, (catalog) => catalog.crawls());
    expect(crawl?.state).toBe('stopped');
    expect(await complaints(archive)).toEqual([]);
  });

  it('the same command => finishes; no page was asked for twice', async () => {
    const { code, stderr, json } = await daguerre(command);
    expect(stderr).toContain('Resuming crawl 1');
    expect(code).toBe(0);
    expect(json()).toMatchObject({ crawl: 1, state: 'finished', captured: ALL, failed: 0, pending: 0 });
    const asked = server.asked.filter((path) => path !== '/robots.txt');
    expect(asked).toHaveLength(ALL);
    expect(new Set(asked).size).toBe(ALL);
    const urls = (await pages()).map(({ url }) => url);
    expect(new Set(urls).size).toBe(urls.length);
  });

  it('an equal payload under two URLs => one response, one revisit of it', async () => {
    const twins = (await pages()).filter(({ url }) => url.includes('/twin-'));
    const [original, revisit] = twins.toSorted((a, b) => a.type.localeCompare(b.type));
    expect(original?.type).toBe('response');
    expect(revisit).toMatchObject({
      type: 'revisit',
      refersTo: { url: original?.url, profile: 'identical-payload-digest' },
    });
    expect(revisit?.digest).toEqual(original?.digest);
  });

  it('once more => a new crawl in which every page is a revisit', async () => {
    const before = (await pages()).length;
    const { code, json } = await daguerre(command);
    expect(code).toBe(0);
    expect(json()).toMatchObject({ crawl: 2, state: 'finished', failed: 0, pending: 0 });
    const { captured, unchanged } = json<{ captured: number; unchanged: number }>();
    expect(captured + unchanged).toBe(ALL);

    const fresh = (await pages()).toSorted((a, b) => a.at - b.at).slice(before);
    expect(fresh).toHaveLength(ALL);
    expect(fresh.filter(({ type }) => type !== 'revisit')).toEqual([]);
    const profile = (path: string) =>
      fresh.find(({ url }) => url === `${server.url}${path}`)?.refersTo?.profile;
    expect(profile('/with-etag')).toBe('server-not-modified');
    expect(profile('/with-date')).toBe('server-not-modified');
    expect(profile('/with-liar')).toBe('identical-payload-digest');
    expect(profile('/p0')).toBe('identical-payload-digest');
    // Its links come from the archived page that the 304 stands for.
    expect(profile('/behind-etag')).toBe('identical-payload-digest');
    expect(await complaints(archive)).toEqual([]);
  });
});

describe('Ctrl-C at other moments', () => {
  it('while robots.txt does not come => exit code 130 at once, nothing captured, resumable', async () => {
    const server = await startSite((path) => (path === '/robots.txt' ? () => {} : page(path)));
    const archive = await temporaryFolder();
    try {
      const running = spawnDaguerre(['archive', `${server.url}/`, '--archive', archive, ...FAST]);
      while (server.asked.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
      running.child.kill('SIGINT');
      const { code, stderr, json } = await running.ended;
      expect(stderr).not.toContain('Error');
      expect(code).toBe(130);
      expect(json()).toMatchObject({ state: 'stopped', captured: 0, failed: 0, pending: 1 });
    } finally {
      await server.close();
    }
  });

  it('once, while an answer does not come => given up after a moment, exit code 130, resumable, verify clean', async () => {
    let stuck = true;
    const server = await startSite((path) => {
      if (path === '/') return page('Home', ['/stuck']);
      if (path !== '/stuck') return undefined;
      return stuck ? () => {} : page('Stuck no more');
    });
    const archive = await temporaryFolder();
    try {
      const command = ['archive', `${server.url}/`, '--archive', archive, ...FAST];
      const running = spawnDaguerre(command);
      await server.seen(2);
      running.child.kill('SIGINT');
      const stopped = await running.ended;
      expect(stopped.code).toBe(130);
      expect(stopped.stderr).not.toContain('Error');
      expect(stopped.json()).toMatchObject({ state: 'stopped', captured: 1, failed: 0, pending: 1 });
      expect(await complaints(archive)).toEqual([]);
      stuck = false;
      const { code, json } = await daguerre(command);
      expect(code).toBe(0);
      expect(json()).toMatchObject({ crawl: 1, captured: 2, failed: 0, pending: 0 });
    } finally {
      await server.close();
    }
  });

  it('twice => leaves at once with 130; the same command finishes', async () => {
    let stuck = true;
    const server = await startSite((path) => {
      if (path === '/') return page('Home', ['/stuck']);
      if (path !== '/stuck') return undefined;
      return stuck ? () => {} : page('Stuck no more');
    });
    const archive = await temporaryFolder();
    try {
      const command = ['archive', `${server.url}/`, '--archive', archive, ...FAST];
      const running = spawnDaguerre(command);
      await server.seen(2);
      running.child.kill('SIGINT');
      await running.said('Stopping');
      running.child.kill('SIGINT');
      expect((await running.ended).code).toBe(130);
      stuck = false;
      const { code, json } = await daguerre(command);
      expect(code).toBe(0);
      expect(json()).toMatchObject({ crawl: 1, captured: 2, failed: 0, pending: 0 });
      expect(server.asked.filter((path) => path === '/')).toHaveLength(1);
      expect(await complaints(archive)).toEqual([]);
    } finally {
      await server.close();
    }
  });
});

it('a crawl stopped while the default order was called sharc-online, --order sharc-online => goes on as it began', async () => {
  const server = await startSite(site);
  const archive = await temporaryFolder();
  const command = ['archive', `${server.url}/`, '--archive', archive, ...FAST];
  try {
    const running = spawnDaguerre(command);
    await server.seen(10);
    running.child.kill('SIGINT');
    expect((await running.ended).code).toBe(130);
    const database = new Database(join(archive, 'catalog.sqlite'));
    const { spec } = database.prepare('SELECT spec FROM crawls').get() as { spec: string };
    const { version: _, ...before } = JSON.parse(spec) as Record<string, unknown>;
    database.prepare('UPDATE crawls SET spec = ?').run(JSON.stringify({ ...before, order: 'sharc-online' }));
    database.close();

    const { code, stderr, json } = await daguerre([...command, '--order', 'sharc-online']);
    expect(stderr).toContain('Resuming crawl 1');
    expect(code).toBe(0);
    expect(json()).toMatchObject({ crawl: 1, state: 'finished', captured: ALL, pending: 0 });
    const visits = await withCatalog(archive, (catalog) => catalog.visits({ limit: 200 }));
    const orders = visits.flatMap(({ reason }) => /^(.*): .* from the coldest/.exec(reason)?.[1] ?? []);
    expect(orders.length).toBeGreaterThan(20);
    expect(new Set(orders)).toEqual(new Set(['adaptive-organ-pipe']));
  } finally {
    await server.close();
  }
});
