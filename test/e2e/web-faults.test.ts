import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hrefs } from '../../web/router.ts';
import { daguerre, temporaryFolder } from './daguerre.ts';
import { type Pages, page, type SmallSite, startSite } from './small-site.ts';
import { opened, seriousFindings, servedToWeb, shot, type WebArchive } from './web-archive.ts';

/** What people stumbled over in the web page, in a real browser. */

const TOKEN = 'a-token-that-nobody-guesses';
const WIDE = 10_000;
const wide = (letter: string): Pages => ({
  '/': `${page('Home', ['/wide'])}<p>Harbour news</p>`,
  '/wide': `<!doctype html><html lang="en"><title>Wide</title><h1>Wide</h1><pre>${letter.repeat(WIDE)}</pre>
    <p>The ferry ${letter} sails on Monday, said the harbour office.</p>`,
});

let site: SmallSite;
let broken: WebArchive;
let closed: WebArchive;

beforeAll(async () => {
  const folder = await temporaryFolder();
  const archive = join(folder, 'archive');
  site = await startSite(wide('a'));
  for (const letter of ['a', 'b']) {
    site.become(wide(letter));
    const { code, stderr } = await daguerre([
      ...['archive', `${site.url}/`, '--archive', archive, '--allow-private', '--delay', '0'],
      ...['--render', 'always'],
    ]);
    if (code !== 0) throw new Error(`the crawl ended with ${code}: ${stderr}`);
  }
  await writeFile(
    join(folder, 'watch.yaml'),
    `budget: { requestsPerHour: lots }\nsites: [{ url: '${site.url}/' }]\n`,
  );
  broken = await servedToWeb({ folder, archive, site, more: 'watch: watch.yaml\n' });
  const tokens = 'tokens:\n  - { name: press, role: editor, token: env:PRESS_TOKEN }\n';
  closed = await servedToWeb({ folder, archive, site, more: tokens, env: { PRESS_TOKEN: TOKEN } });
}, 240_000);
afterAll(async () => {
  await broken?.close();
  await closed?.close();
});

const READ = { timeout: 60_000 };

describe('faults that were found', () => {
  it('a capture without revisits => "not proven" beside its certificate, never "not certified"', async () => {
    const { view, faults } = await opened(broken, hrefs.pages(new URL(site.url).host));
    await expect
      .poll(() => view.textContent('main'), READ)
      .toMatch(/Certificates.*without revisits \(—\) prove no page/s);
    await expect.poll(() => view.textContent('main'), READ).toMatch(/not proven: captured without revisits/);
    expect(await view.textContent('main')).not.toMatch(/not certified/i);
    expect(await seriousFindings(view)).toEqual([]);
    expect(faults).toEqual([]);
    await view.context().close();
  }, 120_000);

  it.each([1280, 390])(
    'a line of 10,000 letters compared, at %i pixels => both sides are drawn, nothing runs out',
    async (width) => {
      const { view, faults } = await opened(broken, hrefs.compare(`${site.url}/wide`, '2000', '2100'), {
        viewport: { width, height: 900 },
      });
      const side = view.getByRole('figure', { name: 'After' });
      await side.waitFor(READ);
      await shot(view, `compare-wide-${width}`);
      expect(await view.evaluate('document.documentElement.scrollWidth')).toBe(width);
      for (const name of ['Before', 'After']) {
        const box = await view.getByRole('figure', { name }).boundingBox();
        // It was a strip of a few pixels.
        expect(box?.height).toBeGreaterThan((box?.width ?? 0) / 3);
      }
      for (const way of ['Slider', 'Blink']) {
        await view.getByRole('button', { name: way, exact: true }).click();
        expect(await view.evaluate('document.documentElement.scrollWidth')).toBe(width);
      }
      expect(faults).toEqual([]);
      await view.context().close();
    },
    120_000,
  );

  it('a broken file of a watch => told in Today and in Plan, with its line and what to do', async () => {
    const { view } = await opened(broken, hrefs.today);
    const told = /watch\.yaml:1: budget\.requestsPerHour.*mend the file of the watch/s;
    await expect.poll(() => view.textContent('main'), READ).toMatch(told);
    await view.goto(`${broken.url}/${hrefs.list('plan')}`);
    await expect.poll(() => view.textContent('main'), READ).toMatch(told);
    await view.context().close();
  }, 120_000);

  it('a server with a token => a field for it, by keyboard; wrong => told; right => the page, and out again', async () => {
    const { view } = await opened(closed, hrefs.sites);
    const field = view.getByLabel('Token');
    await field.waitFor(READ);
    expect(await seriousFindings(view)).toEqual([]);
    await field.fill('a-token-that-is-another-one');
    await view.keyboard.press('Enter');
    await view.getByRole('alert').filter({ hasText: 'No token of this server' }).waitFor(READ);
    await field.fill(`${TOKEN} `);
    await view.keyboard.press('Enter');
    await expect.poll(() => view.textContent('main'), READ).toMatch(/2 pages/);
    // The role of the token holds, and its writes bring what only this page was told.
    const decided = await view.evaluate(async () => {
      const { csrf } = (await (await fetch('/api/session')).json()) as { csrf: string };
      const ask = async (path: string, headers: object): Promise<number> =>
        (
          await fetch(path, {
            method: 'POST',
            headers: { 'content-type': 'application/json', ...headers },
            body: '{}',
          })
        ).status;
      return [
        await ask('/api/decisions', {}),
        await ask('/api/decisions', { 'x-csrf-token': csrf }),
        await ask('/api/crawls/stop', { 'x-csrf-token': csrf }),
      ];
    });
    expect(decided).toEqual([403, 400, 403]);
    expect((await fetch(`${closed.url}/api/sites`)).status).toBe(401);
    await view.context().close();
  }, 120_000);
});
