import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SmallSite, startSite } from '../../../test/e2e/small-site.ts';
import { deviceNamed } from '../../model/device.ts';
import { unpackSnapshot } from '../../model/snapshot-codec.ts';
import type { RenderRequest } from '../../ports/renderer.ts';
import { type BrowserRenderer, openBrowserRenderer } from './browser-renderer.ts';

const WHERE = `<!doctype html><meta name=viewport content="width=device-width"><title>Where</title><p id=p></p><script>
  p.textContent = [innerWidth, devicePixelRatio, navigator.languages, (1.5).toLocaleString(), 'ontouchstart' in window].join(' ');</script>`;

let site: SmallSite;
let renderer: BrowserRenderer;
const languages: (string | undefined)[] = [];
beforeAll(async () => {
  site = await startSite((path, request) => {
    languages.push(request.headers['accept-language']);
    if (path === '/tall')
      return '<!doctype html><title>Tall</title><body style="margin:0"><div style="height:200000px;background:linear-gradient(red,blue)"></div>';
    if (path === '/slow')
      return `<!doctype html><title>Slow</title><p id=p>first</p><script>setTimeout(() => { p.textContent = 'later'; }, 2000)</script>`;
    return WHERE;
  });
  renderer = await openBrowserRenderer({ tabs: 1 });
});
afterAll(async () => {
  await renderer.close();
  await site.close();
});

const render = (path: string, more: Partial<RenderRequest>) =>
  renderer.render({
    ...{ url: site.url + path, userAgent: 'Daguerre-Test/1.0', timeLimit: 60_000, sizeLimit: 1_000_000 },
    ...{ screenshots: true, ...more },
  });

test('a device and a language, then neither, in one tab => each page is shown as it was asked for', async () => {
  const device = deviceNamed('pixel-9');
  if (!device) throw new Error('no Pixel 9');
  const phone = await render('/', { device, language: 'de-AT', snapshot: true });
  expect(phone.text.trim()).toBe('412 2.625 de-AT,de 1,5 true');
  expect(phone.snapshot?.kind === 'taken' && unpackSnapshot(phone.snapshot.packed).viewport).toEqual({
    width: 412,
    height: 924,
  });
  expect(languages.at(-1)).toMatch(/^de-AT,de/);
  const window = await render('/', {});
  expect(window.text.trim()).toBe('1280 1 en-US,en 1.5 false');
});

test('200,000 pixels => a picture up to the limit, which a fact tells, and the tab lives', async () => {
  const tall = await render('/tall', { wholePage: 'jpeg' });
  expect(tall.fullView?.bytes.byteLength).toBeGreaterThan(1000);
  expect(tall.facts).toContain('the picture ends at 16384 of 200000 pixels');
  expect((await render('/', {})).title).toBe('Where');
});

test('a delay after load => what the page shows then', async () => {
  expect((await render('/slow', { postLoadDelay: 2500 })).text.trim()).toBe('later');
});
