import { chromium } from 'playwright-core';
import { afterAll, expect, it } from 'vitest';
import { startCaseSite } from '../sites/cases/cases.ts';
import { capturesOf, daguerre, spawnDaguerre, temporaryFolder } from './daguerre.ts';
import { CHROMIUM_ARGS, chromiumPath, replayAddress, shown } from './replay-browser.ts';

/** Pictures that a page would ask for at 400 pixels on a screen of double density. */
const NARROW = ['2x', 'narrow', 'small', 'inline-small', 'of-small', 'set-2'];

const cleanUps: (() => Promise<void> | void)[] = [];
afterAll(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp();
});

it('a page captured at 1280 pixels => whole in replay at 400, and on a screen of double density', async () => {
  const site = await startCaseSite();
  cleanUps.push(() => site.close());
  const archive = await temporaryFolder();
  const page = `${site.home.url}/alternatives`;
  const crawl = (...more: string[]) =>
    daguerre([
      'archive',
      page,
      '--archive',
      archive,
      '--allow-private',
      '--delay',
      '0',
      '--depth',
      '0',
      ...more,
    ]);
  const asked = () => site.home.seen.map(({ url }) => /\/alternatives\/(.+)\.png$/.exec(url)?.[1] ?? '');
  expect((await crawl('--alternatives', 'shown')).code).toBe(0);
  expect(asked().filter((name) => NARROW.includes(name))).toEqual([]);
  expect((await crawl()).code).toBe(0);
  const captures = await capturesOf(archive);
  site.close();

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
  const { url: ui } = JSON.parse(await server.said('}\n')) as { url: string };
  const browser = await chromium.launch({ executablePath: await chromiumPath(), args: CHROMIUM_ARGS });
  cleanUps.push(() => browser.close());
  const at = Math.max(...captures.filter(({ url }) => url === page).map((capture) => capture.at));
  const tab = await browser.newPage({ viewport: { width: 400, height: 800 }, deviceScaleFactor: 2 });
  const answers = new Map<string, number>();
  tab.on('response', (answer) => {
    const name = /\/alternatives\/([^/]+)\.png$/.exec(answer.url())?.[1];
    if (name) answers.set(name, answer.status());
  });
  await tab.goto(replayAddress(ui, page, at));
  const frame = await shown(tab, page, 'whole');
  const missing = async (): Promise<string[]> => {
    const empty = await frame.evaluate(() =>
      [...document.images].filter((image) => !image.complete).map(({ src }) => src),
    );
    return [...empty, ...NARROW.filter((name) => answers.get(name) !== 200)];
  };
  await expect.poll(missing, { timeout: 60_000 }).toEqual([]);
}, 240_000);
