import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { irregularRate, logLikelihood, regularRate, score, type VisitGap } from './change-rate.ts';
import { fitHourProfile, flatProfile, profileTime } from './hour-profile.ts';
import { FEATURE_NAMES, featuresOf } from './page-features.ts';
import { rankCorrelation } from './rank-correlation.ts';
import { evaluatePredictor, type PredictorExample, RatePredictor, trainPredictor } from './rate-predictor.ts';
import { fitDirectoryPriors, shrunkRate } from './shrinkage.ts';

/** Numbers in [0, 1), the same every time. */
function draws(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
}

describe('rates from visits', () => {
  test('regular: never changed, always changed, half => finite, bias-reduced', () => {
    expect(regularRate(10, 0, 1)).toBe(0);
    expect(regularRate(10, 10, 1)).toBeCloseTo(Math.log(10.5 / 0.5), 12);
    expect(regularRate(10, 5, 2)).toBeCloseTo(-Math.log(5.5 / 10.5) / 2, 12);
    expect(() => regularRate(3, 4, 1)).toThrow('4 changes cannot be seen in 3 intervals');
    expect(() => regularRate(3, 1, 0)).toThrow('must be > 0');
  });

  test('regular gaps => the closed form of the likelihood, −ln(1 − X/N)/I', () => {
    const visits: VisitGap[] = Array.from({ length: 20 }, (_, i) => ({ gap: 3, changed: i < 7 }));
    expect(irregularRate(visits).rate).toBeCloseTo(-Math.log(1 - 7 / 20) / 3, 9);
  });

  test('irregular => a zero of the score, no better likelihood on a grid, and inside its interval', () => {
    const gap = fc.record({ gap: fc.double({ min: 0.1, max: 50, noNaN: true }), changed: fc.boolean() });
    fc.assert(
      fc.property(fc.array(gap, { minLength: 2, maxLength: 30 }), (visits) => {
        fc.pre(visits.some((v) => v.changed) && visits.some((v) => !v.changed));
        const { rate, low, high } = irregularRate(visits);
        const scale = visits.reduce((sum, v) => sum + v.gap, 0);
        expect(Math.abs(score(visits, rate)) / scale).toBeLessThan(1e-6);
        expect(low).toBeLessThan(rate);
        expect(high).toBeGreaterThan(rate);
        for (const factor of [0.5, 0.9, 1.1, 2]) {
          expect(logLikelihood(visits, rate * factor)).toBeLessThanOrEqual(
            logLikelihood(visits, rate) + 1e-9,
          );
        }
      }),
    );
  });

  test('the 95% interval holds the true rate in 90-99% of 300 histories', () => {
    const random = draws(5);
    let held = 0;
    for (let k = 0; k < 300; k++) {
      const visits = Array.from({ length: 40 }, () => {
        const gap = 0.2 + 3 * random();
        return { gap, changed: random() < -Math.expm1(-0.4 * gap) };
      });
      const { low, high } = irregularRate(visits);
      if (low <= 0.4 && 0.4 <= high) held++;
    }
    expect(held).toBeGreaterThan(270);
    expect(held).toBeLessThan(298);
  });

  test('no visits, never, always changed; a gap of 0 => refused', () => {
    expect(irregularRate([])).toMatchObject({ rate: 0, high: Number.POSITIVE_INFINITY });
    const never = irregularRate([{ gap: 10, changed: false }]);
    expect(never.low).toBe(0);
    expect(never.rate).toBeGreaterThan(0);
    expect(never.rate).toBeLessThan(never.high);
    const always = irregularRate([1, 2, 3].map((gap) => ({ gap, changed: true })));
    expect(Number.isFinite(always.rate)).toBe(true);
    expect(always.low).toBeLessThan(always.rate);
    expect(() => irregularRate([{ gap: 0, changed: true }])).toThrow('a gap between visits must be > 0');
  });
});

describe('shrinkage', () => {
  test('short histories lean on their directory, long ones on themselves', () => {
    const hot = Array.from({ length: 10 }, (_, i) => ({ directory: 'hot/', changes: 90 + i, time: 10 }));
    const cold = Array.from({ length: 10 }, () => ({ directory: 'cold/', changes: 1, time: 10 }));
    const priors = fitDirectoryPriors([...hot, ...cold]);
    const unknown = { changes: 0, time: 0 };
    expect(shrunkRate({ directory: 'hot/', ...unknown }, priors)).toBeGreaterThan(5);
    expect(shrunkRate({ directory: 'cold/', ...unknown }, priors)).toBeLessThan(2);
    expect(shrunkRate({ directory: 'new/', ...unknown }, priors)).toBeCloseTo(priors.site.mean, 9);
    expect(shrunkRate({ directory: 'cold/', changes: 1_000, time: 100 }, priors)).toBeGreaterThan(8);
  });

  test('nearer to the true rates than the raw ones', () => {
    const random = draws(11);
    const pages = Array.from({ length: 300 }, (_, i) => {
      const truth = (i % 3 === 0 ? 4 : 0.5) * (0.5 + random());
      const wait = () => -Math.log(1 - random()) / truth;
      let changes = 0;
      for (let t = wait(); t < 2; t += wait()) changes++;
      return { directory: `${i % 3}/`, changes, time: 2, truth };
    });
    const priors = fitDirectoryPriors(pages);
    const error = (rate: (page: (typeof pages)[number]) => number) =>
      pages.reduce((sum, page) => sum + (rate(page) - page.truth) ** 2, 0);
    expect(error((page) => shrunkRate(page, priors))).toBeLessThan(
      0.6 * error((page) => page.changes / page.time),
    );
  });

  test('nothing ever changed, nothing observed => 0', () => {
    const pages = [{ directory: '', changes: 0, time: 5 }];
    expect(shrunkRate({ directory: '', changes: 0, time: 5 }, fitDirectoryPriors(pages))).toBe(0);
    expect(shrunkRate({ directory: '', changes: 0, time: 0 }, fitDirectoryPriors([]))).toBe(0);
  });
});

describe('hours of the day', () => {
  test('changes at 08:30 only => hour 8 above all others, mean 1', () => {
    const changes = Array.from({ length: 50 }, (_, day) => day * 86_400 + 8.5 * 3_600);
    const { factors } = fitHourProfile(changes, flatProfile());
    expect(factors.indexOf(Math.max(...factors))).toBe(8);
    expect(factors.reduce((a, b) => a + b, 0)).toBeCloseTo(24, 9);
    expect(fitHourProfile(changes, flatProfile(3_600)).factors[9]).toBeGreaterThan(10);
  });

  test('no changes => the prior; hours seldom observed do not look quiet', () => {
    expect([...fitHourProfile([], flatProfile()).factors]).toEqual(new Array(24).fill(1));
    const observed = Array.from({ length: 24 }, (_, hour) => (hour < 12 ? 3 : 1));
    const changes = Array.from({ length: 4_800 }, (_, k) => {
      const slot = k % 48;
      return (slot < 36 ? slot % 12 : 12 + ((slot - 36) % 12)) * 3_600 + 1;
    });
    const { factors } = fitHourProfile(changes, flatProfile(), observed);
    for (const factor of factors) expect(factor).toBeCloseTo(1, 6);
  });

  test('a day of any profile lasts a day; flat => elapsed time', () => {
    const profile = fitHourProfile([1, 2, 3, 40_000], flatProfile(-7_200));
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2e9 }), (time) => {
        expect(profileTime(profile, time + 86_400) - profileTime(profile, time)).toBeCloseTo(86_400, 3);
        expect(profileTime(flatProfile(), time + 77) - profileTime(flatProfile(), time)).toBeCloseTo(77, 3);
      }),
    );
  });
});

describe('prediction', () => {
  test('rank correlation: same order 1, reversed −1, constant 0, ties shared', () => {
    expect(rankCorrelation([1, 2, 3], [10, 20, 30])).toBeCloseTo(1, 12);
    expect(rankCorrelation([1, 2, 3], [3, 2, 1])).toBeCloseTo(-1, 12);
    expect(rankCorrelation([1, 1, 1], [3, 2, 1])).toBe(0);
    expect(rankCorrelation([1, 1, 2, 2], [1, 2, 3, 4])).toBeCloseTo(0.894427, 5);
  });

  test('features: one number per name, all finite, facts that are absent too', () => {
    for (const path of ['/', '/a/b.html', '/news/2024/05/x?id=1&p=2', '/~user/', '/x.pdf']) {
      const values = featuresOf({ path });
      expect(values).toHaveLength(FEATURE_NAMES.length);
      expect(values.every(Number.isFinite)).toBe(true);
    }
    const feature = (name: string, path: string) => featuresOf({ path })[FEATURE_NAMES.indexOf(name)];
    expect(feature('date in URL', '/news/2024/05/x')).toBe(1);
    expect(feature('~user', '/~user/')).toBe(1);
    expect(feature('query', '/a?b=1')).toBe(1);
    expect(feature('document', '/x.pdf')).toBe(1);
  });

  const pages = (count: number, seed: number): PredictorExample[] => {
    const random = draws(seed);
    return Array.from({ length: count }, (_, i) => {
      const live = random() < 0.3;
      const rate = live ? 5 : 0.1;
      const path = live ? `/live/${i}` : `/archive/2010/0${1 + (i % 9)}/${i}.html`;
      return {
        facts: { path, ...(live ? { maxAge: 0 } : {}) },
        changes: Math.round(rate * 20 * (0.5 + random())),
        time: 20 * 86_400,
      };
    });
  };

  test('held-out pages => rank correlation above 0.7, error far below one rate for all', () => {
    const result = evaluatePredictor(trainPredictor(pages(300, 1)), pages(100, 2));
    expect(result.rankCorrelation).toBeGreaterThan(0.7);
    expect(result.logError).toBeLessThan(0.6 * result.logErrorOfConstant);
  });

  test('nothing learnt => the shared prior, a change in 30 days', () => {
    expect(new RatePredictor().predict({ path: '/x' }) * 86_400).toBeCloseTo(1 / 30, 9);
    expect(() => new RatePredictor().learn({ facts: { path: '/' }, changes: 1, time: 0 })).toThrow(
      'teaches nothing',
    );
  });

  test('learnt page by page in any order => the same', () => {
    const list = pages(50, 3);
    const forward = trainPredictor(list).predict({ path: '/live/x', maxAge: 0 });
    expect(trainPredictor([...list].reverse()).predict({ path: '/live/x', maxAge: 0 })).toBeCloseTo(
      forward,
      12,
    );
  });
});
