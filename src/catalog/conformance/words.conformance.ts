import { expect, it } from 'vitest';
import type { PageWords } from '../../model/page-words.ts';
import type { Catalog } from '../../ports/catalog.ts';
import { all, pageOf } from './examples.conformance.ts';

const [A, B, C] = ['a', 'b', 'c'].map((name) => `https://example.org/${name}`) as [string, string, string];

export function wordsOfPages(catalog: () => Catalog, reopen: () => Promise<Catalog>): void {
  const uncounted = async (): Promise<string[]> =>
    (await all(catalog().uncountedPages())).map(({ url }) => url).sort();

  it('words of pages => as they were counted; without dictionary => absent, not none; a newer version => uncounted', async () => {
    const pages = [pageOf(A, 1), pageOf(B, 1), pageOf(C, 1)];
    await catalog().index({ captures: [], pages, fileLengths: new Map() });
    expect(await uncounted()).toEqual([A, B, C]);
    const counts = new Map([
      ['papillon', 3],
      ['été', 1],
    ]);
    const counted: PageWords[] = [
      {
        url: A,
        at: 1,
        sha256: 'aa',
        language: 'fr',
        words: { counts, total: 4, bytes: 30 },
        documentBytes: 100,
      },
      { url: B, at: 1, sha256: 'bb', language: 'br', documentBytes: 50 },
      { url: C, at: 1, sha256: '', words: { counts: new Map(), total: 0, bytes: 0 }, documentBytes: 0 },
      { url: 'https://example.org/none', at: 1, sha256: 'dd', documentBytes: 1 },
    ];
    await catalog().setPageWords(counted);
    expect(await uncounted()).toEqual([]);
    const numbers = await (await reopen()).pageNumbers([A, B, C]);
    expect(await all(catalog().pageWords())).toEqual(
      // PostgreSQL numbers the URLs of a batch in an order of its own.
      counted
        .slice(0, 3)
        .map(({ url, ...rest }) => ({ page: numbers.get(url) ?? 0, ...rest }))
        .sort((a, b) => a.page - b.page),
    );
    await catalog().index({ captures: [], pages: [pageOf(A, 5)], fileLengths: new Map() });
    expect(await all(catalog().uncountedPages())).toEqual([{ url: A, lastAt: 5, sha256: 'aa' }]);
    await catalog().confirmPageWords([{ url: A, at: 5 }]);
    expect(await uncounted()).toEqual([]);
    await catalog().clearDerived();
    expect(await all(catalog().pageWords())).toEqual([]);
  });
}
