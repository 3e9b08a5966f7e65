import { describe, expect, it } from 'vitest';
import { raw, servedExample } from '../../../test/served-example.ts';

const served = servedExample();
const get = (path: string) => raw(`${served().server.replayUrl}${path}`);

describe("CDX, pywb's dialect", () => {
  const lines = async (query: string): Promise<string[]> =>
    (await get(`/archive/cdx?${query}`)).body.split('\n').filter(Boolean);
  const times = async (query: string) =>
    (await lines(`${query}&output=json`)).map((line) => JSON.parse(line).timestamp.slice(-2));

  it('url => one CDXJ line for each capture; fl => these fields alone', async () => {
    const [first] = await lines('url=x.org');
    expect(first).toMatch(
      /^org,x\)\/ 20240101000000 \{"url":"http:\/\/x\.org\/","mime":"text\/html","status":"200","digest":"sha256:[0-9a-f]{64}","length":"\d+","offset":"\d+","filename":".+\.warc\.gz"\}$/,
    );
    expect(await lines('url=x.org&output=json&fl=urlkey,status&limit=1')).toEqual([
      '{"urlkey":"org,x)/","status":"200"}',
    ]);
    expect(await lines('url=x.org&output=text&fl=timestamp,mime&limit=1')).toEqual([
      '20240101000000 text/html',
    ]);
  });

  it('from, to, sort, closest, limit => as asked', async () => {
    expect(await times('url=x.org')).toEqual(['00', '01', '02']);
    expect(await times('url=x.org&from=20240101000001&to=2024')).toEqual(['01', '02']);
    expect(await times('url=x.org&sort=reverse&limit=2')).toEqual(['02', '01']);
    expect(await times('url=x.org&sort=closest&closest=20240101000001')).toEqual(['01', '00', '02']);
    expect(await times('url=x.org&to=2023')).toEqual([]);
  });

  it('prefix, host, domain and wildcards => ranges of keys', async () => {
    const urls = async (query: string) =>
      (await lines(`${query}&output=json&filter==timestamp:20240101000000`)).map(
        (line) => JSON.parse(line).url,
      );
    expect(await urls('url=x.org/a*')).toEqual([
      'http://x.org/a%zz?q=%',
      'http://x.org/about',
      'http://x.org/acting',
    ]);
    expect(await urls('url=x.org/about&matchType=prefix')).toEqual(['http://x.org/about']);
    const host = await urls('url=x.org/about&matchType=host');
    expect([host.length, await urls('url=*.x.org')]).toEqual([10, host]);
  });

  it('filter => contains, equals, matches; ! turns it round', async () => {
    const count = async (filter: string) =>
      (await lines(`url=x.org/*&filter=${encodeURIComponent(filter)}`)).length;
    expect(await count('=status:302')).toBe(1);
    expect(await count('!=status:302')).toBe((await lines('url=x.org/*')).length - 1);
    expect(await count('~mime:text/(html|plain)')).toBe(8);
    expect(await count('mime:revisit')).toBe(1);
  });

  it('showNumPages => counts; a page past the last => 400', async () => {
    expect(JSON.parse((await get('/archive/cdx?url=x.org/*&showNumPages=true')).body)).toEqual({
      blocks: 1,
      pages: 1,
      pageSize: 5,
    });
    expect((await get('/archive/cdx?url=x.org/*&page=1')).status).toBe(400);
  });
});

describe("CDX, the Internet Archive's dialect", () => {
  const text = async (query: string) => (await get(`/cdx/search/cdx?${query}`)).body;
  const json = async (query: string) => JSON.parse(await text(`${query}&output=json`));

  it('text => seven fields; json => rows below their names; nothing archived => []', async () => {
    expect(await text('url=x.org&limit=1')).toMatch(
      /^org,x\)\/ 20240101000000 http:\/\/x\.org\/ text\/html 200 [A-Z2-7]{32} \d+\n$/,
    );
    const [names, ...rows] = await json('url=x.org&fl=timestamp,original,mimetype,statuscode');
    expect(names).toEqual(['timestamp', 'original', 'mimetype', 'statuscode']);
    expect(rows.at(-1)).toEqual(['20240101000002', 'http://x.org/', 'warc/revisit', '-']);
    expect(await json('url=x.org/never')).toEqual([]);
    expect(await text('url=x.org/never')).toBe('');
  });

  it('limit=-1, collapse, filter, offset => the last, the first of each run, whole matches, the rest', async () => {
    const times = async (query: string) => (await json(`${query}&fl=timestamp`)).flat().slice(1);
    expect(await times('url=x.org&limit=-1')).toEqual(['20240101000002']);
    expect(await times('url=x.org&fastLatest=true')).toEqual(['20240101000002']);
    expect(await times('url=x.org&collapse=timestamp:13')).toEqual(['20240101000000']);
    expect(await times('url=x.org&collapse=timestamp:13&limit=-5')).toEqual(['20240101000000']);
    expect(await times('url=x.org&filter=statuscode:2')).toEqual([]);
    expect(await times('url=x.org&filter=statuscode:2..&offset=1')).toEqual(['20240101000001']);
    expect(await times('url=x.org&filter=!mimetype:text/.*')).toEqual(['20240101000002']);
  });

  it('showResumeKey => from key to key, every line once', async () => {
    const all = (await text('url=x.org/*')).trimEnd().split('\n');
    const seen: string[] = [];
    let key: string | undefined = '';
    while (key !== undefined) {
      const answer: string = await text(`url=x.org/*&limit=3&showResumeKey=true&resumeKey=${key}`);
      const [part = '', rest] = answer.split('\n\n');
      seen.push(...part.trimEnd().split('\n'));
      key = rest?.trim();
    }
    expect(seen).toEqual(all);
  });

  it.each([
    ['', 'url'],
    ['url=', 'url'],
    ['url=http://%5B', 'url'],
    ['url=x.org&matchType=fuzzy', 'matchType'],
    ['url=x.org&limit=many', 'limit'],
    ['url=x.org&limit=-99999', 'limit'],
    ['url=x.org&from=yesterday', 'from'],
    ['url=x.org&filter=statuscode', 'filter'],
    ['url=x.org&filter=colour:red', 'filter'],
    ['url=x.org&filter=mimetype:(', 'filter'],
    ['url=x.org&filter=mimetype:(?=a)', 'filter'],
    [`url=x.org&filter=mimetype:${'a'.repeat(400)}`, 'filter'],
    ['url=x.org&fl=colour', 'fl'],
    ['url=x.org&collapse=timestamp:x', 'collapse'],
    ['url=x.org&resumeKey=nonsense', 'resumeKey'],
    ['url=x.org&output=xml', 'output'],
    ['url=x.org&showDupeCount=true', 'showDupeCount'],
  ])('%s => 400 that names %s', async (query, name) => {
    const { status, body } = await get(`/cdx/search/cdx?${query}`);
    expect([status, JSON.parse(body)]).toEqual([
      400,
      expect.objectContaining({
        detail: expect.stringContaining(`${name}:`),
        hint: expect.stringMatching(/./),
      }),
    ]);
  });

  it('a pattern that would backtrack for ever => answered', async () => {
    expect(await text(`url=x.org/*&filter=original:${encodeURIComponent('(.+)+\u0000')}`)).toBe('');
  });
});
