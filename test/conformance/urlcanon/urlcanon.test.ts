import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  canonicalUrl,
  googleCanonical,
  iaCanonical,
  iaSurt,
  stripPathSession,
  unescapeRepeatedly,
} from '../../../src/model/surt.ts';
import { sharedData } from '../../shared-data.ts';

/*
 * Not used: ssurt.json (an order of urlcanon's own), parsing.json and idempotence.json (its parser's parts),
 * semantic_precise.json (keeps URLs that browsers refuse; the crawler cannot fetch those).
 */

type Cases = Readonly<Record<string, string | null>>;

const dir = sharedData('fixtures/urlcanon/testdata');

function load<T>(name: string): T {
  return JSON.parse(readFileSync(join(dir ?? '', name), 'utf8')) as T;
}

/** Inputs whose result is another than the file's, with the result. */
function differing(cases: Cases, actual: (input: string) => string | null | undefined): Cases {
  return Object.fromEntries(
    Object.entries(cases).flatMap(([input, expected]) => {
      const got = actual(input) ?? null;
      return got === expected ? [] : [[input, got]];
    }),
  );
}

describe.skipIf(!dir)('urlcanon test data (skipped where shared/data is absent)', () => {
  const surtCases = () => load<Record<string, Cases>>('surt.json');

  test.each([
    ['defaultIASurt', iaSurt],
    ['Canonicalizer.DefaultIA', iaCanonical],
    ['Canonicalizer.IA', iaCanonical],
    ['googleSupplementalFromSurt', googleCanonical],
    ['unescapeRepeatedly', unescapeRepeatedly],
    ['stripPathSessionId', stripPathSession],
  ])('surt.json %s => all as given', (group, canonical) => {
    const cases = surtCases()[group] ?? {};
    expect(Object.keys(cases).length).toBeGreaterThan(3);
    expect(differing(cases, canonical)).toEqual({});
  });

  test('surt.json google => as given, but for a string that is meant as bytes outside UTF-8', () => {
    expect(differing(surtCases().google ?? {}, googleCanonical)).toEqual({
      'http://\u0001\u0080.com/': 'http://%01%C2%80.com/',
    });
  });

  test('aggressive.json => as given, but for empty arguments, which IA keeps', () => {
    const canonical = (url: string): string => iaCanonical(url).replace(/^https:/, 'http:');
    expect(Object.keys(differing(load('aggressive.json'), canonical))).toEqual([
      'http://example.com/foo?&',
      'http://example.com/foo?&&a=1&&&&b=2&c=3&',
      'http://example.com/foo?c=5&&a=1&B=3&A=2&b=4&C=6&',
    ]);
  });

  test('urltestdata.json => every http(s) URL as the web platform tests say, without its fragment', () => {
    interface PlatformCase {
      readonly input: string;
      readonly base: string;
      readonly href?: string;
    }
    const all = load<(string | PlatformCase)[]>('urltestdata.json');
    const cases = all.filter((one): one is PlatformCase => typeof one === 'object');
    const wrong: string[] = [];
    let checked = 0;
    for (const { input, base, href } of cases) {
      if (href !== undefined && !/^https?:/.test(href)) continue;
      checked++;
      const expected = href?.replace(/#.*$/s, '').replace(/\?$/, '');
      if (canonicalUrl(input, base) !== expected) wrong.push(input);
    }
    expect(checked).toBeGreaterThan(200);
    // Since 2017 the standard refuses hosts that end in a number but are no IPv4 address.
    expect(wrong).toEqual(['http://256.256.256.256.256']);
  });

  test('path_dots.json special => as given, where browsers and urlcanon agree on backslashes', () => {
    const { special } = load<{ special: Cases }>('path_dots.json');
    const cases = Object.fromEntries(Object.entries(special).filter(([path]) => !path.includes('\\')));
    expect(Object.keys(cases).length).toBeGreaterThan(80);
    const path = (input: string): string | undefined => canonicalUrl(`http://host${input}`)?.slice(11);
    expect(differing(cases, path)).toEqual({});
  });

  test('funky_ipv4.json => the address in four parts, or no URL', () => {
    const host = (input: string): string | undefined => canonicalUrl(`http://${input}/`)?.slice(7, -1);
    // Not a number at all, so a host name: the file only says that it is no address.
    expect(differing(load('funky_ipv4.json'), host)).toEqual({ '0000xa': '0000xa' });
  });
});
