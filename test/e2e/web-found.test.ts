import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hrefs } from '../../web/router.ts';
import { daguerre, FAST, temporaryFolder } from './daguerre.ts';
import { type Pages, page, type SmallSite, startSite } from './small-site.ts';
import { opened, seriousFindings, servedToWeb, shot, type WebArchive } from './web-archive.ts';

/** What an outsider found in the web page, in a real browser. */

/** As newspapers have them. */
const LONG = `/politics/${'a-headline-that-goes-on-and-on-'.repeat(6)}100234.html`;
const paragraph = (words: string): string => `<p>${`${words} `.repeat(12)}</p>`;
const paper = (headline: string): Pages => ({
  '/': `<!doctype html><html lang="en"><title>The Quay</title><h1>The Quay</h1>
    <main><h2><a href="${LONG}">${headline}</a></h2>${paragraph(`${headline}, said the harbour office.`)}</main></html>`,
  [LONG]: `<!doctype html><html lang="en"><title>Harbour</title><h1>Harbour</h1>${paragraph('The harbour wall holds.')}`,
});
const HEADLINES = ['The wall holds', 'The wall breaks', 'The wall is mended', 'The wall stands again'];
const READ = { timeout: 60_000 };

let site: SmallSite;
let other: SmallSite;
let archive: WebArchive;
/** Of the front page, as digits, the oldest first. */
let times: readonly string[];
const front = (): string => `${site.url}/`;

beforeAll(async () => {
  const folder = await temporaryFolder();
  const place = join(folder, 'archive');
  const run = async (url: string, ...more: string[]): Promise<void> => {
    const { code, stderr } = await daguerre(['archive', `${url}/`, '--archive', place, ...FAST, ...more]);
    if (code !== 0) throw new Error(`the crawl ended with ${code}: ${stderr}`);
  };
  site = await startSite(paper(''));
  for (const headline of HEADLINES) {
    site.become(paper(headline));
    await run(site.url, '--render', 'always');
  }
  other = await startSite({ '/': page('Other', ['/about']), '/about': page('About') }, '127.0.0.4');
  await run(other.url);
  archive = await servedToWeb({ folder, archive: place, site });
  const listed = await fetch(`${archive.url}/api/captures?url=${encodeURIComponent(front())}`);
  const { rows } = (await listed.json()) as { rows: readonly { timestamp: string }[] };
  times = rows.map(({ timestamp }) => timestamp).sort();
  expect(times.length).toBe(HEADLINES.length);
}, 300_000);
afterAll(async () => {
  await archive?.close();
  await other?.close();
});

const at = (index: number): string => times.at(index) ?? '';
const stays390 = async (view: Page): Promise<void> => {
  await view.setViewportSize({ width: 390, height: 800 });
  expect(await view.evaluate('document.documentElement.scrollWidth')).toBe(390);
};

describe('charts without a value above zero', () => {
  /** Heights of the bars of a chart, in pixels. */
  const heights = (view: Page, label: RegExp): Promise<readonly number[]> =>
    view
      .getByRole('img', { name: label })
      .locator('rect, g[stroke="var(--accent)"] line, line[stroke="var(--accent)"]')
      .evaluateAll((bars) => bars.map((bar) => (bar as SVGGraphicsElement).getBBox().height));

  it('Pages failed, none on any day => no bar', async () => {
    const { view, faults } = await opened(archive, '#/unknown-yet');
    // A chart needs two days: the crawls are told as if they were a day apart.
    await view.route('**/api/crawls?*', async (route) => {
      const response = await route.fetch();
      const told = (await response.json()) as { rows: { startedAt: number }[] };
      const rows = told.rows.map((row, i) => ({ ...row, startedAt: row.startedAt - i * 86_400_000 }));
      await route.fulfill({ response, json: { ...told, rows } });
    });
    await view.goto(`${archive.url}/${hrefs.pages(archive.host)}`);
    const chart = view.getByRole('img', { name: 'Pages failed' });
    await chart.waitFor(READ);
    await chart.scrollIntoViewIfNeeded();
    await shot(view, 'zero-site');
    expect(Math.max(...(await heights(view, /^Pages failed$/)))).toBe(0);
    expect(Math.max(...(await heights(view, /^Pages$/)))).toBeGreaterThan(50);
    expect(faults).toEqual([]);
    await view.context().close();
  }, 120_000);

  it('figures of an archive without changes => no bar', async () => {
    const { view } = await opened(archive, '#/unknown-yet');
    await view.route('**/api/changes?*', (route) => route.fulfill({ json: { rows: [] } }));
    await view.goto(`${archive.url}/${hrefs.list('lab')}`);
    await view.getByRole('img', { name: /How much the last 0 changes/ }).waitFor(READ);
    await shot(view, 'zero-lab');
    expect(Math.max(...(await heights(view, /How much the last 0/)))).toBe(0);
    await view.context().close();
  }, 120_000);
});

describe('on a phone', () => {
  it('passages of pages with long addresses, and headlines that lead to them => nothing runs out', async () => {
    const { view } = await opened(archive, hrefs.list('search', { q: 'harbour wall' }));
    await view.locator('[data-row]').first().waitFor(READ);
    await stays390(view);
    await shot(view, 'search-phone');
    await view.goto(`${archive.url}/${hrefs.digest(front())}`);
    await view.locator('[data-row]').first().waitFor(READ);
    await stays390(view);
    await shot(view, 'headlines-phone');
    for (const [name, hash] of [
      ['today', hrefs.list('today', { span: 'all' })],
      ['search-changes', hrefs.list('search', { q: 'wall', in: 'changes' })],
    ] as const) {
      await view.goto(`${archive.url}/${hash}`);
      await view.locator('[data-row]').first().waitFor(READ);
      await shot(view, `${name}-phone`);
      await stays390(view);
    }
    await view.context().close();
  }, 120_000);
});

describe('replay of what cannot be', () => {
  it('no web address => said, and nothing goes wrong or is waited for', async () => {
    const { view, faults } = await opened(archive, `#/replay?url=javascript:alert(1)`);
    await expect.poll(() => view.textContent('main'), READ).toMatch(/not a web address/);
    expect(await view.textContent('main')).not.toMatch(/Reading/);
    await shot(view, 'no-address');
    expect(await seriousFindings(view)).toEqual([]);
    expect(faults).toEqual([]);
    await view.context().close();
  }, 120_000);

  it('a browser that blocks third-party cookies => said, with the way out', async () => {
    const { view } = await opened(archive, hrefs.list('sites'));
    // A headless shell blocks none: this is how Chromium refuses.
    await view.context().addInitScript(() => {
      ServiceWorkerContainer.prototype.register = () =>
        Promise.reject(
          new DOMException('The user denied permission to use Service Worker.', 'NotSupportedError'),
        );
    });
    await view.goto(`${archive.url}/${hrefs.replay(front(), at(0))}`);
    await view.reload();
    await expect.poll(() => view.textContent('main'), READ).toMatch(/blocks third-party cookies/);
    expect(await view.textContent('main')).toMatch(/As stored/);
    await shot(view, 'no-worker');
    expect(await seriousFindings(view)).toEqual([]);
    await view.context().close();
  }, 120_000);

  it('a crawl that there is not => said, and the most likely version one click away', async () => {
    const { view, faults } = await opened(
      archive,
      hrefs.replay(front(), at(0), false, { choice: 'capture', crawl: 999 }),
    );
    await expect.poll(() => view.textContent('main'), READ).toMatch(/There is no crawl 999/);
    await shot(view, 'no-crawl');
    await view.getByRole('link', { name: 'The most likely version' }).click();
    const replayed = view.frameLocator('main iframe').frameLocator('iframe');
    await replayed
      .getByText(HEADLINES[0] ?? '')
      .first()
      .waitFor(READ);
    expect(faults).toEqual([]);
    await view.context().close();
  }, 120_000);
});

describe('compare', () => {
  /** What the two fields show, as positions among the versions. */
  const fields = (view: Page): Promise<readonly number[]> =>
    view
      .locator('.steps select')
      .evaluateAll((all) => all.map((one) => (one as HTMLSelectElement).selectedIndex));
  const compared = (view: Page): Promise<string | null> => view.textContent('main .changes');

  it('without times => the newest and the one before it, and the fields say so', async () => {
    const { view, faults } = await opened(archive, hrefs.compare(front(), '', ''));
    await expect.poll(() => compared(view), READ).toMatch(/stands again/);
    await expect.poll(() => fields(view), READ).toEqual([2, 3]);
    expect(await compared(view)).toMatch(/is mended/);
    await view.getByRole('button', { name: 'Before: Earlier capture' }).click();
    await expect.poll(() => fields(view), READ).toEqual([1, 3]);
    await expect.poll(() => compared(view), READ).toMatch(/breaks/);
    expect(faults).toEqual([]);
    await view.context().close();
  }, 120_000);

  it('the later one named first => before is the earlier one all the same', async () => {
    const { view } = await opened(archive, hrefs.compare(front(), at(3), at(0)));
    await expect.poll(() => fields(view), READ).toEqual([0, 3]);
    const earlier = view.getByRole('link', { name: 'Replay the earlier one' });
    await expect.poll(() => earlier.getAttribute('href'), READ).toContain(at(0));
    await view.context().close();
  }, 120_000);

  it('arrows => neighbours step together; a version that was chosen to compare with stays', async () => {
    const { view } = await opened(archive, hrefs.compare(front(), at(2), at(3)));
    await expect.poll(() => compared(view), READ).toMatch(/stands again/);
    await view.keyboard.press('ArrowLeft');
    await expect.poll(() => fields(view), READ).toEqual([1, 2]);
    await view.goto(`${archive.url}/${hrefs.compare(front(), at(0), at(3))}`);
    await expect.poll(() => fields(view), READ).toEqual([0, 3]);
    await expect.poll(() => compared(view), READ).toMatch(/stands again/);
    await view.keyboard.press('ArrowLeft');
    await expect.poll(() => fields(view), READ).toEqual([0, 2]);
    await view.context().close();
  }, 120_000);
});

describe('today', () => {
  it('an archive of several sites => each new page with its site', async () => {
    const { view } = await opened(archive, hrefs.list('today', { span: 'all' }));
    const pages = view.getByRole('region', { name: 'New pages' });
    await pages.waitFor(READ);
    await shot(view, 'today-sites');
    for (const host of [archive.host, new URL(other.url).host])
      await expect.poll(() => pages.textContent(), READ).toContain(host);
    await view.context().close();
  }, 120_000);
});

describe('a running crawl', () => {
  it('watched to its end => no longer "Running now", the list has all of it, and no flags of a command line', async () => {
    const { view, faults } = await opened(archive, hrefs.crawls);
    const held: (() => void)[] = [];
    const paths = ['/about', '/1', '/2', '/3'];
    const later = (path: string) => (_: unknown, response: { end(body: string): void }) =>
      void held.push(() => response.end(page(path)));
    other.become({
      '/new': page('New', paths),
      ...Object.fromEntries(paths.map((path) => [path, later(path)])),
    });
    // As `archive` notes it of a crawl of other settings that was left.
    await view.route('**/api/crawls/*', async (route) => {
      const response = await route.fetch();
      const notes = [
        'crawl 3, begun 2026-01-01T00:00:00.000Z with other settings, is left with 7 URLs waiting: add --continue to go on with them under these settings, or give its own settings again to resume it',
      ];
      await route.fulfill({ response, json: { ...((await response.json()) as object), notes } });
    });
    await view.getByRole('button', { name: 'Archive a site' }).click();
    await view.getByLabel('Address').fill(`${other.url}/new`);
    await view.getByLabel('Browser').selectOption('never');
    await view.getByRole('dialog').getByRole('button', { name: 'Start' }).click();
    await view.getByRole('heading', { name: 'Running now' }).waitFor(READ);
    await expect.poll(() => held.length, READ).toBeGreaterThan(0);
    other.become((path) => page(path));
    for (const release of held) release();
    await expect.poll(() => view.textContent('.summary'), READ).toMatch(/finished/);
    await expect.poll(() => view.getByRole('heading', { name: 'Running now' }).count(), READ).toBe(0);
    const listed = view.locator('table.addresses tbody tr');
    const count = async (): Promise<number> =>
      Number((await view.locator('.tile[aria-pressed=true] strong').textContent()) ?? '0');
    await expect.poll(async () => (await listed.count()) - (await count()), READ).toBe(0);
    expect(await count()).toBeGreaterThan(1);
    expect(await view.textContent('.notes')).toMatch(/7 URLs waiting\. It can be resumed on its own page/);
    expect(await view.textContent('main')).not.toMatch(/--continue/);
    await shot(view, 'crawl-ended');
    expect(await seriousFindings(view)).toEqual([]);
    expect(faults).toEqual([]);
    await view.context().close();
  }, 240_000);
});
