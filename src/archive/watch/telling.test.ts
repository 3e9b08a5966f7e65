import { expect, test } from 'vitest';
import type { SeenVisit } from '../../model/watch.ts';
import { Telling } from './telling.ts';

const SEEN: SeenVisit = {
  url: 'https://e.org/',
  kind: 'refresh',
  at: 1,
  outcome: 'unchanged',
  importance: 0,
  requests: 1,
  bytes: 10,
  signals: [],
};
const resource = { requests: 1, bytes: 5 };

test('pages and what they embed => every request is told once', async () => {
  const told: SeenVisit[] = [];
  const telling = new Telling((seen) => told.push(seen));
  telling.beside(resource);
  telling.beside(resource);
  telling.page(Promise.resolve(SEEN));
  telling.page(Promise.resolve(SEEN));
  await telling.done();
  expect(told.map(({ requests, bytes }) => [requests, bytes])).toEqual([
    [3, 20],
    [1, 10],
  ]);
});

test('a page that cannot be read => whoever waits for all of them hears of it', async () => {
  const telling = new Telling(() => {});
  telling.page(Promise.reject(new Error('damaged')));
  await expect(telling.done()).rejects.toThrow('damaged');
});

test('what pages embed => learnt in the moment that the next page is told, or when none comes any more', async () => {
  const learnt: string[] = [];
  const telling = new Telling(() => learnt.push('told'));
  telling.beside(resource, () => learnt.push('picture'));
  await telling.done();
  expect(learnt).toEqual([]);
  telling.page(Promise.resolve(SEEN), () => learnt.push('page'));
  await telling.done();
  telling.beside(resource, () => learnt.push('last'));
  await telling.end();
  expect(learnt).toEqual(['told', 'picture', 'page', 'last']);
});
