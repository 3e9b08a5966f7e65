import { expect, it } from 'vitest';
import type { PolitenessSpec } from '../model/crawl.ts';
import { Courtesy } from './courtesy.ts';
import { turnElsewhere } from './turn-elsewhere.ts';

const politeness = { delay: 1_000, delayFactor: 0, maxDelay: 60_000 } as PolitenessSpec;

function rig(mayAsk: () => boolean = () => true) {
  let now = 50_000;
  const { signal } = new AbortController();
  const manners = new Courtesy().of('b.example');
  const clock = {
    now: () => now,
    async sleep(ms: number) {
      now += ms;
    },
  };
  const options = { manners, leases: { mayAsk }, politeness, clock, random: () => 0, signal };
  return { manners, clock, turn: () => turnElsewhere('b.example', options) };
}

it('the host is owed a pause => its turn comes after it, and the next one after another', async () => {
  const { manners, clock, turn } = rig();
  manners.politeness = { ...manners.politeness, nextAt: 53_000 };
  const end = await turn();
  expect(clock.now()).toBe(53_000);
  expect(manners.inFlight).toBe(1);
  end?.(200);
  expect(manners.inFlight).toBe(0);
  await turn();
  expect(clock.now()).toBe(54_000);
});

it('another worker has the host => no turn before it is had, and none at all after a minute', async () => {
  let isHad = false;
  const had = rig(() => isHad);
  const turn = had.turn();
  isHad = true;
  expect(await turn).toBeDefined();
  const never = rig(() => false);
  expect(await never.turn()).toBeUndefined();
  expect(never.manners.inFlight).toBe(0);
});

it('the host is being asked => no second request at once', async () => {
  const { manners, turn } = rig();
  manners.inFlight = 1;
  expect(await turn()).toBeUndefined();
});
