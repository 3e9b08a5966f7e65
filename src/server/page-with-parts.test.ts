import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SmallArchive, smallArchive } from '../../test/e2e/small-archive.ts';
import { raw } from '../../test/served-example.ts';
import type { ListedParts, PartHead } from './api-types.ts';
import { type RunningServer, startServer } from './start-server.ts';

const T = Date.UTC(2024, 0, 1);
const TAKEN = '20240101000000';
const PAGE = 'http://x.org/';
const typed = (type: string, ...more: [string, string][]) => [['Content-Type', type] as const, ...more];
const HTML = typed('text/html');
const LARGE = randomBytes(300 * 1024);

const LOADED = {
  [PAGE]: 'document',
  'http://x.org/late.png': 'image',
  'http://x.org/same.png': 'image',
  'http://x.org/style.css': 'stylesheet',
  'http://x.org/packed.js': 'script',
  'http://x.org/lies.js': 'script',
  'http://x.org/moved.png': 'image',
  'http://x.org/gone.png': 'image',
  'http://x.org/large.png': 'image',
  'http://x.org/never.png': 'image',
  'http://x.org/frame.html': 'document',
};
const info = JSON.stringify({
  resources: Object.fromEntries(Object.entries(LOADED).map(([url, type]) => [url, { status: 200, type }])),
});

let archive: SmallArchive;
let server: RunningServer;
beforeAll(async () => {
  const png = typed('image/png');
  const later = { at: T + 3_600_000, headers: typed('text/css'), body: 'b {}' };
  archive = await smallArchive([
    { url: PAGE, at: T, headers: HTML, body: '<p>é</p>' },
    { url: `urn:pageinfo:${PAGE}`, at: T, body: info, resource: 'application/json' },
    {
      url: 'http://x.org/style.css',
      at: T + 1000,
      headers: typed('text/css', ['Link', '<a>']),
      body: 'a {}',
    },
    { url: 'http://x.org/style.css', ...later },
    {
      url: 'http://x.org/packed.js',
      at: T,
      headers: typed('text/javascript', ['Content-Encoding', 'gzip'], ['Set-Cookie', 'a=1']),
      body: gzipSync('packed()'),
    },
    {
      url: 'http://x.org/lies.js',
      at: T,
      headers: typed('text/javascript', ['Content-Encoding', 'gzip']),
      body: 'plain()',
    },
    { url: 'http://x.org/same.png', at: T - 5000, headers: png, body: 'picture' },
    { url: 'http://x.org/same.png', at: T + 10, headers: png, revisit: 'identical-payload-digest' },
    { url: 'http://x.org/late.png', at: T + 2000, headers: png, body: 'late' },
    {
      url: 'http://x.org/moved.png',
      at: T,
      status: 302,
      headers: typed('text/plain', ['Location', '/late.png']),
    },
    { url: 'http://x.org/gone.png', at: T, status: 410, headers: HTML, body: 'gone' },
    { url: 'http://x.org/large.png', at: T, headers: png, body: LARGE },
    { url: 'http://x.org/frame.html', at: T, headers: HTML, body: 'frame' },
    { url: 'http://x.org/foreign', at: T, headers: HTML, body: 'no pageinfo' },
  ]);
  server = await startServer({ ...archive, port: 0, replayPort: 0, webRoot: '/nowhere' });
});
afterAll(async () => {
  await server.close();
  await archive.close();
});

const ask = (url: string, headers: Record<string, string>, view = 'wabac') =>
  raw(`${server.replayUrl}/${view}/archive/${TAKEN}id_/${url}`, headers);
const DOCUMENT = { 'x-replay-document': '1', accept: 'text/html' };

/** The document, the list, and the parts by address. */
async function withParts(url: string, view = 'wabac') {
  const { headers, body } = await ask(url, { ...DOCUMENT, 'x-replay-parts': '1' }, view);
  const bytes = Buffer.from(body, 'latin1');
  let at = Number(headers['x-archive-document-size']);
  const document = bytes.subarray(0, at).toString();
  const line = (): unknown => {
    const end = bytes.indexOf(10, at);
    const text = bytes.subarray(at, end).toString();
    at = end + 1;
    return JSON.parse(text);
  };
  const { parts: listed } = line() as ListedParts;
  const parts = new Map<string, PartHead & { readonly body: string }>();
  while (at < bytes.length) {
    const head = line() as PartHead;
    parts.set(head.url, { ...head, body: bytes.subarray(at, at + (head.size ?? 0)).toString() });
    at += head.size ?? 0;
  }
  return { document, listed, parts };
}

describe('a document that is asked for with its parts', () => {
  it('the document first, then what the page cannot go on without, then the rest; neither frames nor itself', async () => {
    const { document, listed, parts } = await withParts(PAGE);
    expect(document).toBe('<p>é</p>');
    expect(listed).toEqual(
      [
        'style.css',
        'packed.js',
        'lies.js',
        'late.png',
        'same.png',
        'moved.png',
        'gone.png',
        'large.png',
        'never.png',
      ].map((name) => `http://x.org/${name}`),
    );
    expect([...parts.keys()]).toEqual(listed);
  });

  it('each part => as a request of the page for it is answered, content coding removed', async () => {
    const { parts } = await withParts(PAGE);
    const answers = {
      'packed.js': 'packed()',
      'lies.js': 'plain()',
      'same.png': 'picture',
      'style.css': 'a {}',
    };
    for (const [name, body] of Object.entries({
      ...answers,
      'late.png': 'late',
      'moved.png': '',
      'gone.png': 'gone',
    })) {
      const part = parts.get(`http://x.org/${name}`);
      const { headers } = await ask(`http://x.org/${name}`, { 'x-replay-page': TAKEN });
      expect(part?.body).toBe(body);
      for (const [field, value] of part?.headers ?? [])
        expect([field, headers[field]]).toEqual([field, value]);
      const named = Object.fromEntries(part?.headers ?? []);
      expect(named['content-encoding'] ?? named['link'] ?? named['set-cookie']).toBeUndefined();
      for (const field of ['memento-datetime', 'x-redirect-status', 'x-orig-location', 'x-proxy-set-cookie'])
        expect([field, named[field]]).toEqual([field, headers[field]]);
    }
  });

  it('what is large or not archived => to be asked for by itself', async () => {
    const { parts } = await withParts(PAGE);
    for (const name of ['large.png', 'never.png'])
      expect(parts.get(`http://x.org/${name}`)).toEqual({ url: `http://x.org/${name}`, body: '' });
  });

  it('without scripts => none come along', async () => {
    const { listed } = await withParts(PAGE, 'still');
    expect(listed.some((url) => url.endsWith('.js'))).toBe(false);
    expect(listed).toContain('http://x.org/style.css');
  });

  it('a page of which is not stored what it loaded => an empty list', async () => {
    expect(await withParts('http://x.org/foreign')).toMatchObject({ document: 'no pageinfo', listed: [] });
  });

  it('whoever does not ask for parts, or asks for a part => one body', async () => {
    expect((await ask(PAGE, DOCUMENT)).headers['x-archive-document-size']).toBeUndefined();
    const fetched = await ask(PAGE, { 'x-replay-page': TAKEN, 'x-replay-parts': '1' });
    expect(fetched.headers['x-archive-document-size']).toBeUndefined();
  });
});
