import { expect, it } from 'vitest';
import type { Change } from '../../model/change.ts';
import type { Catalog } from '../../ports/catalog.ts';
import { all, capture, pageOf } from './examples.conformance.ts';

const HOSTS = ['a.org', 'b.org'];
const T = 1_700_000_000_000;

/** Pages of two sites, three captures each, and a change at each later capture; some as salient as others. */
async function filled(catalog: Catalog): Promise<void> {
  const urls = HOSTS.flatMap((host) => [1, 2, 3].map((page) => `http://${host}/${page}`));
  const course = { changed: [], renamed: [], came: [], went: [] };
  await catalog.index({
    captures: urls.flatMap((url, i) => [0, 1, 2].map((visit) => capture(url, T + visit * 1000 + (i % 2)))),
    pages: urls.map((url, i) => pageOf(url, T + 2000 + (i % 2))),
    changes: urls.flatMap((url, i): Change[] =>
      [1, 2].map((visit) => ({
        ...{ url, from: T + (visit - 1) * 1000, to: T + visit * 1000 + (i % 2), importance: (i % 3) / 10 },
        ...(i !== 4 && { salience: (i % 2) / 3, why: 'so' }),
        ...{ operations: [], course },
      })),
    ),
    fileLengths: new Map(),
  });
}

/** A list read two rows at a time, each part after the last row of the one before. */
async function inParts<Row>(read: (after: Row | undefined) => Promise<readonly Row[]>): Promise<Row[]> {
  const rows: Row[] = [];
  for (let turn = 0; turn < 100; turn++) {
    const part = await read(rows.at(-1));
    rows.push(...part);
    if (part.length < 2) return rows;
  }
  throw new Error('the list does not end');
}

export function listsInParts(current: () => Catalog): void {
  const using = async (use: (catalog: Catalog) => Promise<void>): Promise<void> => {
    await filled(current());
    await use(current());
  };

  it('pages, captures and changes in every order, two rows at a time => the list, each row once', () =>
    using(async (catalog) => {
      const pages = await catalog.pages({});
      expect(
        await inParts<(typeof pages)[number]>((last) =>
          catalog.pages({ limit: 2, ...(last && { after: last.url }) }),
        ),
      ).toEqual(pages);
      const captures = await all(catalog.captures({}));
      type Fact = (typeof captures)[number];
      expect(
        await inParts<Fact>((last) => all(catalog.captures({ limit: 2, ...(last && { after: last }) }))),
      ).toEqual(captures);
      const latest = await catalog.latestCaptures({ limit: 1000 });
      expect(latest).toHaveLength(18);
      expect(latest.map(({ at }) => at)).toEqual(latest.map(({ at }) => at).sort((a, b) => b - a));
      for (const site of [undefined, 'a.org'])
        expect(
          await inParts<Fact>((after) =>
            catalog.latestCaptures({ limit: 2, ...(site && { site }), ...(after && { after }) }),
          ),
        ).toEqual(latest.filter(({ url }) => site === undefined || url.startsWith(`http://${site}/`)));
      for (const sort of ['salience', 'importance', 'time'] as const) {
        const changes = await catalog.changes({ sort });
        expect(changes).toHaveLength(12);
        type Found = (typeof changes)[number];
        expect(
          await inParts<Found>((after) => catalog.changes({ sort, limit: 2, ...(after && { after }) })),
        ).toEqual(changes);
      }
    }));

  it('changes that a reader sees => without those of importance and salience 0', () =>
    using(async (catalog) => {
      const seen = await catalog.changes({ seen: true });
      const all_ = await catalog.changes({});
      expect(seen).toEqual(all_.filter(({ importance, salience = 0 }) => importance > 0 || salience > 0));
      expect(seen.length).toBeLessThan(all_.length);
    }));

  it('captures and changes by quarters of an hour => of a site, a page, all; of a span alone', () =>
    using(async (catalog) => {
      const quarter = Math.floor(T / 900_000);
      const changes = await catalog.changes({ seen: true });
      const most = Math.max(...changes.map(({ salience = 0 }) => salience));
      expect(await catalog.countedTimes({})).toEqual([
        { quarter, captures: 18, changes: changes.length, salience: most },
      ]);
      const [site] = await catalog.countedTimes({ site: 'a.org' });
      expect(site).toMatchObject({
        captures: 9,
        changes: (await catalog.changes({ seen: true, site: 'a.org' })).length,
      });
      const url = 'http://a.org/2';
      const [page] = await catalog.countedTimes({ url, from: T + 1000 });
      expect(page).toMatchObject({
        captures: 2,
        changes: (await catalog.changes({ seen: true, url })).length,
      });
      await catalog.index({ captures: [capture(url, T + 86_400_000)], pages: [], fileLengths: new Map() });
      expect((await catalog.countedTimes({ url })).map((one) => [one.quarter, one.captures])).toEqual([
        [quarter, 3],
        [quarter + 96, 1],
      ]);
      expect(await catalog.countedTimes({ site: 'c.org' })).toEqual([]);
      expect(await catalog.countedTimes({ to: T - 1 })).toEqual([]);
    }));

  it('what happens after a mark => told once, in order; the state moves with what is written', () =>
    using(async (catalog) => {
      const [before, mark] = [await catalog.stateMark(), await catalog.happeningMark()];
      expect(await catalog.happenings(mark, 10)).toEqual([]);
      const url = 'http://a.org/9';
      const course = { changed: [], renamed: [], came: [], went: [] };
      await catalog.index({
        ...{ captures: [capture(url, T)], pages: [pageOf(url, T)], fileLengths: new Map() },
        changes: [{ url, from: T - 1, to: T, importance: 0.5, operations: [], course }],
      });
      const alert = { rule: 'r', url, kind: 'gone' as const, to: T, madeAt: T, summary: 's', operations: [] };
      await catalog.addAlerts([{ id: 'one', ...alert }]);
      expect(await catalog.stateMark()).not.toBe(before);
      const told = await catalog.happenings(mark, 10);
      expect(told.map(({ kind }) => kind)).toEqual(['change', 'alert']);
      expect(told[0]).toMatchObject({ change: { url, importance: 0.5, count: 0 } });
      expect(await catalog.happenings(told[0]?.mark ?? mark, 10)).toEqual(told.slice(1));
      // Of a catalog that was there before: what is new from here on is told, and nothing of the past.
      const ahead = { visits: 1e9, changes: 1e9, alerts: 1e9 };
      expect(await catalog.happenings(ahead, 10)).toEqual([]);
    }));
}
