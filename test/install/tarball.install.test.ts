import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findChromium } from '../../src/capture/browser/find-chromium.ts';
import { hrefs } from '../../web/router.ts';
import { type SmallSite, startSite } from '../e2e/small-site.ts';
import { type Installation, installTarball, REPOSITORY } from './npm-install.ts';

/** The browser's own start page and updates would be asked of the live web; here only loopback may be. */
const BROWSER_FLAGS = ['--no-sandbox', '--disable-background-networking', '--disable-component-update'];
const MB = 1_000_000;

let installed: Installation;
let site: SmallSite;

beforeAll(async () => {
  installed = await installTarball();
  site = await startSite({
    '/': '<!doctype html><title>Front</title><h1>Front page</h1><p><a href="/second">second</a></p>',
    '/second': '<!doctype html><title>Second</title><h1>Second page</h1><p>Words of the second page.</p>',
  });
});
afterAll(async () => {
  await site?.close();
  await installed?.remove();
});

test('without Chromium => at most 200 MB, and none of what is only needed to build', async () => {
  expect(installed.size).toBeLessThanOrEqual(200 * MB);
  const names = await readdir(join(installed.folder, 'node_modules'));
  expect(names).toEqual(expect.arrayContaining(['better-sqlite3', 'daguerre']));
  for (const name of ['replaywebpage', '@adguard', 'vite', 'fastify', 'typescript'])
    expect(names).not.toContain(name);
});

test('what others wrote => its licence lies beside it', async () => {
  const read = (path: string) => readFile(join(installed.home, 'dist', path), 'utf8');
  expect(await read('bundle/LICENSES.md')).toMatch(/^## fastify .*\(MIT\)$/m);
  expect(await read('web/LICENSES.md')).toMatch(/^## svelte .*\(MIT\)$/m);
  expect(await read('web/replay/LICENSES.md')).toMatch(/^## @webrecorder\/wabac .*\(AGPL-3.0-or-later\)$/m);
  expect(await read('bundle/filter-lists/LICENSE')).toContain('GNU GENERAL PUBLIC LICENSE');
});

test('no file of the package names the folder it was built in', async () => {
  const files = await readdir(installed.home, { recursive: true, withFileTypes: true });
  const naming: string[] = [];
  for (const file of files.filter((entry) => entry.isFile())) {
    const path = join(file.parentPath, file.name);
    if ((await readFile(path)).includes(REPOSITORY)) naming.push(path);
  }
  expect(naming).toEqual([]);
});

test.each([['never'], ['always']])(
  'archive --render %s, then verify, export, report => done',
  async (render) => {
    const archive = join(installed.folder, `archive-${render}`);
    const done = async (...args: readonly string[]): Promise<string> => {
      const ended = await installed.npx(...args, '--archive', archive);
      expect(ended, args.join(' ')).toMatchObject({ code: 0 });
      return ended.stdout;
    };
    await done('archive', `${site.url}/`, '--allow-private', '--delay', '0', '--render', render);
    expect(site.asked).toContain('/second');
    await done('verify');
    await done('export', '--out', join(installed.folder, `${render}.wacz`));
    await done('report', `${site.url}/`);
  },
);

test('segment and diff of archived pages => blocks and changes', async () => {
  const archive = ['--archive', join(installed.folder, 'archive-always')];
  const [front, second] = ['/', '/second'].map((path) => `${site.url}${path}@last`) as [string, string];
  const layout = await installed.npx('segment', front, ...archive);
  expect(layout).toMatchObject({ code: 0, stdout: expect.stringContaining('Front page') });
  const changes = await installed.npx('diff', front, second, ...archive);
  expect(changes).toMatchObject({ code: 0, stdout: expect.stringContaining('Second page') });
  expect(await installed.npx('lab', 'reproduce', '--list')).toMatchObject({ code: 0 });
});

test('a link to an ad server => told by the lists that came compiled; none are compiled here', async () => {
  const file = join(installed.folder, 'page.html');
  await writeFile(file, '<h1>News</h1><p><a href="https://pagead2.googlesyndication.com/x">Buy!</a></p>');
  const { stdout } = await installed.npx('segment', file);
  expect(stdout).toMatch(/<link[^>]*googlesyndication[^>]* ad="true"/);
  const cache = join(installed.env.XDG_CACHE_HOME ?? '', 'daguerre');
  expect(existsSync(cache) ? await readdir(cache) : []).toEqual([]);
});

test('serve => the page is replayed in a browser, the site shut down', async () => {
  await site.close();
  const args = ['--no-install', 'daguerre', 'serve', '--port', '0', '--replay-port', '0'];
  const serving = spawn('npx', [...args, '--archive', join(installed.folder, 'archive-never')], {
    cwd: installed.folder,
    env: installed.env,
    detached: true,
  });
  const { path, env } = await findChromium();
  const browser = await chromium.launch({
    executablePath: path,
    args: BROWSER_FLAGS,
    env: { ...process.env, ...env } as Record<string, string>,
  });
  try {
    const address = await new Promise<string>((resolve, reject) => {
      let said = '';
      const listen = (piece: Buffer): void => {
        said += piece.toString();
        const [found] = /http:\/\/\S+:\d+/.exec(said) ?? [];
        if (found) resolve(found);
      };
      serving.stdout.on('data', listen);
      serving.stderr.on('data', listen);
      serving.once('close', () => reject(new Error(`serve ended: ${said}`)));
    });
    const tab = await browser.newPage();
    await tab.goto(`${address}/${hrefs.replay(`${site.url}/second`, '')}`);
    const headlines = async (): Promise<string[]> => {
      const all = tab.frames().map((frame) => frame.textContent('h1', { timeout: 1000 }).catch(() => ''));
      return (await Promise.all(all)).map(String);
    };
    await expect.poll(headlines, { timeout: 60_000, interval: 200 }).toContain('Second page');
  } finally {
    await browser.close();
    // npx starts a process of its own: the whole group ends.
    if (serving.pid !== undefined && serving.exitCode === null) process.kill(-serving.pid, 'SIGTERM');
  }
});
