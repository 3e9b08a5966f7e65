import { describe, expect, test } from 'vitest';
import { sharedData } from '../../../test/shared-data.ts';
import { exactBlur } from '../../science/sharpness/exact-blur.ts';
import { sharpPages } from '../../science/sharpness/sharp-pages.ts';
import { strategy } from '../../science/sharpness/strategies.ts';
import { readTable } from '../data/page-tables.ts';
import { parseHistory } from '../data/site-history.ts';
import { textTable } from '../experiment/text-table.ts';
import { captureCase, directoryLinks, directoryOf, siteOfCase } from './capture-case.ts';
import { figure4 } from './online-shapes.ts';
import { leastBlurSchedule, mostSharpSchedule } from './oracle.ts';
import { studyPrediction } from './rate-study.ts';
import {
  OFFLINE_BY_HOUR,
  REVISITS_BY_HOUR,
  SHARPEST,
  startTimes,
  studyCase,
  summarise,
} from './real-study.ts';
import { figure10, figure11, table4 } from './synthetic-experiments.ts';
import { example61, figure6a, figure6b } from './worst-case-curves.ts';

describe('figures of the paper, small', () => {
  test('Fig. 4: pipes without a middle phase cost more than SHARC-online, at low skew', () => {
    const [low] = figure4({ skews: [0.25], pages: 256, trials: 6 });
    expect(low?.ratio).toBeGreaterThan(1);
    expect(low?.shapes['sharc-online']).toHaveLength(256);
  });

  test('Fig. 6: the increase grows with k and, relatively, with skew; Example 6.1 => 176', () => {
    for (const { points } of figure6a()) {
      for (let i = 1; i < points.length / 2; i++) {
        expect(points[i]?.increase).toBeGreaterThanOrEqual((points[i - 1]?.increase as number) - 1e-6);
      }
    }
    const relative = figure6a([0.5, 1, 2]).map(({ points }) => points[5]?.relative as number);
    expect(relative[2]).toBeGreaterThan(relative[0] as number);
    expect(figure6b([10, 100])).toHaveLength(2);
    expect(example61().increase).toBe(176);
  });

  test('Fig. 10: SHARC-offline has the least blur at 1:1, and its lead shrinks as the interval grows', () => {
    const { blur } = figure10('once', [1, 4], { pages: 128, trials: 2 });
    const lead = (k: number) =>
      (blur['hottest-first']?.[k] as number) / (blur['sharc-offline']?.[k] as number);
    for (const name of Object.keys(blur)) {
      expect(blur[name]?.[0]).toBeGreaterThanOrEqual(0.97 * (blur['sharc-offline']?.[0] as number));
    }
    expect(lead(0)).toBeGreaterThan(lead(1));
  });

  test('Fig. 11: all rates right => SHARC-online beats hottest-first; all wrong => it does not', () => {
    const { blur } = figure11('once', [0, 1], { pages: 128, trials: 2 });
    expect(blur['sharc-online']?.[0]).toBeLessThan(blur['hottest-first']?.[0] as number);
    expect(blur['sharc-online']?.[1]).toBeGreaterThan(blur['sharc-online']?.[0] as number);
  });

  test('Table 4 at its time scale: plain revisits 767 ± 10, threshold 879 ± 10', () => {
    const rows = new Map(table4({ trials: 2 }).map((row) => [row.strategy, row.mean]));
    for (const name of [
      'breadth-first-doubled',
      'depth-first-doubled',
      'coldest-first-doubled',
      'sharc-revisits',
    ]) {
      expect(Math.abs((rows.get(name) as number) - 767)).toBeLessThan(15);
    }
    expect(Math.abs((rows.get('sharc-threshold') as number) - 879)).toBeLessThan(10);
    expect(rows.get('sharp-assignment')).toBeGreaterThan(870);
  });
});

describe('histories', () => {
  const text =
    'path\tkind\ttime\tsize\tdigest\na/x\tA\t10\t5\tf\na/x\tM\t20\t6\te\nb/y\tA\t15\t1\td\nb/y\tD\t30\t0\t\n';

  test('rows => events by page; bad rows refused with file, line, reason, or counted', () => {
    const history = parseHistory(text, 'h.tsv');
    expect(history.pages.get('a/x')?.map(({ time }) => time)).toEqual([10, 20]);
    expect(history.times).toEqual([10, 15, 20, 30]);
    expect(() => parseHistory('a\tX\t1\t1\td', 'h.tsv')).toThrow(
      "h.tsv, line 1: kind must be A, M or D, not 'X'",
    );
    expect(() => parseHistory('a\tA\tnow\t1\td', 'h.tsv')).toThrow('time must be Unix seconds');
    expect(parseHistory('a\tX\t1\t1\td\na\tA\t1\t1\td', 'h.tsv', { skipBad: true })).toMatchObject({
      skipped: 1,
    });
  });

  test('a case knows nothing of the test part: rates and pages are those before the start', () => {
    const one = captureCase(parseHistory(text, 'h.tsv'), 25, 10);
    expect(one.paths).toEqual(['a/x', 'b/y']);
    expect([...one.ownRates]).toEqual([1 / 15, 0]);
    expect(one.changes.map((times) => [...times])).toEqual([[], [5]]);
    const later = captureCase(parseHistory(`${text}a/x\tM\t27\t1\tz\n`, 'h.tsv'), 25, 10);
    expect(later.rates).toEqual(one.rates);
    expect(later.profiles).toEqual(one.profiles);
  });

  test('links: entry → first page of each top directory → directories below → their pages', () => {
    const paths = ['1/1/a', '1/1/b', '1/2/c', '1/2/d', '2/1/e', '2/2/f'];
    const links = directoryLinks(paths, paths.map(directoryOf));
    expect(paths.map((_, i) => links(i))).toEqual([[1, 2, 4], [], [3], [], [5], []]);
  });
});

describe('limits', () => {
  test('brute force over all orders and gaps of 5 pages => the oracle schedules', () => {
    const changes = [[0.5, 3], [1.2], [], [2, 2.5, 3.9], [7, 5.1]].map((times) =>
      Float64Array.from(times.sort()),
    );
    const orders = (rest: number[]): number[][] =>
      rest.length === 0
        ? [[]]
        : rest.flatMap((x) => orders(rest.filter((y) => y !== x)).map((o) => [x, ...o]));
    const all = orders([0, 1, 2, 3, 4]);
    const blur = (slots: ArrayLike<number>) =>
      exactBlur(changes, { visits: Float64Array.from(slots) }, [0, 4]);
    expect(blur(leastBlurSchedule(changes, 1).visits)).toBeCloseTo(Math.min(...all.map(blur)), 9);
    const sharp = (gaps: number[]) =>
      sharpPages(changes, {
        visits: Float64Array.from(gaps, (g) => 4 - g),
        revisits: Float64Array.from(gaps, (g) => 5 + g),
      }).length;
    expect(sharpPages(changes, mostSharpSchedule(changes, 1))).toHaveLength(Math.max(...all.map(sharp)));
  });
});

test('text table => aligned', () => {
  expect(
    textTable(
      ['a', 'bb'],
      [
        ['x', 1.5],
        ['yyy', undefined],
      ],
    ),
  ).toBe('a    bb\nx    1.500\nyyy  -');
});

const zdf = sharedData('sites/teletext-zdf.tsv.gz');

describe.skipIf(zdf === undefined)('a real history (skipped where ../shared/data/sites is absent)', () => {
  const history = () => parseHistory(readTable(zdf as string), 'teletext-zdf');

  test('one capture of 24 h: organ pipe below breadth-first, explore-first within 10% of it', () => {
    const full = history();
    const [start = 0] = startTimes(full, 1, 12, 96);
    const one = captureCase(full, start, 24 * 3_600, { utcOffset: 3_600 });
    const site = siteOfCase(one, 1);
    const blur = (name: string) => exactBlur(one.changes, strategy(name).schedule(site), [0, one.duration]);
    expect(blur('sharc-offline')).toBeLessThan(0.9 * blur('breadth-first'));
    expect(blur('explore-first')).toBeLessThan(1.1 * blur('sharc-offline'));
    const summary = summarise(studyCase('zdf', one, { limits: false }));
    const found = (name: string) => summary.find((each) => each.strategy === name);
    expect(found(REVISITS_BY_HOUR)?.toSharc).toBeLessThan(1);
    expect(found(OFFLINE_BY_HOUR)?.toSharc).toBeLessThan(1);
    const clear = found(SHARPEST);
    expect(clear?.sharpToBreadthFirst).toBeGreaterThan(1);
  });

  test('rates of pages not learnt from => better than one rate for all, ranks correlate', () => {
    const result = studyPrediction('zdf', history());
    expect(result.rankCorrelation).toBeGreaterThan(0.5);
    expect(result.logError).toBeLessThan(result.logErrorOfConstant);
  });
});
