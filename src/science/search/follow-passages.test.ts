import { expect, it } from 'vitest';
import type { Passage } from '../../model/passage.ts';
import { followPassages } from './follow-passages.ts';

const says = (...texts: string[]): Passage[] => texts.map((text) => ({ text, kind: 'body', weight: 0.6 }));

it('versions a, ab, b, ab => when each came and went; what came back is a span of its own', () => {
  const { added, gone } = followPassages([], undefined, [
    { at: 1, passages: says('a') },
    { at: 2, passages: says('a', 'b') },
    { at: 3, passages: says('b') },
    { at: 4, passages: says('a', 'b') },
  ]);
  expect(gone).toEqual([]);
  expect(added.map(({ text, cameAt, went }) => [text, cameAt, went])).toEqual([
    ['a', 1, { lastAt: 2, goneAt: 3 }],
    ['b', 2, undefined],
    ['a', 4, undefined],
  ]);
});

it('in two steps => as in one', () => {
  const versions = [says('a', 'b'), says('b'), says('b', 'c'), says('c', 'a')].map((passages, at) => ({
    at,
    passages,
  }));
  const whole = followPassages([], undefined, versions);
  const first = followPassages([], undefined, versions.slice(0, 2));
  const live = first.added.flatMap(({ text, went }, id) => (went ? [] : [{ id, text }]));
  const second = followPassages(live, 1, versions.slice(2));
  const joined = [
    ...first.added.map((span, id) => {
      const went = second.gone.find((departure) => departure.id === id);
      return went ? { ...span, went: { lastAt: went.lastAt, goneAt: went.goneAt } } : span;
    }),
    ...second.added,
  ];
  const order = (spans: typeof joined) =>
    spans.map(({ text, cameAt, went }) => `${text} ${cameAt} ${went?.lastAt} ${went?.goneAt}`).toSorted();
  expect(order(joined)).toEqual(order([...whole.added]));
});

it('no versions, empty versions => nothing, and all gone', () => {
  expect(followPassages([{ id: 7, text: 'a' }], 5, [])).toEqual({ added: [], gone: [] });
  expect(followPassages([{ id: 7, text: 'a' }], 5, [{ at: 9, passages: [] }]).gone).toEqual([
    { id: 7, lastAt: 5, goneAt: 9 },
  ]);
});
