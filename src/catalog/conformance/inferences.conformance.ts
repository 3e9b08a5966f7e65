import { expect, it } from 'vitest';
import type { InferredDirectory } from '../../model/inference.ts';
import type { Catalog } from '../../ports/catalog.ts';
import { all, batch, capture, crawlWith, entry, pageOf, visited, visitOf } from './examples.conformance.ts';

const page = (path: string): string => `https://example.org${path}`;

const inferred = (directory: string, more: Partial<InferredDirectory> = {}): InferredDirectory => ({
  site: 'example.org',
  directory,
  reason: 'quiet',
  rule: 'nothing changed in the last 7 looks at it',
  expectedMissed: 0.25,
  confidence: 0.875,
  lastSeen: 5_000,
  state: 'inferred',
  urls: [page(`${directory}a`), page(`${directory}b`)],
  ...more,
});

/** Directories that a crawl took for unchanged. */
export function inferences(catalog: () => Catalog, reopen: () => Promise<Catalog>): void {
  it('what a crawl took for unchanged comes back, by crawl and by site; a later state, with its figures, takes the place of the first', async () => {
    const { crawlId } = await crawlWith(catalog(), [entry(page('/'))]);
    const rule = { reason: 'near', state: 'held', assumes: { head: ['/', '/doc/'], alpha: 0.5 } } as const;
    const held = inferred('/news/', rule);
    const long = inferred(`/${'x/'.repeat(5_000)}`);
    await catalog().commit(batch(crawlId, { inferred: [inferred('/doc/'), held, long] }));
    const settled = {
      ...held,
      state: 'visited',
      rule: 'now known',
      expectedMissed: 1.5,
      confidence: 0.5,
    } as const;
    await catalog().commit(batch(crawlId, { inferred: [settled] }));
    const stored = await (await reopen()).inferences({ crawlId });
    const facts = [inferred('/doc/'), settled, long];
    expect(stored).toEqual(facts.map((fact) => ({ ...fact, crawlId })));
    expect(await catalog().inferences({ site: 'example.org' })).toEqual(stored);
    expect(await catalog().inferences({ site: 'other.example' })).toEqual([]);
    expect(await catalog().inferredDirectories('example.org')).toEqual(
      facts.map(({ directory, state }) => ({ crawlId, directory, state })),
    );
    expect(await catalog().inferredDirectories('other.example')).toEqual([]);
  });

  it('what a crawl left to other archives comes back, and is told of its pages with their records', async () => {
    const { crawlId } = await crawlWith(catalog(), [entry(page('/'))]);
    const { site, directory, reason, rule, expectedMissed, urls } = inferred('/doc/');
    const virtual = { site, directory, reason, rule, expectedMissed, heldBy: 'other', urls };
    await catalog().commit(
      batch(crawlId, { virtual: [virtual, { ...virtual, heldBy: 'third', urls: [page('/doc/c')] }] }),
    );
    await catalog().commit(batch(crawlId, { virtual: [virtual] }));
    const stored = await (await reopen()).virtualDirectories({ crawlId });
    expect(stored).toEqual([virtual, { ...virtual, heldBy: 'third', urls: [page('/doc/c')] }]);
    const told = {
      site,
      url: page('/doc/a'),
      documents: [{ at: 0, status: 'new', archive: 'other', record: 'urn:uuid:7' }],
    } as const;
    await catalog().index({
      captures: [],
      pages: [],
      fileLengths: new Map(),
      histories: { sites: [], pages: [told] },
    });
    const [found] = await all(catalog().accessedPages('example.org'));
    expect(found?.accesses).toEqual([
      { kind: 'virtual', at: 1, reason: 'quiet', heldBy: 'other', record: 'urn:uuid:7' },
    ]);
  });

  it('an entry that is kept leaves the queue uncounted, and may join it again', async () => {
    const { crawlId, ids } = await crawlWith(catalog(), [entry(page('/a')), entry(page('/b'))]);
    const kept = [{ entryId: ids.get(page('/a')) ?? 0, url: page('/a') }];
    await catalog().commit(batch(crawlId, { kept }));
    expect(await catalog().tally(crawlId)).toMatchObject({ pending: 1, skipped: 0 });
    const { enqueued } = await catalog().commit(batch(crawlId, { discovered: [entry(page('/a'))] }));
    expect(enqueued.map(({ url }) => url)).toEqual([page('/a')]);
  });

  it('the version a page keeps => the last answer that showed it before the time', async () => {
    const captures = [
      capture(page('/a'), 1_000),
      capture(page('/a'), 2_000),
      capture(page('/a'), 3_000, { status: 404 }),
      capture(page('/a'), 9_000),
      capture(page('/b'), 9_000),
    ];
    await catalog().index({ captures, pages: [pageOf(page('/a'), 1_000)], fileLengths: new Map() });
    const kept = await catalog().keptVersions([page('/a'), page('/b'), page('/c')], 5_000);
    const [, last] = captures;
    expect([...kept]).toEqual([
      [page('/a'), { at: 2_000, recordId: last?.recordId, sha256: last?.digest.sha256, status: 200 }],
    ]);
  });

  it('known pages => those of all finished crawls, each as the last left it', async () => {
    const visit = (id: number, path: string, at: number) => ({
      ...visited(id, visitOf(page(path), { at, status: 200 })),
      captures: [capture(page(path), at)],
      page: pageOf(page(path), at),
    });
    for (const [at, paths] of [
      [1_000, ['/a', '/b']],
      [2_000, ['/b']],
    ] as const) {
      const { crawlId, ids } = await crawlWith(
        catalog(),
        paths.map((path) => entry(page(path), { depth: at / 1_000 })),
      );
      const visits = paths.map((path) => visit(ids.get(page(path)) ?? 0, path, at));
      await catalog().commit(batch(crawlId, { visits }));
      await catalog().setCrawlState(crawlId, 'finished', at);
    }
    const known = await all(catalog().knownPages('example.org'));
    expect(known.map(({ url, depth }) => [url, depth])).toEqual([
      [page('/b'), 2],
      [page('/a'), 1],
    ]);
  });
}
