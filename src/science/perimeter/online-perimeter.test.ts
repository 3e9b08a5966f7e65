import { describe, expect, test } from 'vitest';
import type { Decision } from '../../model/decision.ts';
import { Decisions } from '../../model/decisions.ts';
import { BLANK_PERIMETER, type PerimeterDefinition } from './definition.ts';
import { OnlinePerimeter, type Reading, type StoredUrl } from './online-perimeter.ts';
import type { PageFacts } from './page-facts.ts';

const FRENCH: PerimeterDefinition = {
  ...BLANK_PERIMETER,
  name: 'french',
  prior: -1,
  languages: { fr: 2, other: -2 },
  domains: { fr: 3, other: -1 },
  connectivity: [0.5, 0.25],
};

const at = (url: string): PageFacts => {
  const { hostname } = new URL(url);
  return { url, host: hostname, domain: hostname };
};
const page = (url: string, code: string): PageFacts => ({ ...at(url), language: { code, chance: 1 } });
const decided = (target: string, kind: 'in' | 'out'): Decision => ({
  ...{ id: target, target, act: { kind }, by: 'a', why: 'b', at: 1 },
});
const open = (...decisions: readonly Decision[]) => new OnlinePerimeter(FRENCH, new Decisions(decisions));
const read = (
  perimeter: OnlinePerimeter,
  url: string,
  code: string,
  links: readonly string[],
  hops = 0,
): Reading => perimeter.read({ facts: page(url, code), links, hops }, at, 10);
const urls = (list: readonly { readonly url: string }[]): string[] => list.map(({ url }) => url);

describe('links of a page that was read', () => {
  test('one in the suffix, one elsewhere => the first joins, the second is a suspect by its address and the link', () => {
    const { standing, joined } = read(open(), 'https://a.fr/', 'fr', ['https://b.fr/']);
    expect(standing).toMatchObject({ inside: true, own: 5, hops: 0 });
    expect(urls(joined)).toEqual(['https://b.fr/']);
    expect(read(open(), 'https://a.com/', 'fr', ['https://c.com/']).suspects).toMatchObject([
      {
        url: 'https://c.com/',
        inside: false,
        evidence: [{ found: 'com' }],
        links: [{ mean: 1 }, { mean: 0 }],
      },
    ]);
  });

  test('a suspect that more and more pages of the web link to => rises, and joins once', () => {
    const perimeter = open();
    const suspect = 'https://s.com/';
    expect(urls(read(perimeter, 'https://x.com/', 'fr', [suspect]).suspects)).toEqual([suspect]);
    const rising = ['https://a.fr/', 'https://b.fr/', 'https://c.fr/'].map((url) =>
      urls(read(perimeter, url, 'fr', [suspect]).joined),
    );
    expect(rising.flat()).toEqual([suspect]);
  });

  test('a farm that links to itself a thousand times => not a page of it joins', () => {
    const perimeter = open();
    read(perimeter, 'https://x.com/', 'en', ['https://farm.com/0']);
    const farm = Array.from({ length: 1000 }, (_, i) => `https://farm.com/${i}`);
    const joined = farm.slice(0, 50).flatMap((url) => urls(read(perimeter, url, 'en', farm).joined));
    expect(joined).toEqual([]);
  });

  test('pages that do not belong, in a row => links are followed to the depth, and from the web again', () => {
    const perimeter = open();
    const far = 'https://far.fr/';
    expect(urls(read(perimeter, 'https://x.com/', 'en', ['https://near.fr/'], 1).joined)).toEqual([
      'https://near.fr/',
    ]);
    const beyond = read(perimeter, 'https://y.com/', 'en', [far], 2);
    expect([beyond.standing.inside, beyond.joined, beyond.suspects[0]?.hops]).toEqual([false, [], 3]);
    expect(urls(read(perimeter, 'https://a.fr/', 'fr', [far]).joined)).toEqual([far]);
  });

  test('a page without words, a language that nobody named => judged by the rest', () => {
    const perimeter = open();
    const blank = perimeter.read({ facts: at('https://a.fr/'), links: [], hops: 0 }, at, 10);
    expect(blank.standing).toMatchObject({ inside: true, evidence: [{ criterion: 'domain' }] });
    expect(read(perimeter, 'https://b.fr/', 'xx', []).standing.evidence).toMatchObject([
      { criterion: 'language', outcome: 'other', found: 'xx' },
      { criterion: 'domain' },
    ]);
  });

  test('links to itself, and twice to one page => counted once, and not at all', () => {
    const { joined } = read(open(), 'https://a.fr/', 'fr', [
      'https://a.fr/',
      'https://b.fr/',
      'https://b.fr/',
    ]);
    expect(urls(joined)).toEqual(['https://b.fr/']);
  });
});

describe('decisions', () => {
  test('in and out => win over the criteria, before the page is read and after', () => {
    const perimeter = open(decided('c.com', 'in'), decided('a.fr', 'out'));
    const { standing, joined } = read(perimeter, 'https://a.fr/', 'fr', ['https://c.com/x']);
    expect(standing).toMatchObject({
      inside: false,
      chance: 0,
      decided: expect.stringContaining('decided by a: b'),
    });
    expect(urls(joined)).toEqual(['https://c.com/x']);
  });

  test('made while suspects wait => those that belong by it join', () => {
    const decisions = new Decisions();
    const perimeter = new OnlinePerimeter(FRENCH, decisions);
    read(perimeter, 'https://x.com/', 'en', ['https://s.com/', 'https://t.com/']);
    decisions.add(decided('s.com', 'in'));
    expect(urls(perimeter.decidedIn(20))).toEqual(['https://s.com/']);
    expect(perimeter.decidedIn(20)).toEqual([]);
  });
});

test('restored from what was stored => every URL stands as it did', () => {
  const web: [string, string, string[]][] = [
    ['https://a.fr/', 'fr', ['https://b.com/', 'https://c.com/', 'https://a.fr/1']],
    ['https://a.fr/1', 'fr', ['https://a.fr/', 'https://d.com/']],
    ['https://b.com/', 'en', ['https://c.com/', 'https://a.fr/']],
  ];
  const before = open();
  const stored = web.map(([url, code, links]) => {
    const { standing } = read(before, url, code, links);
    return { page: { url, at: 10, ...standing } satisfies StoredUrl, links };
  });
  const after = open();
  for (const { page: one, links } of stored.toReversed()) after.restoreRead(one, links);
  for (const suspect of before.unread(10)) after.restoreSuspect(suspect);
  const linksOf = new Map(web.map(([url, , links]) => [url, links]));
  for (const perimeter of [before, after])
    for (const url of perimeter.waiting(10)) perimeter.release(url, linksOf.get(url) ?? [], 10);
  expect(after.unread(10).toSorted((a, b) => (a.url < b.url ? -1 : 1))).toEqual(
    before.unread(10).toSorted((a, b) => (a.url < b.url ? -1 : 1)),
  );
});

test('other weights than those it was found under => stored evidence counts by the weights of now', () => {
  const perimeter = new OnlinePerimeter({ ...FRENCH, domains: { other: -4 } }, new Decisions());
  perimeter.restoreSuspect({
    url: 'https://b.fr/',
    chance: 0.9,
    hops: 0,
    evidence: [{ criterion: 'domain', outcome: 'fr', found: 'fr', strength: 1, weight: 3 }],
  });
  expect(perimeter.standing(at('https://b.fr/'), 10)).toMatchObject({ own: -4, inside: false });
  // What a page that was read hands on, likewise.
  const evidence = [{ criterion: 'domain', outcome: 'fr', found: 'fr', strength: 1, weight: 3 }] as const;
  perimeter.restoreRead({ url: 'https://c.fr/', chance: 0.9, inside: true, at: 5, hops: 0, evidence }, [
    'https://d.com/',
  ]);
  expect(perimeter.standing(at('https://d.com/'), 10).links[0]?.mean).toBe(-4);
  expect([...perimeter.fallen(10)].map(({ url }) => url)).toEqual(['https://c.fr/']);
});

describe('links to what has moved', () => {
  const [old, there] = ['https://old.com/', 'https://new.com/'];
  const meansOf = (perimeter: OnlinePerimeter): number[] =>
    perimeter.standing(at(there), 10).links.map(({ mean }) => mean);

  test('before and after it is found to redirect => both hand relevance on to where it leads', () => {
    const perimeter = open();
    read(perimeter, 'https://a.fr/', 'fr', [old]);
    expect(meansOf(perimeter)).toEqual([0, 0]);
    perimeter.moved(old, there);
    expect(meansOf(perimeter)).toEqual([5, 0]);
    read(perimeter, 'https://b.com/', 'de', [old]);
    // 5 from the first page, -3 from the second, each with one link.
    expect(meansOf(perimeter)).toEqual([1, 0]);
  });

  test('by two hops, and back => to the last of them; a circle ends', () => {
    const perimeter = open();
    read(perimeter, 'https://a.fr/', 'fr', [old]);
    perimeter.moved(old, 'https://between.com/');
    perimeter.moved('https://between.com/', there);
    perimeter.moved(there, old);
    expect(meansOf(perimeter)).toEqual([5, 0]);
    read(perimeter, 'https://b.fr/', 'fr', [old, 'https://between.com/']);
    expect(meansOf(perimeter)[0]).toBe(5);
  });

  test('to one place, then to another => links since then are of the second, and the first has not moved', () => {
    const perimeter = open();
    read(perimeter, 'https://a.fr/', 'fr', [old]);
    perimeter.moved(old, 'https://first.com/');
    read(perimeter, 'https://c.fr/', 'fr', ['https://first.com/']);
    perimeter.moved(old, there);
    expect(meansOf(perimeter)).toEqual([0, 0]);
    read(perimeter, 'https://b.fr/', 'fr', [old]);
    expect(meansOf(perimeter)).toEqual([5, 0]);
    expect(perimeter.standing(at('https://first.com/'), 10).links[0]?.mean).toBe(5);
  });

  test('a page again => relevance of links since then is its own', () => {
    const perimeter = open();
    perimeter.moved(old, there);
    read(perimeter, old, 'de', []);
    read(perimeter, 'https://a.fr/', 'fr', [old]);
    expect(meansOf(perimeter)).toEqual([0, 0]);
    expect(perimeter.wasRead(there)).toBe(false);
  });

  test('one that was read before => hands on to its own links what comes by the redirect', () => {
    const perimeter = open();
    read(perimeter, there, 'fr', ['https://next.com/']);
    read(perimeter, 'https://a.fr/', 'fr', [old]);
    perimeter.moved(old, there);
    expect(perimeter.waiting(10)).toEqual([there]);
  });
});
