import { expect, it } from 'vitest';
import type { Connection } from '../engines/engine.ts';
import { knownNames } from './known-names.ts';

/** A table of names in a map; counts the rows it was asked for. */
function namesIn(size: { recent: number; table: number }) {
  const ids = new Map<string, number>();
  const asked: string[] = [];
  const bulk = async (_: unknown, { name }: { name: string }, rows: readonly unknown[]) => {
    const found: { id: number; key: string }[] = [];
    for (const { key } of rows as readonly { key: string }[]) {
      if (name === 'add-urls' && !ids.has(key)) ids.set(key, ids.size + 1);
      const id = ids.get(key);
      if (name === 'find-urls') asked.push(key);
      if (id !== undefined) found.push({ id, key });
    }
    return found as never;
  };
  const names = knownNames({ bulk, dialect: 'sqlite' }, 'urls', 'url', size);
  return { asked, names, resolve: (...urls: string[]) => names.resolve({} as Connection, urls) };
}

const URLS = ['https://a.org/', 'https://b.org/', 'https://c.org/', 'https://d.org/'];

it('a name no longer among the latest => its id and notes, without SQL', async () => {
  const { asked, names, resolve } = namesIn({ recent: 1, table: 10 });
  await resolve('https://a.org/', 'https://b.org/');
  await resolve('https://c.org/');
  const first = names.get('https://c.org/');
  first.place = 'queued';
  first.crawlId = 3;
  names.note(first);
  await resolve('https://d.org/');
  await resolve('https://a.org/', 'https://b.org/');
  expect(names.get('https://a.org/')).toMatchObject({ id: 1, place: 'unknown' });
  await resolve('https://d.org/');
  await resolve('https://c.org/');
  expect(asked).toHaveLength(4);
  const again = names.get('https://c.org/');
  expect(again).not.toBe(first);
  expect(again).toMatchObject({ id: 3, name: 'https://c.org/', place: 'queued', crawlId: 3 });
});

it('a table that is full => the rest is found by SQL', async () => {
  const { asked, names, resolve } = namesIn({ recent: 1, table: 1 });
  for (const url of [...URLS, ...URLS]) await resolve(url);
  expect(asked).toHaveLength(7);
  expect(names.get('https://d.org/').id).toBe(4);
});

it('cleared => asks again', async () => {
  const { asked, names, resolve } = namesIn({ recent: 10, table: 10 });
  await resolve('https://a.org/');
  names.clear();
  await resolve('https://a.org/');
  expect(asked).toHaveLength(2);
  expect(() => names.get('https://b.org/')).toThrow('https://b.org/');
});

it('a name added here and without a SURT => uncaptured; one that was there, has one, or was forgotten => unknown', async () => {
  const { names, resolve } = namesIn({ recent: 10, table: 10 });
  await resolve('https://a.org/', 'https://b.org/');
  names.get('https://b.org/').hasSurt = true;
  expect(['https://a.org/', 'https://b.org/', 'https://c.org/'].map(names.isUncaptured)).toEqual([
    true,
    false,
    false,
  ]);
  names.clear();
  await resolve('https://a.org/');
  expect(names.isUncaptured('https://a.org/')).toBe(false);
});
