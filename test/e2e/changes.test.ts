import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium } from '../../src/capture/browser/find-chromium.ts';
import type { PageInfo } from '../../src/model/capture.ts';
import type { ChangeSummary } from '../../src/ports/catalog.ts';
import { collect, complaints, daguerre, eachRecord, temporaryFolder } from './daguerre.ts';
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

/** A front page with a story and a list of links; a page that never changes; a paper. */
function edition(number: number): Pages {
  const story = STORIES[number - 1] ?? '';
  const news = number > 1 ? '<li><a href="/about?vote">Vote on the budget</a></li>' : '';
  return {
    '/': `<!doctype html><html lang="en"><title>The Daily</title><style>body{margin:0;font:16px sans-serif}
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
  const infos = new Map<string, PageInfo[]>();

  const run = (...args: string[]) => daguerre([...args, '--archive', archive]);
  const capture = async (): Promise<void> => {
    const spec = ['--allow-private', '--delay', '0', '--attempts', '1', '--json'];
    const { code, stderr } = await run('archive', `${site.url}/`, ...spec);
    if (code !== 0) throw new Error(`archive ended with ${code}: ${stderr}`);
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
      await capture();
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

  it('changes => time, importance, page and operations in words', async () => {
    const { stdout, code } = await run('changes');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}0\.\d{3} {2}http:\/\/127/);
    expect(stdout).toContain('“Vote on the budget”');
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
