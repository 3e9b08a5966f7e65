import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium } from '../../src/capture/browser/index.ts';
import { daguerre, FAST, type Running, spawnDaguerre, temporaryFolder } from './daguerre.ts';
import { page, type SmallSite, startSite } from './small-site.ts';

const LONG = `/a-section-with-a-long-name/${'a-page-with-a-long-name-'.repeat(4)}`;

let site: SmallSite;
let server: Running;
let browser: Browser;
let url: string;

beforeAll(async () => {
  const archive = join(await temporaryFolder(), 'archive');
  const links = [1, 2, 3].map((number) => `${LONG}${number}`);
  site = await startSite({
    '/': `${page('Home', [...links, '/moved', '/gone', '/broken'])}<img src="/logo.png"><img src="/lost.png">`,
    ...Object.fromEntries(links.map((link) => [link, page(link)])),
    '/gone': page('Gone soon'),
    '/moved': { status: 302, headers: { Location: '/' }, body: '' },
    '/broken': { status: 403, body: 'no' },
    '/logo.png': { headers: { 'Content-Type': 'image/png' }, body: 'x'.repeat(200) },
  });
  const args = ['archive', `${site.url}/`, '--archive', archive, ...FAST];
  expect((await daguerre(args)).code).toBe(0);
  site.become({
    '/': `${page('Home', [...links, '/moved', '/gone', '/broken', '/new'])}<img src="/logo.png"><img src="/lost.png">`,
    ...Object.fromEntries(links.map((link) => [link, page(link)])),
    '/new': page('New'),
    '/moved': { status: 302, headers: { Location: '/' }, body: '' },
    '/broken': { status: 403, body: 'no' },
    '/logo.png': { headers: { 'Content-Type': 'image/png' }, body: 'x'.repeat(200) },
  });
  expect((await daguerre(args)).code).toBe(0);
  const ports = ['--port', '0', '--replay-port', '0'];
  server = spawnDaguerre(['serve', '--archive', archive, '--json', ...ports]);
  const said = await server.said('"url"');
  ({ url } = JSON.parse(said.split('\n').find((line) => line.startsWith('{')) ?? '') as { url: string });
  const found = await findChromium();
  browser = await chromium.launch({
    executablePath: found.path,
    args: ['--no-sandbox', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'],
  });
});

afterAll(async () => {
  await browser?.close();
  server?.child.kill('SIGTERM');
  await site?.close();
});

async function report(width: number): Promise<Page> {
  const view = await browser.newPage({ viewport: { width, height: 900 } });
  await view.goto(`${url}/#/crawl?id=2`);
  await view.waitForSelector('table.list tbody tr');
  return view;
}

describe('the crawl report of the web page', () => {
  it('each tile => a list as long as its number', async () => {
    const view = await report(1280);
    const numbers: Record<string, number> = {};
    for (const tile of await view.locator('button.tile:not(.skipped)').all()) {
      await tile.click();
      await view.waitForFunction(
        () =>
          document.querySelector('table.addresses tbody tr, .notice') && !document.querySelector('.loading'),
      );
      const count = Number(await tile.locator('strong').textContent());
      const label = ((await tile.textContent()) ?? '').replace(/^\s*[\d,]+\s*/, '').trim();
      await expect.poll(() => view.locator('table.addresses tbody tr').count()).toBe(count);
      numbers[label] = count;
    }
    expect(numbers).toEqual({
      new: 1,
      changed: 1,
      unchanged: 3,
      redirects: 1,
      gone: 1,
      failed: 1,
      'resources failed': 1,
    });
    await view.close();
  });

  it.each([1280, 400])('at %i pixels => addresses can be read, nothing is cut off', async (width) => {
    const view = await report(width);
    await view.locator('button.tile.unchanged').click();
    await expect.poll(() => view.locator('table.addresses tbody tr').count()).toBe(3);
    const seen = await view.evaluate(() => {
      const cells = [...document.querySelectorAll<HTMLElement>('table.addresses tbody td')];
      const shown = cells.filter((cell) => cell.offsetWidth > 0);
      return {
        page: document.documentElement.scrollWidth,
        address: (document.querySelector('table.addresses td.main') as HTMLElement).offsetWidth,
        cut: shown.filter((cell) => cell.scrollWidth > cell.clientWidth).length,
        hidden: [...document.querySelectorAll<HTMLElement>('.row-link')].filter(
          (link) => link.scrollWidth > link.clientWidth,
        ).length,
      };
    });
    expect(seen).toMatchObject({ page: width, cut: 0, hidden: 0 });
    // It was 160 of 1280 beside a long reason.
    expect(seen.address).toBeGreaterThan(width === 1280 ? 400 : 300);
    await view.close();
  });
});
