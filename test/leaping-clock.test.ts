import { expect, it } from 'vitest';
import { leapingClock } from './leaping-clock.ts';

it('two sleep => they wake in the order of their times, each at its time', async () => {
  const clock = leapingClock(1_000);
  const woken: [string, number][] = [];
  const sleep = (name: string, ms: number) => clock.sleep(ms).then(() => woken.push([name, clock.now()]));
  await Promise.all([sleep('late', 3_600_000), sleep('soon', 60_000)]);
  expect(woken).toEqual([
    ['soon', 61_000],
    ['late', 3_601_000],
  ]);
});

it('nobody sleeps => it stands still; an aborted sleep ends at once and moves nothing', async () => {
  const clock = leapingClock(1_000);
  const stop = new AbortController();
  const asleep = clock.sleep(60_000, stop.signal);
  stop.abort();
  await asleep;
  await clock.sleep(0);
  expect(clock.now()).toBe(1_000);
});

it('set back => those who sleep wake at the times they asked for', async () => {
  const clock = leapingClock(10_000);
  const asleep = clock.sleep(1_000);
  clock.shift(-5_000);
  expect(clock.now()).toBe(5_000);
  await asleep;
  expect(clock.now()).toBe(11_000);
});
