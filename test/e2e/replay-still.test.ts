import { type Browser, chromium, type Frame } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { capturesOf, daguerre, type Running, spawnDaguerre, temporaryFolder } from './daguerre.ts';
import { CHROMIUM_ARGS, chromiumPath, replayAddress } from './replay-browser.ts';
import { type SmallSite, startSite } from './small-site.ts';

/**
 * A page that its scripts draw, captured by the command with a browser and replayed without scripts: what the visitor
 * sees is what the browser showed at capture time: the stored snapshot, drawn again, with picture and text below. Uses
 * the build in `dist`.
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
        document.getElementById('app').innerHTML = '<h1>Drawn by a script</h1><p style="width:300px;margin:40px 60px">' + words + ' <a href="/more">More of it</a></p><img src="/dot.png" width="90" height="60">';
      });`,
  },
  '/words.json': { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ words: WORDS }) },
  '/more': '<!doctype html><title>More</title><h1>More of it</h1>',
  '/dot.png': {
    headers: { 'Content-Type': 'image/png' },
    body: Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
      'base64',
    ),
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

/** Where the text is, measured from the corner of the page, or of the snapshot that stands for it. */
const PLACE = `(words) => {
  const page = document.querySelector('.snapshot') ?? document.documentElement;
  const walk = document.createTreeWalker(page, NodeFilter.SHOW_TEXT);
  while (walk.nextNode() && !walk.currentNode.data.includes(words));
  const range = document.createRange();
  range.selectNodeContents(walk.currentNode);
  const [text, corner] = [range.getBoundingClientRect(), page.getBoundingClientRect()];
  return [text.x - corner.x, text.y - corner.y, text.width, text.height];
}`;

describe('serve --scripts off, a page that scripts drew', () => {
  it('=> its snapshot, drawn as it was; picture and text below; no script, no request to anybody else', async () => {
    const live = await browser.newPage({ viewport: { width: 1280, height: 720 } });
    await live.goto(address);
    await live.waitForSelector('h1');
    const texts = ['Drawn by a script', 'Forty barges', 'More of it'];
    const places = (view: Pick<Frame, 'evaluate'>): Promise<number[][]> =>
      Promise.all(texts.map((text) => view.evaluate<number[]>(`(${PLACE})(${JSON.stringify(text)})`)));
    const before = await places(live.mainFrame());
    await live.close();

    const asked = site.asked.length;
    const tab = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    const strays: string[] = [];
    tab.context().on('request', (request) => {
      const { protocol, hostname, origin } = new URL(request.url());
      const isOurs = origin === new URL(ui).origin || hostname.endsWith('.localhost');
      if (/^https?:$/.test(protocol) && !isOurs) strays.push(request.url());
    });
    await tab.goto(replayAddress(ui, address, at));
    const frame = tab.frameLocator('iframe').frameLocator('iframe');
    await expect.poll(() => frame.locator('.snapshot').textContent(), { timeout: 30_000 }).toContain(WORDS);
    await expect.poll(() => tab.title()).toContain('Drawn');
    const inner = tab.frames().find((one) => one.url().endsWith(`mp_/${address}`)) as Frame;
    const after = await places(inner);
    for (const [index, place] of after.entries()) {
      const far = place.map((value, side) => Math.abs(value - ((before[index] as number[])[side] as number)));
      expect(Math.max(...far), `${texts[index]}: ${before[index]} => ${place}`).toBeLessThan(5);
    }
    const picture = frame.locator('.snapshot img');
    expect(await picture.boundingBox()).toMatchObject({ width: 90, height: 60 });
    await expect.poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(1);
    expect(await frame.locator('script').count()).toBe(0);
    expect(await frame.locator('details pre').textContent()).toContain(WORDS);
    // On the screen, the colour that the script gave the page.
    const canvas = await browser.newPage();
    const pixel = async (): Promise<unknown> => {
      const screen = await tab.screenshot();
      return canvas.evaluate(
        `(async () => {
          const image = await createImageBitmap(await (await fetch('data:image/png;base64,${screen.toString('base64')}')).blob());
          const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d');
          canvas.drawImage(image, 0, 0);
          return [...canvas.getImageData(900, 700, 1, 1).data].slice(0, 3);
        })()`,
      );
    };
    // The view fades in.
    await expect.poll(pixel, { timeout: 30_000 }).toEqual([20, 90, 160]);
    // Links of the snapshot lead to other captures.
    await frame.locator('.snapshot a').click();
    await expect
      .poll(() =>
        frame
          .locator('h1')
          .textContent()
          .catch(() => ''),
      )
      .toBe('More of it');
    expect(strays).toEqual([]);
    expect(site.asked.slice(asked)).toEqual([]);
  });
});
