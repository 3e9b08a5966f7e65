import { afterAll, describe, expect, it } from 'vitest';
import { capturesOf, daguerre, FAST, type Finished, temporaryFolder, withCatalog } from './daguerre.ts';
import { type Pages, page, type SmallSite, startSite } from './small-site.ts';

const text = (body: string) => ({ headers: { 'Content-Type': 'text/plain' }, body });
const xml = (urls: readonly string[]) => ({
  headers: { 'Content-Type': 'application/xml' },
  body:
    '<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">' +
    `${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`,
});

const sites: SmallSite[] = [];
afterAll(() => Promise.all(sites.map((site) => site.close())));

interface Crawled {
  readonly site: SmallSite;
  readonly archive: string;
  readonly run: Finished;
}

async function crawl(pages: (base: string) => Pages, ...flags: string[]): Promise<Crawled> {
  const site = await startSite({});
  sites.push(site);
  site.become(pages(site.url));
  const archive = await temporaryFolder();
  const run = await daguerre(['archive', `${site.url}/`, '--archive', archive, ...FAST, ...flags]);
  return { site, archive, run };
}

describe.concurrent('robots.txt', () => {
  it('answers 500 => no page of the host is asked for, the fact is stored, exit code 3', async () => {
    const { site, archive, run } = await crawl(
      () => ({ '/robots.txt': { status: 500, body: 'broken' }, '/': page('Home') }),
      '--attempts',
      '2',
    );
    expect(new Set(site.asked)).toEqual(new Set(['/robots.txt']));
    expect(run.code).toBe(3);
    const [visit] = await withCatalog(archive, (catalog) => catalog.visits({ outcome: 'failed' }));
    expect(visit?.url).toBe(`${site.url}/`);
    expect(visit?.fault?.kind).toBe('robots-unreachable');
    expect(visit?.fault?.detail).toContain('the server answered 500');
  });

  it('answers 404 => everything may be asked for, and the 404 is stored', async () => {
    const { site, archive, run } = await crawl(() => ({ '/': page('Home', ['/a']), '/a': page('A') }));
    expect(run.code).toBe(0);
    expect(site.asked).toEqual(['/robots.txt', '/', '/a']);
    const robots = (await capturesOf(archive)).find(({ url }) => url === `${site.url}/robots.txt`);
    expect(robots?.status).toBe(404);
  });

  it('Disallow: /private => not asked for, a stored skip that names the rule', async () => {
    const { site, archive, run } = await crawl(() => ({
      '/robots.txt': text('User-agent: *\nDisallow: /private\nAllow: /private/open\n'),
      '/': page('Home', ['/private/closed', '/private/open', '/a']),
      '/a': page('A'),
      '/private/open': page('Open'),
      '/private/closed': page('Closed'),
    }));
    expect(run.code).toBe(0);
    expect(site.asked.toSorted()).toEqual(['/', '/a', '/private/open', '/robots.txt']);
    const skips = await withCatalog(archive, (catalog) => catalog.skips({ crawlId: 1, reason: 'robots' }));
    expect(skips).toMatchObject([{ url: `${site.url}/private/closed`, via: `${site.url}/` }]);
    expect(skips[0]?.detail).toContain('/private');
    expect(run.json()).toMatchObject({ captured: 3, skipped: 1, skips: { robots: 1 } });
  });

  it('a Sitemap line that names no URL => not read, and a note that says so', async () => {
    const { run } = await crawl(() => ({
      '/robots.txt': text('Sitemap: http://\nSitemap: https://[x/\n'),
      '/': page('Home'),
    }));
    expect(run.json<{ notes: string[] }>().notes).toEqual([
      expect.stringMatching(
        /robots\.txt names a sitemap that is no URL, 'http:\/\/' \(and 1 more such lines?\)/,
      ),
    ]);
  });

  it('a group for Daguerre => wins over the one for all', async () => {
    const { site } = await crawl(() => ({
      '/robots.txt': text('User-agent: *\nDisallow: /\n\nUser-agent: daguerre\nDisallow: /b\n'),
      '/': page('Home', ['/a', '/b']),
      '/a': page('A'),
      '/b': page('B'),
    }));
    expect(site.asked).toEqual(['/robots.txt', '/', '/a']);
  });

  it('--no-robots => not even asked for', async () => {
    const { site } = await crawl(
      () => ({
        '/robots.txt': text('User-agent: *\nDisallow: /\n'),
        '/': page('Home', ['/a']),
        '/a': page('A'),
      }),
      '--no-robots',
    );
    expect(site.asked).toEqual(['/', '/a']);
  });

  it('Crawl-delay: 0.2, four requests at once allowed => they begin 200 ms apart all the same', async () => {
    const { archive, run } = await crawl(
      () => ({
        '/robots.txt': text('User-agent: *\nCrawl-delay: 0.2\n'),
        '/': page('Home', ['/a', '/b', '/c']),
        '/a': page('A'),
        '/b': page('B'),
        '/c': page('C'),
      }),
      '--per-host',
      '4',
    );
    expect(run.json()).toMatchObject({ captured: 4 });
    const visits = await withCatalog(archive, (catalog) => catalog.visits({ crawlId: 1 }));
    const times = visits.map(({ at }) => at).toSorted((a, b) => a - b);
    // By the crawl's own clock, and a lower bound: a slow machine only makes it longer.
    for (const [i, at] of times.slice(1).entries()) expect(at - (times[i] ?? at)).toBeGreaterThan(190);
  });

  it('names a sitemap => its pages are found, in scope only, and both are stored', async () => {
    const { site, archive, run } = await crawl((base) => ({
      '/robots.txt': text(`User-agent: *\nAllow: /\nSitemap: ${base}/sitemap.xml\n`),
      '/sitemap.xml': xml([`${base}/unlinked`, 'http://elsewhere.invalid/']),
      '/': page('Home'),
      '/unlinked': page('Unlinked'),
    }));
    expect(run.code).toBe(0);
    expect(site.asked.toSorted()).toEqual(['/', '/robots.txt', '/sitemap.xml', '/unlinked']);
    const urls = (await capturesOf(archive)).map(({ url }) => url);
    expect(urls).toContain(`${site.url}/unlinked`);
    expect(urls).toContain(`${site.url}/sitemap.xml`);
    const skips = await withCatalog(archive, (catalog) => catalog.skips({ crawlId: 1 }));
    expect(skips).toMatchObject([{ url: 'http://elsewhere.invalid/', reason: 'out-of-scope' }]);
  });
});
