/** The sitemaps of crawler-commons. Expectations: sitemaps.org, and what that project's own tests say. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseSitemap, type SitemapKind } from '../../../src/capture/robots/sitemap.ts';
import { sharedData } from '../../shared-data.ts';

const dir = sharedData('fixtures/crawler-commons/src/test/resources/sitemaps');

function sitemap(file: string) {
  if (!dir) throw new Error('no fixtures');
  return parseSitemap(readFileSync(join(dir, file)), 'https://example.org/sitemap.xml');
}

describe.skipIf(!dir)('crawler-commons sitemaps (skipped where ../shared/data is absent)', () => {
  test.each<[file: string, kind: SitemapKind, urls: string[]]>([
    ['sitemap.ns.xml', 'urlset', ['http://www.example.com/1', 'http://www.example.com/2']],
    ['sitemap.badns.xml', 'urlset', ['http://www.example.com/1', 'http://www.example.com/2']],
    ['sitemap.txt', 'text', ['http://www.domain.com/page1.html', 'http://www.domain.com/page2.html']],
    [
      'sitemap-with-bom.txt',
      'text',
      ['http://www.domain.com/page1.html', 'http://www.domain.com/page2.html'],
    ],
    ['atom.xml', 'atom', ['http://example.org/2003/12/13/atom03']],
    [
      'extension/sitemap-images.xml',
      'urlset',
      ['http://www.example.com/images/some_image_landing_page.html'],
    ],
    ['extension/sitemap-videos-tvshow.xml', 'urlset', ['https://example.org/my-tv-show/23/13/']],
    [
      'extension/sitemap-links.xml',
      'urlset',
      [
        'http://www.example.com/english/',
        'http://www.example.com/deutsch/',
        'http://www.example.com/schweiz-deutsch/',
      ],
    ],
    [
      'extension/sitemap-mobile.xml',
      'urlset',
      [
        'http://www.example.com/mobile-friendly-1/',
        'http://www.example.com/mobile-friendly-2/',
        'http://www.example.com/no-mobile/',
      ],
    ],
    [
      'extension/pagemaps-sitemap.xml',
      'urlset',
      ['http://www.example.com/foo', 'http://www.example.com/bar'],
    ],
    [
      'extension/sitemap-news.xml',
      'urlset',
      ['http://www.example.org/business/article55.html', 'http://www.example.org/empty_news_name.html'],
    ],
  ])('%s => %s %j', (file, kind, urls) => {
    const parsed = sitemap(file);
    expect(parsed).toMatchObject({ kind, facts: [] });
    expect(parsed.entries.map((entry) => entry.url)).toEqual(urls);
  });

  test('sitemap.index.xml, without loc elements => 15 sitemaps', () => {
    const parsed = sitemap('sitemap.index.xml');
    expect(parsed.kind).toBe('index');
    expect(parsed.entries).toHaveLength(15);
    expect(parsed.entries[0]?.url).toBe('https://example.com/sitemap.jss?portalCode=10260&lang=en');
  });

  test('xmlSitemap.gz => five entries with their fields', () => {
    expect(sitemap('xmlSitemap.gz').entries).toEqual([
      { url: 'http://www.example.com/', lastmod: Date.UTC(2005, 0, 1), changefreq: 'monthly' },
      { url: 'http://www.example.com/catalog?item=12&desc=vacation_hawaii', changefreq: 'weekly' },
      {
        url: 'http://www.example.com/catalog?item=73&desc=vacation_new_zealand',
        lastmod: Date.UTC(2004, 11, 23),
        changefreq: 'weekly',
      },
      {
        url: 'http://www.example.com/catalog?item=74&desc=vacation_newfoundland',
        lastmod: Date.UTC(2004, 11, 23, 18, 0, 15),
      },
      { url: 'http://www.example.com/catalog?item=83&desc=vacation_usa', lastmod: Date.UTC(2004, 10, 23) },
    ]);
  });

  test('sitemap.txt.gz => five URLs', () => {
    expect(sitemap('sitemap.txt.gz').entries).toHaveLength(5);
  });

  test.each([
    ['extension/hebdenbridgetimes-articles-sitemap.xml', 'http://www.hebdenbridgetimes.co.uk/'],
    ['extension/shinpaideshou-news-sitemap.xml', 'https://shinpaideshou.wordpress.com/'],
    ['extension/sitemap-videos.xml', 'http://www.example.com/videos/'],
  ])('%s => as many pages as url elements, none of them media', (file, prefix) => {
    const text = readFileSync(join(dir ?? '', file), 'utf8');
    const { entries } = sitemap(file);
    expect(entries).toHaveLength(text.split('<url>').length - 1);
    for (const { url } of entries) {
      expect(url.startsWith(prefix)).toBe(true);
      expect(url).not.toMatch(/\.(?:jpg|flv|swf|mp4)$/);
    }
  });

  test('an Atom entry is dated', () => {
    expect(sitemap('atom.xml').entries[0]?.lastmod).toBe(Date.UTC(2003, 11, 13, 18, 30, 2));
  });
});
