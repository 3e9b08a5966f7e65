import { describe, expect, it } from 'vitest';
import { linkGraph } from './link-graph.ts';
import {
  areOneSite,
  type HostWeb,
  joined,
  linkedPairs,
  separateDirectories,
  topDirectories,
} from './suggest-sites.ts';

/** From URLs with the URLs they link to. */
function webOf(links: Readonly<Record<string, readonly string[]>>): HostWeb {
  const urls = [...new Set([...Object.keys(links), ...Object.values(links).flat()])];
  const hosts = [...new Set(urls.map((url) => new URL(url).host))];
  const [from, to]: [number[], number[]] = [[], []];
  for (const [page, targets] of Object.entries(links))
    for (const target of targets) {
      from.push(urls.indexOf(page));
      to.push(urls.indexOf(target));
    }
  return {
    graph: linkGraph(urls.length, from, to),
    siteOf: Int32Array.from(urls, (url) => hosts.indexOf(new URL(url).host)),
    sites: hosts.length,
    names: hosts,
    isRead: Uint8Array.from(urls, (url) => (url in links ? 1 : 0)),
    directories: urls.map((url) => topDirectories(new URL(url).pathname)),
  };
}

describe('hosts that may be one site', () => {
  const A = 'http://www.example.org';
  const B = 'http://shop.example.org';
  it('all pages of one link to the other, half of them back => a pair with both shares', () => {
    const web = webOf({
      [`${A}/`]: [`${B}/`],
      [`${A}/1`]: [`${B}/1`, `${A}/`],
      [`${B}/`]: [`${A}/`],
      [`${B}/1`]: ['http://far.example/'],
    });
    expect(linkedPairs(web)).toEqual([
      { hosts: ['www.example.org', 'shop.example.org'], links: [1, 0.5], pages: [[0, 1], [2]] },
    ]);
  });
  it.each([
    [0.5, 0.5, undefined, true],
    [1, 0.4, 0, false],
    [1, 0.1, 0.6, true],
    [1, 0.05, 1, false],
    [1, 0.4, 0.5, false],
  ])('links %d and %d, templates alike to %j => %j', (there, back, alike, verdict) =>
    expect(areOneSite({ links: [there, back] }, alike)).toBe(verdict),
  );
  it('a link in one direction => no pair', () => {
    expect(linkedPairs(webOf({ [`${A}/`]: [`${B}/`], [`${B}/`]: [] }))).toEqual([]);
  });
  it('a-b, c-d, b-c => one group', () =>
    expect(
      joined([
        ['a', 'b'],
        ['c', 'd'],
        ['b', 'c'],
      ]).map((group) => group.toSorted()),
    ).toEqual([['a', 'b', 'c', 'd']]));
});

describe('directories that may be sites', () => {
  const HOST = 'http://people.example.org';
  const directory = (name: string, more: readonly string[] = []) => ({
    [`${HOST}/${name}/`]: [`${HOST}/${name}/1`, `${HOST}/${name}/2`, ...more],
    [`${HOST}/${name}/1`]: [`${HOST}/${name}/`, `${HOST}/${name}/2`],
    [`${HOST}/${name}/2`]: [`${HOST}/${name}/`, `${HOST}/`],
  });
  const home = { [`${HOST}/`]: ['~ann', '~bob', 'a', 'b', 'c'].map((name) => `${HOST}/${name}/`) };

  it('home pages of two people that link home and to themselves => /~*', () => {
    expect(separateDirectories(webOf({ ...home, ...directory('~ann'), ...directory('~bob') }))).toEqual([
      { host: 'people.example.org', prefix: '/~', directories: 2, pages: 6, inside: 10 / 12, across: 0 },
    ]);
  });
  it('groups below a directory => /group/*; two plain directories are too few', () => {
    const groups = { ...home, ...directory('group/x'), ...directory('group/y'), ...directory('group/z') };
    expect(separateDirectories(webOf(groups)).map(({ prefix }) => prefix)).toEqual(['/group/']);
    expect(separateDirectories(webOf({ ...home, ...directory('a'), ...directory('b') }))).toEqual([]);
  });
  it('sections whose pages link to each other by their navigation => none', () => {
    const bar = ['a', 'b', 'c'].map((name) => `${HOST}/${name}/`);
    const sections = ['a', 'b', 'c'].map((name) => directory(name, bar));
    const withBar = Object.assign({}, home, ...sections) as Record<string, readonly string[]>;
    for (const [url, links] of Object.entries(withBar)) withBar[url] = [...links, ...bar];
    expect(separateDirectories(webOf(withBar))).toEqual([]);
  });
  it('no pages, pages without links => none', () => {
    expect(separateDirectories(webOf({}))).toEqual([]);
    expect(
      separateDirectories(
        webOf({ [`${HOST}/~a/`]: [], [`${HOST}/~a/1`]: [], [`${HOST}/~b/`]: [], [`${HOST}/~b/1`]: [] }),
      ),
    ).toEqual([]);
  });
});
