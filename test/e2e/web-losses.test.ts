import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CrawlTally } from '../../src/model/crawl.ts';
import { hrefs } from '../../web/router.ts';
import { daguerre, type Running, spawnDaguerre, temporaryFolder } from './daguerre.ts';
import { CHROMIUM_ARGS, chromiumPath } from './replay-browser.ts';
import { page, type SmallSite, startSite } from './small-site.ts';

/**
 * What a capture could not do stands in the web page wherever its version, its change or its crawl does, with the
 * reason: a page longer than its layout may be, and a picture that the browser asked for in vain. Uses the build in
 * `dist`.
 */

const long = (version: string): string =>
  `<!doctype html><title>Long</title><h1>Long, ${version}</h1><pre>${'0123456789'.repeat(510_000)}</pre>`;
const home = `${page('Home', ['/long'])}<img src="/broken.png">`;
const WHY = /the layout is partial: texts past the limit of 5000000 characters are left out/;

let site: SmallSite;
let server: Running;
let browser: Browser;
let url: string;
let tally: CrawlTally;

beforeAll(async () => {
  const archive = join(await temporaryFolder(), 'archive');
  const broken = (_: unknown, response: { destroy(): void }): void => response.destroy();
  site = await startSite({ '/': home, '/long': long('first'), '/broken.png': broken });
  const args = ['--archive', archive, '--allow-private', '--delay', '0', '--render', 'always', '--json'];
  const crawl = () => daguerre(['archive', `${site.url}/`, ...args]);
  tally = (await crawl()).json<CrawlTally>();
  site.become({ '/': home, '/long': long('second'), '/broken.png': broken });
  await crawl();
  server = spawnDaguerre(['serve', '--archive', archive, '--json', '--port', '0', '--replay-port', '0']);
  const said = await server.said('"url"');
  ({ url } = JSON.parse(said.split('\n').find((line) => line.startsWith('{')) ?? '') as { url: string });
  browser = await chromium.launch({ executablePath: await chromiumPath(), args: CHROMIUM_ARGS });
}, 240_000);

afterAll(async () => {
  await browser?.close();
  server?.child.kill('SIGTERM');
  await site?.close();
});

async function opened(hash: string): Promise<Page> {
  const view = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  await view.goto(`${url}/${hash}`);
  return view;
}

const texts = (view: Page, selector: string) => view.locator(selector).allTextContents();

it('the list of pages => the page that was not seen whole is marked, the other is not', async () => {
  const view = await opened(hrefs.pages(new URL(site.url).host));
  await expect.poll(() => texts(view, '.impairment')).toEqual([expect.stringMatching(WHY)]);
  expect(await view.locator('.page', { has: view.locator('.impairment') }).textContent()).toContain('Long');
});

it('captures and replay of that page => each version impaired, its change partial', async () => {
  const view = await opened(hrefs.captures(`${site.url}/long`));
  const partial = expect.stringContaining('only a part of the page was compared');
  const why = expect.stringMatching(WHY);
  await expect.poll(() => texts(view, '.timeline .impairment')).toEqual([why, partial, why]);
  await view.locator('.timeline a.row-link').first().click();
  await expect.poll(() => texts(view, '.strip .impairment')).toEqual([why, partial]);
});

it('crawls and the report of one => impaired pages and lost resources, as the command counts them', async () => {
  expect(tally).toMatchObject({ impaired: { 'page-cut': 1 }, resources: { failed: 1, lost: 1 } });
  const crawls = await opened(hrefs.crawls);
  await expect
    .poll(() => texts(crawls, '.tag.bad'))
    .toEqual(['1 impaired', '1 resource lost', '1 impaired', '1 resource lost']);
  const report = await opened(hrefs.crawl(1));
  await expect
    .poll(() => report.textContent('.summary'))
    .toMatch(/1 resource beside the pages\s*\(1 of them lost/);
  const tile = report.locator('button.tile.impaired');
  expect(await tile.textContent()).toMatch(/^\s*1\s*impaired/);
  await tile.click();
  await expect.poll(() => texts(report, 'table.addresses td.main')).toEqual([expect.stringMatching(WHY)]);
  expect(await report.textContent('.reasons')).toContain('page-cut');
  await report.locator('button.tile.resources').click();
  await expect.poll(() => report.textContent('main')).toContain('asked for in the browser in vain');
});
