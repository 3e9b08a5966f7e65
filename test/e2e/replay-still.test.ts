import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { capturesOf, daguerre, type Running, spawnDaguerre, temporaryFolder } from './daguerre.ts';
import { CHROMIUM_ARGS, chromiumPath, replayAddress } from './replay-browser.ts';
import { type SmallSite, startSite } from './small-site.ts';

/**
 * A page that its scripts draw, captured by the command with a browser and replayed without scripts: what the visitor
 * sees is the picture and the text of capture time. Uses the build in `dist`.
 */

const WORDS =
  'Forty barges of lamp oil were counted at the upper lock before the ice closed it for the winter.';
/** A wide area of one colour, so that the picture is known by its pixels. */
const SITE = {
  '/': '<!doctype html><title>Drawn</title><div id="app"></div><script src="/draw.js"></script>',
  '/draw.js': {
    headers: { 'Content-Type': 'text/javascript' },
    body: `document.body.style.cssText = 'margin:0;background:rgb(20, 90, 160);min-height:100vh;color:white';
      fetch('/words.json').then((answer) => answer.json()).then(({ words }) => {
        document.getElementById('app').innerHTML = '<h1>Drawn by a script</h1><p>' + words + '</p><img src="/dot.svg">';
      });`,
  },
  '/words.json': { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ words: WORDS }) },
  '/dot.svg': {
    headers: { 'Content-Type': 'image/svg+xml' },
    body: '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>',
  },
};

let site: SmallSite;
let address: string;
let at: number;
let server: Running;
let ui: string;
let browser: Browser;

beforeAll(async () => {
  site = await startSite(SITE);
  address = `${site.url}/`;
  const archive = await temporaryFolder();
  const args = ['--archive', archive, '--render', 'always', '--allow-private', '--delay', '0', '--json'];
  const { code, stderr } = await daguerre(['archive', address, ...args]);
  expect(code, stderr).toBe(0);
  at = (await capturesOf(archive)).find(({ url }) => url === address)?.at ?? 0;
  server = spawnDaguerre([
    'serve',
    ...['--archive', archive, '--scripts', 'off', '--port', '0', '--replay-port', '0', '--json'],
  ]);
  const said = await server.said('"url"');
  ({ url: ui } = JSON.parse(said.split('\n').find((line) => line.startsWith('{')) ?? '') as { url: string });
  browser = await chromium.launch({ executablePath: await chromiumPath(), args: CHROMIUM_ARGS });
}, 240_000);

afterAll(async () => {
  await browser?.close();
  server?.child.kill('SIGTERM');
  await site?.close();
});

describe('serve --scripts off, a page that scripts drew', () => {
  it('=> the picture and the text of capture time, no script, no request to anybody else', async () => {
    const before = site.asked.length;
    const tab = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    const strays: string[] = [];
    tab.context().on('request', (request) => {
      const { protocol, hostname, origin } = new URL(request.url());
      const isOurs = origin === new URL(ui).origin || hostname.endsWith('.localhost');
      if (/^https?:$/.test(protocol) && !isOurs) strays.push(request.url());
    });
    await tab.goto(replayAddress(ui, address, at));
    const frame = tab.frameLocator('iframe').frameLocator('iframe');
    await expect.poll(() => frame.locator('pre').textContent(), { timeout: 30_000 }).toContain(WORDS);
    expect(await frame.locator('pre').textContent()).toContain('Drawn by a script');
    expect(await frame.locator('script').count()).toBe(0);
    await expect.poll(() => tab.title()).toContain('Drawn');
    const picture = await frame.locator('img').boundingBox();
    expect(picture?.width).toBeGreaterThan(1000);
    // In the picture as it is on the screen, the colour that the script gave the page.
    const screen = await tab.screenshot();
    const pixel = await (await browser.newPage()).evaluate(
      `(async () => {
        const image = await createImageBitmap(await (await fetch('data:image/png;base64,${screen.toString('base64')}')).blob());
        const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d');
        canvas.drawImage(image, 0, 0);
        return [...canvas.getImageData(900, 700, 1, 1).data].slice(0, 3);
      })()`,
    );
    expect(pixel).toHaveLength(3);
    for (const [index, value] of [20, 90, 160].entries()) {
      expect(Math.abs(((pixel as number[])[index] as number) - value)).toBeLessThan(12);
    }
    expect(strays).toEqual([]);
    expect(site.asked.slice(before)).toEqual([]);
  });
});
