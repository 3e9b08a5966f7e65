import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hrefs } from '../../web/router.ts';
import { daguerre, FAST, type Running, spawnDaguerre, temporaryFolder } from './daguerre.ts';
import { CHROMIUM_ARGS, chromiumPath } from './replay-browser.ts';
import { page, type SmallSite, startSite } from './small-site.ts';
import { shot } from './web-archive.ts';

/** The server goes away while somebody reads, and comes back. Uses the build in `dist`. */

const READ = { timeout: 60_000 };
let place: string;
let site: SmallSite;
let server: Running;
let browser: Browser;
let url: string;

async function serve(port: string): Promise<void> {
  server = spawnDaguerre(['serve', '--archive', place, '--json', '--port', port, '--replay-port', '0']);
  const said = await server.said('"url"');
  ({ url } = JSON.parse(said.split('\n').find((line) => line.startsWith('{')) ?? '') as { url: string });
}

async function fall(): Promise<void> {
  server.child.kill('SIGKILL');
  await server.ended;
}

beforeAll(async () => {
  place = join(await temporaryFolder(), 'archive');
  site = await startSite({ '/': page('Home', ['/about']), '/about': page('About') });
  const { code, stderr } = await daguerre(['archive', `${site.url}/`, '--archive', place, ...FAST]);
  if (code !== 0) throw new Error(stderr);
  await serve('0');
  browser = await chromium.launch({ executablePath: await chromiumPath(), args: CHROMIUM_ARGS });
}, 240_000);
afterAll(async () => {
  await browser?.close();
  server?.child.kill('SIGTERM');
  await site?.close();
});

const opened = async (hash: string): Promise<Page> => {
  const view = await browser.newPage({ viewport: { width: 1280, height: 900 }, locale: 'en-US' });
  await view.goto(`${url}/${hash}`);
  return view;
};
const main = (view: Page) => (): Promise<string | null> => view.textContent('main');
const goTo = (view: Page, hash: string): Promise<void> =>
  view.evaluate((to) => {
    location.hash = to;
  }, hash);

it('no server, a place not opened before => said plainly; the server is back => the place, by itself', async () => {
  const view = await opened(hrefs.sites);
  await expect.poll(main(view), READ).toMatch(/2 pages/);
  await fall();
  await goTo(view, hrefs.list('lab'));
  await expect.poll(main(view), READ).toMatch(/The server does not answer\..*asks again by itself/s);
  expect(await main(view)()).not.toMatch(/preload|dynamically/i);
  await shot(view, 'outage');
  // A place whose files are there already says the same of its answers.
  await goTo(view, hrefs.sites);
  await expect.poll(main(view), READ).toMatch(/The server does not answer/);
  await goTo(view, hrefs.list('perimeter'));
  await expect.poll(main(view), READ).toMatch(/The server does not answer/);
  await serve(new URL(url).port);
  await expect.poll(main(view), READ).toMatch(/No page was judged/);
  await goTo(view, hrefs.list('lab'));
  await expect.poll(main(view), READ).toMatch(/Results of the lab/);
  await view.context().close();
}, 180_000);

it('no server, a place whose files are there => read anew once the server answers; what is being written stays', async () => {
  const view = await opened(hrefs.list('decisions'));
  await view.getByText('Nothing was decided yet').waitFor(READ);
  await goTo(view, hrefs.crawls);
  await expect.poll(main(view), READ).toMatch(/finished/);
  await fall();
  await goTo(view, hrefs.list('decisions'));
  await expect.poll(main(view), READ).toMatch(/The server does not answer/);
  await serve(new URL(url).port);
  await view.getByText('Nothing was decided yet').waitFor(READ);

  await view.getByLabel('Page, site').fill('example.org');
  await view.getByLabel('Who').fill('Anna');
  await view.getByLabel('Why').fill('a long reason');
  await fall();
  await view.locator('form.decide button.main').click();
  await view.getByRole('alert').filter({ hasText: 'The server does not answer' }).waitFor(READ);
  await serve(new URL(url).port);
  await new Promise((resolve) => setTimeout(resolve, 4000));
  expect(await view.getByLabel('Why').inputValue()).toBe('a long reason');
  await view.locator('form.decide button.main').click();
  await expect.poll(main(view), READ).toMatch(/a long reason.*Anna/s);
  await view.context().close();
}, 180_000);

it('no server while nobody asks anything => said within half a minute, what was read stays; it is back => said no more', async () => {
  const view = await opened(hrefs.today);
  await expect.poll(main(view), READ).toMatch(/Nothing that a reader would notice.*No alert/s);
  const notice = view.getByRole('alert').filter({ hasText: 'The server does not answer' });
  await fall();
  await notice.waitFor({ timeout: 30_000 });
  expect(await main(view)()).toMatch(/Nothing that a reader would notice/);
  await shot(view, 'outage-idle');
  // A place that could not be read says it alone.
  await goTo(view, hrefs.sites);
  await expect.poll(main(view), READ).toMatch(/The server does not answer/);
  await expect.poll(() => notice.filter({ visible: true }).count()).toBe(1);
  await serve(new URL(url).port);
  await expect.poll(main(view), READ).toMatch(/2 pages/);
  await expect.poll(() => notice.count(), READ).toBe(0);
  await view.context().close();
}, 180_000);
