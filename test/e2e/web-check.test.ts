import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hrefs } from '../../web/router.ts';
import { cutRecords } from '../cut-records.ts';
import { capturesOf, daguerre, temporaryFolder } from './daguerre.ts';
import { startSite } from './small-site.ts';
import { opened, seriousFindings, servedToWeb, shot, type WebArchive } from './web-archive.ts';

/** Verdicts of `check` in the web page, in a real browser: docs/check.md. */

/** An address that would do harm as markup. */
const EVIL = '/a"><img src=x onerror=window.hacked=1>.svg';
const SVG = { 'Content-Type': 'image/svg+xml' };
const PICTURE = `<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><rect width="64" height="64" fill="red"/></svg>`;
const STORY = 'The harbour office said on Monday that the ferry will not sail before the spring.';
const FRONT = `<!doctype html><html lang="en"><title>&lt;img src=x onerror="window.hacked = 1"&gt;</title>
  <link rel="stylesheet" href="/style.css"><h1>The Daily</h1><img id="top" src="/top.svg" alt="The ferry">
  <img src="${EVIL.replaceAll('"', '&quot;').replaceAll('<', '&lt;')}" alt=""><p>${STORY}</p><a href="/about">About</a>`;
const STYLE =
  'body{margin:0 200px;font:18px sans-serif} h1{font-size:60px;color:#900} #top{display:block;width:880px;height:500px}';

let archive: WebArchive;
const front = (): string => `${archive.site.url}/`;

beforeAll(async () => {
  const folder = await temporaryFolder();
  const place = join(folder, 'archive');
  const site = await startSite((path) => {
    if (path === '/style.css') return { headers: { 'Content-Type': 'text/css' }, body: STYLE };
    if (path.endsWith('.svg')) return { headers: SVG, body: path === '/top.svg' ? PICTURE : `${PICTURE} ` };
    return {
      '/': FRONT,
      '/about': `<!doctype html><html lang="en"><title>About</title><h1>About</h1><p>${STORY}</p>`,
    }[path];
  });
  const run = async (...args: string[]): Promise<void> => {
    const { code, stderr } = await daguerre([...args, '--archive', place]);
    if (code !== 0) throw new Error(`${args[0]} ended with ${code}: ${stderr}`);
  };
  await run('archive', `${site.url}/`, '--allow-private', '--delay', '0', '--render', 'always');
  const lost = (await capturesOf(place)).filter(({ url }) => /\.(?:svg|css)$/.test(url));
  expect(lost.length).toBe(3);
  cutRecords(place, lost);
  await run('reindex');
  archive = await servedToWeb({ folder, archive: place, site });
}, 240_000);
afterAll(() => archive?.close());

const HARM = `({ hacked: window.hacked, images: document.querySelectorAll('img[src="x"]').length })`;
const CHECKED = { timeout: 120_000 };

describe('verdicts in the web page', () => {
  it('a crawl nobody checked => said so; Check all => numbers, the damaged page, both pictures, what is missing', async () => {
    const { view, faults, strangers } = await opened(archive, hrefs.crawl(1));
    const place = view.getByRole('region', { name: 'What replay shows' });
    await expect.poll(() => place.textContent()).toMatch(/No page of this crawl was checked yet/);
    // By the keyboard alone.
    await place.getByRole('button', { name: 'Check all pages' }).focus();
    await view.keyboard.press('Enter');
    await expect
      .poll(() => place.locator('.stat').first().textContent(), CHECKED)
      .toMatch(/Pages checked\s*2/);
    await place.getByRole('button', { name: 'Check again' }).first().waitFor(CHECKED);
    const page = place.locator('li[data-row]');
    await expect.poll(() => page.count()).toBe(1);
    expect(await page.textContent()).toMatch(/damaged\s*Score 0\.\d.*3 resources missing.*34 % of a screen/s);
    expect(await page.textContent()).toContain('/style.css');
    for (const side of ['Live', 'Replayed']) {
      const picture = page.getByRole('img', { name: side });
      await picture.scrollIntoViewIfNeeded();
      await expect.poll(() => picture.evaluate((one) => (one as HTMLImageElement).naturalWidth)).toBe(1280);
    }
    expect(await view.evaluate(HARM)).toEqual({ hacked: undefined, images: 0 });
    await shot(view, 'check-crawl');
    expect(await seriousFindings(view)).toEqual([]);
    await view.setViewportSize({ width: 390, height: 800 });
    await shot(view, 'check-crawl-phone');
    expect(await view.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await place.getByRole('button', { name: 'All', exact: true }).click();
    await expect.poll(() => page.count()).toBe(2);
    expect([faults, strangers]).toEqual([[], []]);
    await view.context().close();
  }, 240_000);

  it('Mend at a page => asked for again, whole, in the reader’s language', async () => {
    const { view, faults } = await opened(archive, hrefs.captures(front()), { locale: 'de-DE' });
    const place = view.getByRole('region', { name: 'Was die Wiedergabe zeigt' });
    await expect.poll(() => place.textContent()).toMatch(/beschädigt.*3 Ressourcen fehlen/s);
    await shot(view, 'check-page');
    await place.getByRole('button', { name: 'Ausbessern' }).click();
    await expect
      .poll(() => place.textContent(), CHECKED)
      .toMatch(/heil.*Note 1.*Erneut erfragt: 3; gespeichert: 3/s);
    await shot(view, 'check-page-mended');
    expect(await seriousFindings(view)).toEqual([]);
    expect(await view.evaluate(HARM)).toEqual({ hacked: undefined, images: 0 });
    expect(faults).toEqual([]);
    await view.context().close();
  }, 240_000);

  it('a second check while one runs => refused, and told; a crawl that is not there => told why it failed', async () => {
    const headers = { 'content-type': 'application/json', origin: archive.url };
    const post = (body: object): Promise<Response> =>
      fetch(`${archive.url}/api/checks`, { method: 'POST', headers, body: JSON.stringify(body) });
    const state = async (): Promise<{ running?: unknown; last?: { why?: string } }> =>
      (await fetch(`${archive.url}/api/checks/state`)).json() as Promise<object>;
    // The check of the test before tells its verdict before it ends.
    await expect.poll(async () => (await state()).running, CHECKED).toBeUndefined();
    expect((await post({})).status).toBe(400);
    expect((await post({ url: front(), crawl: 1 })).status).toBe(400);
    expect((await post({ crawl: 1, at: 1 })).status).toBe(400);
    expect((await post({ crawl: 1 })).status).toBe(202);
    const { view } = await opened(archive, hrefs.captures(front()));
    const second = await post({ url: front() });
    // The first may have ended on a fast machine: then the second is the one that runs.
    if (second.status !== 202) {
      expect(second.status).toBe(409);
      expect(await second.json()).toMatchObject({ detail: 'another check is running' });
    }
    await expect.poll(async () => (await state()).running, CHECKED).toBeUndefined();
    await view.context().close();
    expect((await post({ crawl: 99 })).status).toBe(202);
    await expect.poll(async () => (await state()).last?.why, CHECKED).toMatch(/there is no crawl 99/);
    expect((await fetch(`${archive.url}/api/checks?crawl=99`)).status).toBe(404);
    const absent = `${archive.url}/api/checks/picture?url=${encodeURIComponent(front())}&at=1&side=replayed`;
    expect((await fetch(absent)).status).toBe(404);
    const foreign = await fetch(`${archive.url}/api/checks`, {
      ...{ method: 'POST', body: '{"crawl":1}' },
      headers: { ...headers, origin: 'https://elsewhere.example' },
    });
    expect(foreign.status).toBe(403);
  }, 240_000);
});
