import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type FrontierEntry, RANKS } from '../model/crawl.ts';
import { HostQueue, type LoadPending, type NextPlace, NOTHING_PENDING } from './host-queue.ts';

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
  loads = 0;
  readonly load: LoadPending = async ({ from, to, offset, limit }) => {
    this.loads++;
    return this.sorted(from, to).slice(offset, offset + limit);
  };
  sorted(from = RANKS.pages as number, to = RANKS.reserve as number): FrontierEntry[] {
    return [...this.entries.values()]
      .filter(({ rank }) => rank >= from && rank < to)
      .sort((a, b) => a.rank - b.rank || a.id - b.id);
  }
}

async function next(queue: HostQueue, now = 0): Promise<FrontierEntry | undefined> {
  const held = queue.take(now);
  if (held) return held;
  await queue.load();
  return queue.take(now);
}

test.each<[string, NextPlace, (rest: number[]) => number]>([
  ['the lowest rank first', () => 0, (rest) => rest[0] as number],
  ['the highest rank first', (waiting) => waiting - 1, (rest) => rest.at(-1) as number],
  ['from the middle out', (waiting) => waiting / 2, (rest) => rest[Math.floor(rest.length / 2)] as number],
])('3,000 entries in the catalog, %s => so served, few at a time in memory', async (_, place, expected) => {
  const pending = new Pending();
  for (let id = 0; id < 3000; id++) pending.entries.set(id, entry(id, (id * 7919) % 3000));
  const queue = new HostQueue('h', { ...NOTHING_PENDING, pages: 3000 }, pending.load, place);
  const rest = Array.from({ length: 3000 }, (_unused, rank) => rank);
  while (rest.length > 0) {
    const taken = await next(queue);
    const wanted = expected(rest);
    expect(taken?.rank).toBe(wanted);
    if (!taken) return;
    rest.splice(rest.indexOf(wanted), 1);
    pending.entries.delete(taken.id);
    queue.settled(taken);
  }
  expect(await next(queue)).toBeUndefined();
  expect(queue.size).toBe(0);
  expect(pending.loads).toBeLessThan(60);
});

test('what a page embeds comes before pages, and pages in reserve after them, whichever end the order serves', async () => {
  const pending = new Pending();
  const queue = new HostQueue('h', NOTHING_PENDING, pending.load, (waiting) => waiting - 1);
  for (const [id, rank] of [5, RANKS.reserve + 1, 7, RANKS.atOnce + 1, RANKS.reserve, RANKS.atOnce].entries())
    queue.offer(entry(id, rank));
  const served: number[] = [];
  for (let taken = queue.take(0); taken; taken = queue.take(0)) served.push(taken.id);
  expect(served).toEqual([5, 3, 2, 0, 4, 1]);
});

test('an entry that the catalog showed before its offer came => handed out once', async () => {
  const pending = new Pending();
  const queue = new HostQueue('h', { ...NOTHING_PENDING, pages: 1 }, pending.load);
  for (const id of [1, 2]) pending.entries.set(id, entry(id, id));
  await queue.load();
  expect(queue.take(0)?.id).toBe(1);
  for (const id of [1, 2]) queue.offer(entry(id, id));
  expect(queue.take(0)?.id).toBe(2);
  expect(queue.take(0)).toBeUndefined();
});

test('counts that are too high => an empty answer of the catalog puts them right', async () => {
  const queue = new HostQueue('h', { ...NOTHING_PENDING, pages: 600 }, new Pending().load, (n) => n - 1);
  expect(await next(queue)).toBeUndefined();
  expect(queue.size).toBe(0);
  expect(queue.readyAt(0)).toBe(Number.POSITIVE_INFINITY);
});

test('whatever is offered, taken, settled, deferred => always the place asked for', async () => {
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
    fc.asyncProperty(
      fc.array(step, { maxLength: 30 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      async (steps, share) => {
        const pending = new Pending();
        const place: NextPlace = (waiting) => share * (waiting - 1);
        const queue = new HostQueue('h', NOTHING_PENDING, pending.load, place);
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
              const ready = pending.sorted().filter(({ notBefore }) => notBefore <= now);
              const taken = await next(queue, now);
              expect(taken?.id).toBe(ready[Math.floor(place(ready.length))]?.id);
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
      },
    ),
    { numRuns: 80 },
  );
});
