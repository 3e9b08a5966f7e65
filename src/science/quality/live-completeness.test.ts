import { describe, expect, test } from 'vitest';
import { poisson, seededNumbers } from './draws.ts';
import { liveCompleteness } from './live-completeness.ts';
import type { SeenHistory } from './rate-fit.ts';

const HOURS = 240;

/** Pages that change by a Poisson law, visited every `every` hours; what was captured and what appeared. */
function world(seed: number, rates: readonly number[], every: number) {
  const random = seededNumbers(seed);
  let [pooledCaptured, pooledAppeared, complete, counted] = [0, 0, 0, 0];
  const histories = rates.map((rate): SeenHistory => {
    const gaps = [];
    let [captured, appeared] = [0, 0];
    for (let hour = 0; hour < HOURS; hour += every) {
      const changes = Array.from({ length: poisson(rate * every, random) }, () => 0.3 * random());
      const importance = 1 - changes.reduce((stays, one) => stays * (1 - one), 1);
      gaps.push({ hours: every, changed: changes.length > 0, importance });
      appeared += changes.reduce((a, b) => a + b, 0);
      captured += changes.at(-1) ?? 0;
    }
    pooledCaptured += captured;
    pooledAppeared += appeared;
    if (appeared > 0) {
      complete += captured / appeared;
      counted++;
    }
    return { weight: 1, gaps, since: 0 };
  });
  return { histories, perPage: complete / counted, pooled: pooledCaptured / pooledAppeared };
}

const rates = Array.from({ length: 60 }, (_, i) => 0.01 * 1.08 ** i);

describe('liveCompleteness', () => {
  test('pages visited once, or none => nothing is known', () => {
    const random = seededNumbers(1);
    expect(liveCompleteness([], { random })).toEqual({ pages: 0, visits: 0 });
    expect(liveCompleteness([{ weight: 1, gaps: [], since: 5 }], { random })).toEqual({
      pages: 0,
      visits: 1,
    });
  });

  test('nothing ever changed, and the last visit was just now => fresh, and no completeness', () => {
    const gaps = Array.from({ length: 50 }, () => ({ hours: 10, changed: false, importance: 0 }));
    const found = liveCompleteness([{ weight: 1, gaps, since: 0 }], { random: seededNumbers(1) });
    expect(found).toEqual({ freshness: { mean: 1, low: 1, high: 1 }, pages: 1, visits: 51 });
  });

  test('changes far rarer than visits => nearly all is captured, and little is left open', () => {
    const gaps = Array.from({ length: 400 }, (_, i) => ({
      hours: 1,
      changed: i % 100 === 50,
      importance: 0.5,
    }));
    const histories = Array.from({ length: 30 }, () => ({ weight: 1, gaps, since: 1 }));
    const { perPage, pooled, freshness } = liveCompleteness(histories, { random: seededNumbers(1) });
    expect(perPage?.low).toBeGreaterThan(0.95);
    expect(pooled?.low).toBeGreaterThan(0.95);
    expect(freshness?.mean).toBeCloseTo(0.99, 2);
  });

  test('drawn pages, visited every 1, 4 and 12 hours => the interval of 90 % holds the truth in at least 90 % of runs', () => {
    let [runs, perPageHeld, pooledHeld] = [0, 0, 0];
    for (let seed = 1; seed <= 8; seed++) {
      for (const every of [1, 4, 12]) {
        const { histories, perPage, pooled } = world(seed, rates, every);
        const found = liveCompleteness(histories, { random: seededNumbers(seed), rounds: 100 });
        runs++;
        if ((found.perPage?.low ?? 1) <= perPage && perPage <= (found.perPage?.high ?? 0)) perPageHeld++;
        if ((found.pooled?.low ?? 1) <= pooled && pooled <= (found.pooled?.high ?? 0)) pooledHeld++;
      }
    }
    expect(perPageHeld / runs).toBeGreaterThanOrEqual(0.9);
    expect(pooledHeld / runs).toBeGreaterThanOrEqual(0.9);
  });

  test('some pages visited densely too => a narrower interval for all', () => {
    const { histories } = world(3, rates, 12);
    const dense = world(4, rates, 1).histories.slice(0, 20);
    const width = (of: readonly SeenHistory[]): number => {
      const { perPage } = liveCompleteness(of, { random: seededNumbers(1), rounds: 200 });
      return (perPage?.high ?? 1) - (perPage?.low ?? 0);
    };
    // The same pages, a third of them audited: gaps of an hour alongside those of twelve.
    const mixed = histories.map((page, i) => ({ ...page, gaps: [...page.gaps, ...(dense[i]?.gaps ?? [])] }));
    expect(width(mixed)).toBeLessThan(width(histories));
  });

  test('the same seed => the same numbers', () => {
    const { histories } = world(1, rates.slice(0, 5), 4);
    const of = () => liveCompleteness(histories, { random: seededNumbers(9), rounds: 20 });
    expect(of()).toEqual(of());
  });
});
