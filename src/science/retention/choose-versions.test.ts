import { describe, expect, test } from 'vitest';
import { randomNumbers } from '../../../test/random-numbers.ts';
import { chooseVersions, type HeldVersion, type PageHoldings } from './choose-versions.ts';

const HOUR = 3_600_000;
const NOW = 1000 * HOUR;

const held = (hour: number, more: Partial<HeldVersion> = {}): HeldVersion => ({
  at: hour * HOUR,
  bytes: 100,
  importance: 0.1,
  ...more,
});

const page = (versions: readonly HeldVersion[], url = 'https://a.example/', weight = 1): PageHoldings => ({
  url,
  weight,
  versions,
});

const hours = (pages: readonly PageHoldings[], free: number): number[] =>
  chooseVersions(pages, { free, now: NOW }).map(({ at }) => at / HOUR);

describe('chooseVersions', () => {
  test('nothing to free => nothing goes', () => {
    expect(hours([page([held(1), held(2), held(3)])], 0)).toEqual([]);
  });

  test('more to free than may go => all but the first and the last', () => {
    expect(hours([page([held(1), held(2), held(3), held(4)])], 1e9).sort((a, b) => a - b)).toEqual([2, 3]);
  });

  test('one version, or two => none may go', () => {
    expect(hours([page([held(1)]), page([held(1), held(2)], 'https://b.example/')], 1e9)).toEqual([]);
  });

  test('the least important goes first; of equal ones the larger; of equal ones the older', () => {
    const versions = [held(0), held(10), held(20, { importance: 0.02 }), held(30), held(40)];
    expect(hours([page(versions)], 1)).toEqual([20]);
    const large = [held(0), held(10), held(20, { bytes: 1000 }), held(30), held(40)];
    expect(hours([page(large)], 1)).toEqual([20]);
    expect(hours([page([held(0), held(10), held(20), held(30), held(40)])], 1)).toEqual([10]);
  });

  test('a version of a page that matters more stays longer', () => {
    const versions = [held(0), held(10), held(20)];
    const pages = [page(versions, 'https://a.example/', 3), page(versions, 'https://b.example/', 1)];
    expect(chooseVersions(pages, { free: 1, now: NOW })).toMatchObject([{ url: 'https://b.example/' }]);
  });

  test('what must stay stays, and counts as a neighbour', () => {
    const versions = [held(0), held(10, { stays: 'pinned' }), held(20), held(30)];
    expect(hours([page(versions)], 1e9)).toEqual([20]);
  });

  test('a row of small changes => thinned out, not emptied: what goes is gathered in the next', () => {
    const small = Array.from({ length: 20 }, (_, i) => held(100 + i, { importance: 0.05 }));
    const versions = [held(99), ...small, held(120)];
    const gone = new Set(hours([page(versions)], 10 * 100));
    const runs = versions
      .map(({ at }) => (gone.has(at / HOUR) ? 'x' : '.'))
      .join('')
      .split('.');
    expect(Math.max(...runs.map(({ length }) => length))).toBe(1);
  });

  test('a small change that gathered many others outlives one that is larger than each of them', () => {
    const before = Array.from({ length: 9 }, (_, i) => held(101 + i, { importance: 0.1 }));
    const versions = [
      held(100),
      ...before,
      held(150, { stays: 'pinned' }),
      held(155, { importance: 0.2 }),
      held(200),
    ];
    // Of nine changes of .1 the last one left stands for .61.
    const gone = hours([page(versions)], 9 * 100);
    expect(gone).toContain(155);
    expect(before.filter(({ at }) => !gone.includes(at / HOUR))).toHaveLength(1);
  });

  test('equal versions every hour => what is left lies ever wider the older it is', () => {
    const versions = Array.from({ length: 999 }, (_, hour) => held(hour + 1));
    const gone = new Set(hours([page(versions)], 900 * 100));
    const left = versions.map(({ at }) => at / HOUR).filter((hour) => !gone.has(hour));
    expect(left).toHaveLength(99);
    const within = (from: number, to: number): number =>
      left.filter((hour) => 1000 - hour > from && 1000 - hour <= to).length;
    // Equally many in each doubling of age, apart from the youngest hours, of which there are too few.
    const doublings = [within(125, 250), within(250, 500), within(500, 1000)];
    for (const count of doublings) expect(count).toBeGreaterThan(8);
    expect(Math.max(...doublings) / Math.min(...doublings)).toBeLessThan(2);
    expect(within(0, 60)).toBeGreaterThan(within(500, 560));
  });

  test('the reason tells the numbers', () => {
    const [one] = chooseVersions([page([held(0), held(10), held(20)])], { free: 1, now: NOW });
    expect(one?.why).toBe(
      'importance 0.100; 41 days old, 20 h between the versions kept before and after it; 100 bytes',
    );
  });

  test('random holdings: enough is freed or nothing is left, nothing that stays goes, any order of pages => the same', () => {
    const random = randomNumbers(7);
    for (let round = 0; round < 30; round++) {
      const pages = Array.from({ length: 5 }, (_, i) =>
        page(
          Array.from({ length: Math.floor(random() * 12) }, (_v, j) =>
            held(j * 7 + 1, {
              bytes: Math.floor(random() * 500),
              importance: random(),
              ...(random() < 0.2 && { stays: 'certified' as const }),
            }),
          ),
          `https://${i}.example/`,
          random() + 0.01,
        ),
      );
      const free = random() * 3000;
      const chosen = chooseVersions(pages, { free, now: NOW });
      const freed = chosen.reduce((sum, { bytes }) => sum + bytes, 0);
      const free2 = pages.flatMap(({ versions }) =>
        versions.slice(1, -1).filter(({ stays, bytes }) => stays === undefined && bytes > 0),
      );
      expect(new Set(chosen.map(({ url, at }) => `${url} ${at}`)).size).toBe(chosen.length);
      if (freed < free) expect(chosen).toHaveLength(free2.length);
      for (const { url, at } of chosen) {
        const versions = pages.find((one) => one.url === url)?.versions ?? [];
        const index = versions.findIndex((one) => one.at === at);
        expect(versions[index]?.stays).toBeUndefined();
        expect(index).toBeGreaterThan(0);
        expect(index).toBeLessThan(versions.length - 1);
      }
      expect(chooseVersions(pages.toReversed(), { free, now: NOW })).toEqual(chosen);
    }
  });
});
