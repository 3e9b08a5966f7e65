import { expect, it } from 'vitest';
import type { InferredDirectory } from '../../model/inference.ts';
import type { DeltaDocument, DeltaPage } from '../../model/site-delta.ts';
import type { Catalog } from '../../ports/catalog.ts';
import { all, batch, capture, crawlWith, entry, pageOf, visited, visitOf } from './examples.conformance.ts';

const page = (path: string): string => `https://example.org${path}`;
const document = (at: number, more: Partial<DeltaDocument> = {}): DeltaDocument => ({
  at,
  status: 'new',
  archive: 'other',
  ...more,
});
const told = (path: string, ...documents: DeltaDocument[]): DeltaPage & { site: string } => ({
  site: 'example.org',
  url: page(path),
  documents,
});

/** Histories of sites: what the archive did itself, access by access, and what others tell. */
export function siteDeltas(catalog: () => Catalog, reopen: () => Promise<Catalog>): void {
  const history = (more: object) => ({
    captures: [],
    pages: [],
    fileLengths: new Map(),
    histories: { sites: [], pages: [], ...more },
  });

  it('every access to a page => answers, revisits of other pages, faults, left out by a rule; in time', async () => {
    const { crawlId, ids } = await crawlWith(catalog(), [entry(page('/a')), entry(page('/down'))]);
    const first = capture(page('/a'), 1_000);
    const again = capture(page('/a'), 5_000, {
      type: 'revisit',
      digest: first.digest,
      refersTo: { url: page('/a'), at: 1_000, profile: 'identical-payload-digest' },
    });
    const copy = capture(page('/b'), 6_000, {
      type: 'revisit',
      digest: first.digest,
      refersTo: { url: page('/a'), at: 1_000, profile: 'identical-payload-digest' },
    });
    const pages = [pageOf(page('/a'), 1_000), pageOf(page('/b'), 6_000)];
    await catalog().index({ captures: [first, again, copy], pages, fileLengths: new Map() });
    const fault = { kind: 'timeout', detail: 'no answer' } as const;
    const visits = [
      visited(ids.get(page('/a')) ?? 0, visitOf(page('/a'), { at: 3_000, outcome: 'deferred', fault })),
      visited(ids.get(page('/down')) ?? 0, visitOf(page('/down'), { at: 4_000, outcome: 'failed', fault })),
    ];
    const inferred: InferredDirectory = {
      ...{ site: 'example.org', directory: '/', reason: 'quiet' as const, rule: 'quiet', expectedMissed: 0 },
      ...{ confidence: 1, lastSeen: 1, state: 'inferred' as const, urls: [page('/b')] },
    };
    await catalog().commit(batch(crawlId, { visits, inferred: [inferred] }));
    const found = await all((await reopen()).accessedPages('example.org'));
    expect(found.map(({ url, accesses }) => [url, accesses.map(({ kind, at }) => `${kind} ${at}`)])).toEqual([
      [page('/a'), ['answer 1000', 'fault 3000', 'answer 5000']],
      [page('/b'), ['inferred 1', 'answer 6000']],
      [page('/down'), ['fault 4000']],
    ]);
    const { sha256, size } = first.digest;
    expect(found[0]?.accesses[2]).toEqual({
      ...{ kind: 'answer', at: 5_000, http: 200, sha256, size },
      ...{ record: again.recordId, file: again.file, offset: again.offset },
    });
    expect(found[1]?.accesses[1]).toMatchObject({ sameAs: page('/a') });
    expect(await all(catalog().accessedPages('other.example'))).toEqual([]);
    expect(await catalog().historySites()).toEqual(['example.org']);
  });

  it('what other archives tell is joined, access by access; the first word stays', async () => {
    const crawls = [{ archive: 'other', from: 1, to: 2 }];
    const mirror = { archive: 'other', url: 'm.example', path: '/', exclusions: [], checkedAt: 5, behind: 0 };
    const sites = [{ site: 'example.org', crawls, mirrors: [mirror] }];
    await catalog().index(
      history({
        sites,
        pages: [told('/a', document(1_000), document(3_000, { status: 'unchanged', size: 9 }))],
      }),
    );
    const later = [{ site: 'example.org', crawls, mirrors: [{ ...mirror, checkedAt: 9, behind: 2 }] }];
    const more = told(
      '/a',
      document(3_000, { status: 'updated' }),
      document(2_000),
      document(3_000, { archive: 'third' }),
    );
    await catalog().index(history({ sites: later, pages: [more, told('/b', document(7))] }));
    const found = await all((await reopen()).accessedPages('example.org'));
    expect(found).toEqual([
      {
        url: page('/a'),
        accesses: [],
        documents: [
          ...[document(1_000), document(2_000), document(3_000, { status: 'unchanged', size: 9 })],
          document(3_000, { archive: 'third' }),
        ],
      },
      { url: page('/b'), accesses: [], documents: [document(7)] },
    ]);
    const pages = await all(catalog().importedPages('example.org'));
    expect(pages.map(({ url, documents }) => [url, documents.length]).toSorted()).toEqual([
      [page('/a'), 4],
      [page('/b'), 1],
    ]);
    expect(await catalog().importedHistory('example.org')).toEqual({
      ...{ site: 'example.org', crawls, mirrors: [{ ...mirror, checkedAt: 9, behind: 2 }] },
    });
    expect(await catalog().importedHistory('other.example')).toBeUndefined();
    expect(await catalog().historySites()).toEqual(['example.org']);
    // Only told of: there is nothing to show.
    expect(await catalog().sites()).toEqual([]);
    await catalog().clearDerived();
    expect(await all(catalog().accessedPages('example.org'))).toEqual([]);
  });

  it('two hosts become one site => pages of both, archived or told of, and those in vain; by their SURT keys', async () => {
    const { crawlId, ids } = await crawlWith(catalog(), [
      entry('https://a.example/down', { host: 'a.example' }),
    ]);
    const fault = { kind: 'timeout', detail: '' } as const;
    const down = visitOf('https://a.example/down', { outcome: 'failed', fault });
    await catalog().commit(
      batch(crawlId, { visits: [visited(ids.get('https://a.example/down') ?? 0, down)] }),
    );
    const captures = [capture(page('/b'), 1_000)];
    await catalog().index({ captures, pages: [pageOf(page('/b'), 1_000)], fileLengths: new Map() });
    const other = { site: 'a.example', url: 'https://a.example/c', documents: [document(1)] };
    await catalog().index(history({ pages: [other] }));
    await catalog().setSiteRules([['example.org', 'a.example']]);
    const found = await all((await reopen()).accessedPages('example.org'));
    expect(found.map(({ url }) => url)).toEqual([
      'https://a.example/c',
      'https://a.example/down',
      page('/b'),
    ]);
    expect(await all(catalog().importedPages('example.org'))).toHaveLength(1);
    expect(await all(catalog().accessedPages('a.example'))).toEqual([]);
  });

  it('1,200 pages, some of which no server answered for => in order of SURT key, each once', async () => {
    const paths = Array.from({ length: 1_200 }, (_, i) => `/${i % 7}/${i}`);
    const silent = paths.filter((_, i) => i % 10 === 0);
    const { crawlId, ids } = await crawlWith(
      catalog(),
      silent.map((path) => entry(page(path))),
    );
    const fault = { kind: 'timeout', detail: '' } as const;
    const visits = silent.map((path) =>
      visited(ids.get(page(path)) ?? 0, visitOf(page(path), { outcome: 'failed', fault })),
    );
    await catalog().commit(batch(crawlId, { visits }));
    const pages = paths.filter((path) => !silent.includes(path)).map((path) => told(path, document(1)));
    await catalog().index(history({ pages }));
    const found = (await all(catalog().accessedPages('example.org'))).map(({ url }) => url);
    expect(found).toEqual(paths.map(page).toSorted());
  });
}
