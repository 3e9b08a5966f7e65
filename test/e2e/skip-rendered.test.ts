import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RulesReport } from '../../src/access/directory-rules/rules-report.ts';
import { findChromium } from '../../src/capture/browser/index.ts';
import { complaints, daguerre, spawnDaguerre, temporaryFolder, withCatalog } from './daguerre.ts';
import { page, type SmallSite, startSite } from './small-site.ts';

/** `/doc/` stays as it is, though its bytes do not; the front page and `/news/` change; scripts write a part of each page. */
const docs = ['/doc/0.html', '/doc/1.html', '/doc/2.html'];
const news = ['/news/0.html', '/news/1.html'];
/** The least that rules act on. */
const VERSIONS = 10;

let version = 1;
let requests = 0;
let site: SmallSite;
let archive: string;

const scripted = (words: string, links: readonly string[] = []): string =>
  `${page(words, links)}<!-- ${++requests} --><p id="late"></p><img src="/doc/picture.png">` +
  `<script>document.getElementById('late').textContent = 'written by a script: ${words}'</script>`;

const crawling = (...more: string[]): string[] => [
  ...['archive', `${site.url}/`, '--archive', archive],
  ...['--render', 'always', '--allow-private', '--delay', '0', '--per-host', '3', '--json', ...more],
];

beforeAll(async () => {
  site = await startSite((path) => {
    if (path === '/') return scripted(`Front ${version}`, [...docs, ...news]);
    if (news.includes(path)) return scripted(`${path} of version ${version}`);
    if (docs.includes(path)) return scripted(path);
    if (path === '/doc/picture.png')
      return { headers: { 'Content-Type': 'image/png' }, body: Buffer.from('no real picture') };
    return undefined;
  });
  archive = join(await temporaryFolder(), 'archive');
  for (version = 1; version <= VERSIONS; version++) {
    const { code, stderr } = await daguerre(crawling());
    if (code !== 0) throw new Error(stderr);
  }
}, 600_000);
afterAll(() => site?.close());

test('rendered pages whose bytes differ at each visit and whose look does not => left out, told in the web page and the report', {
  timeout: 240_000,
}, async () => {
  const { stdout } = await daguerre(['rules', '--archive', archive, '--json', '--miss-at-most', '20%']);
  const { plan, directories } = JSON.parse(stdout) as RulesReport;
  expect(directories.find(({ directory }) => directory === '/doc/')?.degrees).toEqual(Array(9).fill(0));
  expect(plan).toMatchObject({ kind: 'plan', skips: [{ directory: '/doc/', pages: 3 }] });

  const before = site.asked.length;
  const crawl = await daguerre(crawling('--skip-by-rules', '--miss-at-most', '20%'));
  expect(crawl.code, crawl.stderr).toBe(0);
  const asked = site.asked.slice(before).filter((path) => path.endsWith('.html') || path === '/');
  expect(asked.toSorted()).toEqual(['/', ...news]);
  expect(crawl.json()).toMatchObject({ coverage: { proven: 3, inferred: 3 } });
  expect(await complaints(archive)).toEqual([]);
  const kept = await withCatalog(archive, (catalog) => catalog.inferences({ crawlId: VERSIONS + 1 }));
  expect(kept.map(({ urls }) => urls)).toEqual([docs.map((path) => site.url + path)]);

  const out = join(await temporaryFolder(), 'report.html');
  await daguerre(['report', site.url, '--archive', archive, '--format', 'html', '--out', out]);
  const told = await readFile(out, 'utf8');
  expect(told).toContain('3 pages were visited once');
  expect(told).toContain('3 more pages were not visited, and are taken for unchanged');
  expect(told).toMatch(/<td class="n">3<\/td><td class="url">\/doc\/<\/td><td>quiet: nothing changed/);

  const server = spawnDaguerre([
    'serve',
    '--archive',
    archive,
    '--json',
    '--port',
    '0',
    '--replay-port',
    '0',
  ]);
  const said = await server.said('"url"');
  const { url } = JSON.parse(said.split('\n').find((line) => line.startsWith('{')) ?? '') as { url: string };
  const { path: executablePath } = await findChromium();
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    const view = await browser.newPage();
    await view.goto(`${url}/#/crawl?id=${VERSIONS + 1}`);
    await view.locator('button.tile.inferred').click();
    const row = view.locator('table.list tbody tr', { hasText: '/doc/' });
    await row.waitFor();
    expect(await row.textContent()).toMatch(/\/doc\/.*nothing changed in the last 9 looks at it.*3.*quiet/s);
    expect(await view.locator('p.coverage').textContent()).toMatch(
      /3 visited in this crawl.*3 inferred.*0 skipped/s,
    );
  } finally {
    await browser.close();
    server.child.kill('SIGTERM');
    await server.ended;
  }
});
