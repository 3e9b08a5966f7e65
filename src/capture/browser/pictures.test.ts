import os from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDocument } from '../../../test/given-document.ts';
import type { Picture, Rendering } from '../../ports/renderer.ts';
import { type BrowserRenderer, openBrowserRenderer } from './browser-renderer.ts';

let renderer: BrowserRenderer;
beforeAll(async () => {
  renderer = await openBrowserRenderer({ spoolDir: os.tmpdir() });
});
afterAll(() => renderer.close());

/** Everything is in the document itself: nothing is fetched. */
function show(html: string, screenshots: boolean): Promise<Rendering> {
  const url = 'http://pages.test/';
  const document = testDocument(url, Buffer.from(`<!doctype html>${html}`));
  const limits = { timeLimit: 30_000, sizeLimit: 100_000_000 };
  return renderer.render({ url, userAgent: 'Daguerre-Test/1.0', ...limits, screenshots, document });
}

/** Five screens: the first in four colours, the others in one. A script makes sure that it is scrolled. */
function colourful(turn: number): string {
  const colours = ['#e33', '#3a3', '#33e', '#ee3'];
  const quarter = (at: number) =>
    `<div style="float:left;width:50vw;height:50vh;background:${colours[(turn + at) % 4]}"></div>`;
  return `<body style="margin:0">${[0, 1, 2, 3].map(quarter).join('')}
    <div style="clear:both;height:400vh;background:#888"></div><script>document.title = 'x'</script>`;
}

const dataUri = (picture: Picture | undefined): string =>
  `data:image/jpeg;base64,${Buffer.from(picture?.bytes ?? []).toString('base64')}`;

/** The mean grey difference between two pictures scaled to one size, computed by the browser itself. */
async function difference(a: Picture | undefined, b: Picture | undefined): Promise<number> {
  const { text } = await show(
    `<img src="${dataUri(a)}" hidden><img src="${dataUri(b)}" hidden><p>nothing</p><script>
      addEventListener('load', () => {
        const [a, b] = [...document.images].map((image) => {
          const context = new OffscreenCanvas(64, 64).getContext('2d');
          context.drawImage(image, 0, 0, 64, 64);
          return context.getImageData(0, 0, 64, 64).data;
        });
        let sum = 0;
        for (let i = 0; i < a.length; i++) sum += Math.abs(a[i] - b[i]);
        document.querySelector('p').textContent = sum / a.length;
      });
    </script>`,
    false,
  );
  return Number(text);
}

test('eight pages, two at once => each thumbnail shows the whole of its own view, from the top', async () => {
  const pages = await Promise.all([0, 1, 2, 3, 4, 5, 6, 7].map((turn) => show(colourful(turn), true)));
  for (const [turn, { view, thumbnail }] of pages.entries()) {
    expect(await difference(view, thumbnail), `page ${turn}`).toBeLessThan(6);
  }
  // Other colours, or a corner of the view, would show as a difference.
  expect(await difference(pages[0]?.view, pages[1]?.thumbnail)).toBeGreaterThan(30);
  expect(await difference(pages[0]?.view, pages[4]?.view)).toBeLessThan(1);
});

test('a page of nothing => pictures all the same', async () => {
  const { view, thumbnail } = await show('', true);
  expect(await difference(view, thumbnail)).toBeLessThan(1);
});
