import { existsSync, readdirSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { testDocument } from '../../../test/given-document.ts';
import {
  bodyOf,
  exchangeOf,
  headText,
  pathsOf,
  render,
  site,
  spoolDir,
  useRenderer,
} from '../../../test/rendered-site.ts';
import { ALL_BYTES, CSS, FIVE_MB } from '../../../test/sites/pages/serve-pages.ts';
import { type Exchange, header } from '../../model/exchange.ts';
import { unpackSnapshot } from '../../model/snapshot-codec.ts';
import type { Rendering } from '../../ports/renderer.ts';
import { openBrowserRenderer } from './browser-renderer.ts';

useRenderer();

describe('snapshots of live pages', () => {
  test('asked for => taken, with what scripts and shadow roots show; pictures beside it', async () => {
    const rendering = await render('/rich.html', { snapshot: true, wholePage: 'jpeg', screenshots: true });
    if (rendering.snapshot?.kind !== 'taken') throw new Error('no snapshot');
    const page = unpackSnapshot(rendering.snapshot.packed);
    expect(page).toMatchObject({ url: rendering.finalUrl, title: 'A rich page', viewport: { height: 1024 } });
    const text = page.nodes.map((node) => (node.kind === 'text' ? node.text : '')).join(' ');
    for (const part of ['Static heading', 'rendered by script', 'fetched', 'shadow text']) {
      expect(text).toContain(part);
    }
    expect(jpegSize(rendering.fullView?.bytes)).toEqual([1280, page.page.height]);
    expect(rendering.view).toBeDefined();
  });

  test('not asked for => none', async () => {
    const rendering = await render('/rich.html');
    expect(rendering).not.toHaveProperty('snapshot');
    expect(rendering).not.toHaveProperty('fullView');
  });
});

describe('a rich page', () => {
  let rich: Rendering;
  beforeAll(async () => {
    rich = await render('/rich.html', { screenshots: true });
  });

  test('text => what static HTML, scripts, fetch and shadow roots show', () => {
    expect(rich.title).toBe('A rich page');
    for (const part of ['Static heading', 'rendered by script', 'fetched', 'shadow text']) {
      expect(rich.text).toContain(part);
    }
  });

  test('links => absolute http ones, without fragments, of areas, SVG, scripts, shadow roots and frames', () => {
    expect(rich.links).toEqual(
      [
        '/static-link',
        '/relative/link',
        '/area-link',
        '/svg-link',
        '/scripted-link',
        '/shadow-link',
        '/frame-link',
      ].map((link) => site.base + link),
    );
  });

  test('exchanges => page, style, image, script, frame, fetch, XHR, worker, lazy image, on-scroll; once each', () => {
    expect(pathsOf(rich)[0]).toBe('/rich.html');
    expect(pathsOf(rich).toSorted()).toEqual(
      [
        '/rich.html',
        '/style.css',
        '/binary.png',
        '/binary.png?twice',
        '/page.js',
        '/frame.html',
        '/in-frame.png',
        '/worker.js',
        '/from-worker.txt',
        '/data.json',
        '/post',
        '/xhr.txt',
        '/lazy.png',
        '/on-scroll.txt',
      ].toSorted(),
    );
    expect(exchangeOf(rich, '/style.css').resourceType).toBe('stylesheet');
    expect(exchangeOf(rich, '/xhr.txt')).toMatchObject({
      road: 'browser',
      protocols: ['http/1.1'],
      ip: '127.0.0.1',
    });
  });

  test('gzip chunked style sheet => decoded bytes, head made true, original codings kept as x-orig', async () => {
    const style = exchangeOf(rich, '/style.css');
    expect((await bodyOf(style)).toString()).toBe(CSS);
    expect(style.response.framing).toBe('identity');
    expect(header(style.response.headers, 'content-encoding')).toBeUndefined();
    expect(header(style.response.headers, 'transfer-encoding')).toBeUndefined();
    expect(header(style.response.headers, 'x-orig-content-encoding')).toBe('gzip');
    expect(header(style.response.headers, 'x-orig-transfer-encoding')).toBe('chunked');
    expect(header(style.response.headers, 'content-length')).toBe(String(Buffer.byteLength(CSS)));
    expect(headText(style.response)).toMatch(
      /^HTTP\/1\.1 200 OK\r\nContent-Type: text\/css\r\n[\s\S]*\r\n\r\n$/,
    );
  });

  test('gzip chunked fetch => decoded bytes', async () => {
    expect((await bodyOf(exchangeOf(rich, '/data.json'))).toString()).toBe('{"said":"fetched"}');
  });

  test('Set-Cookie => both in the head, HttpOnly too; the cookies go with the next request', () => {
    const head = headText(exchangeOf(rich, '/rich.html').response);
    expect(head).toContain('Set-Cookie: a=1\r\nSet-Cookie: b=2; HttpOnly\r\n');
    expect(headText(exchangeOf(rich, '/style.css').request)).toContain('Cookie: a=1; b=2\r\n');
  });

  test('POST fetch => method, request body and its length are kept', () => {
    const { request } = exchangeOf(rich, '/post');
    expect(request.method).toBe('POST');
    expect(Buffer.from(request.body.bytes ?? []).toString()).toBe('{"q":"é"}');
    expect(headText(request)).toMatch(/^POST \/post HTTP\/1\.1\r\n[\s\S]*Content-Length: 10\r\n/);
  });

  test('pictures => JPEG of the first screen, and a thumbnail of it', () => {
    for (const picture of [rich.view, rich.thumbnail]) {
      expect(picture?.contentType).toBe('image/jpeg');
      expect([...(picture?.bytes.subarray(0, 3) ?? [])]).toEqual([0xff, 0xd8, 0xff]);
    }
    expect(jpegSize(rich.thumbnail?.bytes)).toEqual([320, 256]);
    expect(jpegSize(rich.view?.bytes)).toEqual([1280, 1024]);
  });
});

describe('a document given', () => {
  function given(body: string): Exchange {
    const bytes = gzipSync(body);
    return testDocument(`${site.base}/given.html`, bytes, [
      ['Content-Type', 'text/html; charset=utf-8'],
      ['Content-Encoding', 'gzip'],
      ['Content-Length', String(bytes.length)],
      ['Set-Cookie', 'from=document'],
      ['Set-Cookie', 'second=too'],
    ]);
  }

  test('=> the server is not asked again, subresources are, with the cookies of the document', async () => {
    const document = given('<title>given</title><p>héllo <img src="/1.png"><a href="/next">n</a>');
    const rendering = await render('/given.html', { document });
    expect(rendering.title).toBe('given');
    expect(rendering.text).toContain('héllo');
    expect(rendering.finalUrl).toBe(`${site.base}/given.html`);
    expect(rendering.links).toEqual([`${site.base}/next`]);
    expect(pathsOf(rendering)).toEqual(['/1.png']);
    expect(site.asked.map(({ path: asked, cookie }) => [asked, cookie])).toEqual([
      ['/1.png', 'from=document; second=too'],
    ]);
  });

  test('that leads on by script => the second document is fetched and recorded, and said', async () => {
    const rendering = await render('/given.html', {
      document: given('<script>location = "/simple.html"</script>'),
    });
    expect(rendering.finalUrl).toBe(`${site.base}/simple.html`);
    expect(rendering.title).toBe('A simple page');
    expect(pathsOf(rendering)[0]).toBe('/simple.html');
    expect(rendering.facts).toContain(`the page went on to ${site.base}/simple.html`);
  });
});

describe('bytes', () => {
  test('all 256 values, plain, chunked, gzip, as a script; 5 MB => exact, and the page got them too', async () => {
    // A failed first try leaves its spool files behind.
    const before = readdirSync(spoolDir).length;
    const rendering = await render('/bytes.html');
    expect(rendering.title).toBe(`1024 1024 1024 ${FIVE_MB.length}`);
    for (const page of ['/all-bytes', '/all-bytes-chunked', '/all-bytes-gzip']) {
      expect((await bodyOf(exchangeOf(rendering, page))).equals(ALL_BYTES), page).toBe(true);
    }
    const script = await bodyOf(exchangeOf(rendering, '/all-bytes-script'));
    expect(script.subarray(3, -3).equals(ALL_BYTES.filter((byte) => byte !== 42))).toBe(true);
    const large = exchangeOf(rendering, '/5mb').response.body;
    expect(large.bytes, 'spooled').toBeUndefined();
    expect((await bodyOf(exchangeOf(rendering, '/5mb'))).equals(FIVE_MB)).toBe(true);
    expect(readdirSync(spoolDir)).toHaveLength(before + 1);
    await large.release();
    expect(readdirSync(spoolDir)).toHaveLength(before);
  });

  test('longer than the size limit => cut there, truncated: length', async () => {
    const rendering = await render('/bytes.html', { sizeLimit: 1000, timeLimit: 10_000 });
    for (const page of ['/all-bytes', '/all-bytes-chunked', '/5mb']) {
      const exchange = exchangeOf(rendering, page);
      expect([page, exchange.response.body.size, exchange.truncated]).toEqual([page, 1000, 'length']);
    }
  });
});

test('window.open and a download => not opened, kept as links, said', async () => {
  const rendering = await render('/opens-windows.html');
  expect(rendering.links).toEqual(['/download.zip', '/popup-1', '/popup-2'].map((link) => site.base + link));
  expect(rendering.facts).toContain(`window not opened: ${site.base}/popup-1`);
  expect(rendering.facts).toContain(`download not begun: ${site.base}/download.zip`);
  expect(site.asked.map((asked) => asked.path)).not.toContain('/popup-1');
});

test('two pages at once and one after => each a first-time visitor; user agent, locale, zone, viewport as set', async () => {
  const together = await Promise.all([render('/about-me.html'), render('/about-me.html')]);
  const expected = 'Daguerre-Test/1.0 en-US UTC 1280x1024 had:|0|0';
  for (const rendering of [...together, await render('/about-me.html')])
    expect(rendering.text).toBe(expected);
  expect(site.asked.every(({ userAgent }) => userAgent === 'Daguerre-Test/1.0')).toBe(true);
});

/** Width and height from the start-of-frame segment. */
function jpegSize(bytes: Uint8Array | undefined): number[] {
  if (!bytes) return [];
  const data = Buffer.from(bytes);
  for (let at = 2; at < data.length; at += 2 + data.readUInt16BE(at + 2)) {
    const marker = data[at + 1] ?? 0;
    if (marker >= 0xc0 && marker <= 0xc2) return [data.readUInt16BE(at + 7), data.readUInt16BE(at + 5)];
  }
  return [];
}

test('close => no process and no profile folder is left', async () => {
  const own = await openBrowserRenderer({ spoolDir, tabs: 1 });
  const { pid } = own;
  expect(pid !== undefined && existsSync(`/proc/${pid}`)).toBe(process.platform === 'linux');
  await own.close();
  expect(existsSync(`/proc/${pid}`)).toBe(false);
});
