import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hrefs } from '../../web/router.ts';
import { daguerre, FAST, type Running, spawnDaguerre, temporaryFolder } from './daguerre.ts';
import { CHROMIUM_ARGS, chromiumPath } from './replay-browser.ts';
import { page, type SmallSite, startSite } from './small-site.ts';

/**
 * What is believed and decided of sites and pages stands in the web page beside what was captured: a mirror with its status, pages
 * that were left to another archive, decisions with who and why. Uses the build in `dist`.
 */

const documents = Array.from({ length: 24 }, (_, i) => `/doc/${i}.html`);
const old = Array.from({ length: 12 }, (_, i) => `/archive/${i}.html`);
const same = Object.fromEntries([
  ['/', page('Front', documents)],
  ...documents.map((path) => [path, page(path)] as const),
]);
const HELD_BY = 'k7mq-2xrt-9hbd';
const HOUR = 3_600_000;

let sites: readonly SmallSite[];
let server: Running;
let browser: Browser;
let url: string;
const host = ({ url: at }: SmallSite): string => new URL(at).host;

/** As another archive tells it: the front page changed at each of eleven visits, the old pages never. */
function history({ url: at }: SmallSite): string {
  const times = Array.from({ length: 11 }, (_, i) => new Date(Date.now() - (12 - i) * HOUR).toISOString());
  const hex = (seed: number): string => seed.toString(16).padStart(64, '0');
  const pageOf = (path: string, number: number): string =>
    `<page url="${at}${path}" archive="${HELD_BY}">${times
      .map((date, i) => {
        const status = i === 0 ? 'new' : path === '/' ? 'updated' : 'unchanged';
        const sha256 = hex(1000 * number + (path === '/' ? i : 0));
        return `<document date="${date}" status="${status}" record="urn:uuid:${i}" sha256="${sha256}" size="900"/>`;
      })
      .join('')}</page>`;
  const crawls = times.map((start) => `<crawl archive="${HELD_BY}" start="${start}" end="${start}"/>`);
  return `<site-delta version="1"><website url="${host({ url: at } as SmallSite)}">${crawls.join('')}${[
    '/',
    ...old,
  ]
    .map(pageOf)
    .join('')}</website></site-delta>`;
}

beforeAll(async () => {
  const folder = await temporaryFolder();
  const archive = join(folder, 'archive');
  const run = async (...args: string[]): Promise<void> => {
    const { code, stderr } = await daguerre([...args, '--archive', archive]);
    expect([args[0], code, stderr]).toEqual([args[0], 0, expect.any(String)]);
  };
  const paper = await startSite({}, '127.0.0.6');
  paper.become({
    '/': page('Paper', old),
    ...Object.fromEntries(old.map((path) => [path, page(path)])),
  });
  sites = [await startSite(same, '127.0.0.4'), await startSite(same, '127.0.0.5'), paper];
  const [origin, mirror] = sites as [SmallSite, SmallSite];
  await run('archive', `${origin.url}/`, ...FAST);
  await run('archive', `${mirror.url}/`, ...FAST);
  await run('mirrors', '--keep');
  await writeFile(join(folder, 'history.xml'), history(paper));
  await run('import', join(folder, 'history.xml'));
  await run('archive', `${paper.url}/`, ...FAST, '--skip-by-rules', '--miss-at-most', '20%');
  const by = ['--by', 'Anna', '--why'];
  await run('decide', '--in', host(origin), ...by, 'a source of record');
  await run('decide', '--pin', `${origin.url}/doc/3.html`, ...by, 'cited in court');
  server = spawnDaguerre(['serve', '--archive', archive, '--json', '--port', '0', '--replay-port', '0']);
  const said = await server.said('"url"');
  ({ url } = JSON.parse(said.split('\n').find((line) => line.startsWith('{')) ?? '') as { url: string });
  browser = await chromium.launch({ executablePath: await chromiumPath(), args: CHROMIUM_ARGS });
}, 240_000);

afterAll(async () => {
  await browser?.close();
  server?.child.kill('SIGTERM');
  for (const site of sites ?? []) await site.close();
});

async function opened(hash: string): Promise<Page> {
  const view = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  await view.goto(`${url}/${hash}`);
  return view;
}

/** For a person to look at: DAGUERRE_SCREENSHOTS names a folder. */
async function shot(view: Page, name: string): Promise<void> {
  const folder = process.env.DAGUERRE_SCREENSHOTS;
  if (!folder) return;
  await mkdir(folder, { recursive: true });
  await view.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}

const told = async (view: Page): Promise<readonly string[]> =>
  (await view.locator('.told').allTextContents()).map((text) => text.trim());

it('sites => which mirrors which, pages left to another archive, a decision with who and why; others bare', async () => {
  const [origin] = sites as [SmallSite];
  const view = await opened(hrefs.sites);
  await expect
    .poll(async () => (await told(view)).toSorted())
    .toEqual([
      `Mirror of ${host(origin)}, up to date`,
      'Virtual 12 pages left to other archives',
      'in decided by Anna: a source of record',
    ]);
  await shot(view, 'sites');
});

it('pages of a site => the decision at its page alone', async () => {
  const [origin] = sites as [SmallSite];
  const view = await opened(hrefs.pages(host(origin)));
  await expect.poll(() => told(view)).toEqual(['pin decided by Anna: cited in court']);
  expect(await view.locator('.page', { has: view.locator('.decision') }).textContent()).toContain(
    '/doc/3.html',
  );
  await shot(view, 'pages');
});

it('pages of a site that was covered virtually => those not held stand apart, with the reason and who holds them', async () => {
  const paper = sites[2] as SmallSite;
  const view = await opened(hrefs.pages(host(paper)));
  await expect.poll(() => view.locator('table.virtual tbody tr').count()).toBe(12);
  const [row] = await view.locator('table.virtual tbody tr').allTextContents();
  expect(row).toContain('/archive/0.html');
  expect(row).toContain(HELD_BY);
  expect((await told(view))[0]).toBe('Virtual nothing changed in the last 10 looks at it');
  expect(await view.locator('table.virtual a').count()).toBe(0);
  await shot(view, 'virtual');
});
