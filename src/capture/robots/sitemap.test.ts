import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseSitemap, SITEMAP_URLS } from './sitemap.ts';
import { SITEMAP_BYTES } from './sitemap-bytes.ts';
import { parseFeedDate } from './sitemap-date.ts';

const AT = 'https://example.org/sitemap.xml';
const parse = (text: string) => parseSitemap(Buffer.from(text), AT);
const urls = (text: string): string[] => parse(text).entries.map((entry) => entry.url);

describe('XML', () => {
  test('urlset with every field => typed entries', () => {
    const text = `<?xml version="1.0" encoding="UTF-8"?>
      <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc> https://example.org/a?b=1&amp;c=2 </loc>
      <lastmod>2004-12-23T18:00:15+01:00</lastmod><changefreq>Weekly</changefreq><priority>0.3</priority></url>
      <url><loc><![CDATA[https://example.org/b?x&y]]></loc><lastmod>soon</lastmod><priority>7</priority></url></urlset>`;
    expect(parse(text)).toEqual({
      kind: 'urlset',
      entries: [
        {
          url: 'https://example.org/a?b=1&c=2',
          lastmod: Date.UTC(2004, 11, 23, 17, 0, 15),
          changefreq: 'weekly',
        },
        { url: 'https://example.org/b?x&y' },
      ],
      facts: [],
    });
  });

  test('image, video and PageMap extensions => only the page', () => {
    const text = `<urlset><url><video:video><video:content_loc>https://e.org/v.mp4</video:content_loc><loc>https://e.org/deep</loc>
      </video:video><image:loc>https://e.org/i.jpg</image:loc><loc>https://e.org/page</loc>
      <image:image><image:loc>https://e.org/j.jpg</image:loc></image:image></url></urlset>`;
    expect(urls(text)).toEqual(['https://e.org/page']);
  });

  test('two loc in one entry, the first with a date => two entries, the date with the first', () => {
    const text = `<sitemapindex><sitemap><loc>https://e.org/1.xml</loc><lastmod>2004-10-01</lastmod>
      <loc>https://e.org/2.xml</loc></sitemap></sitemapindex>`;
    expect(parse(text)).toMatchObject({
      kind: 'index',
      entries: [
        { url: 'https://e.org/1.xml', lastmod: Date.UTC(2004, 9, 1) },
        { url: 'https://e.org/2.xml' },
      ],
    });
  });

  test('<url><loc><url>…</url></loc></url> => understood', () => {
    expect(urls('<urlset><url><loc><url>https://e.org/1</url></loc></url></urlset>')).toEqual([
      'https://e.org/1',
    ]);
  });

  test('cut in the middle of a tag => the entries before, and the open one', () => {
    expect(urls('<urlset><url><loc>https://e.org/1</loc></url><url><loc>https://e.org/2</lo')).toContain(
      'https://e.org/1',
    );
  });

  test('external entities and includes => never resolved', () => {
    const text = `<!DOCTYPE urlset [<!ENTITY test SYSTEM "file:///etc/hostname">]><urlset><url><loc>&test;</loc></url>
      <url><loc><xi:include href="file:///etc/hostname" parse="text"/></loc></url><url><loc>https://e.org/1</loc></url></urlset>`;
    expect(urls(text)).toEqual(['https://e.org/1']);
  });

  test('ISO-8859-1 by declaration => decoded', () => {
    const bytes = Buffer.from(
      '<?xml version="1.0" encoding="ISO-8859-1"?><urlset><url><loc>https://e.org/\xfc</loc></url></urlset>',
      'latin1',
    );
    expect(parseSitemap(bytes, AT).entries[0]?.url).toBe('https://e.org/%C3%BC');
  });

  test('an HTML page => unknown, with a fact', () => {
    expect(parse('<!doctype html><html><body><a href="/x">x</a></body></html>')).toEqual({
      kind: 'unknown',
      entries: [],
      facts: ['neither a sitemap nor a feed'],
    });
  });
});

describe('feeds', () => {
  test('RSS 2.0: link, else permanent guid; pubDate', () => {
    const text = `<rss version="2.0"><channel><title>t</title><link>https://e.org/home</link>
      <item><title>1</title><link>https://e.org/1?a=1&amp;b=2</link><pubDate>Sun, 06 Sep 2009 16:20:00 +0000</pubDate></item>
      <item><guid>https://e.org/2</guid></item><item><guid isPermaLink="false">https://e.org/no</guid></item>
      <item><media:group><link>https://e.org/media</link></media:group><link>https://e.org/3</link></item></channel></rss>`;
    expect(parse(text)).toEqual({
      kind: 'rss',
      entries: [
        { url: 'https://e.org/1?a=1&b=2', lastmod: Date.UTC(2009, 8, 6, 16, 20) },
        { url: 'https://e.org/2' },
        { url: 'https://e.org/3' },
      ],
      facts: [],
    });
  });

  test('RSS 1.0 (RDF) => items', () => {
    const text = `<rdf:RDF><channel rdf:about="https://e.org/r"><link>https://e.org/pub</link></channel>
      <item rdf:about="https://e.org/1"><link>https://e.org/1</link><dc:date>2000-08-09</dc:date></item></rdf:RDF>`;
    expect(parse(text).entries).toEqual([{ url: 'https://e.org/1', lastmod: Date.UTC(2000, 7, 9) }]);
  });

  test('Atom: alternate link, updated before published', () => {
    const text = `<feed xmlns="http://www.w3.org/2005/Atom"><link href="https://e.org/"/><entry>
      <link rel="edit" href="https://e.org/edit"/><link href="/1"/><updated>2003-12-13T18:30:02Z</updated>
      <published>2003-12-01T00:00:00Z</published></entry></feed>`;
    expect(parse(text)).toMatchObject({
      kind: 'atom',
      entries: [{ url: 'https://example.org/1', lastmod: Date.UTC(2003, 11, 13, 18, 30, 2) }],
    });
  });
});

describe('text and limits', () => {
  test('lines, mark, repeated and bad ones', () => {
    expect(parse('\uFEFFhttps://e.org/1\r\nhttps://e.org/2\n\nnot a url\nhttps://e.org/1')).toEqual({
      kind: 'text',
      entries: [{ url: 'https://e.org/1' }, { url: 'https://e.org/2' }],
      facts: ["1 entries without an http or https URL, such as 'not a url'"],
    });
  });

  test('50,001 URLs => 50,000 and a fact', () => {
    const text = Array.from({ length: SITEMAP_URLS + 1 }, (_, i) => `https://e.org/${i}`).join('\n');
    const sitemap = parse(text);
    expect(sitemap.entries).toHaveLength(SITEMAP_URLS);
    expect(sitemap.facts).toEqual(['more than 50000 URLs: the rest was not read']);
  });

  test('gzip, gzip twice, gzip cut => read', () => {
    const text = '<urlset><url><loc>https://e.org/1</loc></url></urlset>';
    const once = gzipSync(text);
    for (const bytes of [once, gzipSync(once), once.subarray(0, -6)]) {
      expect(parseSitemap(bytes, AT).entries).toEqual([{ url: 'https://e.org/1' }]);
    }
  });

  test('gzip of 60 MB => the first 50 MB and a fact; of 250 MB => a fact', () => {
    const page = 'https://e.org/1\n';
    const large = gzipSync(Buffer.concat([Buffer.from(page), Buffer.alloc(SITEMAP_BYTES + 1024, '\n')]), {
      level: 1,
    });
    expect(parseSitemap(large, AT)).toMatchObject({ kind: 'text', entries: [{ url: 'https://e.org/1' }] });
    expect(parseSitemap(large, AT).facts[0]).toMatch(/more than 50 MB/);
    const bomb = gzipSync(Buffer.alloc(5 * SITEMAP_BYTES), { level: 1 });
    expect(parseSitemap(bomb, AT).facts[0]).toMatch(/gzip could not be unpacked/);
  });

  test('bad gzip => a fact', () => {
    expect(parseSitemap(Uint8Array.of(0x1f, 0x8b, 9, 9, 9), AT).facts[0]).toMatch(/gzip/);
  });

  test('any bytes => no throw', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        parseSitemap(bytes, AT);
      }),
    );
  });
});

test.each([
  ['2005', Date.UTC(2005, 0, 1)],
  ['2005-03', Date.UTC(2005, 2, 1)],
  ['2005-03-04', Date.UTC(2005, 2, 4)],
  ['2005-03-04T05:06', Date.UTC(2005, 2, 4, 5, 6)],
  ['2005-03-04T05:06:07.89-02:30', Date.UTC(2005, 2, 4, 7, 36, 7)],
  ['2005-03-04 05:06:07', Date.UTC(2005, 2, 4, 5, 6, 7)],
  ['Thu, 05 Jan 17 12:34:50 GMT', Date.UTC(2017, 0, 5, 12, 34, 50)],
  ['5 Jan 2017 12:34 EST', Date.UTC(2017, 0, 5, 17, 34)],
  ['05 Jan 2017 12:34:50', undefined],
  ['2005-13-01', undefined],
  ['yesterday', undefined],
  ['', undefined],
])('date %j => %s', (text, expected) => {
  expect(parseFeedDate(text)).toBe(expected);
});

describe('JSON Feed', () => {
  test('items with and without dates, one without an address => those with one, by the date they changed', () => {
    const { kind, entries } = parse(
      JSON.stringify({
        version: 'https://jsonfeed.org/version/1.1',
        items: [
          { id: 1, url: 'https://example.org/a', date_published: '2026-01-02T03:04:05Z' },
          { id: '2', external_url: 'https://example.org/b', date_modified: 7 },
          { id: '3' },
          'nothing',
        ],
      }),
    );
    expect(kind).toBe('json');
    expect(entries).toEqual([
      { url: 'https://example.org/a', lastmod: Date.parse('2026-01-02T03:04:05Z') },
      { url: 'https://example.org/b' },
    ]);
  });

  test.each(['{"version":"1","items":[]}', '{"items":', '{}'])(
    '%s => neither a sitemap nor a feed',
    (text) => {
      expect(parse(text)).toMatchObject({ kind: 'unknown', facts: ['neither a sitemap nor a feed'] });
    },
  );
});
