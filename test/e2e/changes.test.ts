import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SearchHit } from '../../src/archive/search/search-archive.ts';
import { findChromium } from '../../src/capture/browser/find-chromium.ts';
import type { PageInfo } from '../../src/model/capture.ts';
import type { ChangeSummary } from '../../src/ports/catalog.ts';
import type {
  CaptureRow,
  ChangeRow,
  DeltaAnswer,
  LayoutAnswer,
  ListPart,
} from '../../src/server/api-types.ts';
import { collect, complaints, daguerre, eachRecord, spawnDaguerre, temporaryFolder } from './daguerre.ts';
import { type Pages, type SmallSite, startSite } from './small-site.ts';

const noChromium = await findChromium().then(
  () => false,
  () => true,
);
if (noChromium) console.warn('skipped: changes between captures, because there is no Chromium');

const STORIES = [
  'It rained all day, and nobody went out to the harbour, said the mayor on Monday.',
  'The sun came back at noon, and half of the town was seen at the beach.',
  'The sun came back at noon, and half of the town was seen at the beach.',
];

/** A front page with a story, a list of links and a token that no reader sees; a page that never changes; a paper. */
function edition(number: number): Pages {
  const story = STORIES[number - 1] ?? '';
  const news = number > 1 ? '<li><a href="/about?vote">Vote on the budget</a></li>' : '';
  return {
    '/': `<!doctype html><!-- ${number} --><html lang="en"><title>The Daily</title><style>body{margin:0;font:16px sans-serif}
      header,footer{background:#ddd;padding:20px} main{width:700px;padding:20px}</style>
      <header><h1>The Daily</h1><a href="/">Home</a> <a href="/about">About</a> <a href="/paper.pdf">Paper</a></header>
      <main><h2>From the harbour</h2><p>${story}</p><p>The ferry leaves at eight, as it did all year.</p>
      <ul><li><a href="/about?ferry">Ferry times</a></li>${news}</ul></main><footer>All rights reserved.</footer>`,
    '/about': '<!doctype html><title>About</title><h1>About us</h1><p>We print what there is to print.</p>',
    '/paper.pdf': { headers: { 'Content-Type': 'application/pdf' }, body: `%PDF-1.4 ${'x'.repeat(300)}` },
  };
}

describe.skipIf(noChromium)('changes and query', () => {
  let site: SmallSite;
  let archive: string;
  const records: string[][] = [];
  const reports: Record<string, unknown>[] = [];
  const infos = new Map<string, PageInfo[]>();

  const run = (...args: string[]) => daguerre([...args, '--archive', archive]);
  const capture = async (): Promise<Record<string, unknown>> => {
    const spec = ['--allow-private', '--delay', '0', '--attempts', '1', '--json'];
    const { code, stderr, json } = await run('archive', `${site.url}/`, ...spec);
    if (code !== 0) throw new Error(`archive ended with ${code}: ${stderr}`);
    return json();
  };
  const changes = async (...args: string[]): Promise<ChangeSummary[]> => {
    const { code, stdout, stderr } = await run('changes', '--json', ...args);
    expect([code, stderr]).toEqual([0, '']);
    return stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as ChangeSummary);
  };

  beforeAll(async () => {
    site = await startSite(edition(1));
    archive = await temporaryFolder();
    for (const number of [1, 2, 3]) {
      site.become(edition(number));
      reports.push(await capture());
    }
    await eachRecord(archive, async ({ type, url, payload }, file) => {
      if (type !== 'resource') return;
      const crawl = Number(file.split('-')[1]) - 1;
      records[crawl] ??= [];
      records[crawl].push(url.replace(site.url, ''));
      if (!url.startsWith('urn:pageinfo:')) return;
      const info = JSON.parse(Buffer.concat(await collect(payload.chunks())).toString()) as PageInfo;
      infos.set(url, [...(infos.get(url) ?? []), info]);
    });
  }, 300_000);
  afterAll(() => site.close());

  it('snapshot and layout once per version, a delta per change, page info last', () => {
    const ofHome = records.map((urns) => urns.filter((urn) => /^urn:[a-z]+:\/$/.test(urn)));
    const pictures = ['urn:view:/', 'urn:thumbnail:/', 'urn:text:/'];
    expect(ofHome).toEqual([
      [...pictures, 'urn:snapshot:/', 'urn:layout:/', 'urn:pageinfo:/'],
      [...pictures, 'urn:snapshot:/', 'urn:layout:/', 'urn:delta:/', 'urn:pageinfo:/'],
      [...pictures, 'urn:pageinfo:/'],
    ]);
    const about = records.map((urns) => urns.filter((urn) => /^urn:(layout|delta):\/about$/.test(urn)));
    expect(about).toEqual([['urn:layout:/about'], [], []]);
    const [first, second, third] = infos.get(`urn:pageinfo:${site.url}/`) as [PageInfo, PageInfo, PageInfo];
    expect([first.layoutAt, second.layoutAt, third.layoutAt]).toEqual([first.at, second.at, second.at]);
  });

  it('a new story, then a new token => changed, then the same to a reader: in report, API and diff alike', async () => {
    expect(reports.map(({ new: came, changed, unchanged }) => [came, changed, unchanged])).toEqual([
      [3, 0, 0],
      [0, 1, 2],
      [0, 0, 3],
    ]);
    const [first, second, third] = infos.get(`urn:pageinfo:${site.url}/`) as [PageInfo, PageInfo, PageInfo];
    const server = spawnDaguerre([
      'serve',
      '--archive',
      archive,
      '--port',
      '0',
      '--replay-port',
      '0',
      '--json',
    ]);
    try {
      const { url } = JSON.parse(await server.said('}\n')) as { url: string };
      const get = async <T>(path: string) => (await (await fetch(`${url}/api/${path}`)).json()) as T;
      const page = `url=${encodeURIComponent(`${site.url}/`)}`;
      const { rows } = await get<ListPart<CaptureRow>>(`captures?${page}`);
      const [change] = (await get<ListPart<ChangeRow>>(`changes?${page}`)).rows;
      expect(rows.map(({ comparison }) => comparison)).toEqual([
        { kind: 'first' },
        change?.comparison,
        { kind: 'same-to-reader' },
      ]);
      for (const [from, to, source, comparison] of [
        [first, second, 'stored', change?.comparison],
        [second, third, 'computed', { kind: 'same-to-reader' }],
        [first, third, 'stored', change?.comparison],
      ] as const) {
        const delta = await get<DeltaAnswer>(`deltas?${page}&from=${from.at}&to=${to.at}`);
        expect([delta.source, delta.comparison]).toEqual([source, comparison]);
        const sides = [from, to].map(({ at }) => `${site.url}/@${new Date(at).toISOString()}`);
        const diff = (await run('diff', ...sides, '--json')).json<DeltaAnswer>();
        expect([diff.comparison, diff.operations]).toEqual([delta.comparison, delta.operations]);
      }
      const layout = await get<LayoutAnswer>(`layouts?${page}&at=${third.at}`);
      expect([layout.layoutAt, layout.title]).toEqual([second.at, 'The Daily']);
    } finally {
      server.child.kill('SIGINT');
      await server.ended;
    }
  });

  it('a PDF => no layout, and why', () => {
    const [paper] = infos.get(`urn:pageinfo:${site.url}/paper.pdf`) ?? [];
    expect(paper?.facts).toContain('no layout: application/pdf is no HTML');
    expect(paper?.layoutAt).toBeUndefined();
  });

  it('changes --json => one, with its operations; the captures it lies between are in the archive', async () => {
    const [change, ...others] = await changes();
    expect(others).toEqual([]);
    const [first, second] = infos.get(`urn:pageinfo:${site.url}/`) as [PageInfo, PageInfo];
    expect(change).toMatchObject({ url: `${site.url}/`, from: first.at, to: second.at });
    expect(change?.importance).toBeGreaterThan(0);
    expect(change?.importance).toBeLessThanOrEqual(1);
    expect(change?.count).toBe(change?.operations.length);
    const sum = change?.operations.reduce((total, { weight }) => total + weight, 0);
    expect(sum).toBeCloseTo(change?.importance ?? -1, 6);
    expect(change?.operations).toContainEqual(
      expect.objectContaining({ op: 'insert', element: 'link', new: 'Vote on the budget' }),
    );
  });

  it('search => when words came and went, by their stems, headlines first; the index is made when it is gone', async () => {
    const [first, second, third] = infos.get(`urn:pageinfo:${site.url}/`) as [PageInfo, PageInfo, PageInfo];
    const search = async (...args: string[]) => {
      const { code, stdout, stderr } = await run('search', '--json', ...args);
      expect([code, stderr]).toEqual([0, '']);
      return stdout
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as SearchHit);
    };
    const [rain, ...others] = await search('"rained all day" mayors');
    expect(others).toEqual([]);
    expect(rain).toMatchObject({
      url: `${site.url}/`,
      cameAt: first.at,
      lastAt: first.at,
      goneAt: second.at,
    });
    expect(rain?.marks.map(([from, to]) => rain.text.slice(from, to))).toEqual([
      'rained',
      'all',
      'day',
      'mayor',
    ]);
    await rm(join(archive, 'search.sqlite'));
    expect(await search('beaches')).toMatchObject([{ cameAt: second.at, lastAt: third.at, kind: 'lead' }]);
    expect((await search('harbour')).map(({ kind }) => kind)).toEqual(['headline', 'lead']);
    expect(await search('harbour', '--event', 'vanished')).toHaveLength(1);
    expect(await search('harbour -monday')).toHaveLength(1);
    expect(await search('budget', '--kind', 'footer')).toEqual([]);
    expect(await search('harbour', '--since', '2031-01-01')).toHaveLength(1);
    const { code, stderr } = await run('search', '"harbour');
    expect([code, stderr]).toEqual([2, expect.stringContaining('not closed')]);
  });

  it('export --format csv, ndjson, parquet => the same rows; what chooses none => a table without rows', async () => {
    const write = async (format: string, ...args: string[]): Promise<string> => {
      const out = join(archive, `table.${format}`);
      const { code, stderr } = await run('export', '--format', format, '--out', out, '--json', ...args);
      expect([code, stderr]).toEqual([0, '']);
      return out;
    };
    const parquet = async (file: string) => {
      const bytes = await readFile(file);
      const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
      return parquetReadObjects({ file: buffer });
    };
    const [change] = await changes();
    const [line = ''] = (await readFile(await write('ndjson', '--of', 'changes'), 'utf8')).split('\n');
    expect(JSON.parse(line)).toMatchObject({
      url: `${site.url}/`,
      from: change?.from,
      salience: change?.salience,
    });
    const [row, ...others] = await parquet(await write('parquet', '--of', 'changes'));
    expect(others).toEqual([]);
    expect(row).toMatchObject({
      url: `${site.url}/`,
      to: new Date(change?.to ?? 0),
      importance: change?.importance,
    });
    const csv = await readFile(await write('csv', '--of', 'links'), 'utf8');
    expect(csv.split('\r\n')).toEqual(expect.arrayContaining(['from,to', `${site.url}/,${site.url}/about`]));
    const captures = await parquet(await write('parquet'));
    expect(captures.filter(({ url, status }) => url === `${site.url}/` && status === 200n)).toHaveLength(3);
    expect(await parquet(await write('parquet', '--from', '2031-01-01'))).toEqual([]);
  });

  it('predicates => only what they say', async () => {
    const found = async (...args: string[]): Promise<number> => (await changes(...args)).length;
    const host = site.url.slice('http://'.length);
    expect(
      await found('--url', `${site.url}/`, '--op', 'insert', '--element', 'link', '--text', 'budget VOTE'),
    ).toBe(1);
    expect(await found('--site', host, '--since', '1h', '--min-importance', '0.001')).toBe(1);
    expect(await found('--url', `${site.url}/about`)).toBe(0);
    expect(await found('--site', 'other.example')).toBe(0);
    expect(await found('--op', 'delete', '--element', 'link')).toBe(0);
    expect(await found('--text', 'mayor nowhere')).toBe(0);
    expect(await found('--min-importance', '1')).toBe(0);
    expect(await found('--until', '2020-01-01')).toBe(0);
    expect(await found('--limit', '0')).toBe(0);
  });

  it('changes => a line: time, salience, page, and what a reader would be told first', async () => {
    const { stdout, code } = await run('changes');
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^\d{4}-\d\d-\d\d \d\d:\d\d {2}0\.\d{3} {2}http:\/\/127\S+ {2}The lead story was replaced: “/,
    );
    expect(stdout.trim().split('\n')).toHaveLength(1);
    expect(stdout).toMatch(/sun came back|Vote on the budget/);
  });

  it('diff of stored captures => by what is stored: texts and places, no browser, no refs', async () => {
    const address = `${site.url}/`;
    const args = ['diff', `${address}@first`, `${address}@last`];
    const { stdout, stderr, code } = await daguerre([...args, '--archive', archive], {
      env: { CHROME_PATH: '/nowhere' },
    });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('  new        “Vote on the budget”');
    expect(stdout).not.toMatch(/B1\.\d/);
    const [stored] = await changes();
    const report = (await daguerre([...args, '--json', '--archive', archive])).json<{ importance: number }>();
    expect(report.importance).toBe(stored?.importance);
  });

  it('query => XQuery over deltas and layouts', async () => {
    expect((await run('query', '//Insert/link/@name')).stdout).toBe('Vote on the budget\n');
    const layouts = await run('query', 'count(//Block[@leaf = "true"]) > 0', '--kind', 'layouts', '--json');
    const lines = layouts.stdout.trimEnd().split('\n');
    // Two of the front page, one each of the others.
    expect(lines.map((line) => (JSON.parse(line) as { value: unknown }).value)).toEqual(
      lines.map(() => true),
    );
    expect(lines.filter((line) => line.includes(`"${site.url}/"`))).toHaveLength(2);
    const all = await run(
      'query',
      'count(collection()/Document)',
      '--kind',
      'layouts',
      '--url',
      `${site.url}/`,
    );
    expect(all.stdout).toBe('2\n');
  });

  it('a query at fault => exit code 2, with line, column and a mark', async () => {
    const { code, stderr, stdout } = await run('query', 'for $x in //link\nretrun $x');
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('at line 2, column 1: Expected return\n  retrun $x\n  ^');
  });

  it('reindex => the very same changes; verify has nothing to say', async () => {
    const before = await changes();
    expect((await run('reindex', '--json')).code).toBe(0);
    expect(await changes()).toEqual(before);
    expect(await complaints(archive)).toEqual([]);
  });
});
