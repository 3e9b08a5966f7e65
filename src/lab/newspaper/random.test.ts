import { describe, expect, it } from 'vitest';
import { hashKeys, stream, uniform } from './random.ts';

describe('stream', () => {
  it('same keys => same numbers, other keys => others', () => {
    const draw = (...keys: (string | number)[]) => {
      const random = stream(...keys);
      return [random.next(), random.next(), random.next()];
    };
    expect(draw(1, 'a')).toEqual(draw(1, 'a'));
    expect(draw(1, 'a')).not.toEqual(draw(1, 'b'));
    expect(draw(1, 'a')).not.toEqual(draw(2, 'a'));
  });

  it("('a', 'b') and ('ab'), 1 and '1' => different hashes", () => {
    expect(hashKeys(['a', 'b'])).not.toBe(hashKeys(['ab']));
    expect(hashKeys([1])).not.toBe(hashKeys(['1']));
  });

  it('100,000 draws => mean 0.5, and each tenth filled to within 5%', () => {
    const random = stream('uniform');
    const tenths = new Array<number>(10).fill(0);
    let sum = 0;
    for (let i = 0; i < 100_000; i++) {
      const x = random.next();
      sum += x;
      tenths[Math.floor(x * 10)] = (tenths[Math.floor(x * 10)] ?? 0) + 1;
    }
    expect(sum / 100_000).toBeCloseTo(0.5, 2);
    for (const count of tenths) expect(Math.abs(count - 10_000)).toBeLessThan(500);
  });

  it('hashes of consecutive numbers => spread evenly', () => {
    let sum = 0;
    for (let i = 0; i < 20_000; i++) sum += uniform('n', i);
    expect(sum / 20_000).toBeCloseTo(0.5, 2);
  });

  it('poisson(3), 20,000 draws => mean and variance about 3', () => {
    const random = stream('poisson');
    const draws = Array.from({ length: 20_000 }, () => random.poisson(3));
    const mean = draws.reduce((a, b) => a + b, 0) / draws.length;
    const variance = draws.reduce((a, b) => a + (b - mean) ** 2, 0) / draws.length;
    expect(Math.abs(mean - 3)).toBeLessThan(0.1);
    expect(Math.abs(variance - 3)).toBeLessThan(0.2);
  });

  it('sample(3 of 5) => three different entries; pick from nothing => an error', () => {
    expect(new Set(stream('s').sample([1, 2, 3, 4, 5], 3)).size).toBe(3);
    expect(() => stream('s').pick([])).toThrow(/empty/);
  });
});
