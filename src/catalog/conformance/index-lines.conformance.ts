import { expect, it } from 'vitest';
import type { CaptureFact } from '../../model/capture.ts';
import type { Catalog, IndexQuery } from '../../ports/catalog.ts';
import { all, capture } from './examples.conformance.ts';

/** Keys of example.org with all that stands below it. */
const HOST = { from: 'org,example)', to: 'org,example*' };

export function indexLists(catalog: () => Catalog): void {
  const store = (...captures: CaptureFact[]) =>
    catalog().index({ captures, pages: [], fileLengths: new Map() });
  const listed = async (query: IndexQuery) =>
    (await all(catalog().indexLines(query))).map(({ surt, fact }) => `${surt} ${fact.at}`);

  it('index lines => keys of the range in order, then time, over all spellings of a URL; and back', async () => {
    await store(
      ...[30, 10].map((at) => capture('https://example.org/b', at)),
      capture('http://www.example.org/b', 20),
      capture('https://example.org/a', 5),
      capture('https://example.org.uk/a', 5),
      capture('https://sub.example.org/', 1),
      capture('https://example.net/', 1),
    );
    const order = ['org,example)/a 5', 'org,example)/b 10', 'org,example)/b 20', 'org,example)/b 30'];
    expect(await listed({ keys: HOST })).toEqual(order);
    expect(await listed({ keys: HOST, isReverse: true })).toEqual(order.toReversed());
    expect(await listed({ keys: HOST, from: 10, to: 20 })).toEqual(order.slice(1, 3));
    const domain = { from: HOST.from, to: 'org,example-' };
    expect(await listed({ keys: domain })).toEqual([...order, 'org,example,sub)/ 1']);
    expect(await listed({ keys: { from: 'a', to: 'a' } })).toEqual([]);
    expect(await catalog().indexSize({ keys: HOST })).toBe(4);
    expect(await catalog().indexSize({ keys: HOST, from: 10, to: 20 })).toBe(2);
  });

  it('many captures of one URL among many URLs => every line once, and on from any of them', async () => {
    const many = Array.from({ length: 1_300 }, (_, i) => capture('https://example.org/m', i >> 1));
    const single = Array.from({ length: 700 }, (_, i) => capture(`https://example.org/${i}`, i));
    await store(...many, ...single);
    for (const isReverse of [false, true]) {
      const lines = await all(catalog().indexLines({ keys: HOST, isReverse }));
      expect(new Set(lines.map(({ fact }) => fact.recordId)).size).toBe(2_000);
      for (const stop of [3, 699, 1_200, 1_999]) {
        const line = lines[stop] as (typeof lines)[number];
        const { surt, fact } = line;
        const read = lines
          .slice(0, stop + 1)
          .filter((one) => one.surt === surt && one.fact.at === fact.at).length;
        const rest = await all(
          catalog().indexLines({ keys: HOST, isReverse, after: { surt, at: fact.at, read } }),
        );
        const ids = (of: typeof lines) => of.map((one) => one.fact.recordId).join();
        expect(ids(rest)).toBe(ids(lines.slice(stop + 1)));
      }
    }
  });

  it('neighbours => the last at or before, the first after; of exactly this URL first; GET alone', async () => {
    const url = 'https://example.org/x';
    const [early, late] = [capture(url, 100), capture(url, 300)];
    const other = capture('http://www.example.org/x', 200);
    await store(early, late, other, capture(url, 250, { method: 'POST' }));
    expect(await catalog().neighbours(url, 99)).toEqual({ after: early });
    expect(await catalog().neighbours(url, 100)).toEqual({ before: early, after: late });
    expect(await catalog().neighbours(url, 299)).toEqual({ before: early, after: late });
    expect(await catalog().neighbours(url, 300)).toEqual({ before: late });
    expect(await catalog().neighbours('http://example.org/x', 199)).toEqual({ before: early, after: other });
    expect(await catalog().neighbours('https://example.org/y', 1)).toEqual({});
  });
}
