import { cp, open } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium } from '../../src/capture/browser/find-chromium.ts';
import { createNewspaper, fastClock, startNewspaper } from '../../src/lab/newspaper/index.ts';
import type { PageInfo } from '../../src/model/capture.ts';
import { snapshotUri } from '../../src/model/derived-uris.ts';
import type { Layout } from '../../src/model/layout.ts';
import { parseViXml } from '../../src/science/layout/vi-xml.ts';
import {
  capturesOf,
  collect,
  complaints,
  daguerre,
  eachRecord,
  temporaryFolder,
  withCatalog,
} from './daguerre.ts';
import { type Pages, type SmallSite, startSite } from './small-site.ts';

const noChromium = await findChromium().then(
  () => false,
  () => true,
);
if (noChromium) console.warn('skipped: layouts by template, because there is no Chromium');

/** What one crawl wrote of a page, by the kind of its record. */
interface Stored {
  readonly kinds: Set<string>;
  info?: PageInfo;
  layout?: Layout;
  turn?: { outcome: string; filled: number; of: string };
}

/** By page; `crawl` counts from 1. */
async function storedBy(archive: string, crawl: number): Promise<Map<string, Stored>> {
  const pages = new Map<string, Stored>();
  await eachRecord(archive, async ({ type, url, payload }, file) => {
    const [, kind, page] = /^urn:([a-z]+):(http.*)$/u.exec(url) ?? [];
    if (type !== 'resource' || kind === undefined || page === undefined) return;
    if (Number(file.split('-')[1]) !== crawl) return;
    const stored = pages.get(page) ?? { kinds: new Set() };
    pages.set(page, stored);
    stored.kinds.add(kind);
    const text = async () => Buffer.concat(await collect(payload.chunks())).toString();
    if (kind === 'pageinfo') stored.info = JSON.parse(await text()) as PageInfo;
    if (kind === 'layout') stored.layout = parseViXml(await text());
    if (kind === 'template') stored.turn = JSON.parse(await text()) as NonNullable<Stored['turn']>;
  });
  return pages;
}

async function archive(url: string, folder: string, ...flags: string[]): Promise<void> {
  const spec = ['--allow-private', '--delay', '0', '--attempts', '1', '--per-host', '4', '--json'];
  const { code, stderr } = await daguerre(['archive', url, '--archive', folder, ...spec, ...flags]);
  if (code !== 0) throw new Error(`archive ended with ${code}: ${stderr}`);
}

describe.skipIf(noChromium)('a newspaper, captured again hours later with --templates', () => {
  const HOUR = 3_600_000;
  const start = Date.UTC(2026, 10, 16, 8);
  let filled: Map<string, Stored>;
  let rendered: Map<string, Stored>;
  let folder: string;
  let before: Set<string>;

  beforeAll(async () => {
    const clock = fastClock({ start, speed: 0 });
    const world = createNewspaper({ seed: 3, start, size: 'small' });
    const server = await startNewspaper({ world, clock: clock.now, ads: 'off' });
    try {
      folder = await temporaryFolder();
      // By depth: which pages are the first forty depends on who answers first.
      const limit = ['--depth', '1'];
      await archive(`${server.origin}/`, folder, ...limit);
      before = new Set((await storedBy(folder, 1)).keys());
      const other = join(await temporaryFolder(), 'rendered');
      await cp(folder, other, { recursive: true });
      clock.advance(3 * HOUR);
      await archive(`${server.origin}/`, folder, ...limit, '--templates', '10');
      await archive(`${server.origin}/`, other, ...limit);
      filled = await storedBy(folder, 2);
      rendered = await storedBy(other, 2);
    } finally {
      await server.close();
    }
  }, 600_000);

  const byTemplate = () => [...filled].filter(([, { turn }]) => turn?.outcome === 'filled');

  it('pages whose text changed are filled: no snapshot, no screenshot, and they say so', () => {
    const changed = byTemplate().filter(([, { kinds }]) => kinds.has('delta'));
    process.stderr.write(
      `templates: ${byTemplate().length} of ${filled.size} pages, ${changed.length} changed\n`,
    );
    expect(byTemplate().length).toBeGreaterThan(10);
    expect(changed.length).toBeGreaterThan(0);
    for (const [, { kinds, info }] of byTemplate()) {
      for (const kind of ['snapshot', 'view', 'thumbnail']) expect(kinds).not.toContain(kind);
      expect(kinds).toContain('text');
      expect(info?.facts.join()).toContain('layout by template');
    }
  });

  it('each layout is what the browser gives of the same version', () => {
    expect([...filled.keys()].sort()).toEqual([...rendered.keys()].sort());
    for (const [url, { layout, info }] of filled) {
      const other = rendered.get(url);
      expect([url, layout?.root.id, layout?.title]).toEqual([
        url,
        other?.layout?.root.id,
        other?.layout?.title,
      ]);
      expect([url, info?.title]).toEqual([url, other?.info?.title]);
      // Feeds that a page names are read from the HTML, not from the browser.
      expect(info?.links).toEqual(expect.arrayContaining([...(other?.info?.links ?? [])]));
    }
  });

  it('all that the browser loads is captured, over HTTP', () => {
    for (const [url, { info }] of byTemplate()) {
      const loaded = Object.keys(rendered.get(url)?.info?.resources ?? {});
      expect(Object.keys(info?.resources ?? {})).toEqual(expect.arrayContaining(loaded));
    }
  });

  it('pages whose scripts ask for data, and new pages, go through the browser', () => {
    for (const [url, { kinds, turn }] of filled) {
      const path = new URL(url).pathname;
      if (path !== '/' && path !== '/trends/' && before.has(url)) continue;
      expect(turn).toBeUndefined();
      if (kinds.has('text')) expect(kinds).toContain('view');
    }
  });

  it('reindex => the same captures and changes; verify has nothing to say', async () => {
    const changes = async () => (await daguerre(['changes', '--json', '--archive', folder])).stdout;
    // Two pages may load one style sheet in the same millisecond: their order is that of the commits.
    const known = async () =>
      (await capturesOf(folder)).toSorted((a, b) => (a.recordId < b.recordId ? -1 : 1));
    const [captures, told] = [await known(), await changes()];
    expect((await daguerre(['reindex', '--archive', folder, '--json'])).code).toBe(0);
    expect([await known(), await changes()]).toEqual([captures, told]);
    expect(await complaints(folder)).toEqual([]);
  });
});

/** The script's data decides what it writes: its shape is the same, so a template cannot see it. */
const page = (story: string, shown = 'no'): Pages => ({
  '/': `<!doctype html><html lang="en"><title>The Daily</title><link rel="stylesheet" href="/style.css">
    <header><h1>The Daily</h1><img src="/logo.svg" alt="A ship" width="80" height="40"></header>
    <main><h2>From the harbour</h2><p>${story}</p><p id="more">The ferry leaves at eight, as it did all year.</p></main>
    <script>if ('${shown}' === 'yes') document.getElementById('more').append('Not on Sundays.');</script>
    <footer>All rights reserved.</footer>`,
  '/style.css': {
    headers: { 'Content-Type': 'text/css' },
    body: 'body{margin:0} header,footer{background:#ddd;padding:20px} main{width:700px;padding:20px}',
  },
  '/logo.svg': {
    headers: { 'Content-Type': 'image/svg+xml' },
    body: '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="40"><rect width="80" height="40"/></svg>',
  },
});

describe.skipIf(noChromium)('a template in time', () => {
  let site: SmallSite;
  let folder: string;
  let crawl = 0;
  beforeAll(async () => {
    site = await startSite(page('It rained.'));
    folder = await temporaryFolder();
  });
  afterAll(() => site.close());

  /** Captures the page as it is then; what was stored of it. */
  async function captured(pages: Pages, templates: number): Promise<Stored> {
    site.become(pages);
    await archive(`${site.url}/`, folder, '--page-limit', '1', '--templates', `${templates}`);
    return (await storedBy(folder, ++crawl)).get(`${site.url}/`) as Stored;
  }

  it('every third goes through the browser; a wrong one is told, and then each, until one agrees', async () => {
    const outcomes = async (pages: Pages, templates = 3) => (await captured(pages, templates)).turn?.outcome;
    expect(await outcomes(page('It rained.'))).toBeUndefined();
    expect(await outcomes(page('It rained.'))).toBe('filled');
    expect(await outcomes(page('It hailed.'))).toBe('filled');
    const third = await captured(page('It snowed.'), 3);
    expect(third.turn).toMatchObject({ outcome: 'agreed', filled: 0 });
    expect(third.kinds).toContain('view');
    // Missed: the script writes now, and nobody looks.
    expect(await outcomes(page('It blowed.', 'yes'))).toBe('filled');
    const wrong = await captured(page('It melted', 'yes'), 2);
    expect(wrong.turn).toMatchObject({ outcome: 'disagreed' });
    expect(wrong.info?.facts.join()).toContain('the layout by template was wrong');
    expect(JSON.stringify(wrong.layout)).toContain('Not on Sundays.');
    // What it shows now is not in its HTML: there is nothing to fill.
    const scripted = await captured(page('It cooled.', 'yes'), 10);
    expect(scripted.turn).toBeUndefined();
    expect(scripted.kinds).toContain('view');
    expect(await outcomes(page('It warmed.'), 10)).toBeUndefined();
    expect(await outcomes(page('It thawed.'), 10)).toBe('agreed');
    expect(await outcomes(page('It warmed.'), 10)).toBe('filled');
  });

  it('another style sheet under the same address => the browser, and the page filled again after that', async () => {
    const restyled = (story: string): Pages => ({
      ...page(story),
      '/style.css': { headers: { 'Content-Type': 'text/css' }, body: 'main{display:none}' },
    });
    const shown = await captured(restyled('It warmed.'), 10);
    expect(shown.turn).toBeUndefined();
    expect(shown.kinds).toContain('view');
    expect((await captured(restyled('It warmed.'), 10)).turn?.outcome).toBe('filled');
  });

  it('another picture under the same address => filled, and a change', async () => {
    const pages = page('It rained.');
    await captured(pages, 10);
    const body = '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="40"><circle r="9"/></svg>';
    const logo = { headers: { 'Content-Type': 'image/svg+xml' }, body };
    const other = await captured({ ...pages, '/logo.svg': logo }, 10);
    expect(other.turn?.outcome).toBe('filled');
    expect(other.kinds).toContain('delta');
  });

  it('what the template is learned from is damaged => the browser, a fact with the reason, counted', async () => {
    const snapshot = await withCatalog(folder, (catalog) =>
      catalog.closest(snapshotUri(`${site.url}/`), Number.MAX_SAFE_INTEGER),
    );
    if (!snapshot) throw new Error('there is no snapshot');
    const file = await open(join(folder, 'warc', snapshot.file), 'r+');
    const middle = snapshot.offset + Math.floor(snapshot.length / 2);
    await file.write(Buffer.alloc(40, 'damage'), 0, 40, middle);
    await file.close();
    const options = ['--allow-private', '--delay', '0', '--page-limit', '1', '--templates', '10', '--json'];
    const run = await daguerre(['archive', `${site.url}/`, '--archive', folder, ...options]);
    expect(run.json()).toMatchObject({ impaired: { 'template-failure': 1 } });
    const [visit] = await withCatalog(folder, (catalog) => catalog.visits({ url: `${site.url}/`, limit: 1 }));
    expect(visit).toMatchObject({ outcome: 'unchanged', fault: { kind: 'template-failure' } });
  });
});
