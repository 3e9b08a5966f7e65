import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { expect, it } from 'vitest';
import { hrefs } from '../../web/router.ts';
import { daguerre, FAST, spawnDaguerre, temporaryFolder } from './daguerre.ts';
import { CHROMIUM_ARGS, chromiumPath } from './replay-browser.ts';
import { page, startSite } from './small-site.ts';

/** Uses the build in `dist`. */
it('Prove => moments to choose from, the answer page by page, and a file that verifies', {
  timeout: 180_000,
}, async () => {
  const archive = await temporaryFolder();
  const site = await startSite({ '/': page('Home', [], 'The ferry is free of charge. '.repeat(9)) });
  const { host } = new URL(site.url);
  const archived = await daguerre([
    ...['archive', `${site.url}/`, '--archive', archive, ...FAST, '--revisit', 'sharp'],
  ]);
  expect(archived.code).toBe(0);
  await site.close();
  const server = spawnDaguerre([
    ...['serve', '--archive', archive, '--json', '--port', '0', '--replay-port', '0'],
  ]);
  const browser = await chromium.launch({ executablePath: await chromiumPath(), args: CHROMIUM_ARGS });
  try {
    const said = await server.said('"url"');
    const line = said.split('\n').find((one) => one.startsWith('{')) ?? '';
    const { url } = JSON.parse(line) as { url: string };
    const view = await browser.newPage();
    await view.goto(`${url}/${hrefs.list('prove')}`);
    await view.click(`main a:text-is("${host}")`);
    // The form follows the address, so what is typed before it has followed is lost.
    await expect
      .poll(() => view.locator('main input[type=datetime-local]').first().inputValue(), { timeout: 60_000 })
      .not.toBe('');
    await view.fill('main input[type=text][maxlength]', 'FREE of charge');
    await view.click('main button.main');
    await expect.poll(() => view.locator('main').textContent(), { timeout: 60_000 }).toMatch(/Signed with/);
    const rows = await view.locator('main li[data-row]').allTextContents();
    expect(rows).toEqual([expect.stringMatching(/Proven.*free|Proven.*shows it/s)]);
    const saving = view.waitForEvent('download');
    await view.click('main section.signed button');
    const file = join(archive, 'proof.json');
    await (await saving).saveAs(file);
    expect(JSON.parse(await readFile(file, 'utf8'))).toHaveProperty('signature');
    expect((await daguerre(['verify', '--archive', archive, '--proof', file])).code).toBe(0);
  } finally {
    await browser.close();
    server.child.kill('SIGTERM');
  }
});
