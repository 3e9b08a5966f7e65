import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hrefs } from '../../web/router.ts';
import { daguerre, type Running, spawnDaguerre, temporaryFolder } from './daguerre.ts';
import { page, startSite } from './small-site.ts';
import { opened, seriousFindings, servedToWeb, shot, type WebArchive } from './web-archive.ts';

/** One tab of a running crawl, watched from the web page in a real browser. */

let archive: WebArchive;
let folder: string;
let crawl: Running | undefined;
/** Pages that are visited one after the other, each in the browser until its picture is answered or its time is up. */
const SLOW = 24;
const EVIL = '%22%3E%3Cimg%20src=x%20onerror=window.hacked=1%3E';
let letGo: () => void = () => {};
const held = new Promise<void>((resolve) => {
  letGo = resolve;
});

beforeAll(async () => {
  folder = await temporaryFolder();
  const place = join(folder, 'archive');
  const slow = Array.from({ length: SLOW }, (_, number) => `/slow/${number}?${EVIL}`);
  const site = await startSite((path) => {
    if (path === '/') return page('Home');
    if (path === '/all') return page('All', slow);
    if (path.startsWith('/slow/'))
      return `<!doctype html><html lang="en"><title>Slow</title><body style="background:#0a0"><h1>Slow</h1><img src="/held.png?${path}" alt="">`;
    if (path.startsWith('/held.png'))
      return (_request, response) =>
        void held.then(() => response.writeHead(404, { 'Content-Type': 'text/plain' }).end());
    return undefined;
  });
  const { code, stderr } = await daguerre([
    ...['archive', `${site.url}/`, '--archive', place, '--allow-private', '--delay', '0'],
    ...['--render', 'always'],
  ]);
  if (code !== 0) throw new Error(stderr);
  archive = await servedToWeb({ folder, archive: place, site });
}, 240_000);

afterAll(async () => {
  letGo();
  await crawl?.ended;
  await archive?.close();
});

const api = async (path: string): Promise<Response> => fetch(`${archive.url}/api/${path}`);

describe('a tab of a running crawl', () => {
  it('nothing writes => no visit and no picture', async () => {
    expect(await (await api('live')).json()).toEqual({ visits: [] });
    expect((await api('live/picture')).status).toBe(404);
  });

  it('a page under way => watched on demand, as an image; gone once the visit is over', async () => {
    crawl = spawnDaguerre([
      ...['archive', `${archive.site.url}/all`, '--archive', join(folder, 'archive'), '--allow-private'],
      ...['--delay', '0', '--render', 'always'],
    ]);
    const visits = async (): Promise<readonly { url: string; step: string }[]> =>
      ((await (await api('live')).json()) as { visits: { url: string; step: string }[] }).visits;
    await expect
      .poll(visits, { timeout: 120_000 })
      .toEqual(expect.arrayContaining([expect.objectContaining({ url: expect.stringContaining('/slow/') })]));

    const { view, faults, strangers } = await opened(archive, hrefs.crawl(2));
    const asked: string[] = [];
    view.on('request', (request) => {
      if (request.url().includes('/api/live')) asked.push(request.url());
    });
    const watch = view.getByRole('button', { name: 'Watch a tab' });
    await watch.waitFor({ timeout: 60_000 });
    // Nobody looks: nothing is asked for.
    expect(asked).toEqual([]);
    await watch.focus();
    await view.keyboard.press('Enter');
    const frame = view.getByRole('img', { name: /What the browser shows of/ });
    await frame.waitFor({ timeout: 60_000 });
    const look = (): Promise<{ readonly width: number; readonly isGreen: boolean }> =>
      frame.evaluate((one) => {
        const image = one as HTMLImageElement;
        const canvas = Object.assign(document.createElement('canvas'), { width: 1, height: 1 });
        const context = canvas.getContext('2d') as CanvasRenderingContext2D;
        context.drawImage(image, 0, 0, 1, 1);
        const [red = 0, green = 0] = context.getImageData(0, 0, 1, 1).data;
        return { width: image.naturalWidth, isGreen: green > 120 && red < 80 };
      });
    // What the page shows, its green ground: the first frames may come before it is drawn.
    await expect.poll(async () => (await look()).isGreen, { timeout: 60_000 }).toBe(true);
    expect((await look()).width).toBeLessThanOrEqual(640);
    expect(
      await view.evaluate(
        `({ hacked: window.hacked, images: document.querySelectorAll('img[src="x"]').length })`,
      ),
    ).toEqual({
      ...{ hacked: undefined, images: 0 },
    });
    await shot(view, 'watch-tab');
    expect(await seriousFindings(view)).toEqual([]);
    await view.setViewportSize({ width: 390, height: 800 });
    expect(await view.evaluate('document.documentElement.scrollWidth')).toBe(390);
    // Another frame comes by itself.
    const before = asked.length;
    await expect.poll(() => asked.length, { timeout: 60_000 }).toBeGreaterThan(before);

    letGo();
    expect((await crawl.ended).code).toBe(0);
    expect(await visits()).toEqual([]);
    // The pictures that the visits keep themselves were not disturbed by whoever looked.
    for (const number of [0, SLOW - 1]) {
      const url = encodeURIComponent(`${archive.site.url}/slow/${number}?${EVIL}`);
      const thumbnail = await api(`thumbnail?url=${url}`);
      expect([thumbnail.status, thumbnail.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    }
    expect([faults, strangers]).toEqual([[], []]);
    await view.context().close();
  }, 300_000);
});
