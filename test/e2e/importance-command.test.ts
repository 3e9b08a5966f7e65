import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { daguerre, FAST, temporaryFolder } from './daguerre.ts';
import { type SmallSite, startSite } from './small-site.ts';

const article = (title: string, text: string, links: readonly string[]): string =>
  `<!doctype html><html><head><title>${title}</title></head><body><p>${text}</p>${links
    .map((link) => `<a href="${link}">${link}</a>`)
    .join(' ')}</body></html>`;

const FRENCH = 'Les papillons de nuit volent dans le jardin, et les enfants regardent leurs ailes blanches. ';
const ENGLISH = 'The children walk through the garden and look at the white houses behind the old wall. ';

describe('importance of an archive', () => {
  let folder: string;
  let archive: string;
  let first: SmallSite;
  let second: SmallSite;
  const run = (...args: string[]) => daguerre(['importance', ...args, '--archive', archive]);
  const lines = async (...args: string[]): Promise<Record<string, unknown>[]> =>
    (await run(...args, '--json')).stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);

  beforeAll(async () => {
    folder = await temporaryFolder();
    archive = join(folder, 'archive');
    second = await startSite({}, '127.0.0.2');
    first = await startSite({
      '/': article('Home', ENGLISH.repeat(3), ['/a', '/b', '/old', `${second.url}/`]),
      '/a': article('A', ENGLISH.repeat(2), ['/']),
      '/b': article('B', FRENCH.repeat(3), ['/', '/a']),
      '/old': { status: 301, headers: { location: '/a' }, body: '' },
    });
    // A farm: sixty pages, each linking to all others and to its home a hundred times.
    const farm = Array.from({ length: 60 }, (_, page) => `/f${page}`);
    const every = Object.fromEntries(
      farm.map((path) => [path, article(path, 'zzz', [...farm, ...Array<string>(100).fill('/')])]),
    );
    second.become({ '/': article('Farm', ENGLISH, farm), ...every });
    const crawl = ['archive', `${first.url}/`, `${second.url}/`, '--archive', archive, ...FAST];
    expect((await daguerre([...crawl, '--per-host', '8'])).code).toBe(0);
  }, 120_000);
  afterAll(async () => {
    await first.close();
    await second.close();
  });

  it('pages and sites => ranked, shares add up to 1; a farm of sixty pages has what one link gives its site', async () => {
    const all = await lines('--limit', '1000');
    const pages = all.filter(({ kind }) => kind === 'page');
    const sites = all.filter(({ kind }) => kind === 'site');
    expect(pages).toHaveLength(64);
    expect(pages.reduce((sum, page) => sum + (page['importance'] as number), 0)).toBeCloseTo(1, 9);
    expect(sites.map(({ pages: count }) => count).sort()).toEqual([3, 61]);
    const farm = sites.find(({ pages: count }) => count === 61);
    expect(farm?.['importance']).toBeLessThan(0.75);
    const text = (await run()).stdout;
    expect(text).toContain(`${first.url}/a`);
    expect(text).toMatch(
      /█.*\n[\s\S]*Sites, by the sum of their pages:[\s\S]*64 pages read, 64 known; 448 visits, G /,
    );
    const ofSite = await lines('--site', new URL(first.url).host);
    expect(ofSite.filter(({ kind }) => kind === 'page')).toHaveLength(3);
  });

  it('words => counted by language, absent where there is none, unchanged the second time', async () => {
    expect((await run('words', '--json')).json()).toMatchObject({ counted: { en: 3, fr: 1 }, unchanged: 0 });
    expect((await run('words')).stdout).toContain('Words counted of pages in: none.');
    const explained = await run('--explain', `${first.url}/b`);
    expect(explained.stdout).toMatch(/infrequent words {4}\d/);
    expect(explained.stdout).toContain('of its language (fr)');
    const farmed = (await run('--explain', `${second.url}/f3`)).stdout;
    expect(farmed).toMatch(/infrequent words {4}absent/);
  });

  it('--explain => each number, of a redirect that of the page it leads to; of an unknown URL => exit 2', async () => {
    const { stdout } = await run('--explain', `${first.url}/old`);
    expect(stdout).toContain(`${first.url}/old leads here`);
    for (const word of ['cash', 'history', '|XL − X| ≤', 'links in', 'PageRank', 'weight 1', 'number'])
      expect(stdout).toContain(word);
    const none = await run('--explain', `${first.url}/none`);
    expect(none).toMatchObject({ code: 2 });
    expect(none.stderr).toContain('is not among the pages that were read');
    expect((await run('--site', 'example.org')).code).toBe(2);
  });

  it('decide --weight => counts so many times; weights of a configuration => other shares', async () => {
    const share = async (url: string, ...more: string[]): Promise<number> =>
      (await lines('--limit', '1000', ...more)).find((page) => page['url'] === url)?.['importance'] as number;
    const before = await share(`${first.url}/b`);
    const config = join(folder, 'weights.yaml');
    await writeFile(config, 'importance:\n  links: 0\n  textWeight: 1\n');
    expect(await share(`${first.url}/b`, '--config', config)).not.toBeCloseTo(before, 6);
    await writeFile(config, 'importance:\n  link: 1\n');
    expect((await run('--config', config)).stderr).toContain('importance takes: links, pageRank');
    const decided = ['decide', `${first.url}/b`, '--weight', '3', '--by', 'Anna', '--why', 'local history'];
    expect((await daguerre([...decided, '--archive', archive])).code).toBe(0);
    expect(await share(`${first.url}/b`)).toBeCloseTo((3 * before) / (1 + 2 * before), 9);
    expect((await run('--explain', `${first.url}/b`)).stdout).toContain(
      'counts 3 times, by Anna: local history',
    );
  });

  it('a site decided out => it and its pages are not listed, how many is told, --explain still shows one', async () => {
    const host = new URL(first.url).hostname;
    const about = [host, '--by', 'A. Librarian', '--why', 'the law', '--archive', archive];
    expect((await daguerre(['decide', '--out', ...about])).code).toBe(0);
    try {
      const { stdout } = await run();
      expect(stdout).not.toContain(first.url);
      expect(stdout).toMatch(/\d+ of the pages read are not listed: people have decided/);
      expect((await run('--explain', `${first.url}/a`)).code).toBe(0);
    } finally {
      await daguerre(['decide', '--undo', ...about]);
    }
  });

  it('a ranking by a person => weights and agreement; too few, or malformed => a message, exit 2', async () => {
    const [list, other] = [join(folder, 'list.txt'), join(folder, 'other.txt')];
    const urls = [`${first.url}/`, `${first.url}/a`, `${first.url}/b`, `${second.url}/`, `${second.url}/f1`];
    await writeFile(list, `# best first\n${urls.join('\n')}\nhttp://nowhere.example/\n`);
    await writeFile(other, urls.toReversed().join('\n'));
    const { stdout, stderr } = await run('fit', list, '--second', other);
    expect(stdout).toMatch(/importance:\n {2}links: -?[\d.e-]+\n {2}pageRank: /);
    expect(stdout).toContain('the second ranking');
    expect(stderr).toContain('http://nowhere.example/ is not in the archive: left out');
    expect((await run('fit', list, '--second', other, '--json')).json()).toMatchObject({
      of: 'pages',
      ranked: 5,
      second: { rankers: { kendall: -1 } },
    });
    await writeFile(list, 'http://nowhere.example/\n');
    expect(await run('fit', list)).toMatchObject({ code: 2 });
    await writeFile(list, 'a b c\n');
    expect((await run('fit', list)).stderr).toContain('list.txt:1: expected a URL or a site');
  });
});
