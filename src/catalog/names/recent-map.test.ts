import { expect, it } from 'vitest';
import { RecentMap } from './recent-map.ts';

it('a key that is read stays, one that is not is forgotten', () => {
  const map = new RecentMap<number>(2);
  map.set('kept', 1);
  for (let i = 0; i < 10; i++) {
    expect(map.get('kept')).toBe(1);
    map.set(`other ${i}`, i);
    map.trim();
  }
  expect(map.get('other 0')).toBeUndefined();
  expect(map.get('other 9')).toBe(9);
});

it('without trim => nothing is forgotten', () => {
  const map = new RecentMap<number>(2);
  for (let i = 0; i < 10; i++) map.set(`key ${i}`, i);
  expect(map.get('key 0')).toBe(0);
});

it('clear => empty', () => {
  const map = new RecentMap<number>(2);
  map.set('a', 1);
  map.clear();
  expect(map.get('a')).toBeUndefined();
});
