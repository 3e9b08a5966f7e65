import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { CaptureFact } from '../../model/capture.ts';
import { pageInfoUri } from '../../model/derived-uris.ts';
import type { VersionFact } from '../../model/version.ts';
import type { Catalog, VisitCommit } from '../../ports/catalog.ts';
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
const B = 'https://example.org/b';
const C = 'https://example.org/c';
const SITE = 'example.org';

const first: VersionFact = {
  sha256: digest('one').sha256,
  size: 300,
  look: '100',
  basis: 'layout',
  importance: 1,
  indexed: true,
  kept: true,
  reason: 'first',
  threshold: 0,
  accumulated: 0,
};
const unchanged: VersionFact = { ...first, importance: 0, indexed: false, reason: 'unchanged' };

/** The visit of a page: its document, its page info, its version. */
function visitAt(url: string, at: number, version: VersionFact, more: Partial<CaptureFact> = {}) {
  const eventId = randomUUID();
  const answer = capture(url, at, {
    recordId: `<urn:uuid:${randomUUID()}>`,
    digest: digest('one'),
    eventId,
    etag: '"1"',
    ...more,
  });
  const info = capture(pageInfoUri(url), at, { type: 'resource', file: answer.file, eventId });
  return { answer, info, page: pageOf(url, at, { version }), eventId };
}

const again = (url: string, at: number, more: Partial<CaptureFact> = {}) =>
  visitAt(url, at, unchanged, {
    type: 'revisit',
    refersTo: { url, at: 100, profile: 'identical-payload-digest' },
    ...more,
  });

type Made = ReturnType<typeof visitAt>;

export function unchangedSites(catalog: () => Catalog, reopen: () => Promise<Catalog>): void {
  const index = ({ answer, info, page }: Made) =>
    catalog().index({ captures: [answer, info], pages: [page], fileLengths: new Map() });

  it('a visit that saw nothing new => its capture whole, no row of its page info, the version told all the same', async () => {
    const made = [visitAt(A, 100, first), again(A, 200), again(A, 300, { etag: '"2"', mime: '' })] as const;
    for (const one of made) await index(one);
    const after = await reopen();
    expect(await all(after.captures({ url: A }))).toEqual(made.map(({ answer }) => answer));
    expect(await all(after.captures({ url: pageInfoUri(A) }))).toEqual([made[0].info]);
    expect(await after.captureByRecordId(made[1].answer.recordId)).toEqual(made[1].answer);
    expect(await after.versions({ url: A })).toEqual([
      { url: A, at: 300, ...unchanged, size: 0 },
      { url: A, at: 200, ...unchanged, size: 0 },
      { url: A, at: 100, ...first },
    ]);
    expect((await after.pageCourse(A, 9)).visits).toEqual([100, 200, 300]);
    const [page] = await after.sightings([A]);
    expect(page?.sightings.map(({ at, look, importance }) => [at, look, importance])).toEqual([
      [100, '100', 1],
      [200, '100', 0],
      [300, '100', 0],
    ]);
    const [standing] = await all(after.pageStandings(SITE));
    expect(standing).toMatchObject({ lastSha256: first.sha256, storedSha256: first.sha256, look: '100' });
    expect((await all(after.pageHistories(SITE)))[0]?.visits.map(({ at }) => at)).toEqual([100, 200, 300]);
  });

  it('a visit with another look => keeps its rows', async () => {
    const other = { ...unchanged, look: '200' };
    for (const one of [visitAt(A, 100, first), again(A, 200)]) await index(one);
    const third = visitAt(A, 300, other);
    await index(third);
    expect((await all(catalog().captures({ url: pageInfoUri(A) }))).map(({ at }) => at)).toEqual([100, 300]);
    expect((await catalog().versions({ url: A })).map(({ look }) => look)).toEqual(['200', '100', '100']);
  });

  it('indexed twice => the same; in another order => the same facts', async () => {
    const made = [visitAt(A, 100, first), again(A, 200)] as const;
    for (const one of [...made, ...made]) await index(one);
    expect(await all(catalog().captures({ url: A }))).toHaveLength(2);
    expect(await catalog().versions({})).toHaveLength(2);
    await catalog().clearDerived();
    for (const one of made.toReversed()) await index(one);
    expect(await all(catalog().captures({ url: A }))).toEqual(made.map(({ answer }) => answer));
    expect((await catalog().versions({})).map(({ at, reason }) => [at, reason])).toEqual([
      [200, 'unchanged'],
      [100, 'first'],
    ]);
  });

  it('the original is lost with the end of its file => the revisit says itself what it had in common', async () => {
    const [one, two] = [visitAt(A, 100, first), again(A, 200, { file: 'b.warc.gz' })];
    await index(one);
    await index(two);
    await catalog().forgetTail('a.warc.gz', 0);
    expect(await all((await reopen()).captures({ url: A }))).toEqual([two.answer]);
  });

  /** Commits a crawl of these visits; the first of each URL settles its entry. */
  async function crawlOf(made: readonly Made[], at: number) {
    const { crawlId, ids } = await crawlWith(
      catalog(),
      made.map(({ answer }) => entry(answer.url)),
    );
    const visits = made.map(({ answer, info, page, eventId }): VisitCommit => {
      const outcome = answer.type === 'revisit' ? 'unchanged' : 'captured';
      const visit = visitOf(answer.url, {
        at: at + 1,
        outcome,
        status: 200,
        eventId,
        reason: `of ${answer.url}`,
      });
      return visited(ids.get(answer.url) ?? 0, visit, { captures: [answer, info], page });
    });
    await catalog().commit(
      batch(crawlId, { visits, fileLengths: new Map([[made[0]?.answer.file ?? '', 1e6]]) }),
    );
    return crawlId;
  }

  it('only the page info of an unchanged visit is lost => the visit is made again', async () => {
    await index(visitAt(A, 100, first));
    const two = again(A, 200, { file: 'b.warc.gz' });
    const crawlId = await crawlOf([two], 200);
    await catalog().setCrawlState(crawlId, 'finished', 300);
    expect(await catalog().forgetTail('b.warc.gz', two.info.offset)).toBe(1);
    const after = await reopen();
    expect(await all(after.captures({ url: A }))).toHaveLength(1);
    expect((await after.crawls())[0]?.state).toBe('stopped');
    expect((await after.pending(crawlId, SITE, 9)).map(({ url }) => url)).toEqual([A]);
  });

  it('a finished crawl => all that is asked of it is as before; one that goes on => its frontier again', async () => {
    const crawlId = await crawlOf([visitAt(A, 100, first), visitAt(B, 101, first)], 100);
    const failed = visitOf(C, { at: 50, outcome: 'failed', fault: { kind: 'timeout', detail: 'none' } });
    const { enqueued } = await catalog().commit(batch(crawlId, { discovered: [entry(C, { via: A })] }));
    await catalog().commit(batch(crawlId, { visits: [visited(enqueued[0]?.id ?? 0, failed)] }));
    const told = async () => ({
      tally: await catalog().tally(crawlId),
      settled: await catalog().settledVisits({ crawlId, result: 'new' }),
      second: await catalog().settledVisits({ crawlId, result: 'new', limit: 1, offset: 1, site: SITE }),
      visits: await catalog().visits({ crawlId }),
      ofUrl: await catalog().visits({ url: B }),
      captured: await catalog().visits({ outcome: 'captured', limit: 1 }),
      log: await all(catalog().frontierLog(crawlId)),
      firstOfLog: await all(catalog().frontierLog(crawlId, { limit: 2 })),
      answered: await all(catalog().answeredVisits(crawlId)),
      hosts: (await catalog().hostCounts(crawlId)).toSorted((a, b) => a.entries - b.entries),
    });
    const before = await told();
    expect([before.visits.length, before.answered.length]).toEqual([3, 2]);
    await catalog().setCrawlState(crawlId, 'finished', 300);
    await reopen();
    expect(await told()).toEqual(before);
    expect((await all(catalog().pagesOfLastCrawl(SITE))).map(({ url }) => url)).toEqual([A, B]);
    await catalog().setCrawlState(crawlId, 'running', 400);
    expect(await told()).toEqual(before);
    const known = (await all(catalog().frontierUrls(crawlId))).map(({ url }) => url);
    expect(known.toSorted()).toEqual([A, B, C]);
    // What it knows it does not queue again.
    expect((await catalog().commit(batch(crawlId, { discovered: [entry(A)] }))).enqueued).toEqual([]);
  });

  it('2,500 entries of a finished crawl => each comes back once', async () => {
    const urls = Array.from({ length: 2_500 }, (_, i) => `https://example.org/${i}`);
    const { crawlId, ids } = await crawlWith(
      catalog(),
      urls.map((url) => entry(url)),
    );
    const visits = urls.map((url, i) => visited(ids.get(url) ?? 0, visitOf(url, { at: 1_000 + i })));
    await catalog().commit(batch(crawlId, { visits }));
    await catalog().setCrawlState(crawlId, 'finished', 9_999);
    expect(await catalog().tally(crawlId)).toMatchObject({ captured: 2_500 });
    expect((await all(catalog().frontierLog(crawlId))).map(({ url }) => url)).toEqual(urls);
    expect(await catalog().visits({ url: urls[1_700] ?? '' })).toHaveLength(1);
    expect(await catalog().settledVisits({ crawlId, result: 'new', limit: 2 })).toMatchObject([
      { url: urls[2_499] },
      { url: urls[2_498] },
    ]);
  });
}
