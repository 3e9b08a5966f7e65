import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { crawlUrl, linkResolver, sessionIdOf } from './normalise.ts';

const BASE = 'https://example.org/news/index.html?x=1';
const url = (href: string, base = BASE): string => {
  const made = crawlUrl(href, base);
  if (!made.ok) throw new Error(made.detail);
  return made.url;
};

describe('crawlUrl', () => {
  test.each([
    ['HTTP://EXAMPLE.org:80/a', 'http://example.org/a'],
    ['https://example.org:443', 'https://example.org/'],
    ['https://example.org:8443/', 'https://example.org:8443/'],
    ['story.html#top', 'https://example.org/news/story.html'],
    ['../a/./b/../c', 'https://example.org/a/c'],
    ['/%7euser/%e4', 'https://example.org/~user/%E4'],
    ['/a%2fb', 'https://example.org/a%2Fb'],
    ['/100%', 'https://example.org/100%'],
    ['/%zz%41', 'https://example.org/%zzA'],
    ['//cdn.example.org/x', 'https://cdn.example.org/x'],
    ['https://me:secret@example.org/', 'https://example.org/'],
    ['/bücher/', 'https://example.org/b%C3%BCcher/'],
    [' \n/a\tb ', 'https://example.org/ab'],
    ['?utm_source=feed&b=2&a=1', 'https://example.org/news/index.html?utm_source=feed&b=2&a=1'],
    ['/a?', 'https://example.org/a?'],
    ['/a//b', 'https://example.org/a//b'],
    ['/?q=%E2%82%ac', 'https://example.org/?q=%E2%82%AC'],
    ['', 'https://example.org/news/index.html?x=1'],
  ])('%j => %s', (href, expected) => {
    expect(url(href)).toBe(expected);
  });

  test.each([
    'mailto:a@example.org',
    'javascript:void(0)',
    'ftp://example.org/',
    'data:,x',
    'http://',
    'http://a b/',
  ])('%s => unsupported-url', (href) => {
    expect(crawlUrl(href, BASE)).toMatchObject({ ok: false, reason: 'unsupported-url' });
  });

  test('a second pass changes nothing', () => {
    fc.assert(
      fc.property(fc.webUrl({ withFragments: true, withQueryParameters: true }), (made) => {
        const once = url(made);
        expect(url(once)).toBe(once);
        expect(once).not.toContain('#');
      }),
    );
  });
});

describe('linkResolver', () => {
  test('agrees with crawlUrl on any text', () => {
    const pieces = fc.array(
      fc.constantFrom(
        ...[
          '/',
          '//',
          '.',
          '..',
          './',
          '../',
          'a',
          'B',
          'index.html',
          '?',
          'q=1',
          '&',
          '#',
          ':',
          '@',
          '%7e',
          '%2F',
        ],
        ...[
          '%',
          ' ',
          '\t',
          "'",
          '"',
          '<',
          '|',
          '^',
          '{',
          '\\',
          'ü',
          'http:',
          'https://',
          'http://',
          'example.org',
        ],
        ...[
          'Example.org',
          'www.',
          '1.2.3',
          '127.1',
          '0x7f',
          'xn--',
          'xn--a',
          ':80',
          ':443',
          '-',
          '_',
          '~',
          '*',
          '$',
          '[',
          ']',
        ],
      ),
      { maxLength: 8 },
    );
    const resolve = linkResolver(BASE);
    fc.assert(
      fc.property(
        pieces.map((list) => list.join('')),
        (href) => {
          const plain = crawlUrl(href, BASE);
          expect(resolve(href)).toBe(plain.ok ? plain.url : undefined);
        },
      ),
      { numRuns: 5000 },
    );
  });

  test('a base that is no URL: relative links are refused, absolute ones are not', () => {
    const resolve = linkResolver('about:blank');
    expect(resolve('/a')).toBeUndefined();
    expect(resolve('https://example.org/a#b')).toBe('https://example.org/a');
  });
});

describe('sessionIdOf', () => {
  test.each([
    ['https://a.org/x;jsessionid=0A1B2C', 'jsessionid', 'https://a.org/x'],
    ['https://a.org/x;jsessionid=0A1B2C?b=1', 'jsessionid', 'https://a.org/x?b=1'],
    ['https://a.org/x.php?PHPSESSID=9f8e7d&p=2', 'phpsessid', 'https://a.org/x.php?p=2'],
    ['https://a.org/x.cfm?CFID=12&CFTOKEN=99', 'cfid', 'https://a.org/x.cfm'],
    ['https://a.org/f.php?t=7&sid=0123456789abcdef0123456789abcdef', 'sid', 'https://a.org/f.php?t=7'],
    ['https://a.org/(S(lit3py55t21z5v55vlm25s55))/p.aspx', '(S(…))', 'https://a.org/p.aspx'],
  ])('%s => %s', (given, name, without) => {
    expect(sessionIdOf(given)).toEqual({ name, without });
  });

  test.each([
    'https://a.org/article.pl?sid=26/01/30/1234',
    'https://a.org/?sid=12',
    'https://a.org/?s=wordpress+search+for+this',
    'https://a.org/?session=spring-conference',
    'https://a.org/sessions/2022/',
  ])('%s => none', (given) => {
    expect(sessionIdOf(given)).toBeUndefined();
  });
});
