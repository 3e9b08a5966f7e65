import { describe, expect, it } from 'vitest';
import { siteOf } from './site.ts';
import { HOSTS_AS_SITES, readSitePart, siteBounds } from './site-bounds.ts';

const RULES = [
  ['inria.fr', 'www-rocq.inria.fr', 'people.example.org/~rocq'],
  ['people.example.org/~*'],
  ['groups.example.org/group/*'],
  ['groups.example.org/group/a', 'groups.example.org/group/b'],
  ['example.net:8080/club'],
];

describe('siteOf by rules', () => {
  const bounds = siteBounds(RULES);
  it.each([
    ['https://www.inria.fr/a', 'inria.fr'],
    ['http://www-rocq.inria.fr/', 'inria.fr'],
    ['http://people.example.org/~rocq/x', 'inria.fr'],
    ['http://people.example.org/~ann/cv.html', 'people.example.org/~ann'],
    ['http://www.people.example.org/%7Eann/', 'people.example.org/~ann'],
    ['http://people.example.org/~ann', 'people.example.org/~ann'],
    ['http://people.example.org/~', 'people.example.org'],
    ['http://people.example.org/~rocqette/', 'people.example.org/~rocqette'],
    ['http://people.example.org/list.html', 'people.example.org'],
    ['http://groups.example.org/group/c/1', 'groups.example.org/group/c'],
    ['http://groups.example.org/group/c', 'groups.example.org/group/c'],
    ['http://groups.example.org/group/index.html', 'groups.example.org'],
    ['http://groups.example.org/group/b/1', 'groups.example.org/group/a'],
    ['http://example.net:8080/club/', 'example.net:8080/club'],
    ['http://example.net/club/', 'example.net'],
    ['https://other.example/', 'other.example'],
    ['urn:view:http://people.example.org/~ann/', ''],
    ['no url', ''],
  ])('%s => %j', (url, site) => expect(bounds.siteOf(url)).toBe(site));

  it('no rules => the function there was before', () => expect(HOSTS_AS_SITES.siteOf).toBe(siteOf));

  it('a group, a directory of many, a plain host => the hosts and the beginnings of their URLs', () => {
    expect(bounds.hostsOf('inria.fr')).toEqual(['inria.fr', 'www-rocq.inria.fr', 'people.example.org']);
    expect(bounds.hostsOf('people.example.org/~ann')).toEqual(['people.example.org']);
    expect(bounds.prefixesOf('people.example.org/~ann')[2]).toBe('http://people.example.org/~ann');
    expect(bounds.prefixesOf('other.example')).toEqual([
      'https://other.example/',
      'https://www.other.example/',
      'http://other.example/',
      'http://www.other.example/',
    ]);
    expect([...bounds.divided]).toEqual(['people.example.org', 'groups.example.org', 'example.net:8080']);
  });

  it('the host around directories that are sites => patterns that leave those out, and nothing else', () => {
    const patterns = bounds.othersWithin('people.example.org').map((source) => new RegExp(source));
    const isOther = (url: string): boolean => patterns.some((pattern) => pattern.test(url));
    for (const path of ['/~ann', '/~ann/cv', '/~rocq/', '/', '/list.html', '/a/~ann'])
      expect([path, isOther(`https://www.people.example.org${path}`)]).toEqual([
        path,
        bounds.siteOf(`https://people.example.org${path}`) !== 'people.example.org',
      ]);
    expect(bounds.othersWithin('people.example.org/~ann')).toEqual([]);
  });
});

describe('readSitePart', () => {
  it.each([
    ['www.Inria.fr', 'inria.fr'],
    ['https://example.org/Group/x/', 'example.org/Group/x'],
    ['example.org:80/a', 'example.org/a'],
    ['example.org:8080', 'example.org:8080'],
    ['people.example.org/~*', 'people.example.org/~*'],
    ['example.org/group/*', 'example.org/group/*'],
    ['example.*', undefined],
    ['example.org/*/x', undefined],
    ['example.org?a', undefined],
    ['two words', undefined],
    ['me@example.org', undefined],
    ['', undefined],
    ['*', undefined],
  ])('%s => %j', (text, part) => expect(readSitePart(text)).toBe(part));
});
