import { expect, it } from 'vitest';
import type { Change } from '../../model/change.ts';
import { analysisUri, layoutUri } from '../../model/derived-uris.ts';
import type { VersionAnalysis } from '../../model/version-analysis.ts';
import type { Catalog, IndexedAnalysis } from '../../ports/catalog.ts';
import { capture, pageOf } from './examples.conformance.ts';

const URL_ = 'https://example.org/a';
const COURSE = { changed: [], renamed: [], came: [], went: [] };
const changeOf = (from: number, to: number, importance: number): Change => ({
  url: URL_,
  from,
  to,
  importance,
  salience: importance,
  why: 'the lead story was replaced',
  operations: [{ op: 'update', element: 'text', block: 'B1.1', weight: importance }],
  course: COURSE,
});

const analysis = (at: number, madeAt: number, more: Partial<VersionAnalysis> = {}): VersionAnalysis => ({
  ...{ url: URL_, at, madeAt, analyser: 'blocks/9', layoutAt: at, facts: [] },
  ...more,
});

/** Analyses of captures that were made before. */
export function analysesOfCaptures(catalog: () => Catalog, reopen: () => Promise<Catalog>): void {
  /** The records of one analysis, as a file of them tells. */
  async function analysed(one: VersionAnalysis, change?: Change): Promise<void> {
    const eventId = `event-${one.at}-${one.madeAt}`;
    const captures = [layoutUri, analysisUri].map((uri) =>
      capture(uri(URL_), one.at, { eventId, type: 'resource', mime: 'application/xml' }),
    );
    const analyses: IndexedAnalysis[] = [{ analysis: one, eventId, ...(change && { change }) }];
    await catalog().index({ captures, pages: [], analyses, fileLengths: new Map() });
  }
  const stored = (...times: number[]) =>
    catalog().index({
      captures: times.map((at) => capture(URL_, at)),
      pages: times.map((at) => pageOf(URL_, at)),
      fileLengths: new Map(),
    });
  const versions = async (from = catalog()) => {
    for await (const page of from.storedVersions({ url: URL_ })) return page.versions;
    return [];
  };
  const layoutsAt = async (at: number): Promise<(string | undefined)[]> => {
    const found: (string | undefined)[] = [];
    for await (const fact of catalog().captures({ url: layoutUri(URL_), from: at, to: at }))
      found.push(fact.eventId);
    return found;
  };

  it('stored versions => oldest first, with how they were looked at', async () => {
    await stored(200, 100);
    await analysed(analysis(200, 5000, { comparedAt: 100, facts: ['no style'] }), changeOf(100, 200, 0.5));
    const [first, second] = await versions(await reopen());
    expect(first).toMatchObject({ at: 100 });
    expect(first?.look).toBeUndefined();
    expect(second).toMatchObject({
      at: 200,
      look: { layoutAt: 200, comparedAt: 100, madeAt: 5000, facts: ['no style'] },
    });
  });

  it('private captures => left out of what is analysed and searched, told where they are asked for, counted by page', async () => {
    expect(await catalog().privatePages()).toBe(0);
    await stored(100);
    const file = 'private~a.warc.gz';
    await catalog().index({
      captures: [200, 300].map((at) => capture(URL_, at, { file })),
      pages: [pageOf(URL_, 200), pageOf(URL_, 300)],
      fileLengths: new Map(),
    });
    const all: number[] = [];
    for await (const page of catalog().storedVersions({ url: URL_, withPrivate: true }))
      all.push(...page.versions.map(({ at }) => at));
    expect((await versions()).map(({ at }) => at)).toEqual([100]);
    expect(all).toEqual([100, 200, 300]);
    expect(await catalog().privatePages()).toBe(1);
  });

  it.each([
    ['the newer last', [5000, 6000]],
    ['the newer first', [6000, 5000]],
  ])(
    'two analyses of one capture, %s => the newer holds: its row, its change, its records',
    async (_, order) => {
      await stored(200);
      for (const madeAt of order)
        await analysed(analysis(200, madeAt, { comparedAt: madeAt }), changeOf(madeAt, 200, madeAt / 10_000));
      expect(await catalog().changes({})).toMatchObject([
        { from: 6000, importance: 0.6, salience: 0.6, count: 1 },
      ]);
      expect((await versions())[0]?.look).toMatchObject({ madeAt: 6000, comparedAt: 6000 });
      expect(await layoutsAt(200)).toEqual(['event-200-6000']);
    },
  );

  it('the crawl found a change, the analysis none => none, whichever is told first', async () => {
    await stored(200, 300);
    const byCrawl = (at: number) =>
      catalog().index({ captures: [], pages: [], changes: [changeOf(100, at, 0.9)], fileLengths: new Map() });
    await byCrawl(200);
    await analysed(analysis(200, 5000, { layoutAt: 100, comparedAt: 100 }));
    await analysed(analysis(300, 5000, { layoutAt: 100, comparedAt: 100 }));
    await byCrawl(300);
    expect(await catalog().changes({})).toEqual([]);
  });

  it('an analysis says that bytes only differ => the same look, and pages are learnt anew from it', async () => {
    await stored(100, 200);
    const mark = await catalog().captureMark();
    await analysed(analysis(100, 5000));
    await analysed(analysis(200, 5000, { layoutAt: 100, comparedAt: 100 }));
    const [page] = await catalog().sightings([URL_]);
    expect(page?.sightings).toMatchObject([{ look: '100' }, { look: '100', importance: 0 }]);
    const seen = [];
    for await (const pages of catalog().seenPages('example.org', mark)) seen.push(...pages);
    expect(seen).toMatchObject([{ url: URL_, sightings: [{ at: 100 }, { at: 200 }] }]);
    expect((await catalog().pageCourse(URL_, 9, 200)).visits).toEqual([100]);
  });
}
