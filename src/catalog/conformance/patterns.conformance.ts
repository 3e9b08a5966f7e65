import { expect, it } from 'vitest';
import type { CaptureFact, PageInfo } from '../../model/capture.ts';
import { pageInfoUri } from '../../model/derived-uris.ts';
import type { LearntPage, PatternGroup, SeenPage } from '../../model/pattern.ts';
import type { VersionFact } from '../../model/version.ts';
import type { Catalog } from '../../ports/catalog.ts';
import {
  all,
  batch,
  capture,
  crawlWith,
  digest,
  entry,
  pageOf,
  visited,
  visitOf,
} from './examples.conformance.ts';

const A = 'https://example.org/a';
const B = 'https://www.example.org/b';
const C = 'https://other.org/c';
const SITE = 'example.org';

export const versionOf = (payload: string, more: Partial<VersionFact> = {}): VersionFact => ({
  sha256: digest(payload).sha256,
  size: 1_000,
  basis: 'payload',
  importance: 1,
  indexed: true,
  kept: true,
  reason: 'no-pattern',
  threshold: 0,
  accumulated: 0,
  ...more,
});

export const learntOf = (url: string, more: Partial<LearntPage> = {}): LearntPage => ({
  url,
  kind: 'daily',
  observations: 3,
  changes: 2,
  firstAt: 100,
  lastAt: 300,
  lastSha256: digest('last').sha256,
  sums: { changes: [0.5, 1.25], hours: [1, 2], seen: [1, 0], weight: [0.1234567890123, 0], until: 0.3 },
  ...more,
});

export function patternsOfPages(catalog: () => Catalog, reopen: () => Promise<Catalog>): void {
  const index = (captures: readonly CaptureFact[], pages: readonly PageInfo[]) =>
    catalog().index({ captures, pages, fileLengths: new Map() });
  const answer = (url: string, at: number, payload: string, more: Partial<CaptureFact> = {}) =>
    capture(url, at, { digest: digest(payload), ...more });
  const byUrl = (pages: readonly SeenPage[]) => pages.toSorted((a, b) => (a.url < b.url ? -1 : 1));
  const seen = async (site: string, after = 0) => byUrl((await all(catalog().seenPages(site, after))).flat());
  const times = async (url: string) =>
    (await seen(SITE)).find((page) => page.url === url)?.sightings.map(({ at, state }) => `${at} ${state}`);

  it('a version => all its fields come back, once, newest first', async () => {
    const one = versionOf('one', { look: '100', basis: 'layout', importance: 0.25, accumulated: 0.5 });
    const two = versionOf('two', {
      indexed: false,
      kept: false,
      reason: 'below-threshold',
      threshold: 0.125,
    });
    const pages = [pageOf(A, 100, { version: one }), pageOf(A, 200, { version: two }), pageOf(B, 150)];
    await index([], pages);
    await index([], pages);
    const versions = [
      { url: A, at: 200, ...two },
      { url: A, at: 100, ...one },
    ];
    expect(await (await reopen()).versions({})).toEqual(versions);
    expect(await catalog().versions({ url: A, since: 150 })).toEqual(versions.slice(0, 1));
    expect(await catalog().versions({ site: SITE, limit: 1 })).toEqual(versions.slice(0, 1));
    expect(await catalog().versions({ site: 'other.org' })).toEqual([]);
  });

  it('sightings => by time, with looks and importance; what was left out too; other answers say nothing', async () => {
    const at = (time: number, payload: string, more?: Partial<CaptureFact>) => answer(A, time, payload, more);
    await index(
      [
        at(300, 'two'),
        at(100, 'one'),
        at(200, 'one', { type: 'revisit', status: 304 }),
        at(250, 'busy', { status: 503 }),
        at(260, 'posted', { method: 'POST' }),
        at(500, 'gone', { status: 410 }),
        capture(pageInfoUri(A), 400, { type: 'resource' }),
        answer(B, 100, 'b'),
        answer(C, 100, 'c'),
      ],
      [
        pageOf(A, 100, { version: versionOf('one', { look: '100', reason: 'first' }) }),
        pageOf(A, 300, { version: versionOf('two', { look: '300', importance: 0.5 }) }),
        pageOf(A, 400, { version: versionOf('three', { look: '300+x', importance: 0.1, kept: false }) }),
        pageOf(B, 100),
        pageOf(C, 100),
      ],
    );
    expect(await seen(SITE)).toEqual([
      {
        url: A,
        sightings: [
          { at: 100, state: 'there', sha256: digest('one').sha256, look: '100', importance: 1 },
          { at: 200, state: 'there', sha256: digest('one').sha256 },
          { at: 300, state: 'there', sha256: digest('two').sha256, look: '300', importance: 0.5 },
          { at: 400, state: 'there', sha256: digest('three').sha256, look: '300+x', importance: 0.1 },
          { at: 500, state: 'gone', sha256: digest('gone').sha256 },
        ],
      },
      { url: B, sightings: [{ at: 100, state: 'there', sha256: digest('b').sha256 }] },
    ]);
    expect(byUrl(await catalog().sightings([B, A, 'https://none.org/']))).toEqual(await seen(SITE));
    expect(await catalog().sightings([])).toEqual([]);
    expect(await seen('none.org')).toEqual([]);
  });

  it('two captures of one moment => the first; a change without a version => its importance', async () => {
    await index([answer(A, 100, 'one'), answer(A, 100, 'itself'), answer(A, 200, 'two')], [pageOf(A, 100)]);
    const course = { changed: [], renamed: [], came: [], went: [] };
    const change = { url: A, from: 100, to: 200, importance: 0.3, operations: [], course };
    await catalog().index({ captures: [], pages: [], changes: [change], fileLengths: new Map() });
    expect((await seen(SITE))[0]?.sightings).toEqual([
      { at: 100, state: 'there', sha256: digest('one').sha256 },
      { at: 200, state: 'there', sha256: digest('two').sha256, importance: 0.3 },
    ]);
  });

  it('after a mark => only pages of which captures came since, with what is new', async () => {
    await index([answer(A, 100, 'a'), answer(B, 100, 'b')], [pageOf(A, 100), pageOf(B, 100)]);
    const mark = await catalog().captureMark();
    expect(await seen(SITE, mark)).toEqual([]);
    // Older than what was there, and one that was left out: both are news.
    await index([answer(A, 50, 'older')], []);
    expect((await seen(SITE, mark)).map(({ url, sightings }) => [url, sightings.length])).toEqual([[A, 1]]);
    const fact = versionOf('b2', { kept: false });
    await index([capture(pageInfoUri(B), 200, { type: 'resource' })], [pageOf(B, 200, { version: fact })]);
    expect((await seen(SITE, mark)).map(({ url }) => url)).toEqual([A, B]);
    expect(await catalog().captureMark()).toBeGreaterThan(mark);
  });

  it('450 pages => each with its own', async () => {
    const urls = Array.from({ length: 450 }, (_, i) => `${A}/${i}`);
    await index(
      urls.flatMap((url, i) => [answer(url, i, `${i}`), answer(url, 1_000 + i, `${i} again`)]),
      urls.map((url, i) => pageOf(url, i)),
    );
    const found = await seen(SITE);
    expect(found).toHaveLength(450);
    for (const { url, sightings } of found) {
      const i = Number(url.slice(A.length + 1));
      expect(sightings.map(({ at }) => at)).toEqual([i, 1_000 + i]);
    }
    expect(await all(catalog().pageStandings(SITE))).toHaveLength(450);
  });

  it('standings => last payload seen, last one stored, and the threshold with the factor', async () => {
    const dropped = versionOf('two', { look: 'x', kept: false, accumulated: 0.25 });
    await index(
      [
        answer(A, 100, 'one'),
        answer(B, 100, 'b'),
        answer(C, 1, 'c'),
        answer(`${A}/lost`, 1, 'l', { status: 404 }),
      ],
      [
        pageOf(A, 100),
        pageOf(A, 200, { version: dropped }),
        pageOf(B, 100),
        pageOf(`${A}/lost`, 1),
        pageOf(C, 1),
      ],
    );
    await catalog().learnPages(SITE, [learntOf(A)]);
    const site = { site: SITE, zone: 'UTC', factor: 4, mark: 0 };
    await catalog().settlePatterns(site, [], [{ url: A, group: 0, threshold: 0.125 }]);
    const standings = await all(catalog().pageStandings(SITE));
    expect(standings.sort((a, b) => (a.url < b.url ? -1 : 1))).toEqual([
      {
        url: A,
        lastSha256: digest('two').sha256,
        storedSha256: digest('one').sha256,
        look: 'x',
        accumulated: 0.25,
        threshold: 0.5,
      },
      { url: B, lastSha256: digest('b').sha256, storedSha256: digest('b').sha256, accumulated: 0 },
    ]);
  });

  it('what was learnt => comes back, by URL; again => in its place', async () => {
    await index([], [pageOf(A, 1), pageOf(B, 1), pageOf(C, 1)]);
    await catalog().learnPages(SITE, [learntOf(B, { goneAt: 400, lastLook: 'x' }), learntOf(A)]);
    await catalog().learnPages('other.org', [learntOf(C)]);
    const groups: PatternGroup[] = [
      { kind: 'daily', number: 0, pages: 1, shape: [0.5, 1.5] },
      { kind: 'daily', number: 1, pages: 1, shape: [1, 1] },
    ];
    const site = { site: SITE, zone: 'Europe/Paris', budget: 5_000, factor: 1.5, mark: 7 };
    await catalog().settlePatterns(site, groups, [{ url: A, group: 1, threshold: 0.0625 }]);
    const again = await reopen();
    expect(await again.learntSite(SITE)).toEqual(site);
    expect(await again.learntSite('other.org')).toBeUndefined();
    expect(await again.patternGroups(SITE)).toEqual(groups);
    const ofA = { ...learntOf(A), group: 1, threshold: 0.0625 };
    expect(await all(again.pagePatterns({ site: SITE }))).toEqual([
      ofA,
      { ...learntOf(B, { goneAt: 400, lastLook: 'x' }), group: 0, threshold: 0 },
    ]);
    expect(await all(again.pagePatterns({ urls: [A] }))).toEqual([ofA]);
    expect(await all(again.pagePatterns({}))).toHaveLength(3);
    expect(await all(again.pagePatterns({ urls: [] }))).toEqual([]);

    await again.learnPages(SITE, [learntOf(A, { kind: 'weekly', observations: 4 })]);
    await again.settlePatterns({ site: SITE, zone: 'UTC', factor: 1, mark: 9 }, groups.slice(1), []);
    expect(await all(again.pagePatterns({ urls: [A] }))).toEqual([
      { ...learntOf(A, { kind: 'weekly', observations: 4 }), group: 1, threshold: 0.0625 },
    ]);
    expect(await again.learntSite(SITE)).toEqual({ site: SITE, zone: 'UTC', factor: 1, mark: 9 });
    expect(await again.patternGroups(SITE)).toEqual(groups.slice(1));

    await again.forgetPatterns(SITE);
    expect((await all(again.pagePatterns({}))).map(({ url }) => url)).toEqual([C]);
    expect(await again.learntSite(SITE)).toBeUndefined();
  });

  it('forgetTail => versions whose record is lost go, and the visit is due again; clearDerived => all go', async () => {
    const { crawlId, ids } = await crawlWith(catalog(), [entry(A)]);
    const info = capture(pageInfoUri(A), 200, {
      type: 'resource',
      file: 'tail.warc.gz',
      offset: 500,
      eventId: 'e',
    });
    const fact = versionOf('two', { kept: false });
    await index([answer(A, 100, 'one')], [pageOf(A, 100, { version: versionOf('one') })]);
    const visit = visitOf(A, { outcome: 'dropped', eventId: 'e' });
    const commit = visited(ids.get(A) ?? 0, visit, {
      captures: [info],
      page: pageOf(A, 200, { version: fact }),
    });
    await catalog().commit(batch(crawlId, { visits: [commit] }));
    expect(await catalog().tally(crawlId)).toMatchObject({ captured: 0, dropped: 1, pending: 0 });
    expect(await times(A)).toEqual(['100 there', '200 there']);
    await catalog().forgetTail('tail.warc.gz', 400);
    expect(await times(A)).toEqual(['100 there']);
    const after = await catalog().tally(crawlId);
    expect([after.pending, 'dropped' in after]).toEqual([1, false]);
    await catalog().learnPages(SITE, [learntOf(A)]);
    await catalog().settlePatterns({ site: SITE, zone: 'UTC', factor: 1, mark: 1 }, [], []);
    await catalog().clearDerived();
    expect(await catalog().versions({})).toEqual([]);
    expect(await all(catalog().pagePatterns({}))).toEqual([]);
    expect(await catalog().learntSite(SITE)).toBeUndefined();
  });
}
