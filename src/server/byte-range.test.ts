import { describe, expect, it } from 'vitest';
import type { Body } from '../model/body.ts';
import { parseRange, rangeOf } from './byte-range.ts';

describe('parseRange, 10 bytes', () => {
  it.each([
    ['bytes=0-3', { first: 0, last: 3 }],
    ['bytes=4-', { first: 4, last: 9 }],
    ['bytes=4-99', { first: 4, last: 9 }],
    ['bytes=-3', { first: 7, last: 9 }],
    ['bytes=-99', { first: 0, last: 9 }],
    ['bytes=10-', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=5-2', 'whole'],
    ['bytes=0-1,4-5', 'whole'],
    ['lines=1-2', 'whole'],
    [undefined, 'whole'],
  ])('%s => %o', (value, expected) => expect(parseRange(value, 10)).toEqual(expected));

  it('an empty body, any suffix => unsatisfiable', () => {
    expect(parseRange('bytes=-5', 0)).toBe('unsatisfiable');
  });
});

it('rangeOf chunks 0123|4567|89, 3-8 => 345678', async () => {
  const body: Body = {
    size: 10,
    bytes: undefined,
    async *chunks() {
      for (const chunk of ['0123', '4567', '89']) yield Buffer.from(chunk);
    },
    release: async () => {},
  };
  let text = '';
  for await (const chunk of rangeOf(body, { first: 3, last: 8 })) text += Buffer.from(chunk).toString();
  expect(text).toBe('345678');
});
