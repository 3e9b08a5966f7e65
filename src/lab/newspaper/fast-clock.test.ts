import { describe, expect, it } from 'vitest';
import { fastClock } from './fast-clock.ts';

const HOUR = 3_600_000;

describe('fastClock', () => {
  it('speed 3600: one real second => one hour', () => {
    let real = 0;
    const clock = fastClock({ start: 5000, speed: 3600, realNow: () => real });
    real = 1000;
    expect(clock.now()).toBe(5000 + HOUR);
  });

  it('paused => stands still; resumed => goes on from there', () => {
    let real = 0;
    const clock = fastClock({ start: 0, speed: 10, realNow: () => real });
    real = 100;
    clock.pause();
    real = 900;
    expect(clock.now()).toBe(1000);
    clock.resume();
    real = 1000;
    expect(clock.now()).toBe(2000);
  });

  it('set, advance, setSpeed => take effect at once and go on', () => {
    let real = 0;
    const clock = fastClock({ start: 0, speed: 1, realNow: () => real });
    clock.set(50_000);
    clock.advance(HOUR);
    expect(clock.now()).toBe(50_000 + HOUR);
    clock.setSpeed(100);
    real = 10;
    expect(clock.now()).toBe(51_000 + HOUR);
    expect(() => clock.setSpeed(-1)).toThrow(/speed/);
  });

  it('sleep for an hour while paused => wakes when the clock is advanced past it', async () => {
    const clock = fastClock({ start: 0, speed: 0 });
    const woken: string[] = [];
    const short = clock.sleep(HOUR).then(() => woken.push('short'));
    const long = clock.sleep(3 * HOUR).then(() => woken.push('long'));
    clock.advance(2 * HOUR);
    await short;
    expect(woken).toEqual(['short']);
    clock.advance(2 * HOUR);
    await long;
    expect(woken).toEqual(['short', 'long']);
  });

  it('sleep at high speed => real time passes by itself; an aborted sleep ends', async () => {
    const clock = fastClock({ start: 0, speed: HOUR });
    await clock.sleep(10 * HOUR);
    expect(clock.now()).toBeGreaterThanOrEqual(10 * HOUR);
    const stop = new AbortController();
    const endless = clock.sleep(1e15, stop.signal);
    stop.abort();
    await endless;
    expect(clock.now()).toBeLessThan(1e15);
  });
});
