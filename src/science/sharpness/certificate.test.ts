import { describe, expect, test } from 'vitest';
import {
  at,
  capture,
  context,
  type Example,
  NAMES,
  page,
  START,
  url,
} from '../../../test/capture-example.ts';
import { statementOf } from './certificate.ts';

describe('blur', () => {
  test('λ = (0,1,2,3,4,5), organ pipe => 22.7; found in order of rate, breadth-first => 27.5 (SHARC, Ex. 4.2, 4.4)', () => {
    const slots = [0, 5, 1, 4, 2, 3];
    const pages = NAMES.map((name, i) => ({ name, rate: i, visit: slots[i] as number }));
    const { blur, interval, date, sharp } = statementOf(capture(pages), context(NAMES));
    expect(blur.expected).toBeCloseTo(22.7, 10);
    expect(blur.breadthFirst).toBeCloseTo(27.5, 10);
    expect(blur.ratio).toBeCloseTo(22.7 / 27.5, 10);
    expect(interval).toEqual({ start: at(0), end: at(5) });
    expect(date).toEqual({ strict: null, visible: null });
    expect(sharp).toEqual({ pages: 6, revisited: 0, strict: 0, visible: 0, visibleUnknown: 0 });
  });

  test('the same with revisits => 22.59; breadth-first twice => 545/22 (SHARC, Ex. 7.2, 7.4)', () => {
    const slots = [0, 5, 1, 4, 2, 3];
    const pages = NAMES.map((name, i) => ({
      name,
      rate: i,
      visit: slots[i] as number,
      revisit: (slots[i] as number) + 6,
    }));
    const { blur } = statementOf(capture(pages), context(NAMES));
    expect(blur.expected).toBeCloseTo(22.59, 2);
    expect(blur.breadthFirst).toBeCloseTo(545 / 22, 10);
  });

  test('change times of every page => exact blur beside the expected; of some only => none', () => {
    const given = capture([
      { name: 'p0', rate: 1, visit: 0 },
      { name: 'p1', rate: 1, visit: 10 },
    ]);
    const changes = new Map([
      [url('p0'), [START + 4000]],
      [url('p1'), []],
    ]);
    // A change at 4 s, fetched at 0 s: wrong for the 6 s after it, out of 10.
    expect(statementOf(given, { ...context(NAMES), changes }).blur.exact).toBeCloseTo(0.6, 12);
    changes.delete(url('p1'));
    expect(statementOf(given, { ...context(NAMES), changes }).blur.exact).toBeUndefined();
  });
});

describe('t*', () => {
  test('nested intervals, one page changed => the middle of what the others share; whole site only without it', () => {
    const nested: Example[] = [
      { name: 'p0', rate: 0, visit: 0, revisit: 70 },
      { name: 'p1', rate: 0, visit: 10, revisit: 60 },
      { name: 'p2', rate: 0, visit: 20, revisit: 50 },
    ];
    const all = { time: at(35), from: at(20), to: at(50), proven: 3, wholeSite: true };
    expect(statementOf(capture(nested), context(NAMES)).date.strict).toEqual(all);
    const hot: Example = {
      name: 'p3',
      rate: 9,
      visit: 30,
      revisit: 40,
      later: 'changed',
      visiblyUnchanged: true,
    };
    const { date, sharp } = statementOf(capture([...nested, hot]), context(NAMES));
    expect(date.strict).toEqual({ ...all, wholeSite: false });
    expect(date.visible).toEqual({ time: at(35), from: at(30), to: at(40), proven: 4, wholeSite: true });
    expect(sharp).toEqual({ pages: 4, revisited: 4, strict: 3, visible: 4, visibleUnknown: 0 });
  });

  test('gone at the revisit => not sharp, though its error page is the same bytes; 304 => same', () => {
    const gone = page({ name: 'p0', rate: 1, visit: 0, revisit: 5 });
    const notModified = page({ name: 'p1', rate: 1, visit: 1, revisit: 6 });
    const pages = [
      {
        ...gone,
        revisit: { ...gone.visit, at: START + 5000, recordId: 'x', status: 404, outcome: 'gone' as const },
      },
      {
        ...notModified,
        revisit: {
          ...notModified.visit,
          at: START + 6000,
          recordId: 'y',
          status: 304,
          outcome: 'same' as const,
        },
      },
    ];
    const { pages: certified, sharp } = statementOf({ ...capture([]), pages }, context(NAMES));
    expect(certified.map(({ revisit }) => revisit?.outcome)).toEqual(['gone', 'same']);
    expect(sharp.strict).toBe(1);
  });

  test('no page => no interval, no date, no blur', () => {
    const empty = statementOf(capture([]), context([]));
    expect(empty).toMatchObject({
      interval: null,
      date: { strict: null },
      blur: { expected: 0, ratio: null },
      pages: [],
    });
  });
});
