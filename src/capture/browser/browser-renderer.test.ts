import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { testDocument } from '../../../test/given-document.ts';
import {
  ALL_BYTES,
  CSS,
  FIVE_MB,
  type PageServer,
  servePages,
} from '../../../test/sites/pages/serve-pages.ts';
import { type Exchange, header } from '../../model/exchange.ts';
import { unpackSnapshot } from '../../model/snapshot-codec.ts';
import type { Rendering, RenderRequest } from '../../ports/renderer.ts';
import { type BrowserRenderer, openBrowserRenderer } from './browser-renderer.ts';

let site: PageServer;
let renderer: BrowserRenderer;
let spoolDir: string;

beforeAll(async () => {
  site = await servePages();
  spoolDir = await mkdtemp(path.join(os.tmpdir(), 'daguerre-'));
  renderer = await openBrowserRenderer({ spoolDir });
});
afterAll(async () => {
  await renderer.close();
  site.close();
  await rm(spoolDir, { recursive: true });
});
beforeEach(() => {
  site.asked.length = 0;
});

function render(page: string, more: Partial<RenderRequest> = {}): Promise<Rendering> {
  return renderer.render({
    url: site.base + page,
    userAgent: 'Daguerre-Test/1.0',
    timeLimit: 30_000,
    sizeLimit: 100_000_000,
    screenshots: false,
    ...more,
  });
}

function exchangeOf(rendering: Rendering, page: string): Exchange {
  const found = rendering.exchanges.find(({ url }) => url === site.base + page);
  if (!found) throw new Error(`${page} is not among ${rendering.exchanges.map(({ url }) => url).join(' ')}`);
  return found;
}

async function bodyOf(exchange: Exchange): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of exchange.response.body.chunks()) parts.push(part);
  return Buffer.concat(parts);
}

function headText(message: { head: Uint8Array }): string {
  return Buffer.from(message.head).toString('latin1');
}

function pathsOf(rendering: Rendering): string[] {
  return rendering.exchanges.map(({ url }) => url.slice(site.base.length));
}

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
    expect(readdirSync(spoolDir)).toHaveLength(1);
    await large.release();
    expect(readdirSync(spoolDir)).toHaveLength(0);
  });

  test('longer than the size limit => cut there, truncated: length', async () => {
    const rendering = await render('/bytes.html', { sizeLimit: 1000, timeLimit: 10_000 });
    for (const page of ['/all-bytes', '/all-bytes-chunked', '/5mb']) {
      const exchange = exchangeOf(rendering, page);
      expect([page, exchange.response.body.size, exchange.truncated]).toEqual([page, 1000, 'length']);
    }
  });
});

describe('navigation', () => {
  test('301, 302, page => three exchanges, redirects without body', async () => {
    const rendering = await render('/redirect-1');
    expect(rendering.exchanges.slice(0, 3).map(({ url, response }) => [url, response.status])).toEqual([
      [`${site.base}/redirect-1`, 301],
      [`${site.base}/redirect-2`, 302],
      [`${site.base}/simple.html`, 200],
    ]);
    const [first] = rendering.exchanges;
    expect(header(first?.response.headers ?? [], 'set-cookie')).toBe('hop=1');
    expect(first?.response.body.size).toBe(0);
    expect(rendering.finalUrl).toBe(`${site.base}/simple.html`);
  });

  test.each(['/script-redirect.html', '/meta-refresh.html'])('%s => followed to the end', async (page) => {
    const rendering = await render(page);
    expect(rendering.finalUrl).toBe(`${site.base}/simple.html`);
    expect(rendering.text).toContain('Simple');
  });

  test('a page that leaves for ever => held after a few', async () => {
    const rendering = await render('/restless.html');
    expect(rendering.title).toBe('restless');
    expect(rendering.facts.some((fact) => fact.startsWith('the page was kept from leaving'))).toBe(true);
    expect(site.asked.length).toBeLessThan(12);
  });

  test('204 => the exchange, no text, and a fact', async () => {
    const rendering = await render('/no-content');
    expect(rendering.exchanges.map(({ response }) => response.status)).toEqual([204]);
    expect(rendering.facts).toContain('the answer is no page: nothing to show');
  });

  test('nothing listens => connection-refused', async () => {
    const gone = await servePages();
    gone.close();
    await expect(render('', { url: `${gone.base}/` })).rejects.toMatchObject({ kind: 'connection-refused' });
  });

  test('ftp URL => unsupported-url', async () => {
    await expect(render('', { url: 'ftp://127.0.0.1/' })).rejects.toMatchObject({ kind: 'unsupported-url' });
  });

  test('a page that asks not to be left => the next page works', async () => {
    expect((await render('/leaves.html')).title).toBe('leaves');
    expect((await render('/simple.html')).title).toBe('A simple page');
  });
});

describe('pages that never end', () => {
  test('alert loop => dismissed, then scripts stopped; the page is kept', async () => {
    const rendering = await render('/alert-loop.html');
    expect(rendering.text).toContain('Before the alerts.');
    expect(rendering.facts).toContain('dialog dismissed: alert "again"');
    expect(rendering.facts).toContain('scripts were stopped: 10 dialogs');
  });

  test('for (;;) {} => script stopped, text, links and picture kept; the next page works', async () => {
    const rendering = await render('/endless-script.html', { timeLimit: 10_000, screenshots: true });
    expect(rendering.text).toContain('Before the loop.');
    expect(rendering.links).toEqual([`${site.base}/after-loop`]);
    expect(rendering.view).toBeDefined();
    expect(rendering.facts).toContain('scripts were stopped: a script ran without end');
    expect((await render('/simple.html')).title).toBe('A simple page');
  });

  test('server-sent events and a dripping fetch => what came, truncated: time; the page saw the event', async () => {
    const rendering = await render('/endless-answers.html', { timeLimit: 10_000 });
    expect(rendering.text).toBe('heard');
    const events = exchangeOf(rendering, '/events');
    expect(events.truncated).toBe('time');
    expect((await bodyOf(events)).toString()).toBe('data: heard\n\n');
    const drip = exchangeOf(rendering, '/drip');
    expect([(await bodyOf(drip)).toString(), drip.truncated]).toEqual(['drop', 'time']);
  });

  test('endless scroll => stopped, and said', async () => {
    const { facts } = await render('/endless-scroll.html');
    // After 40 screens, or fewer where the machine takes 5 s for them.
    const said = expect.stringMatching(/^scrolling stopped after \d+ screens: the page goes on$/);
    expect(facts).toContainEqual(said);
  });

  test('a server that never answers => browser-hang; the next page works', async () => {
    await expect(render('/never', { timeLimit: 1000 })).rejects.toMatchObject({ kind: 'browser-hang' });
    expect((await render('/simple.html')).title).toBe('A simple page');
  });

  test('a synchronous XHR that is never answered: nothing can stop it => what there is, with the fact', async () => {
    const rendering = await render('/stuck.html', { timeLimit: 2000 });
    expect(pathsOf(rendering)).toEqual(['/stuck.html', '/1.png']);
    expect(rendering.text).toBe('');
    expect(rendering.facts).toContain('time limit reached (step: settle)');
    expect((await render('/simple.html')).title).toBe('A simple page');
  });

  test('abort => the reason of the signal', async () => {
    const abort = new AbortController();
    const rendering = render('/never', { signal: abort.signal });
    abort.abort(new Error('enough'));
    await expect(rendering).rejects.toThrow('enough');
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
