import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Shot, type SmallArchive, smallArchive } from '../../../test/e2e/small-archive.ts';
import { raw } from '../../../test/served-example.ts';
import { type RunningServer, startServer } from '../start-server.ts';

/**
 * What pywb's manual and tests, and clients of the Internet Archive, expect of a server, asked of ours: an archive of the same shape as
 * pywb's example (three visits of a site, style sheets that came back as revisits), and requests as those programs send them.
 */

const at = (digits: string): number =>
  Date.parse(digits.replace(/(....)(..)(..)(..)(..)(..)/, '$1-$2-$3T$4:$5:$6Z'));
const typed = (type: string) => ({ headers: [['Content-Type', type]] as const });
const CSS = 'http://www.iana.org/_css/2013.1/screen.css';
const PRINT = 'http://www.iana.org/_css/2013.1/print.css';
const HOME = 'http://www.iana.org/';
const shot = (url: string, digits: string, type: string, body: string): Shot => ({
  ...{ url, at: at(digits), body, ...typed(type) },
  ...(type === 'text/html' && { title: url }),
});
const again = (url: string, digits: string): Shot => ({
  ...{ url, at: at(digits), revisit: 'identical-payload-digest' as const },
});

const SHOTS: readonly Shot[] = [
  shot(HOME, '20140126200624', 'text/html', 'one'),
  shot(HOME, '20140127171238', 'text/html', 'two'),
  shot(HOME, '20140127171251', 'text/html', 'three'),
  shot(CSS, '20140126200625', 'text/css', 'screen'),
  again(CSS, '20140126200804'),
  again(CSS, '20140127171239'),
  shot(PRINT, '20140126200625', 'text/css', 'print'),
  ...['20140126200706', '20140126200737', '20140126201011', '20140127171239'].map((time) =>
    again(PRINT, time),
  ),
  shot('http://www.iana.org/about', '20140126200706', 'text/html', 'about'),
  shot('http://data.iana.org/list.php', '20140126201000', 'text/html', 'list'),
  {
    url: 'http://www.iana.org/domains/example',
    at: at('20140128051539'),
    status: 302,
    headers: [['Location', '/domains/reserved']],
  },
];

let archive: SmallArchive;
let server: RunningServer;
beforeAll(async () => {
  archive = await smallArchive(SHOTS);
  server = await startServer({ ...archive, port: 0, replayPort: 0, webRoot: '/nowhere', collection: 'pywb' });
});
afterAll(async () => {
  await server?.close();
  await archive?.close();
});

type Query = readonly (readonly [string, string])[];
const asked = (query: Query): string =>
  new URLSearchParams(query.map(([name, value]) => [name, value])).toString();
const get = (path: string, headers: Record<string, string> = {}) =>
  raw(`${server.replayUrl}${path}`, headers);

describe("pywb's own expectations of its CDX server", () => {
  const index = async (url: string, ...query: Query) => {
    const answer = await get(`/pywb/cdx?${asked([['url', url], ...query])}`);
    const lines = answer.body.split('\n').filter(Boolean);
    const cdxj = lines.map((line) => {
      const [, urlkey, timestamp, json] = /^(\S+) (\d{14}) (\{.*\})$/.exec(line) ?? [];
      return { urlkey, timestamp, ...JSON.parse(json ?? '{}') } as Record<string, string>;
    });
    return { ...answer, type: answer.headers['content-type']?.split(';')[0], lines, cdxj };
  };

  it('an exact URL => a line each, as CDXJ, JSON and plain text, by their types', async () => {
    const cdxj = await index(HOME);
    expect([cdxj.status, cdxj.type, cdxj.lines.length]).toEqual([200, 'text/x-cdxj', 3]);
    const json = await get(`/pywb/cdx?url=${HOME}&output=json`);
    const rows = json.body
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(rows).toHaveLength(3);
    const text = await get(`/pywb/cdx?url=${HOME}&output=text`);
    expect([text.headers['content-type'], text.body.includes('{')]).toEqual([
      'text/plain; charset=utf-8',
      false,
    ]);
  });

  it('prefix and domain, by matchType and by wildcard => the same lines', async () => {
    const prefix = await index(HOME, ['matchType', 'prefix']);
    expect(prefix.lines.some((line) => line.startsWith('org,iana)/_css/2013.1/screen.css '))).toBe(true);
    expect((await index(`${HOME}*`)).lines).toEqual(prefix.lines);
    const domain = await index('iana.org', ['matchType', 'domain']);
    expect((await index('*.iana.org')).lines).toEqual(domain.lines);
    expect(domain.lines.length).toBe(prefix.lines.length + 1);
  });

  it('filters: contains, equals, a pattern from the beginning, each turned round; several at once', async () => {
    const times = async (...filters: string[]) =>
      (await index(CSS, ...filters.map((one) => ['filter', one] as const))).cdxj.map(
        (line) => line['timestamp'],
      );
    expect(await times('mime:warc/revisit')).toEqual(['20140126200804', '20140127171239']);
    expect(await times('!mime:warc/revisit')).toEqual(['20140126200625']);
    expect(await times('=mime:text')).toEqual([]);
    expect(await times('~mime:text/c')).toEqual(['20140126200625']);
    expect(await times('!~mime:.*/css$', 'timestamp:20140127')).toEqual(['20140127171239']);
    const php = await index('iana.org', ['matchType', 'domain'], ['filter', String.raw`~url:.*\.php$`]);
    expect(php.lines).toHaveLength(1);
  });

  it('limit, reverse=1, sort=reverse, sort=closest => the first, the last, the nearest', async () => {
    const first = async (...query: Query) => (await index(CSS, ['limit', '1'], ...query)).cdxj[0];
    expect(await first()).toMatchObject({ timestamp: '20140126200625', mime: 'text/css' });
    for (const reverse of [['reverse', '1'] as const, ['sort', 'reverse'] as const])
      expect(await first(reverse)).toMatchObject({ timestamp: '20140127171239', mime: 'warc/revisit' });
    const near = [
      ['sort', 'closest'],
      ['closest', '20140126200800'],
    ] as const;
    expect(await first(...near)).toMatchObject({ timestamp: '20140126200804' });
  });

  it('from and to of fewer digits => the whole period; collapseTime with reverse => one of each ten minutes, newest first', async () => {
    expect((await index(HOME, ['from', '2014'], ['to', '2014'])).lines).toHaveLength(3);
    expect((await index(HOME, ['to', '2013'])).lines).toEqual([]);
    const collapsed = await index(
      PRINT,
      ['collapseTime', '11'],
      ['resolveRevisits', 'true'],
      ['reverse', 'true'],
    );
    expect(collapsed.cdxj.map((line) => line['timestamp'])).toEqual([
      '20140127171239',
      '20140126201011',
      '20140126200737',
    ]);
  });

  it('fields => these alone; one that is none, another output, another matchType => 400', async () => {
    const answer = await get(`/pywb/cdx?url=${PRINT}&fields=urlkey,timestamp,status&output=json&limit=1`);
    expect(JSON.parse(answer.body)).toEqual({
      ...{ urlkey: 'org,iana)/_css/2013.1/print.css', timestamp: '20140126200625', status: '200' },
    });
    for (const wrong of [
      'fields=urlkey,nosuchfield',
      'output=foo',
      'matchType=foo',
      'sort=closest',
      'limit=0',
    ])
      expect([wrong, (await get(`/pywb/cdx?url=${PRINT}&${wrong}`)).status]).toEqual([wrong, 400]);
  });
});

describe("pywb's own expectations of Memento", () => {
  const links = (header: string | string[] | undefined): string[] => String(header).split(/, (?=<)/);

  it('a TimeGate with and without Accept-Datetime => the nearest, the newest; Vary, Content-Location, links', async () => {
    for (const [asking, digits] of [
      [{ 'accept-datetime': 'Sun, 26 Jan 2014 20:08:00 GMT' }, '20140126200804'],
      [{}, '20140127171239'],
    ] as const) {
      const { status, headers } = await get(`/pywb/${CSS}`, asking);
      expect([status, headers['vary']]).toEqual([200, 'accept-datetime']);
      expect(headers['memento-datetime']).toBe(new Date(at(digits)).toUTCString());
      expect(headers['content-location']).toMatch(new RegExp(`/pywb/${digits}id_/${CSS}$`));
      const given = links(headers['link']);
      expect(given).toContain(`<${CSS}>; rel="original"`);
      expect(given).toContain(`<${server.replayUrl}/pywb/${CSS}>; rel="timegate"`);
      expect(given.find((link) => link.includes('rel="timemap"'))).toContain(`/pywb/timemap/link/${CSS}>`);
      expect(given.find((link) => link.includes(`${headers['content-location']}>`))).toContain('memento"');
    }
  });

  it('a memento => no Vary; one of a redirect keeps its status', async () => {
    const memento = await get(`/pywb/20140127171238id_/${HOME}`);
    expect([memento.status, memento.body, memento.headers['vary']]).toEqual([200, 'two', undefined]);
    const moved = await get('/pywb/20140128051539id_/http://www.iana.org/domains/example');
    expect([moved.status, moved.headers['memento-datetime']]).toEqual([302, 'Tue, 28 Jan 2014 05:15:39 GMT']);
  });

  it('a TimeMap => self with its span, the TimeGate, the original, each memento with its collection; as CDXJ the lines of the index', async () => {
    const { headers, body } = await get(`/pywb/timemap/link/${CSS}`);
    expect(headers['content-type']).toContain('application/link-format');
    const lines = body.trim().split(',\n');
    expect(lines).toContain(`<${CSS}>; rel="original"`);
    expect(lines).toContain(`<${server.replayUrl}/pywb/${CSS}>; rel="timegate"`);
    expect(lines.find((line) => line.includes('rel="self"'))).toContain(
      'from="Sun, 26 Jan 2014 20:06:25 GMT"',
    );
    expect(lines.filter((line) => /rel="(?:\w+ )?memento".*; collection="pywb"$/.test(line))).toHaveLength(3);
    const cdxj = await get(`/pywb/timemap/cdxj/${CSS}`);
    expect(cdxj.body).toBe((await get(`/pywb/cdx?url=${CSS}`)).body);
  });

  it('a URL that is not archived => 404 without headers of Memento; a date that is none => 400', async () => {
    const { status, headers } = await get('/pywb/http://example.com/x-not-found');
    expect([status, headers['memento-datetime'], headers['link']]).toEqual([404, undefined, undefined]);
    expect((await get('/pywb/timemap/link/http://example.com/x-not-found')).status).toBe(404);
    expect((await get(`/pywb/${CSS}`, { 'accept-datetime': 'Sun' })).status).toBe(400);
  });
});

describe('requests as clients of the Internet Archive send them', () => {
  const search = async (query: Query, path = '/cdx/search/cdx') => {
    const { status, body } = await get(`${path}?${asked(query)}`);
    expect(status, body).toBe(200);
    return body;
  };

  it('lists of versions by collapsed digests (downloaders) => rows of two below their names', async () => {
    const rows = JSON.parse(
      await search(
        [
          ...([
            ['output', 'json'],
            ['url', CSS],
            ['fl', 'timestamp,original'],
          ] as const),
          ...([
            ['collapse', 'digest'],
            ['gzip', 'false'],
            ['filter', 'statuscode:200'],
            ['page', '0'],
          ] as const),
        ],
        '/cdx/search/xd',
      ),
    ) as string[][];
    expect(rows).toEqual([
      ['timestamp', 'original'],
      ['20140126200625', CSS],
    ]);
  });

  it('searches with resumption, revisits resolved (libraries for scripts) => lines of seven fields, then the key', async () => {
    const query = [
      ...([
        ['url', 'iana.org'],
        ['matchType', 'domain'],
        ['limit', '4'],
        ['resolveRevisits', 'true'],
      ] as const),
      ...([
        ['showResumeKey', 'true'],
        ['gzip', 'false'],
        ['from', '20140126'],
        ['to', '20140128'],
      ] as const),
    ] as const;
    const body = await search(query);
    const [part = '', key = ''] = body.split('\n\n');
    expect(part.split('\n').map((line) => line.split(' ').length)).toEqual([7, 7, 7, 7]);
    const rest = await search([...query.filter(([name]) => name !== 'limit'), ['resumeKey', key.trim()]]);
    const all = await search(query.filter(([name]) => name !== 'limit'));
    expect(`${part}\n${rest}`).toBe(all);
  });

  it('hosts of a domain (tools that map a web) => each address once', async () => {
    const rows = JSON.parse(
      await search([
        ...([
          ['matchType', 'domain'],
          ['fl', 'original'],
          ['output', 'json'],
          ['collapse', 'urlkey'],
        ] as const),
        ...([['url', 'iana.org']] as const),
      ]),
    ) as string[][];
    expect(rows[0]).toEqual(['original']);
    expect(new Set(rows.flat()).size).toBe(rows.length);
  });

  it('the newest, and the nearest to a time => one line each', async () => {
    expect(
      await search([
        ['url', HOME],
        ['limit', '-1'],
        ['fl', 'timestamp'],
      ]),
    ).toBe('20140127171251\n');
    const nearest = [
      ['url', HOME],
      ['closest', '20140127'],
      ['sort', 'closest'],
      ['limit', '1'],
    ] as const;
    expect(await search([...nearest, ['fl', 'timestamp']])).toBe('20140126200624\n');
  });
});

describe('memento-client, a program that others wrote', () => {
  type Link = Readonly<Record<string, string>>;
  const client = createRequire(import.meta.url)('memento-client') as (
    url: string,
    options: { readonly host: string; readonly time?: number },
    done: (error: unknown, links: Link[]) => void,
  ) => void;
  const links = (url: string, gate: string, time?: number): Promise<Link[]> =>
    new Promise((resolve, reject) => {
      const host = `${server.replayUrl}/pywb/${gate}/`;
      client(url, { host, ...(time !== undefined && { time }) }, (error, found) =>
        error ? reject(error) : resolve(found),
      );
    });

  it('all mementos => each with its time; near a time => from the TimeGate; nothing archived => none', async () => {
    const all = await links(HOME, 'timemap/link');
    expect(
      all.filter(({ rel }) => rel?.endsWith('memento')).map(({ datetime }) => Date.parse(datetime ?? '')),
    ).toEqual([...SHOTS.filter(({ url }) => url === HOME).map((one) => one.at)]);
    const near = await links(HOME, 'timegate', at('20140127171240'));
    const hrefs = near.filter(({ rel }) => rel?.endsWith('memento')).map(({ href }) => href ?? '');
    expect(hrefs.some((href) => href.endsWith(`/20140127171238id_/${HOME}`))).toBe(true);
    for (const href of hrefs) expect((await fetch(href)).status).toBe(200);
    expect(await links('http://www.iana.org/never', 'timemap/link')).toEqual([]);
  });
});
