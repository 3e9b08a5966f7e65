import { expect, it } from 'vitest';
import { NameTable } from './name-table.ts';
import { hashOfKey, keyOf } from './stored-text.ts';

const hashOf = (n: number) => hashOfKey(keyOf(`https://example.org/${n}`));

it('5,000 names, more than the first size => each has its id and its notes', () => {
  const table = new NameTable(10_000);
  for (let n = 0; n < 5_000; n++) {
    const row = table.add(hashOf(n), n + 7);
    const place = n % 3 === 0 ? 'queued' : n % 3 === 1 ? 'skipped' : 'unknown';
    table.note(row, { crawlId: n % 5, place, hasSurt: n % 2 === 0 });
  }
  for (let n = 0; n < 5_000; n++) {
    const row = table.find(hashOf(n));
    expect(table.id(row)).toBe(n + 7);
    const place = n % 3 === 0 ? 'queued' : n % 3 === 1 ? 'skipped' : 'unknown';
    expect(table.notes(row)).toEqual({ crawlId: n % 5, place, hasSurt: n % 2 === 0 });
  }
  expect(table.find(hashOf(5_000))).toBe(-1);
});

it('names that share half of their hash => told apart', () => {
  const table = new NameTable(10);
  const [one, two] = [table.add({ hi: 1, lo: 9 }, 1), table.add({ hi: 2, lo: 9 }, 2)];
  expect([table.find({ hi: 1, lo: 9 }), table.find({ hi: 2, lo: 9 })]).toEqual([one, two]);
  expect(table.find({ hi: 3, lo: 9 })).toBe(-1);
});

it('full, or an id past 32 bits => not added, and what is there stays', () => {
  const table = new NameTable(2);
  expect(table.add(hashOf(0), 2 ** 32)).toBe(-1);
  expect([0, 1, 2].map((n) => table.add(hashOf(n), n + 1))).toEqual([0, 1, -1]);
  expect([0, 1, 2].map((n) => table.find(hashOf(n)))).toEqual([0, 1, -1]);
  table.note(-1, { crawlId: 1, place: 'queued', hasSurt: true });
});

it('cleared => knows nothing', () => {
  const table = new NameTable(2);
  table.add(hashOf(0), 1);
  table.clear();
  expect(table.find(hashOf(0))).toBe(-1);
  expect(table.notes(table.add(hashOf(0), 1))).toEqual({ crawlId: 0, place: 'unknown', hasSurt: false });
});
