import { describe, expect, it, vi } from 'vitest';
import { smallArchive } from '../../test/e2e/small-archive.ts';
import { raw, servedExample, TEXT } from '../../test/served-example.ts';
import { Decisions } from '../model/decisions.ts';
import { startServer } from './start-server.ts';

const served = servedExample();

describe('raw captures', () => {
  const get = (path: string, headers?: Record<string, string>) =>
    raw(`${served().server.replayUrl}/archive/${path}`, headers);

  it('20240101id_ => bytes, Memento headers, no policy that would run it', async () => {
    const { status, headers, body } = await get('20240101id_/http://x.org/');
    expect([status, body]).toEqual([200, 'one']);
    expect(headers['memento-datetime']).toBe('Mon, 01 Jan 2024 00:00:00 GMT');
    expect(headers.link).toContain('<http://x.org/>; rel="original"');
    expect(headers['content-location']).toBe('/archive/20240101000000id_/http://x.org/');
    expect(headers['content-security-policy']).toContain('sandbox');
  });

  it('a 304 capture => the content it refers to', async () => {
    const { status, body } = await get('20240101000002id_/http://x.org/');
    expect([status, body]).toEqual([200, 'two']);
  });

  it('a redirect => into the archive; cookie => renamed', async () => {
    const { status, headers } = await get('2024id_/http://x.org/go');
    expect([status, headers.location]).toEqual([302, '/archive/20240101000000id_/http://x.org/ten']);
    expect(headers['set-cookie']).toBeUndefined();
    expect(headers['x-archive-orig-set-cookie']).toBe('a=1');
  });

  it('gzip => as archived; gzip that is none => without the header', async () => {
    const packed = await get('2024id_/http://x.org/packed');
    expect([packed.headers['content-encoding'], packed.body.charCodeAt(1)]).toEqual(['gzip', 0x8b]);
    // A range is one of the coded bytes, which are what is sent: RFC 9110.
    const part = await get('2024id_/http://x.org/packed', { range: 'bytes=1-2' });
    expect([part.status, part.headers['content-encoding'], part.body]).toEqual([
      206,
      'gzip',
      packed.body.slice(1, 3),
    ]);
    const lies = await get('2024id_/http://x.org/lies');
    expect([lies.headers['content-encoding'], lies.body]).toEqual([undefined, 'not packed']);
  });

  it.each([
    ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
    ['bytes=-3', 206, '789', 'bytes 7-9/10'],
    ['bytes=-99', 206, TEXT, 'bytes 0-9/10'],
    ['bytes=10-', 416, '', 'bytes */10'],
  ])('Range: %s => %i %s', async (range, status, body, contentRange) => {
    const answer = await get('2024id_/http://x.org/ten', { range });
    expect([answer.status, answer.body, answer.headers['content-range']]).toEqual([
      status,
      body,
      contentRange,
    ]);
  });

  it('a URL with stray percent signs and a query => found byte for byte', async () => {
    expect((await get('2024id_/http://x.org/a%zz?q=%')).body).toBe('odd');
  });

  it('not archived => 404, as problem details', async () => {
    const { status, body } = await get('2024id_/http://x.org/never');
    expect([status, JSON.parse(body)]).toEqual([
      404,
      expect.objectContaining({
        status: 404,
        detail: 'not archived: http://x.org/never',
        hint: expect.any(String),
      }),
    ]);
  });

  it('mp_ or a browser without a time => the origin of its site; * => the list', async () => {
    const { port } = new URL(served().server.replayUrl);
    const page = expect.stringMatching(
      new RegExp(
        `^http://x-org-[0-9a-f]{20}-opened\\.localhost:${port}/#scripts/20240101000000/http://x\\.org/$`,
      ),
    );
    expect((await get('2024mp_/http://x.org/')).headers.location).toEqual(page);
    const opened = await get('http://x.org/', { accept: 'text/html' });
    expect([opened.status, opened.headers.location]).toEqual([
      302,
      expect.stringContaining('/#scripts//http://x.org/'),
    ]);
    expect((await get('*/http://x.org/')).headers.location).toContain(
      `${served().server.url}/#/page?url=http%3A%2F%2Fx.org`,
    );
  });

  it('a script of the archive as service worker => 403', async () => {
    expect((await get('2024id_/http://x.org/ten', { 'service-worker': 'script' })).status).toBe(403);
  });
});

describe('answers without scripts', () => {
  it('HTML asked for as a document => without scripts and hints, as UTF-8; --scripts off => no other answer', async () => {
    const path = 'archive/20240101000000id_/http://x.org/acting';
    const still = await raw(`${served().server.replayUrl}/still/${path}`, { 'x-replay-document': '1' });
    expect(still.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(still.body).toBe('<p>text</p>');
    const off = await startServer({ ...served().archive, port: 0, replayPort: 0, scripts: false });
    expect((await raw(`${off.replayUrl}/wabac/${path}`)).status).toBe(403);
    expect((await raw(`${off.replayUrl}/still/${path}`)).status).toBe(200);
    await off.close();
  });
});

describe('answers to the service worker', () => {
  it('windows-1252 quotation marks in a document => the same marks in UTF-8', async () => {
    const body = Buffer.from('<p>\x93so\x94 \x96 \x80', 'latin1');
    const page = { url: 'http://x.org/', at: Date.UTC(2024, 0, 1), body };
    const archive = await smallArchive([{ ...page, headers: [['Content-Type', 'text/html']] }]);
    const server = await startServer({ ...archive, port: 0, replayPort: 0, webRoot: '/nowhere' });
    const path = 'wabac/archive/20240101000000id_/http://x.org/';
    const answer = await raw(`${server.replayUrl}/${path}`, { 'x-replay-document': '1' });
    expect(Buffer.from(answer.body, 'latin1').toString()).toBe('<p>“so” – €');
    await server.close();
    await archive.close();
  });
});

describe('answers without scripts, of a page that scripts drew', () => {
  it('the stored picture and text => in place of the HTML', async () => {
    const path = 'archive/20240101000000id_/http://x.org/drawn';
    const { body } = await raw(`${served().server.replayUrl}/still/${path}`, { 'x-replay-document': '1' });
    expect(body).toContain('<title>D</title>');
    expect(body).toContain(`src="data:image/png;base64,${Buffer.from('picture').toString('base64')}"`);
    expect(body).toContain('what a script had written &lt;here&gt;, long enough');
    const scripted = await raw(`${served().server.replayUrl}/wabac/${path}`, { 'x-replay-document': '1' });
    expect(scripted.body).toBe('<title>D</title><script>1</script>');
  });
});

describe('answers to wabac', () => {
  const get = (url: string, headers?: Record<string, string>) =>
    raw(`${served().server.replayUrl}/wabac/archive/20240101000000id_/${url}`, headers);

  it('a redirect => 200 with the status, the target and the cookie aside', async () => {
    const { status, headers } = await get('http://x.org/go');
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'x-redirect-status': '302',
      'x-orig-location': 'http://x.org/ten',
      'x-proxy-set-cookie': 'a=1',
    });
    expect(headers.location).toBeUndefined();
    // The worker would copy them for nobody.
    expect(Object.keys(headers).filter((name) => name.startsWith('x-archive-orig-'))).toEqual([]);
  });

  it('an archived error => 200 with the status aside', async () => {
    const { status, headers, body } = await get('http://x.org/odd-status');
    expect([status, headers['x-redirect-status'], body]).toEqual([200, '599', 'odd']);
  });

  it('not archived => 404, a page for documents, nothing for the rest', async () => {
    const page = await get('http://x.org/<never>', { accept: 'text/html' });
    expect(page.status).toBe(404);
    expect(page.body).toContain('name="daguerre-replay" content="not-archived"');
    expect(page.body).not.toContain('<never>');
    expect(await get('http://x.org/never.css')).toMatchObject({ status: 404, body: '' });
  });

  it('not archived, asked for as a frame inside a page => a page that says so, and nobody looks why', async () => {
    const why = vi.fn(async () => ['left out by a rule']);
    const { archive: parts, ...rest } = served().archive;
    const told = {
      decisions: async () => new Decisions(),
      made: async () => [],
      mirrors: async () => [],
      why,
    };
    const archive = async () => ({ ...(await parts()), told });
    const server = await startServer({ ...rest, archive, port: 0, replayPort: 0, webRoot: '/nowhere' });
    const ask = (as: string) =>
      raw(`${server.replayUrl}/wabac/archive/20240101000000id_/http://x.org/never`, {
        accept: 'text/html',
        'x-replay-document': as,
      });
    expect((await ask('frame')).body).toContain('name="daguerre-replay" content="not-archived"');
    expect(why).not.toHaveBeenCalled();
    expect((await ask('page')).body).toContain('left out by a rule');
    await server.close();
  });
});
