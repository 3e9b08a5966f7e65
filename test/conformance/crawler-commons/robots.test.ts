/**
 * The robots.txt files of crawler-commons. Expectations: RFC 9309, and what that project's own tests say of
 * these files. Left out: its extensions (Request-rate, Visit-time, …), which Daguerre does not read.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseRobots, type Robots } from '../../../src/capture/robots/robots.ts';
import { sharedData } from '../../shared-data.ts';

const dir = sharedData('fixtures/crawler-commons/src/test/resources/robots');
const HOST = 'https://example.org';

function robots(file: string): Robots {
  if (!dir) throw new Error('no fixtures');
  return parseRobots(readFileSync(join(dir, file)), `${HOST}/robots.txt`);
}

describe.skipIf(!dir)('crawler-commons robots (skipped where ../shared/data is absent)', () => {
  test.each<[file: string, agent: string, path: string, allowed: boolean]>([
    ['rfc9309-example-simple-robots.txt', 'foobot', '/example/page.html', true],
    ['rfc9309-example-simple-robots.txt', 'foobot', '/example/allowed.gif', true],
    ['rfc9309-example-simple-robots.txt', 'foobot', '/', false],
    ['rfc9309-example-simple-robots.txt', 'foobot', '/path/index.html', false],
    ['rfc9309-example-simple-robots.txt', 'barbot', '/', true],
    ['rfc9309-example-simple-robots.txt', 'barbot', '/example/page.html', false],
    ['rfc9309-example-simple-robots.txt', 'bazbot', '/example/page.html', false],
    ['rfc9309-example-simple-robots.txt', 'quxbot', '/', true],
    ['rfc9309-example-simple-robots.txt', 'quxbot', '/example/page.html', true],
    ['rfc9309-example-simple-robots.txt', 'anyotherbot', '/publications/doc1.html', true],
    ['rfc9309-example-simple-robots.txt', 'anyotherbot', '/example/page.html', false],
    ['rfc9309-example-simple-robots.txt', 'anyotherbot', '/example.gif', false],
    ['rfc9309-example-simple-robots.txt', 'anyotherbot', '/', true],
    ['rfc9309-example-longest-match-robots.txt', 'foobot', '/example/page/', true],
    ['rfc9309-example-longest-match-robots.txt', 'foobot', '/example/page/index.html', true],
    ['rfc9309-example-longest-match-robots.txt', 'foobot', '/example/page/disallowed.gif', false],
    ['rfc9309-example-longest-match-robots.txt', 'foobot', '/', true],
    ['rfc9309-example-rule-group-merging.txt', 'examplebot', '/foo', false],
    ['rfc9309-example-rule-group-merging.txt', 'examplebot', '/bar', false],
    ['rfc9309-example-rule-group-merging.txt', 'examplebot', '/baz', false],
    ['rfc9309-example-rule-group-merging.txt', 'anyotherbot', '/foo', false],
    ['rfc9309-example-rule-group-merging.txt', 'anyotherbot', '/baz', true],
    ['rfc9309-example-rule-group-merging.txt', 'bazbot', '/foo', true],
    ['rfc9309-example-rule-group-merging.txt', 'bazbot', '/baz', false],
    ['merge-rules.txt', 'wget', '/foo/bar/bar.txt', true],
    ['merge-rules.txt', 'wget', '/tmp/bar/bar.txt', false],
    ['merge-rules.txt', 'wget', '/chk/bar/bar.txt', true],
    ['precedence-of-rules.txt', 'wget', '/', true],
    ['precedence-of-rules.txt', 'wget', '/foo/bar', true],
    ['precedence-of-rules.txt', 'wget', '/bar/foo', false],
    ['precedence-of-rules.txt', 'testy', '/', true],
    ['precedence-of-rules.txt', 'testy', '/foo/bar', true],
    ['precedence-of-rules.txt', 'testy', '/foo/blue', false],
    ['precedence-of-rules.txt', 'testy', '/foo/', false],
    ['precedence-of-rules.txt', 'testy', '/foo/tar', false],
    ['many-user-agents.txt', 'wget', '/', false],
    ['many-user-agents.txt', 'mysuperlongbotnamethatmatchesnothing', '/', true],
    ['many-user-agents.txt', 'mysuperlongbotnamethatmatchesnothing', '/bot-trap/', false],
    ['directive-typos-robots.txt', 'bot1', '/desallow/', false],
    ['directive-typos-robots.txt', 'bot1', '/dissalow/', false],
    ['directive-typos-robots.txt', 'bot2', '/useragent/', false],
    ['directive-typos-robots.txt', 'bot3', '/useg-agent/', false],
    ['directive-typos-robots.txt', 'bot4', '/useragent-no-colon/', false],
    ['format-errors-robots.txt', 'bot1', '/whitespace-before-colon/', false],
    ['format-errors-robots.txt', 'bot1', '/no-colon/', false],
    ['format-errors-robots.txt', 'bot2', '/no-colon-useragent/', false],
    ['format-errors-robots.txt', 'bot3', '/whitespace-before-colon/', true],
    ['format-errors-robots.txt', 'bot3', '/other', false],
    ['robots-with-utf8-bom.txt', 'foobot', '/profile', false],
    ['robots-with-utf16le-bom.txt', 'foobot', '/profile', false],
    ['robots-with-utf16be-bom.txt', 'foobot', '/profile', false],
    ['robots-with-utf16be-bom.txt', 'foobot', '/a/output/print', false],
    ['wildcards.txt', 'anybot', '/wishlist/bogus', false],
    ['wildcards.txt', 'anybot', '/wishlist/universal/page', true],
    ['wildcards.txt', 'anybot', '/anydirectoryhere/gcrnsts', false],
    ['malformed-path.txt', 'bot1', '/wiki/Wikipedia_talk:Mediation_Committee/', false],
    ['malformed-path.txt', 'bot1', '/wiki/', true],
    ['www.flot.com-robots.txt', 'foobot', '/img/', false],
    ['twitter.com-robots.txt', 'slurp', '/a?b', false],
    ['twitter.com-robots.txt', 'foobot', '/a/with_friends', false],
    ['twitter.com-robots.txt', 'foobot', '/a', true],
    ['dos-line-endings.txt', 'bot1', '/', true],
    ['astore.amazon.com-robots.txt', 'bot1', '/', true],
    ['extended-standard-robots.txt', 'bot3', '/', true],
    ['extension-robots.txt', 'mybot', '/private/', false],
    ['extension-robots.txt', 'otherbot', '/admin/', false],
    ['extension-robots.txt', 'foobot', '/private/', true],
    ['crawl-delay-group-merging.txt', 'mybot', '/private/', false],
    ['crawl-delay-group-merging.txt', 'mybot', '/login/', true],
    ['crawl-delay-group-merging.txt', 'yourbot', '/private/', false],
    ['crawl-delay-group-merging.txt', 'yourbot', '/login/', false],
    ['crawl-delay-group-merging.txt', 'anyotherbot', '/private/', true],
    ['extensions-group-merging.txt', 'mybot', '/private/', false],
    ['extensions-group-merging.txt', 'mybot', '/login/', false],
    ['extensions-group-merging.txt', 'mybot', '/', true],
    ['extensions-group-merging.txt', 'yourbot', '/private/', false],
    ['extensions-group-merging.txt', 'anyotherbot', '/', false],
    ['extensions-group-merging.txt', 'anyotherbot', '/llms.txt', true],
  ])('%s, %s on %s => %s', (file, agent, path, allowed) => {
    expect(robots(file).allows(HOST + path, agent).allowed).toBe(allowed);
  });

  test.each<[file: string, agent: string, delay: number | undefined]>([
    ['dos-line-endings.txt', 'bot1', 1_000],
    ['astore.amazon.com-robots.txt', 'bot1', 5_000],
    ['twitter.com-robots.txt', 'msnbot', 10_000],
    ['twitter.com-robots.txt', 'foobot', undefined],
    ['crawl-delay-group-merging.txt', 'mybot', 10_000],
    ['crawl-delay-group-merging.txt', 'yourbot', undefined],
    ['crawl-delay-group-merging.txt', 'anyotherbot', 30_000],
  ])('%s, Crawl-delay for %s => %s ms', (file, agent, delay) => {
    expect(robots(file).crawlDelay(agent)).toBe(delay);
  });

  test.each<[file: string, sitemaps: string[]]>([
    [
      'sitemap-robots.txt',
      [
        'http://domain.com/sitemap.xml',
        'http://domain.com/dir/my-sitemap.xml',
        'http://domain.com/dir/MixedCased-sitemap.xml',
      ],
    ],
    ['sitemap-robots-dedup.txt', ['http://example.org/sitemap.xml']],
    ['relative-sitemap-robots.txt', ['https://example.org/sitemap.xml']],
    ['format-errors-robots.txt', ['https://example.org/sitemap.xml']],
    ['robots-with-utf16le-bom.txt', ['http://www.newsweek.com/sitemap_index.xml']],
  ])('%s => sitemaps %j', (file, sitemaps) => {
    expect(robots(file).sitemaps).toEqual(sitemaps);
  });
});
