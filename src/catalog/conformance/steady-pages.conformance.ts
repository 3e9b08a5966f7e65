import { expect, it } from 'vitest';
import type { CaptureFact, PageInfo } from '../../model/capture.ts';
import type { LearntPage } from '../../model/pattern.ts';
import type { Catalog } from '../../ports/catalog.ts';
import { all, capture, digest, pageOf } from './examples.conformance.ts';
import { learntOf } from './patterns.conformance.ts';

const A = 'https://example.org/a';
const B = 'https://www.example.org/b';
const C = 'https://other.org/c';
const SITE = 'example.org';

/** Pages that never changed, which are packed. */
export function steadyPages(catalog: () => Catalog, reopen: () => Promise<Catalog>): void {
  const index = (captures: readonly CaptureFact[], pages: readonly PageInfo[]) =>
    catalog().index({ captures, pages, fileLengths: new Map() });
  const answer = (url: string, at: number, payload: string, more: Partial<CaptureFact> = {}) =>
    capture(url, at, { digest: digest(payload), ...more });

  /** Never changed: what it was last is what its capture of that moment says. */
  const steadyOf = (url: string, more: Partial<LearntPage> = {}): LearntPage =>
    learntOf(url, {
      changes: 0,
      lastSha256: digest(url).sha256,
      sums: { changes: [0, 0], hours: [0, 0.1 + 0.2], seen: [0, 0], weight: [0, 0], until: 0.3 },
      ...more,
    });

  it('pages that never changed => come back exactly, with the others; placed, seen again, changed at last', async () => {
    const urls = Array.from({ length: 1_203 }, (_, i) => `https://example.org/steady/${i}`);
    await index(
      [...urls.map((url) => answer(url, 300, url)), answer(A, 300, 'last'), answer(C, 300, C)],
      [...urls, A, C].map((url) => pageOf(url, 300)),
    );
    const learnt = urls.map((url, i) => steadyOf(url, { firstAt: i, observations: 2 + (i % 3) }));
    await catalog().learnPages(SITE, learnt.slice(400));
    await catalog().learnPages(SITE, [learntOf(A), ...learnt.slice(0, 401)]);
    await catalog().learnPages('other.org', [steadyOf(C)]);
    const site = { site: SITE, zone: 'UTC', factor: 2, mark: 7 };
    const places = urls.map((url, i) => ({ url, group: i % 2, threshold: i / 1_000 }));
    await catalog().settlePatterns(site, [], [...places, { url: A, group: 1, threshold: 0.5 }]);
    await reopen();
    const placed = (pages: readonly LearntPage[]) =>
      pages.map((page) => {
        const { group, threshold } = places.find(({ url }) => url === page.url) ?? {
          group: 1,
          threshold: 0.5,
        };
        return { ...page, group, threshold };
      });
    const sorted = (pages: readonly LearntPage[]) =>
      placed(pages).toSorted((a, b) => (a.url < b.url ? -1 : 1));
    expect(await all(catalog().pagePatterns({ site: SITE }))).toEqual(sorted([...learnt, learntOf(A)]));
    const some = [urls[7] ?? '', urls[1_100] ?? '', A, C];
    expect((await all(catalog().pagePatterns({ urls: some }))).map(({ url }) => url)).toEqual(
      some.toSorted(),
    );
    expect(await all(catalog().pagePatterns({ urls: [urls[7] ?? ''], site: 'other.org' }))).toEqual([]);
    const standings = await all(catalog().pageStandings(SITE));
    expect(standings.find(({ url }) => url === urls[1_100])?.threshold).toBe(2.2);

    await index([answer(urls[7] ?? '', 400, 'new')], [pageOf(urls[7] ?? '', 400)]);
    const changed = learntOf(urls[7] ?? '', { lastAt: 400, lastSha256: digest('new').sha256 });
    await catalog().learnPages(SITE, [changed]);
    expect(await all(catalog().pagePatterns({ urls: [changed.url] }))).toMatchObject([changed]);
    expect(await all(catalog().pagePatterns({ site: SITE }))).toHaveLength(1_204);
    await catalog().forgetPatterns(SITE);
    expect((await all(catalog().pagePatterns({}))).map(({ url }) => url)).toEqual([C]);
    await catalog().clearDerived();
    expect(await all(catalog().pagePatterns({}))).toEqual([]);
  });

  it('a page that never changed, of which its captures tell something else => comes back as it was learnt', async () => {
    await index([answer(A, 300, 'another')], [pageOf(A, 300), pageOf(B, 300)]);
    await catalog().learnPages(SITE, [steadyOf(A), steadyOf(B), steadyOf(C)]);
    expect(await all(catalog().pagePatterns({}))).toEqual(
      [steadyOf(A), steadyOf(B)].map((page) => ({ ...page, group: 0, threshold: 0 })),
    );
  });

  it('the last capture of a page that never changed is lost => nothing is known of it until it is learnt anew', async () => {
    await index([answer(A, 300, A, { file: 'tail.warc.gz', offset: 500 })], [pageOf(A, 300)]);
    await catalog().learnPages(SITE, [steadyOf(A)]);
    expect(await all(catalog().pagePatterns({}))).toHaveLength(1);
    await catalog().forgetTail('tail.warc.gz', 400);
    expect(await all(catalog().pagePatterns({}))).toEqual([]);
  });
}
