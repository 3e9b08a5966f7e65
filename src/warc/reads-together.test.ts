import { expect, test } from 'vitest';
import { readsTogether } from './reads-together.ts';

const FILE = Buffer.from(Array.from({ length: 200_000 }, (_, i) => i % 251));

function counted() {
  const reads: [offset: number, length: number][] = [];
  const read = readsTogether(async (path, offset, length) => {
    reads.push([offset, length]);
    if (path === 'gone') throw new Error('there is no such file');
    return FILE.subarray(offset, offset + length);
  });
  return { reads, read };
}

test('records asked for in one turn, close together => one read; each gets its own bytes, in any order', async () => {
  const { reads, read } = counted();
  const wanted = [
    [5_000, 700],
    [100, 300],
    [150, 20],
    [20_000, 50],
  ] as const;
  const found = await Promise.all(wanted.map(([offset, length]) => read('a', offset, length)));
  expect(found).toEqual(wanted.map(([offset, length]) => FILE.subarray(offset, offset + length)));
  expect(reads).toEqual([[100, 19_950]]);
});

test('far apart, or of another file => read apart', async () => {
  const { reads, read } = counted();
  await Promise.all([read('a', 0, 10), read('a', 100_000, 10), read('b', 20, 10)]);
  expect(reads).toEqual([
    [0, 10],
    [100_000, 10],
    [20, 10],
  ]);
});

test('the file ends inside the last of them => fewer bytes for that one alone', async () => {
  const { read } = counted();
  const found = await Promise.all([read('a', 199_000, 500), read('a', 199_600, 1_000)]);
  expect(found.map(({ length }) => length)).toEqual([500, 400]);
});

test('a file that cannot be read => all that asked for it are told; later reads are made anew', async () => {
  const { reads, read } = counted();
  const both = await Promise.allSettled([read('gone', 0, 10), read('gone', 20, 10)]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await read('a', 0, 10);
  await read('a', 0, 10);
  expect(reads).toHaveLength(3);
});
