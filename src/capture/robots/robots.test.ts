import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { robotsFromResponse } from '../robots-reader.ts';
import { parseRobots, productToken, ROBOTS_SIZE_LIMIT } from './robots.ts';

const HOST = 'https://example.org';
const allowed = (file: string | Uint8Array, path: string, agent = 'anybot'): boolean =>
  parseRobots(file).allows(HOST + path, agent).allowed;

describe('one Disallow rule', () => {
  // RFC 9309 §2.2.2 and §2.2.3, and the cases that Google's and crawler-commons' tests agree on.
  test.each<[rule: string, path: string, allowed: boolean]>([
    ['/fish', '/fish', false],
    ['/fish', '/fish.html', false],
    ['/fish', '/fishheads/yummy.html', false],
    ['/fish', '/Fish.asp', true],
    ['/fish', '/catfish', true],
    ['/fish', '/?id=fish', true],
    ['/fish*', '/fish', false],
    ['/fish/', '/fish', true],
    ['/fish/', '/fish/?id=1', false],
    ['/*.php', '/folder/any.php.file.html', false],
    ['/*.php', '/windows.PHP', true],
    ['/*.php$', '/filename.php', false],
    ['/*.php$', '/filename.php?parameters', true],
    ['/*.php$', '/a.php/b.php', false],
    ['/fish*.php', '/fishheads/catfish.php?p', false],
    ['/*fish*.php', '/fishheads/catfish.htm', true],
    ['*.gif$', '/a/b.gif', false],
    ['private/', '/private/x', false],
    ['/$', '/', false],
    ['/$', '/foobar', true],
    ['/a$b', '/a$b', false],
    ['/a$b', '/a', true],
    ['/*%20', '/foobar%20/', false],
    ['/*%20', '/foobar/', true],
    ['/*%2F*', '/path/index.html', true],
    ['/topic/9%2F11/', '/topic/9%2f11/index.html', false],
    ['/%24', '/$100', false],
    ['/%24', '/', true],
    ['/search/%2A/', '/search/foobar/', true],
    ['/search/%2a/', '/search/*/', false],
    ['/search/%2a/', '/search/%2A/', false],
    ['/foo/bar?baz=quz', '/foo/bar?baz=quz', false],
    ['/foo/bar?baz=https://foo.bar', '/foo/bar?baz=https://foo.bar', false],
    ['/foo/bar?baz=https%3A%2F%2Ffoo.bar', '/foo/bar?baz=https%3A%2F%2Ffoo.bar', false],
    ['/foo/bar/ツ', '/foo/bar/%E3%83%84', false],
    ['/foo/bar/%E3%83%84', '/foo/bar/ツ', false],
    ['/foo/bar/%62%61%7A', '/foo/bar/baz', false],
    ['/bar baz', '/bar%20baz', false],
    ['https://example.org/abs/', '/abs/x', false],
    ['/', '/robots.txt', true],
    ['/?q', '?q=a', false],
    ['/a*b*c', '/a1b2c3', false],
    ['/a*b*c$', '/abcbc', false],
    ['/a*bc$', '/abc-bc', false],
    ['/**a', '/xa', false],
  ])('Disallow: %s on %s => %s', (rule, path, expected) => {
    expect(allowed(`User-agent: *\r\nDisallow: ${rule}\r\n`, path)).toBe(expected);
  });
});

describe('precedence', () => {
  const file = (...rules: string[]) => `user-agent: *\n${rules.join('\n')}\n`;
  test.each<[rules: string[], path: string, allowed: boolean]>([
    [['disallow: /x/page.html', 'allow: /x/'], '/x/page.html', false],
    [['disallow: /x', 'allow: /x/'], '/x/', true],
    [['disallow: /x/page.html', 'allow: /x/page.html'], '/x/page.html', true],
    [['disallow: /', 'allow: /'], '/', true],
    [['disallow: ', 'disallow: /a'], '/a', false],
    [['disallow: '], '/a', true],
    [['allow: /page', 'disallow: /*.html'], '/page.html', false],
    [['allow: /x/page.', 'disallow: /*.html'], '/x/page.html', true],
    [['allow: /', 'disallow: /*'], '/', true],
    [['allow: /', 'disallow: /*'], '/a', false],
  ])('%j on %s => %s', (rules, path, expected) => {
    expect(allowed(file(...rules), path)).toBe(expected);
  });

  test('the verdict names rule and line', () => {
    const robots = parseRobots('# hello\nUser-agent: *\nDisallow: /bücher # books\n');
    expect(robots.allows(`${HOST}/bücher/1`, 'x')).toEqual({
      allowed: false,
      rule: 'Disallow: /bücher',
      line: 3,
    });
    expect(robots.allows(`${HOST}/`, 'x')).toEqual({ allowed: true });
  });
});

describe('groups', () => {
  test.each<[file: string, agent: string, path: string, allowed: boolean]>([
    ['user-agent: a\nuser-agent: b\ndisallow: /x', 'b', '/x', false],
    ['user-agent: a\ndisallow: /x\n\nuser-agent: A\ndisallow: /y', 'a', '/x', false],
    ['user-agent: *\ndisallow: /\nuser-agent: a\ndisallow: /y', 'a', '/x', true],
    ['user-agent: *\ndisallow: /\nuser-agent: quxbot', 'quxbot', '/x', true],
    ['disallow: /\nuser-agent: a\ndisallow: /y', 'a', '/x', true],
    ['user-agent: BarBot\nSitemap: https://foo.bar/s\nuser-agent: *\ndisallow: /', 'barbot', '/x', false],
    ['user-agent: a\nunknown: line\nuser-agent: *\ndisallow: /', 'a', '/x', false],
    ['user-agent: a\ncrawl-delay: 1\n\nuser-agent: b\ndisallow: /', 'a', '/x', false],
    ['user-agent: a\n\ndisallow: /', 'a', '/x', false],
    ['user-agent: foo/1.2\ndisallow: /', 'foo', '/x', false],
    ['user-agent: foo bar\ndisallow: /', 'foo', '/x', false],
    ['user-agent: crawler\ndisallow: /', 'crawlerbot', '/x', true],
    ['user-agent: crawlerbot\ndisallow: /', 'crawler', '/x', true],
    ['user-agent: One, Two, Three\ndisallow: /', 'Two', '/x', false],
    ['user-agent: * # all\ndisallow: /', 'any', '/x', false],
    ['USER-AGENT: a\nDISALLOW: /', 'A', '/x', false],
    ['user-agent a\ndisallow /', 'a', '/x', false],
    ['user-agent: a\rdisallow: /x\ruser-agent: b\rdisallow: /y', 'b', '/x', true],
    ['\uFEFFuser-agent: a\ndisallow: /', 'a', '/x', false],
    ['user-agent: a<br>\ndisallow: /<br>\n', 'a', '/x', false],
    ['<html><title>Site under maintenance</title></html>', 'a', '/x', true],
    ['', 'a', '/x', true],
  ])('%j for %s on %s => %s', (file, agent, path, expected) => {
    expect(allowed(file, path, agent)).toBe(expected);
  });

  test.each([
    ['Daguerre', 'daguerre'],
    ['Daguerre/0.1 (+https://example.org/bot)', 'daguerre'],
    ['Mozilla/5.0 (compatible; Daguerre/0.1; +https://example.org/bot)', 'daguerre'],
    ['Mozilla/5.0 (X11; Linux x86_64; compatible; Daguerre/0.1) Chrome/147', 'daguerre'],
    ['', ''],
  ])('User-Agent %j => product token %s', (agent, token) => {
    expect(productToken(agent)).toBe(token);
  });
});

describe('Crawl-delay', () => {
  test.each<[file: string, agent: string, delay: number | undefined]>([
    ['user-agent: *\ncrawl-delay: 0.5', 'a', 500],
    [
      'user-agent: a\ncrawl-delay: 10\nuser-agent: b\ncrawl-delay: 20\nuser-agent: *\ndisallow: /z',
      'a',
      10_000,
    ],
    [
      'user-agent: a\ncrawl-delay: 10\nuser-agent: b\ncrawl-delay: 20\nuser-agent: *\ndisallow: /z',
      'b',
      20_000,
    ],
    ['user-agent: b\ncrawl-delay: 20\nuser-agent: *\ndisallow: /z', 'a', undefined],
    ['user-agent: a\nuser-agent: b\ndisallow: /x\ncrawl-delay: 3\ndisallow: /y', 'a', 3_000],
    ['user-agent: *\ncrawl-delay: soon', 'a', undefined],
    ['user-agent: *\ncrawl-delay: -1', 'a', undefined],
    ['user-agent: *\ncrawl-delay: 5 # seconds', 'a', 5_000],
  ])('%j for %s => %s ms', (file, agent, delay) => {
    expect(parseRobots(file).crawlDelay(agent)).toBe(delay);
  });
});

describe('Sitemap', () => {
  test('relative and absolute, any case, anywhere, each once', () => {
    const file =
      'sitemap: /a.xml\nuser-agent: *\nSiteMap : http://x.org/B.xml\nsitemap: /a.xml\nhttp://x.org/my-sitemap.xml';
    expect(parseRobots(file, 'https://example.org/robots.txt').sitemaps).toEqual([
      'https://example.org/a.xml',
      'http://x.org/B.xml',
      'http://x.org/my-sitemap.xml',
    ]);
  });
});

test('Sitemap lines that name no URL => kept as written', () => {
  const { sitemaps, badSitemaps } = parseRobots(
    'Sitemap: http://\nSitemap:\nSitemap: /a.xml\nSitemap: https://[x/\n',
    'https://example.org/robots.txt',
  );
  expect(sitemaps).toEqual(['https://example.org/a.xml']);
  expect(badSitemaps).toEqual(['http://', '', 'https://[x/']);
});

describe('bytes', () => {
  const text = 'User-agent: *\nDisallow: /login\n';
  test.each<[string, Uint8Array]>([
    ['UTF-8 with mark', Buffer.from(`\uFEFF${text}`, 'utf8')],
    ['UTF-16LE with mark', Buffer.from(`\uFEFF${text}`, 'utf16le')],
    ['UTF-16BE with mark', Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()],
  ])('%s => read', (_, bytes) => {
    expect(allowed(bytes, '/login')).toBe(false);
  });

  test('latin1 rule => matches the URL of the same octets, and spoils no other rule', () => {
    const bytes = Buffer.from('User-agent: *\nDisallow: /b\xfccher\nDisallow: /x\n', 'latin1');
    expect(allowed(bytes, '/b%FCcher')).toBe(false);
    expect(allowed(bytes, '/x')).toBe(false);
    expect(allowed(bytes, '/b%C3%BCcher')).toBe(true);
  });

  test('longer than 500 KiB => the head counts, the cut line and the rest do not', () => {
    const head = 'User-agent: *\nDisallow: /early\n';
    const filler = '#'.repeat(ROBOTS_SIZE_LIMIT - head.length - 12);
    const robots = parseRobots(`${head}${filler}\nDisallow: /late\nDisallow: /later\n`);
    expect(robots.truncated).toBe(true);
    expect(robots.allows(`${HOST}/early`, 'a').allowed).toBe(false);
    expect(robots.allows(`${HOST}/late`, 'a').allowed).toBe(true);
    expect(robots.allows(`${HOST}/`, 'a').allowed).toBe(true);
  });

  test('a hostile file of wildcards is decided by plain search', () => {
    const robots = parseRobots(`user-agent: *\n${`disallow: /${'*a'.repeat(200)}b\n`.repeat(1000)}`);
    expect(robots.allows(`${HOST}/${'a'.repeat(2000)}`, 'x').allowed).toBe(true);
  });
});

/** RFC 9309's grammar to the letter: tries every way to lay the pattern over the path. */
function bruteForce(pattern: string, path: string): boolean {
  if (pattern === '') return true;
  if (pattern === '$') return path === '';
  if (pattern[0] === '*')
    return bruteForce(pattern.slice(1), path) || (path !== '' && bruteForce(pattern, path.slice(1)));
  return path !== '' && pattern[0] === path[0] && bruteForce(pattern.slice(1), path.slice(1));
}

test('any pattern of a, b, *, $ on any path => as the brute force says', () => {
  const letters = fc
    .array(fc.constantFrom('a', 'b', '*', '/'), { maxLength: 7 })
    .map((list) => list.join(''));
  const paths = fc.array(fc.constantFrom('a', 'b', '/'), { maxLength: 8 }).map((list) => `/${list.join('')}`);
  fc.assert(
    fc.property(letters, fc.boolean(), paths, (body, anchored, path) => {
      const pattern = `/${body}${anchored ? '$' : ''}`;
      const robots = parseRobots(`user-agent: *\ndisallow: ${pattern}`);
      expect(robots.allows(`http://e.org${path}`, 'x').allowed).toBe(!bruteForce(pattern, path));
    }),
    { numRuns: 2000 },
  );
});

test('any bytes => no throw', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      parseRobots(bytes, `${HOST}/robots.txt`).allows(`${HOST}/a`, 'x');
    }),
  );
});

describe('robotsFromResponse', () => {
  const bytes = Buffer.from('user-agent: *\ndisallow: /x');
  test.each([
    [200, false, true],
    [203, false, true],
    [404, true, true],
    [401, true, true],
    [302, true, true],
    [500, false, false],
    [503, false, false],
  ] as const)('%d => /x allowed: %s, /y allowed: %s', (status, x, y) => {
    const robots = robotsFromResponse({ status, bytes }, `${HOST}/robots.txt`);
    expect(robots.allows(`${HOST}/x`, 'a').allowed).toBe(x);
    expect(robots.allows(`${HOST}/y`, 'a').allowed).toBe(y);
  });

  test('unreachable => nothing allowed', () => {
    const robots = robotsFromResponse(undefined, `${HOST}/robots.txt`);
    expect(robots.allows(`${HOST}/`, 'a')).toEqual({
      allowed: false,
      rule: 'robots.txt could not be fetched',
    });
  });
});
