import { describe, expect, test } from 'vitest';
import type { ChangeOperation } from '../../model/change.ts';
import { judgeReplay, lostTwice } from './judge-replay.ts';

const operation = (more: Partial<ChangeOperation>): ChangeOperation => ({
  ...{ op: 'insert', element: 'text', block: 'b1', weight: 0.1, salience: 0.3, new: 'Ferry sold to Denmark' },
  ...more,
});
const picture = { url: 'https://a.org/top.png', type: 'image', matters: 0.4 };

describe('judgeReplay', () => {
  test('nothing lost, nothing missing => whole, 1', () => {
    expect(judgeReplay({ operations: [], missing: [], shift: 0 })).toEqual({
      ...{ verdict: 'whole', score: 1, lost: [], missing: [] },
    });
  });

  test('a story of salience .3 that live had => damaged, .7; what replay alone shows, and what moved, is no loss', () => {
    const operations = [
      operation({}),
      operation({ op: 'delete', old: 'Could not load', salience: 0.9 }),
      operation({ op: 'move', salience: 0.2 }),
    ];
    expect(judgeReplay({ operations, missing: [], shift: 0 })).toMatchObject({
      ...{
        verdict: 'damaged',
        score: 0.7,
        lost: [{ element: 'text', text: 'Ferry sold to Denmark', salience: 0.3 }],
      },
    });
  });

  test('advertisements, lost or missing => they do not count', () => {
    const judged = judgeReplay({
      operations: [operation({ advertisement: true })],
      missing: [{ ...picture, advertisement: true }],
      shift: 0,
    });
    expect(judged).toMatchObject({ verdict: 'whole', score: 1, lost: [] });
  });

  test('a picture of .4 windows => .6; a background that no layout tells => damaged all the same, .995', () => {
    expect(judgeReplay({ operations: [], missing: [picture], shift: 0 }).score).toBe(0.6);
    const background = { ...picture, matters: 0 };
    expect(judgeReplay({ operations: [], missing: [background], shift: 0 })).toMatchObject({
      ...{ verdict: 'damaged', score: 0.995 },
    });
  });

  test('all text otherwise => .3, by the look alone', () => {
    expect(judgeReplay({ operations: [], missing: [], shift: 1 })).toMatchObject({
      verdict: 'damaged',
      score: 0.3,
    });
  });
});

test('a gallery that shows another picture each time => nothing lost twice; a list that never comes => lost', () => {
  const one = { operations: [operation({ new: 'First slide' }), operation({ new: 'The list' })], shift: 0.2 };
  const other = {
    operations: [operation({ new: 'Third slide' }), operation({ new: 'The list' })],
    shift: 0.1,
  };
  const both = lostTwice(one, other);
  expect(both.operations.map((each) => each.new)).toEqual(['The list']);
  expect(both.shift).toBe(0.1);
});
