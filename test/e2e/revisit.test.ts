import type http from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createPageReader } from '../../src/capture/page-reader.ts';
import type { CapturedPage } from '../../src/model/site-capture.ts';
import { siteCapture } from '../../src/stages/site-capture.ts';
import { openRecordReader } from '../../src/warc/record-reader.ts';
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
import { type Answer, page, startSite } from './small-site.ts';

interface Report {
  readonly captured: number;
  readonly state: string;
  readonly pending: number;
  readonly blur: number;
  readonly sharp: { readonly strict: number; readonly visible: number; readonly pages: number };
  readonly revisits: { readonly captured: number; readonly unchanged: number; readonly failed: number };
}

/** How each page behaves, by how often it was asked for before: 0 is the visit, 1 the revisit. */
const MANNERS: Readonly<Record<string, (time: number, request: http.IncomingMessage) => Answer>> = {
  '/honest': (_, { headers }) =>
    headers['if-none-match'] === '"h"'
      ? { status: 304, headers: { ETag: '"h"' } }
      : { body: page('Honest'), headers: { ETag: '"h"' } },
  '/dated': (_, { headers }) => {
    const modified = 'Mon, 01 Jan 2024 00:00:00 GMT';
    return headers['if-modified-since'] === modified
      ? { status: 304 }
      : { body: page('Dated'), headers: { 'Last-Modified': modified } };
  },
  '/plain': () => page('Plain'),
  '/deaf': () => ({ body: page('Deaf'), headers: { ETag: '"d"' } }),
  '/changing': (time) => page('Changing', [], `Version ${time} `.repeat(30)),
  '/token': (time) => page('Token').replace('<h1>', `<input type="hidden" value="${time}"><h1>`),
  '/same-etag': (time) => ({ body: page('Liar', [], `Other ${time} `.repeat(30)), headers: { ETag: '"l"' } }),
  '/stubborn': (time, { headers }) =>
    headers['if-none-match'] === '"s"'
      ? { status: 304 }
      : { body: page('Stubborn', [], `Version ${time} `.repeat(30)), headers: { ETag: '"s"' } },
  '/vanishing': (time) => (time === 0 ? page('Vanishing') : { status: 410, body: 'gone' }),
  '/moving': (time) => (time === 0 ? page('Moving') : { status: 302, headers: { Location: '/plain' } }),
  '/falling': (time) => (time === 0 ? page('Falling') : { status: 503, body: 'down' }),
  '/data': (time) => ({
    body: JSON.stringify({ time, padding: 'x'.repeat(200) }),
    headers: { 'Content-Type': 'application/json' },
  }),
};

/** Answers by manners; `/` links to all of them. */
function mannered() {
  const asked = new Map<string, number>();
  return (path: string, request: http.IncomingMessage): Answer | undefined => {
    if (path === '/') return page('Home', Object.keys(MANNERS));
    const time = asked.get(path) ?? 0;
    asked.set(path, time + 1);
    return MANNERS[path]?.(time, request);
  };
}

async function pagesOf(archive: string): Promise<ReadonlyMap<string, CapturedPage>> {
  const reader = openRecordReader(join(archive, 'warc'));
  try {
    const { pages } = await withCatalog(archive, async (catalog) => {
      const [crawl] = (await catalog.crawls()).slice(-1);
      if (!crawl) throw new Error('no crawl');
      return siteCapture(crawl, { catalog, reader, pageReader: createPageReader() });
    });
    return new Map(pages.map((one) => [new URL(one.url).pathname, one]));
  } finally {
    await reader.close();
  }
}

describe.each(['blur', 'sharp'] as const)('archive --revisit %s', (mode) => {
  it('a site of all manners => each revisit tells what came of it, in records too', {
    timeout: 60_000,
  }, async () => {
    const site = await startSite(mannered());
    const archive = await temporaryFolder();
    try {
      const { code, json, stderr } = await daguerre([
        'archive',
        `${site.url}/`,
        '--archive',
        archive,
        ...FAST,
        '--revisit',
        mode,
        '--attempts',
        '2',
        '--max-delay',
        '1',
      ]);
      expect([code, stderr.includes('rror')]).toEqual([0, false]);
      const report = json<Report>();
      const pages = await pagesOf(archive);
      const outcomes = Object.fromEntries([...pages].map(([path, { revisit }]) => [path, revisit?.outcome]));
      expect(outcomes).toEqual({
        '/': 'same',
        '/honest': 'same',
        '/dated': 'same',
        '/plain': 'same',
        '/deaf': 'same',
        '/changing': 'changed',
        '/token': 'changed',
        '/same-etag': 'changed',
        // Told "not modified", we believe it: there is nothing to compare.
        '/stubborn': 'same',
        '/vanishing': 'gone',
        '/moving': 'gone',
        '/falling': undefined,
        '/data': 'changed',
      });
      const seen = Object.fromEntries([...pages].map(([path, one]) => [path, one.visiblyUnchanged]));
      expect(seen).toMatchObject({ '/plain': true, '/token': true, '/changing': false, '/same-etag': false });
      expect(seen['/data']).toBeUndefined();
      expect(seen['/vanishing']).toBeUndefined();
      expect(report.sharp).toEqual({ strict: 6, visible: 7, pages: 13 });
      expect(report.captured).toBe(13);
      expect(report.revisits).toEqual({ captured: 5, unchanged: 6, failed: 2 });
      expect(report.blur).toBeGreaterThan(0);

      const profiles = new Map<string, string>();
      await eachRecord(archive, ({ type, url, fields }) => {
        if (type === 'revisit') {
          const profile = fields.find(([name]) => name.toLowerCase() === 'warc-profile')?.[1] ?? '';
          profiles.set(new URL(url).pathname, profile.split('/').at(-1) ?? '');
        }
      });
      expect(Object.fromEntries(profiles)).toEqual({
        '/': 'identical-payload-digest',
        '/plain': 'identical-payload-digest',
        '/deaf': 'identical-payload-digest',
        '/honest': 'server-not-modified',
        '/dated': 'server-not-modified',
        '/stubborn': 'server-not-modified',
      });
      expect(await complaints(archive)).toEqual([]);

      const visits = await withCatalog(archive, (catalog) => catalog.visits({ url: `${site.url}/changing` }));
      expect(visits.map(({ reason }) => reason)).toEqual([
        expect.stringMatching(
          new RegExp(
            `^revisit for ${mode}, by (sharpest-within|the order of the visits): rate [\\d.e-]+ changes a day, slot \\d+ of 13$`,
          ),
        ),
        expect.stringMatching(
          /^adaptive-organ-pipe: (first|second) half, \d+ of \d+ from the coldest, rate [\d.e-]+ changes a day, slot \d+ of about \d+$/,
        ),
      ]);
      // All visits come before all revisits, so that every interval holds the moment between them.
      const visited = [...pages.values()].map(({ visit }) => visit.at);
      const again = [...pages.values()].flatMap(({ revisit }) => (revisit ? [revisit.at] : []));
      expect(Math.max(...visited)).toBeLessThanOrEqual(Math.min(...again));
    } finally {
      await site.close();
    }
  });
});

it('reindex without a catalog => the same site capture, from the records and the crawl log', {
  timeout: 60_000,
}, async () => {
  const site = await startSite(mannered());
  const archive = await temporaryFolder();
  try {
    const command = ['archive', `${site.url}/`, '--archive', archive, ...FAST, '--revisit', 'blur'];
    expect((await daguerre([...command, '--attempts', '1'])).code).toBe(0);
    const before = await pagesOf(archive);
    const { rm } = await import('node:fs/promises');
    await rm(join(archive, 'catalog.sqlite'));
    expect((await daguerre(['reindex', '--archive', archive])).code).toBe(0);
    expect([...(await pagesOf(archive)).values()]).toEqual([...before.values()]);
  } finally {
    await site.close();
  }
});

const PAGES = 60;
const tree = (path: string): Answer | undefined => {
  const number = path === '/' ? 0 : Number(/^\/p(\d+)$/.exec(path)?.[1] ?? Number.NaN);
  if (Number.isNaN(number)) return undefined;
  const children = [1, 2, 3].map((child) => 3 * number + child).filter((child) => child < PAGES);
  return {
    body: page(
      `Page ${number}`,
      children.map((child) => `/p${child}`),
    ),
    after: 3,
  };
};

it('kill -9 in the first and in the second pass, then the same command => each page visited and revisited once', {
  timeout: 120_000,
}, async () => {
  const site = await startSite(tree);
  const archive = await temporaryFolder();
  const command = ['archive', `${site.url}/`, '--archive', archive, ...FAST, '--revisit', 'sharp'];
  try {
    for (const count of [20, PAGES + 15, PAGES + 40]) {
      const running = spawnDaguerre(command);
      await Promise.race([site.seen(count), running.ended]);
      running.child.kill('SIGKILL');
      expect((await running.ended).code).toBeUndefined();
    }
    const { code, stderr, json } = await daguerre(command);
    expect(code).toBe(0);
    expect(stderr).toContain('Resuming crawl 1');
    const report = json<Report>();
    expect(report).toMatchObject({
      state: 'finished',
      captured: PAGES,
      pending: 0,
      sharp: { strict: PAGES, visible: PAGES, pages: PAGES },
      revisits: { captured: 0, unchanged: PAGES, failed: 0 },
    });
    const captures = (await capturesOf(archive)).filter(
      ({ url }) => !url.startsWith('urn:') && !url.endsWith('.txt'),
    );
    expect(captures.filter(({ type }) => type === 'response')).toHaveLength(PAGES);
    expect(captures.filter(({ type }) => type === 'revisit')).toHaveLength(PAGES);
    expect(await complaints(archive)).toEqual([]);
  } finally {
    await site.close();
  }
});

it('a page limit, whatever the order => the pages found first, not those of the far end of the rates', {
  timeout: 60_000,
}, async () => {
  const site = await startSite(tree);
  const archive = await temporaryFolder();
  try {
    const limit = ['--page-limit', '13'];
    const { json } = await daguerre(['archive', `${site.url}/`, '--archive', archive, ...FAST, ...limit]);
    expect(json<Report>()).toMatchObject({ captured: 13, state: 'finished' });
    const numbers = site.asked.flatMap((path) => /^\/p(\d+)$/.exec(path)?.[1] ?? []).map(Number);
    expect(numbers).toHaveLength(12);
    // 3 + 9 + 27 pages of the first levels: the third is never reached.
    expect(Math.max(...numbers)).toBeLessThan(40);
  } finally {
    await site.close();
  }
});

it('--order sharc-offline before any capture => says what it needs, and how to begin', async () => {
  const archive = await temporaryFolder();
  const command = [
    'archive',
    'http://127.0.0.1:1/',
    '--archive',
    archive,
    ...FAST,
    '--order',
    'sharc-offline',
  ];
  const { code, stderr } = await daguerre(command);
  expect(code).toBe(2);
  expect(stderr).toMatch(/captured twice before.*adaptive-organ-pipe/);
});
