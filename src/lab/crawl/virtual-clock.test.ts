import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { attended, virtualClock } from './virtual-clock.ts';

const DAY = 86_400_000;

test('three sleepers => woken by due time, equals as they lay down, at once in real time', async () => {
  const clock = virtualClock(1_000);
  const woken: [string, number][] = [];
  const sleep = async (name: string, ms: number): Promise<void> => {
    await clock.sleep(ms);
    woken.push([name, clock.now()]);
  };
  await Promise.all([sleep('late', DAY), sleep('first', 5), sleep('second', 5), sleep('now', 0)]);
  expect(woken).toEqual([
    ['now', 1_000],
    ['first', 1_005],
    ['second', 1_005],
    ['late', 1_000 + DAY],
  ]);
});

test('what a sleeper starts is done before the next one wakes, however many promises deep', async () => {
  const clock = virtualClock(0);
  const seen: number[] = [];
  async function deep(): Promise<void> {
    for (let i = 0; i < 1_000; i++) await Promise.resolve();
    seen.push(clock.now());
  }
  await Promise.all([clock.sleep(1).then(deep), clock.sleep(2).then(() => seen.push(clock.now()))]);
  expect(seen).toEqual([1, 2]);
});

test('an aborted sleep ends at once, and time does not leap for it', async () => {
  const clock = virtualClock(0);
  const alarm = new AbortController();
  const asleep = clock.sleep(DAY, alarm.signal);
  alarm.abort();
  await asleep;
  await clock.sleep(1);
  expect(clock.now()).toBe(1);
  await clock.sleep(5, alarm.signal);
  expect(clock.now()).toBe(1);
});

test('work that takes real time => no time passes for those who sleep meanwhile', async () => {
  const clock = virtualClock(0);
  const disk = attended({ write: () => wait(20).then(() => clock.now()), size: 3 }, clock);
  const [written] = await Promise.all([disk.write(), clock.sleep(DAY)]);
  expect(written).toBe(0);
  expect(clock.now()).toBe(DAY);
  expect(disk.size).toBe(3);
});

test('5,000 random sleeps => each wakes at its time, in order', async () => {
  const clock = virtualClock(0);
  const times: number[] = [];
  await Promise.all(
    Array.from({ length: 5_000 }, async (_, i) => {
      const due = (i * 7_919) % 1_009;
      await clock.sleep(due);
      expect(clock.now()).toBe(due);
      times.push(due);
    }),
  );
  expect(times).toEqual(times.toSorted((a, b) => a - b));
});
