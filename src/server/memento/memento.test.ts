import { describe, expect, it } from 'vitest';
import { smallArchive } from '../../../test/e2e/small-archive.ts';
import { raw, servedExample } from '../../../test/served-example.ts';
import { startServer } from '../start-server.ts';

const served = servedExample();
const get = (path: string, headers?: Record<string, string>) =>
  raw(`${served().server.replayUrl}${path}`, headers);
const at = (second: number) => `Mon, 01 Jan 2024 00:00:0${second} GMT`;

describe('TimeGates (RFC 7089)', () => {
  it('Accept-Datetime => 200 with the memento, where it is, and what it varies by', async () => {
    const { status, headers, body } = await get('/archive/http://x.org/', { 'accept-datetime': at(1) });
    expect([status, body]).toEqual([200, 'two']);
    expect(headers).toMatchObject({
      vary: 'accept-datetime',
      'memento-datetime': at(1),
      'content-location': '/archive/20240101000001id_/http://x.org/',
    });
    const { replayUrl } = served().server;
    for (const link of [
      '<http://x.org/>; rel="original"',
      `<${replayUrl}/archive/http://x.org/>; rel="timegate"`,
      `<${replayUrl}/archive/timemap/link/http://x.org/>; rel="timemap"; type="application/link-format"; from="${at(0)}"; until="${at(2)}"`,
      `<${replayUrl}/archive/20240101000000id_/http://x.org/>; rel="first prev memento"; datetime="${at(0)}"`,
      `<${replayUrl}/archive/20240101000001id_/http://x.org/>; rel="memento"; datetime="${at(1)}"`,
      `<${replayUrl}/archive/20240101000002id_/http://x.org/>; rel="next last memento"; datetime="${at(2)}"`,
    ])
      expect(headers.link).toContain(link);
  });

  it('/timegate/<url> => 302 to the memento; its own address => no Vary', async () => {
    const gate = await get('/archive/timegate/http://x.org/', { 'accept-datetime': at(0) });
    expect([gate.status, gate.headers.vary]).toEqual([302, 'accept-datetime']);
    expect(gate.headers['memento-datetime']).toBeUndefined();
    const memento = await raw(gate.headers.location ?? '');
    expect([memento.status, memento.body, memento.headers.vary]).toEqual([200, 'one', undefined]);
    expect(memento.headers['memento-datetime']).toBe(at(0));
  });

  it.each([
    ['Thu, 01 Jan 1970 00:00:00 GMT', 'one'],
    ['Fri, 31 Dec 9999 23:59:59 GMT', 'two'],
  ])('Accept-Datetime: %s => %s', async (datetime, body) => {
    expect((await get('/archive/http://x.org/', { 'accept-datetime': datetime })).body).toBe(body);
  });

  it.each(['Thu, 31 Feb 2022 12:00:00 GMT', 'yesterday', '2024-01-01', ''])(
    "Accept-Datetime: '%s' => 400 that says what is accepted",
    async (value) => {
      const { status, body } = await get('/archive/http://x.org/', { 'accept-datetime': value });
      expect([status, JSON.parse(body).hint]).toEqual([400, expect.stringContaining('GMT')]);
    },
  );

  it('Prefer: raw => as stored; rewritten => the origin of its site; another => not applied', async () => {
    const page = await get('/archive/2024mp_/http://x.org/', { prefer: 'raw' });
    expect([page.status, page.body, page.headers['preference-applied']]).toEqual([200, 'one', 'raw']);
    const gate = await get('/archive/http://x.org/', { prefer: 'rewritten', 'accept-datetime': at(0) });
    expect([gate.status, gate.headers['preference-applied'], gate.headers.vary]).toEqual([
      302,
      'rewritten',
      'accept-datetime, prefer',
    ]);
    expect(
      (await get('/archive/http://x.org/', { prefer: 'fast' })).headers['preference-applied'],
    ).toBeUndefined();
  });

  it('a URL that nobody archived => 404 from every address of it', async () => {
    for (const path of [
      'http://x.org/no',
      'timegate/http://x.org/no',
      'timemap/link/http://x.org/no',
      '2024mp_/http://x.org/no',
    ])
      expect([path, (await get(`/archive/${path}`)).status]).toEqual([path, 404]);
  });
});

describe('TimeMaps', () => {
  it('link => original, itself, the TimeGate, and every memento', async () => {
    const { headers, body } = await get('/archive/timemap/link/http://x.org/');
    expect(headers['content-type']).toBe('application/link-format; charset=utf-8');
    const { replayUrl } = served().server;
    expect(body.trimEnd().split(',\n')).toEqual([
      '<http://x.org/>; rel="original"',
      `<${replayUrl}/archive/timemap/link/http://x.org/>; rel="self"; type="application/link-format"; from="${at(0)}"; until="${at(2)}"`,
      `<${replayUrl}/archive/http://x.org/>; rel="timegate"`,
      ...[0, 1, 2].map(
        (s) =>
          `<${replayUrl}/archive/2024010100000${s}id_/http://x.org/>; rel="${s === 0 ? 'first ' : s === 2 ? 'last ' : ''}memento"; datetime="${at(s)}"; collection="archive"`,
      ),
    ]);
    const later = await get('/archive/timemap/link/20240101000001/http://x.org/');
    expect(later.body).toContain(`/archive/timemap/link/http://x.org/>; rel="timemap"`);
    expect(later.body.match(/rel="[a-z ]*memento"/g)).toHaveLength(2);
  });

  it('json, cdxj => the lines of the CDX server; another format => 404 that names them', async () => {
    const ndjson = await get('/archive/timemap/json/http://x.org/');
    const rows = ndjson.body
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(rows.map(({ timestamp, mime }) => [timestamp, mime])).toEqual([
      ['20240101000000', 'text/html'],
      ['20240101000001', 'text/html'],
      ['20240101000002', 'warc/revisit'],
    ]);
    const cdxj = await get('/archive/timemap/cdxj/http://x.org/');
    expect(cdxj.body).toBe((await get('/archive/cdx?url=http://x.org/')).body);
    const other = await get('/archive/timemap/xml/http://x.org/');
    expect([other.status, other.body]).toEqual([404, expect.stringContaining('link, json, cdxj')]);
  });
});

describe('captures within a second', () => {
  it('the first has 14 digits, as other tools read them, the next 17; each address leads to its own', async () => {
    const second = Date.UTC(2024, 0, 1, 12);
    const shot = (ms: number, body: string) => ({
      ...{ url: 'http://y.org/', at: second + ms, body, title: 'Y' },
      headers: [['Content-Type', 'text/html']] as const,
    });
    const archive = await smallArchive([shot(-40, 'before'), shot(80, 'first'), shot(380, 'next')]);
    const server = await startServer({ ...archive, port: 0, replayPort: 0, webRoot: '/nowhere' });
    const map = await raw(`${server.replayUrl}/archive/timemap/link/http://y.org/`);
    const addresses = [...map.body.matchAll(/<([^>]+)>; rel="[a-z ]*memento"/g)].map(([, one]) => one ?? '');
    expect(addresses.map((address) => /\/(\d+)id_/.exec(address)?.[1])).toEqual([
      '20240101115959',
      '20240101120000',
      '20240101120000380',
    ]);
    const bodies = await Promise.all(addresses.map(async (address) => (await raw(address)).body));
    expect(bodies).toEqual(['before', 'first', 'next']);
    await server.close();
    await archive.close();
  });
});
