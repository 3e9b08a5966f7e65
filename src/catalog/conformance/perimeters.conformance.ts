import { expect, it } from 'vitest';
import type { Suspect } from '../../model/perimeter.ts';
import type { Catalog, PerimeterQuery, PerimeterUrl } from '../../ports/catalog.ts';
import { pageOf, SPEC } from './examples.conformance.ts';

const standing = (chance: number): Omit<Suspect, 'url' | 'at'> => ({
  perimeter: 'french-web',
  inside: chance >= 0.5,
  chance,
  own: chance - 0.5,
  evidence: [
    { criterion: 'language', outcome: 'other', found: 'xx', strength: 0.5, weight: -1 },
    { criterion: 'country', outcome: 'FR', found: 'FR', strength: 1, weight: 1, isOwn: true },
  ],
  links: [{ mean: 0.25, weight: 1 }],
  hops: 1,
});

export function perimetersOfPages(catalog: () => Catalog, reopen: () => Promise<Catalog>): void {
  const all = async (query: PerimeterQuery): Promise<PerimeterUrl[]> => {
    const found: PerimeterUrl[] = [];
    for await (const one of catalog().perimeterUrls(query)) found.push(one);
    return found;
  };
  const url = (name: string): string => `https://example.org/${name}`;

  it('pages read and suspects, in any order => a row each: what was read stands above what was thought', async () => {
    const { id: crawlId } = await catalog().createCrawl('perimeter', SPEC, 1);
    const nothing = {
      crawlId,
      visits: [],
      denials: [],
      captures: [],
      discovered: [],
      skips: [],
      fileLengths: new Map(),
    };
    const suspects = [
      { ...standing(0.2), url: url('a'), at: 10 },
      { ...standing(0.7), url: url('b'), at: 10, decided: 'decided by A: b (c)' },
      { ...standing(0.4), url: url('b'), at: 9 },
    ];
    await catalog().commit({ ...nothing, suspects });
    const page = pageOf(url('a'), 5, { perimeter: standing(0.9), links: [url('b'), url('c')] });
    await catalog().index({ captures: [], pages: [page], fileLengths: new Map() });
    await catalog().commit({ ...nothing, suspects: [{ ...standing(0.1), url: url('a'), at: 20 }] });
    await reopen();
    expect(await all({ perimeter: 'french-web', byChance: true })).toEqual([
      { ...standing(0.9), url: url('a'), at: 5, isRead: true, firstReadAt: 5 },
      { ...suspects[1], isRead: false },
    ]);
    expect(await all({ url: url('b'), isRead: true })).toEqual([]);
    expect(await all({ perimeter: 'another' })).toEqual([]);
    expect(await catalog().perimeters()).toEqual(['french-web']);
    expect(await catalog().perimeterCounts('french-web', 5)).toEqual({
      ...{ inside: 1, outside: 0, suspects: 1, believed: 1 },
    });
    expect((await catalog().perimeterCounts('french-web', 6)).inside).toBe(0);
    expect(await catalog().linksFrom([url('a'), url('b')])).toEqual(
      new Map([[url('a'), [url('b'), url('c')]]]),
    );
    // A redirect stands for where it leads; what was read since it was seen leads nowhere.
    const redirects = [
      { url: url('b'), to: url('d'), at: 30 },
      { url: url('d'), to: url('e'), at: 30 },
      { url: url('c'), to: url('e'), at: 30 },
    ];
    await catalog().index({ captures: [], pages: [pageOf(url('c'), 40)], redirects, fileLengths: new Map() });
    expect(await catalog().linksFrom([url('a')])).toEqual(new Map([[url('a'), [url('e'), url('c')]]]));
    // A rebuild reads pages again; suspects stay, as frontiers do.
    await catalog().clearDerived();
    expect((await all({})).map(({ isRead }) => isRead)).toEqual([false]);
  });
}
