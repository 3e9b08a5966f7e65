import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { randomNumbers } from '../../../test/random-numbers.ts';
import { alikePairs } from './alike-sets.ts';
import { SIGNATURE, signatureOf } from './min-hash.ts';
import { mirrorRoles } from './mirror-status.ts';
import { isInPart, mirroredPart } from './mirrored-part.ts';

const numbered = (count: number, name: string): string[] =>
  Array.from({ length: count }, (_, i) => `${name} ${i}`);

describe('signatures', () => {
  test.each([0, 0.1, 0.5, 0.9, 1])(
    'sets that share %d of their items => resemblance within 4 standard errors',
    (share) => {
      const both = Math.round(400 * share);
      const a = [...numbered(both, 'both'), ...numbered(400 - both, 'a')];
      const b = [...numbered(both, 'both'), ...numbered(400 - both, 'b')];
      const truth = both / (800 - both);
      const [ofA, ofB] = [signatureOf(a), signatureOf(b)];
      const equal = ofA.filter((value, i) => value === ofB[i]).length;
      expect(Math.abs(equal / SIGNATURE - truth)).toBeLessThan(4 * 0.0442);
    },
  );

  test('the order of items, and items that come twice => no matter', () => {
    const items = numbered(50, 'x');
    expect(signatureOf([...items, ...items].reverse())).toEqual(signatureOf(items));
  });

  test('10,000 sites, 40 of them mirrors of 20 others => those pairs among few', () => {
    const random = randomNumbers(3);
    const sites = Array.from({ length: 10_000 }, (_, i) => numbered(20, `site ${i}`));
    const truth = Array.from({ length: 20 }, (_, i) => [i, 5_000 + i] as const);
    for (const [origin, mirror] of truth)
      sites[mirror] = (sites[origin] ?? []).map((item) => (random() < 0.1 ? `${item}, other` : item));
    const sets = sites.map((items, i) => ({ name: `${i}`, kind: '/', signature: signatureOf(items) }));
    const pairs = alikePairs(sets);
    expect(pairs.map(String)).toEqual(expect.arrayContaining(truth.map(String)));
    expect(pairs.length).toBeLessThan(40);
  });

  test('1,000 sites that are all the same => 999 pairs', () => {
    const signature = signatureOf(numbered(9, 'default'));
    const sets = Array.from({ length: 1_000 }, (_, i) => ({ name: `${i}`, kind: '/', signature }));
    expect(alikePairs(sets)).toHaveLength(999);
  });
});

describe('the mirrored part', () => {
  const pages = (directory: string, count: number, agrees: boolean | ((i: number) => boolean)) =>
    Array.from({ length: count }, (_, i): [string, boolean] => [
      `${directory}${i}.html`,
      typeof agrees === 'boolean' ? agrees : agrees(i),
    ]);

  test.each<[string, [string, boolean][], ReturnType<typeof mirroredPart>]>([
    [
      'all pages agree => the whole site',
      [...pages('/', 3, true), ...pages('/doc/', 5, true)],
      { path: '/', exclusions: [], pages: 8, agreeing: 8 },
    ],
    [
      'one directory differs => the whole site but for it',
      [...pages('/', 8, true), ...pages('/cgi-bin/', 6, false), ...pages('/doc/', 5, true)],
      { path: '/', exclusions: ['/cgi-bin/'], pages: 13, agreeing: 13 },
    ],
    [
      'one directory agrees => that one, and not all else excluded',
      [
        ...pages('/', 8, false),
        ...pages('/a/', 6, false),
        ...pages('/doc/', 9, true),
        ...pages('/doc/x/', 9, true),
      ],
      { path: '/doc/', exclusions: [], pages: 18, agreeing: 18 },
    ],
    [
      'a few pages differ in each directory => tolerated',
      [...pages('/', 20, (i) => i > 0), ...pages('/doc/', 40, (i) => i > 2)],
      { path: '/', exclusions: [], pages: 60, agreeing: 56 },
    ],
    ['half of the pages differ everywhere => none', pages('/', 40, (i) => i % 2 === 0), undefined],
    ['four pages that agree => none: no evidence', pages('/', 4, true), undefined],
    ['no page in both => none', [], undefined],
  ])('%s', (_, given, expected) => {
    expect(mirroredPart(given)).toEqual(expected);
  });

  test('any site => all but the tolerance of the part agrees, exclusions lie inside it and not in each other', () => {
    const path = fc
      .array(fc.constantFrom('a', 'b', 'c'), { maxLength: 4 })
      .map((parts) => `/${parts.join('/')}`);
    fc.assert(
      fc.property(fc.array(fc.tuple(path, fc.boolean()), { maxLength: 80 }), (given) => {
        const part = mirroredPart(given, 0.2);
        if (!part) return;
        const inside = given.filter(([one]) => isInPart(one, part));
        expect(inside.length).toBe(part.pages);
        expect(inside.filter(([, agrees]) => agrees).length).toBe(part.agreeing);
        expect(part.agreeing).toBeGreaterThanOrEqual(0.8 * part.pages);
        for (const one of part.exclusions) {
          expect(one.startsWith(part.path) && one !== part.path).toBe(true);
          expect(part.exclusions.some((other) => other !== one && one.startsWith(other))).toBe(false);
        }
      }),
    );
  });
});

describe('origin and mirror', () => {
  const course = (...versions: [number, string][]) => ({
    versions: versions.map(([since, digest]) => ({ since, digest })),
  });
  const side = (site: string, pages = 10, firstSeen = 1) => ({ site, pages, firstSeen });

  test('b shows an earlier version of one page of a and lacks another => a is the origin, b two pages behind', () => {
    const pages = [
      { path: '/', a: course([1, 'x']), b: course([2, 'x']), agrees: true },
      { path: '/1', a: course([1, 'old'], [5, 'new']), b: course([2, 'old']), agrees: false },
      { path: '/2', a: course([7, 'z']), b: undefined, agrees: false },
    ];
    const expected = { origin: 'a', mirror: 'b', behind: { pages: 2, since: 5 } };
    expect(mirrorRoles(side('a'), side('b'), pages)).toEqual(expected);
    const turned = pages.map(({ a, b, ...page }) => ({ ...page, a: b, b: a }));
    expect(mirrorRoles(side('b'), side('a'), turned)).toEqual(expected);
  });

  test('neither is behind => more pages, then seen first, then by name', () => {
    const of = (a: ReturnType<typeof side>, b: ReturnType<typeof side>) => mirrorRoles(a, b, []).origin;
    expect([of(side('a', 9), side('b')), of(side('a', 10, 2), side('b')), of(side('b'), side('a'))]).toEqual([
      'b',
      'b',
      'a',
    ]);
    expect(mirrorRoles(side('a'), side('b'), []).behind).toEqual({ pages: 0 });
  });
});
