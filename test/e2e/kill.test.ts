import { truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openRecordReader } from '../../src/warc/record-reader.ts';
import { randomNumbers } from '../random-numbers.ts';
import {
  capturesOf,
  complaints,
  daguerre,
  eachRecord,
  FAST,
  spawnDaguerre,
  temporaryFolder,
  withCatalog,
} from './daguerre.ts';
import { page, startSite } from './small-site.ts';

const PAGES = 150;
const KILLS = 20;

/** A tree: page n links to 3n+1, 3n+2, 3n+3. Answers take 5 to 20 ms, so that several are under way. */
const site = (path: string) => {
  const number = path === '/' ? 0 : Number(/^\/p(\d+)$/.exec(path)?.[1] ?? Number.NaN);
  if (Number.isNaN(number)) return undefined;
  const children = [1, 2, 3].map((child) => 3 * number + child).filter((child) => child < PAGES);
  const links = children.map((child) => `/p${child}`);
  return { body: page(`Page ${number}`, links), after: 5 + ((number * 7) % 16) };
};

it(`kill -9 at ${KILLS} moments, then the same command => every page once, nothing committed lost`, {
  timeout: 300_000,
}, async () => {
  const random = randomNumbers(20260201);
  const server = await startSite(site);
  const archive = await temporaryFolder();
  const command = ['archive', `${server.url}/`, '--archive', archive, ...FAST, '--per-host', '4'];
  const committed = new Map<string, { file: string; offset: number; length: number }>();
  const pages = `${server.url}/`;
  try {
    let finished = false;
    for (let kill = 0; kill < KILLS; kill++) {
      const running = spawnDaguerre(command);
      const before = server.asked.length;
      // Counted in requests, not seconds: a slow machine is killed at the same places.
      const more = 1 + Math.floor(random() * 9);
      const robots = (): number => server.asked.filter((path) => path === '/robots.txt').length;
      await Promise.race([server.seen(before - robots() + more), running.ended]);
      await new Promise((resolve) => setTimeout(resolve, random() * 12));
      running.child.kill('SIGKILL');
      finished = (await running.ended).code !== undefined;
      if (finished) break;
      await remember(archive, committed);
    }
    expect(finished).toBe(false);
    expect(committed.size).toBeGreaterThan(20);

    const last = await spawnDaguerre(command).ended;
    expect(last.stderr).toContain('Resuming crawl 1');
    expect(last.code).toBe(0);
    expect(last.json()).toMatchObject({ state: 'finished', captured: PAGES, failed: 0, pending: 0 });
    expect(await complaints(archive)).toEqual([]);

    const responses = new Map<string, number>();
    const ids = new Set<string>();
    await eachRecord(archive, ({ type, url, id }) => {
      ids.add(id);
      if (type === 'response' && !url.endsWith('/robots.txt'))
        responses.set(url, (responses.get(url) ?? 0) + 1);
    });
    expect(responses.size).toBe(PAGES);
    expect([...responses].filter(([, count]) => count !== 1)).toEqual([]);
    const final = new Set((await capturesOf(archive)).map(({ recordId }) => recordId));
    for (const id of committed.keys()) {
      expect(final).toContain(id);
      expect(ids).toContain(id);
    }
    expect(await withCatalog(archive, (catalog) => catalog.crawls())).toHaveLength(1);
    expect([...responses.keys()].every((url) => url.startsWith(pages))).toBe(true);
  } finally {
    await server.close();
  }
});

it('the record file of a stopped crawl loses its end => its pages are asked for again, nothing else', {
  timeout: 120_000,
}, async () => {
  const server = await startSite(site);
  const archive = await temporaryFolder();
  // Without a limit: under one, the order may take other pages in the place of those that were lost.
  const command = ['archive', `${server.url}/`, '--archive', archive, ...FAST];
  try {
    const running = spawnDaguerre(command);
    await server.seen(25);
    running.child.kill('SIGINT');
    expect((await running.ended).code).toBe(130);
    const captures = (await capturesOf(archive)).toSorted((a, b) => a.offset - b.offset);
    const pages = captures.filter(({ type, url }) => type === 'response' && url.includes('/p'));
    // In the middle of a response, so that its event is half there.
    const [cut] = pages.slice(-5);
    if (!cut) throw new Error('too few captures');
    await truncate(join(archive, 'warc', cut.file), cut.offset + Math.floor(cut.length / 2));
    expect(await complaints(archive)).not.toEqual([]);

    const before = server.asked.length;
    const { code, stderr, json } = await daguerre(command);
    expect(stderr).toContain('bytes are gone from disk');
    expect(code).toBe(0);
    expect(json()).toMatchObject({ crawl: 1, state: 'finished', captured: PAGES, pending: 0 });
    const asked = server.asked.slice(before).filter((path) => path !== '/robots.txt');
    const lost = pages.slice(-5).map(({ url }) => new URL(url).pathname);
    expect(asked).toEqual(expect.arrayContaining(lost));
    expect(asked).toHaveLength(new Set(asked).size);
    const kept = pages.slice(0, -5).map(({ url }) => new URL(url).pathname);
    expect(asked.filter((path) => kept.includes(path))).toEqual([]);
    expect(await complaints(archive)).toEqual([]);
  } finally {
    await server.close();
  }
});

/** Adds what a killed run had committed, after reading each of its records. */
async function remember(
  archive: string,
  committed: Map<string, { file: string; offset: number; length: number }>,
): Promise<void> {
  const reader = openRecordReader(join(archive, 'warc'));
  try {
    const captures = await capturesOf(archive);
    const now = new Set(captures.map(({ recordId }) => recordId));
    for (const id of committed.keys()) expect(now).toContain(id);
    for (const { recordId, file, offset, length, type } of captures) {
      if (committed.has(recordId)) continue;
      expect((await reader.read({ file, offset, length })).type).toBe(type);
      committed.set(recordId, { file, offset, length });
    }
  } finally {
    await reader.close();
  }
}
