import { expect, it } from 'vitest';
import type { Change, ChangeOperation } from '../../model/change.ts';
import { deltaUri, pageInfoUri } from '../../model/derived-uris.ts';
import type { Catalog, ChangeQuery } from '../../ports/catalog.ts';
import { batch, capture, crawlWith, entry, pageOf, visited, visitOf } from './examples.conformance.ts';

const A = 'https://example.org/a';
const B = 'https://www.example.org/b';
const C = 'https://other.org/c';

const NO_COURSE = { changed: [], renamed: [], came: [], went: [] };

const operation = (weight: number, more: Partial<ChangeOperation> = {}): ChangeOperation => ({
  op: 'update',
  element: 'text',
  block: 'B1.1',
  weight,
  ...more,
});

const changeOf = (url: string, to: number, importance: number, more: Partial<Change> = {}): Change => ({
  url,
  from: to - 10,
  to,
  importance,
  operations: [operation(importance)],
  course: NO_COURSE,
  ...more,
});

export function changesOfPages(catalog: () => Catalog, reopen: () => Promise<Catalog>): void {
  const store = (...changes: Change[]) =>
    catalog().index({ captures: [], pages: [], changes, fileLengths: new Map() });
  const listed = async (query: ChangeQuery) =>
    (await catalog().changes(query)).map(({ url, to }) => `${url} ${to}`);

  it('a change => all its fields come back, operations in their order', async () => {
    const operations = [
      operation(0.3, { op: 'insert', element: 'link', new: 'More', newAddress: 'https://example.org/more' }),
      operation(0.2, { old: 'Über alles', new: 'Under "all" 📷' }),
      operation(0.1, {
        op: 'delete',
        element: 'image',
        oldAddress: 'https://ads.org/x.gif',
        advertisement: true,
      }),
      operation(0, { op: 'move', element: 'block' }),
    ];
    const { course: _, ...change } = changeOf(A, 1_700_000_000_123, 0.6, { operations });
    await store({ ...change, course: NO_COURSE });
    expect(await (await reopen()).changes({})).toEqual([{ ...change, count: 4 }]);
    expect(await catalog().changes({ operationLimit: 2 })).toEqual([
      { ...change, count: 4, operations: operations.slice(0, 2) },
    ]);
  });

  it('a change with its salience => it comes back, of the change and of each operation', async () => {
    const operations = [
      operation(0.1, { salience: 0.4, new: 'A bridge for Bonn' }),
      operation(0.3, { salience: 0.01, new: '21:35' }),
    ];
    const more = { salience: 0.41, why: 'a story is new: “A bridge for Bonn”', operations };
    const { course: _, ...change } = changeOf(A, 100, 0.4, more);
    await store({ ...change, course: NO_COURSE });
    expect(await (await reopen()).changes({})).toEqual([{ ...change, count: 2 }]);
    expect(await catalog().changes({ operationLimit: 1 })).toMatchObject([
      { operations: [{ salience: 0.4 }] },
    ]);
    expect(await catalog().changes({ operationLimit: 1, by: 'importance' })).toMatchObject([
      { operations: [{ weight: 0.3, salience: 0.01 }] },
    ]);
    await catalog().clearDerived();
    expect(await catalog().changes({})).toEqual([]);
  });

  it('changes of known and unknown salience => by salience, the unknown after them; by importance when asked', async () => {
    const of = (url: string, importance: number, salience?: number): Change =>
      changeOf(url, 100, importance, salience === undefined ? {} : { salience, why: 'because' });
    await store(of(A, 0.9, 0.1), of(B, 0.1, 0.8), of(C, 0.5));
    const at = (...urls: string[]): string[] => urls.map((url) => `${url} 100`);
    expect(await listed({})).toEqual(at(B, A, C));
    expect(await listed({ sort: 'time' })).toEqual(at(B, A, C));
    expect(await listed({ by: 'importance' })).toEqual(at(A, C, B));
    expect(await listed({ sort: 'importance' })).toEqual(at(A, C, B));
    expect(await listed({ minSalience: 0.1 })).toEqual(at(B, A));
    expect(await listed({ minSalience: 0.2 })).toEqual(at(B));
    expect(await listed({ minSalience: 0 })).toEqual(at(B, A));
  });

  it('a change seen in part => comes back as such', async () => {
    await store(changeOf(A, 100, 0, { partial: true, operations: [] }), changeOf(B, 100, 0.5));
    expect((await (await reopen()).changes({})).map(({ url, partial }) => [url, partial])).toEqual([
      [B, undefined],
      [A, true],
    ]);
  });

  it('the same change again => one, also within a batch', async () => {
    const change = changeOf(A, 100, 0.5);
    await store(change, change);
    await store(change);
    expect(await catalog().changes({})).toMatchObject([{ count: 1, operations: [{ weight: 0.5 }] }]);
  });

  it('changes => ranked by importance, by time when asked, filtered, limited, offset', async () => {
    await store(changeOf(A, 100, 0.5), changeOf(A, 200, 0.1), changeOf(B, 150, 0.9), changeOf(C, 300, 0.5));
    const ranked = [`${B} 150`, `${C} 300`, `${A} 100`, `${A} 200`];
    expect(await listed({})).toEqual(ranked);
    expect(await listed({ sort: 'time' })).toEqual([`${C} 300`, `${A} 200`, `${B} 150`, `${A} 100`]);
    expect(await listed({ limit: 2, offset: 1 })).toEqual(ranked.slice(1, 3));
    expect(await listed({ offset: 3 })).toEqual(ranked.slice(3));
    expect(await listed({ url: A })).toEqual([`${A} 100`, `${A} 200`]);
    expect(await listed({ url: 'https://none.org/' })).toEqual([]);
    expect(await listed({ site: 'example.org' })).toEqual([`${B} 150`, `${A} 100`, `${A} 200`]);
    expect(await listed({ since: 150, until: 200 })).toEqual([`${B} 150`, `${A} 200`]);
    expect(await listed({ minImportance: 0.5 })).toEqual(ranked.slice(0, 3));
  });

  it('op, element and words => one operation must be all of it, and only such are listed', async () => {
    await store(
      changeOf(A, 100, 0.5, {
        operations: [
          operation(0.3, {
            op: 'insert',
            element: 'link',
            new: 'Budget vote today',
            newAddress: `${A}/vote`,
          }),
          operation(0.2, { old: 'Rain', new: 'SUN over the bay' }),
        ],
      }),
      changeOf(B, 100, 0.4, { operations: [operation(0.4, { op: 'delete', old: "50% o'clock_" })] }),
    );
    const found = async (query: ChangeQuery) =>
      (await catalog().changes(query)).map(({ url, operations }) => [
        url,
        operations.map(({ weight }) => weight),
      ]);
    expect(await found({ op: 'insert' })).toEqual([[A, [0.3]]]);
    expect(await found({ element: 'text' })).toEqual([
      [A, [0.2]],
      [B, [0.4]],
    ]);
    expect(await found({ op: 'insert', element: 'text' })).toEqual([]);
    expect(await found({ text: 'sun' })).toEqual([[A, [0.2]]]);
    expect(await found({ text: 'today BUDGET' })).toEqual([[A, [0.3]]]);
    expect(await found({ text: 'budget sun' })).toEqual([]);
    expect(await found({ text: '/vote' })).toEqual([[A, [0.3]]]);
    expect(await found({ text: '50% clock_' })).toEqual([[B, [0.4]]]);
    expect(await found({ text: '%' })).toEqual([[B, [0.4]]]);
    expect(await found({ text: '\\' })).toEqual([]);
    expect(await found({ text: 'budget', element: 'text' })).toEqual([]);
    expect(await found({ text: 'vote', op: 'insert', element: 'link' })).toEqual([[A, [0.3]]]);
    expect(await found({ text: 'sun', sort: 'salience', limit: 5 })).toEqual([[A, [0.2]]]);
    expect(await found({ text: '  ' })).toHaveLength(2);
  });

  it('500 changes of 3 operations => each has its own', async () => {
    const many = Array.from({ length: 500 }, (_, i) =>
      changeOf(`${A}/${i}`, i, 0.5, {
        operations: [0, 1, 2].map((k) => operation(0.1, { new: `text ${i} ${k}` })),
      }),
    );
    await store(...many);
    const found = await catalog().changes({ sort: 'time' });
    expect(found).toHaveLength(500);
    for (const { url, operations } of found) {
      const i = url.slice(A.length + 1);
      expect(operations.map((one) => one.new)).toEqual([0, 1, 2].map((k) => `text ${i} ${k}`));
    }
  });

  it('a visit with a change => committed with it', async () => {
    const { crawlId, ids } = await crawlWith(catalog(), [entry(A)]);
    const fact = capture(A, 100);
    const visits = [
      visited(ids.get(A) ?? 0, visitOf(A), {
        captures: [fact],
        page: pageOf(A, 100),
        change: changeOf(A, 100, 0.5),
      }),
    ];
    await catalog().commit(batch(crawlId, { visits }));
    expect(await listed({})).toEqual([`${A} 100`]);
  });

  it('forgetTail => changes whose delta record is lost go, with their operations; clearDerived => all go', async () => {
    const at = (time: number, offset: number) =>
      capture(deltaUri(A), time, { type: 'resource', file: 'tail.warc.gz', offset });
    await catalog().index({
      captures: [at(100, 0), at(200, 500)],
      pages: [],
      changes: [changeOf(A, 100, 0.5), changeOf(A, 200, 0.5), changeOf(B, 200, 0.4)],
      fileLengths: new Map(),
    });
    await catalog().forgetTail('tail.warc.gz', 400);
    expect(await listed({ sort: 'time' })).toEqual([`${B} 200`, `${A} 100`]);
    expect(await listed({ element: 'text', url: A })).toEqual([`${A} 100`]);
    await catalog().clearDerived();
    expect(await listed({})).toEqual([]);
    await store(changeOf(A, 100, 0.5));
    expect(await catalog().changes({})).toMatchObject([{ operations: [{ weight: 0.5 }] }]);
  });

  it('pageCourse => the last visits, oldest first, and the changes since the first of them', async () => {
    const course = {
      changed: ['B1.2'],
      renamed: [['B1.1', 'B1.2']] as const,
      came: ['B1.1'],
      went: ['B1.9'],
    };
    await catalog().index({
      captures: [400, 100, 300, 200].map((time) => capture(pageInfoUri(A), time, { type: 'resource' })),
      pages: [],
      changes: [
        changeOf(A, 400, 0.5, { course }),
        changeOf(A, 300, 0.1),
        changeOf(A, 100, 1),
        changeOf(B, 400, 1),
      ],
      fileLengths: new Map(),
    });
    expect(await catalog().pageCourse(A, 3)).toEqual({
      visits: [200, 300, 400],
      changes: [
        { at: 300, course: NO_COURSE },
        { at: 400, course },
      ],
    });
    expect(await catalog().pageCourse(B, 3)).toEqual({ visits: [], changes: [] });
  });

  it('NUL and half surrogates => U+FFFD', async () => {
    await store(changeOf(A, 1, 0.5, { operations: [operation(0.5, { old: 'x\0y', new: 'z\ud800' })] }));
    expect(await catalog().changes({})).toMatchObject([
      { operations: [{ old: 'x\ufffdy', new: 'z\ufffd' }] },
    ]);
  });
}
