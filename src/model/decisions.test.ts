import { expect, test } from 'vitest';
import { actWords, type Decision, type DecisionAct } from './decision.ts';
import { Decisions } from './decisions.ts';

const made = (target: string, kind: DecisionAct['kind'], at: number, until?: number): Decision => ({
  id: `${at}`,
  target,
  act:
    kind === 'every'
      ? { kind, span: 3_600_000 }
      : kind === 'weight'
        ? { kind, factor: 3 }
        : ({ kind } as const),
  by: 'a librarian',
  why: 'knows it',
  at,
  ...(until !== undefined && { until }),
});

test('conflicting decisions => the latest that matches and has not ended', () => {
  const decisions = new Decisions([
    made('00h00.com', 'in', 10),
    made('www.00h00.com/shop/*', 'out', 20),
    made('00h00.com', 'out', 30, 40),
  ]);
  const on = (url: string, now: number) => decisions.on(url, now).verdict?.act.kind;
  expect(on('https://www.00h00.com/a', 35)).toBe('out');
  expect(on('https://www.00h00.com/a', 50)).toBe('in');
  expect(on('https://www.00h00.com/shop/b', 50)).toBe('out');
  expect(on('https://not00h00.com/', 50)).toBeUndefined();
});

test('a later decision on the whole site => holds over an exception, which is told after it', () => {
  const exception = made('https://a.org/good', 'in', 1);
  const decisions = new Decisions([exception, made('a.org', 'out', 2)]);
  const on = decisions.on('https://a.org/good', 5);
  expect([on.verdict?.act.kind, on.all.slice(1)]).toEqual(['out', [exception]]);
});

test.each([
  ['https://a.org/x', 'http://a.org/x#part', true],
  ['https://a.org/x', 'https://a.org/x/y', false],
  ['a.org', 'https://www.a.org:8080/y', true],
  ['a.org:81', 'http://b.a.org:81/', true],
  ['a.org:81', 'http://a.org/', false],
  ['a.org', 'https://ba.org/', false],
  ['127.0.0.1', 'http://127.0.0.1:99/', true],
  ['0.0.1', 'http://127.0.0.1/', false],
  ['*.a.org/*', 'https://b.a.org/', true],
  ['a.org/*/end', 'https://a.org/b/c/end', true],
  ['a.org/*/end', 'https://a.org/end', false],
  ['a.org/ab*ba', 'https://a.org/aba', false],
  ['https://a.org/*?id=*', 'http://a.org/p?x=1&id=2', false],
  ['https://a.org/*id=*', 'http://a.org/p?x=1&id=2', true],
])('target %s, URL %s => %s', (target, url, matches) => {
  expect(new Decisions([made(target, 'out', 1)]).on(url, 2).verdict !== undefined).toBe(matches);
});

test('undone by another decision => holds no more, in whatever order they are read; what is decided later does', () => {
  const undo = made('a.org', 'undo', 5);
  const list = [made('a.org', 'out', 1), made('a.org', 'pin', 2), made('a.org/x*', 'out', 3)];
  for (const decisions of [new Decisions([...list, undo]), new Decisions([undo, ...list])]) {
    expect(decisions.on('https://a.org/', 9).all).toEqual([]);
    expect(decisions.on('https://a.org/xy', 9).verdict?.at).toBe(3);
    decisions.add(made('a.org', 'in', 7));
    expect(decisions.on('https://a.org/', 9).verdict?.act.kind).toBe('in');
  }
});

test('the configuration is the base => any decision of a person wins over it', () => {
  const decisions = new Decisions([made('a.org', 'in', 1)]);
  decisions.add(made('https://a.org/x', 'out', Number.NEGATIVE_INFINITY));
  expect(decisions.on('https://a.org/x', 2).verdict?.act.kind).toBe('in');
});

test('frequency, weight, pin => each by the latest of its own kind, beside the verdict', () => {
  const decisions = new Decisions([
    made('a.org', 'every', 1),
    made('https://a.org/', 'weight', 2),
    made('a.org', 'never-skip', 3),
    made('a.org', 'out', 4),
  ]);
  const { every, weight, kept, verdict, all } = decisions.on('https://a.org/', 9);
  expect([every?.at, weight?.at, kept?.at, verdict?.at, all.length]).toEqual([1, 2, 3, 4, 4]);
});

test.each([
  [{ kind: 'every', span: 5_400_000 }, 'every 90 min'],
  [{ kind: 'every', span: 604_800_000 }, 'every 7 d'],
  [{ kind: 'weight', factor: 0.5 }, 'weight 0.5'],
  [{ kind: 'never-skip' }, 'never-skip'],
] as const)('%o => %s', (act, words) => {
  expect(actWords(act)).toBe(words);
});
