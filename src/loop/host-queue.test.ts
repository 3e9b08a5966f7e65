import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FrontierEntry } from '../model/crawl.ts';
import { HostQueue } from './host-queue.ts';

function entry(id: number, rank: number, notBefore = 0): FrontierEntry {
  return {
    id,
    kind: 'page',
    url: `http://h/${id}`,
    host: 'h',
    depth: 0,
    extraHops: 0,
    redirects: 0,
    rank,
    reason: '',
    attempts: 0,
    isSeed: false,
    notBefore,
  };
}

/** The catalog's side: pending entries by rank. */
class Pending {
  readonly entries = new Map<number, FrontierEntry>();
  readonly load = async (limit: number, except: readonly number[]): Promise<readonly FrontierEntry[]> =>
    [...this.entries.values()]
      .filter(({ id }) => !except.includes(id))
      .sort((a, b) => a.rank - b.rank || a.id - b.id)
      .slice(0, limit);
}

async function next(queue: HostQueue, now = 0): Promise<FrontierEntry | undefined> {
  await queue.load(now);
  return queue.take(now);
}

test('3,000 entries in the catalog => served lowest rank first, few at a time in memory', async () => {
  const pending = new Pending();
  for (let id = 0; id < 3000; id++) pending.entries.set(id, entry(id, (id * 7919) % 3000));
  const queue = new HostQueue('h', 3000, pending.load);
  for (let rank = 0; rank < 3000; rank++) {
    const taken = await next(queue);
    expect(taken?.rank).toBe(rank);
    if (!taken) return;
    pending.entries.delete(taken.id);
    queue.settled(taken);
  }
  expect(await next(queue)).toBeUndefined();
  expect(queue.size).toBe(0);
});

test('whatever is offered, taken, settled, deferred => always the lowest pending rank', async () => {
  const step = fc.oneof(
    fc.record({
      do: fc.constant('offer' as const),
      rank: fc.integer({ min: -1000, max: 1000 }),
      many: fc.integer({ min: 1, max: 300 }),
    }),
    fc.record({ do: fc.constant('take' as const), many: fc.integer({ min: 1, max: 200 }) }),
    fc.record({ do: fc.constant('defer' as const), wait: fc.integer({ min: 1, max: 5 }) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const pending = new Pending();
      const queue = new HostQueue('h', 0, pending.load);
      let ids = 0;
      let now = 0;
      for (const it of steps) {
        now++;
        if (it.do === 'offer') {
          for (let i = 0; i < it.many; i++) {
            const fresh = entry(ids++, it.rank + ((i * 31) % 17));
            pending.entries.set(fresh.id, fresh);
            queue.offer(fresh);
          }
        } else {
          for (let i = 0; i < (it.do === 'take' ? it.many : 1); i++) {
            const ready = [...pending.entries.values()].filter(({ notBefore }) => notBefore <= now);
            const taken = await next(queue, now);
            expect(taken?.rank).toBe(
              ready.length === 0 ? undefined : Math.min(...ready.map(({ rank }) => rank)),
            );
            if (!taken) break;
            if (it.do === 'take') {
              pending.entries.delete(taken.id);
              queue.settled(taken);
            } else {
              const later = { ...taken, notBefore: now + it.wait };
              pending.entries.set(taken.id, later);
              queue.defer(later);
            }
          }
        }
        expect(queue.size).toBe(pending.entries.size);
      }
    }),
    { numRuns: 60 },
  );
});
