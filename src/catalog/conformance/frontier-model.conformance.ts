import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { VisitOutcome } from '../../model/crawl.ts';
import { batch, entry, type NewPlace, SPEC, skipOf, visited, visitOf } from './examples.conformance.ts';

interface Row {
  id: number;
  state: VisitOutcome | 'pending' | 'skipped';
  rank: number;
  attempts: number;
  wasQueued: boolean;
}

type Step =
  | { readonly do: 'discover'; readonly urls: readonly number[]; readonly rank: number }
  | { readonly do: 'skip'; readonly urls: readonly number[] }
  | { readonly do: 'settle'; readonly url: number; readonly outcome: VisitOutcome }
  | { readonly do: 'deny'; readonly url: number }
  | { readonly do: 'limit' }
  | { readonly do: 'reopen' };

const urlNumber = fc.integer({ min: 0, max: 7 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant('discover' as const),
    urls: fc.array(urlNumber, { maxLength: 4 }),
    rank: fc.integer({ min: -3, max: 3 }),
  }),
  fc.record({ do: fc.constant('skip' as const), urls: fc.array(urlNumber, { maxLength: 4 }) }),
  fc.record({
    do: fc.constant('settle' as const),
    url: urlNumber,
    outcome: fc.constantFrom<VisitOutcome[]>('captured', 'unchanged', 'failed', 'deferred'),
  }),
  fc.record({ do: fc.constant('deny' as const), url: urlNumber }),
  { weight: 1, arbitrary: fc.record({ do: fc.constant('limit' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reopen' as const) }) },
);

const urlOf = (n: number): string => `https://example.org/${n}`;

/** The frontier against a plain map that says the same in twenty lines. */
export function frontierModel(newPlace: NewPlace, runs: number): void {
  it('any order of discoveries, skips, settlements, denials and limits => as the model says', async () => {
    const place = await newPlace();
    let catalog = await place.open();
    const property = fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const { id: crawlId } = await catalog.createCrawl('key', SPEC, 1);
      const model = new Map<string, Row>();
      let now = 0;
      let bytes = 0;
      for (const action of steps) {
        now++;
        if (action.do === 'reopen') {
          await catalog.close();
          catalog = await place.open();
        } else if (action.do === 'limit') {
          const expected = [...model.values()].filter(({ state }) => state === 'pending');
          expect(await catalog.skipPending(crawlId, 'time-limit', '')).toBe(expected.length);
          for (const row of expected) row.state = 'skipped';
        } else if (action.do === 'discover') {
          const discovered = action.urls.map((n) => entry(urlOf(n), { rank: action.rank }));
          const { enqueued } = await catalog.commit(batch(crawlId, { discovered }));
          const fresh = [...new Set(action.urls.map(urlOf))].filter((url) => {
            const row = model.get(url);
            return !row || (row.state === 'skipped' && !row.wasQueued);
          });
          expect(enqueued.map(({ url }) => url).toSorted()).toEqual(fresh.toSorted());
          for (const { url, id, rank } of enqueued) {
            model.set(url, { id, state: 'pending', rank, attempts: 0, wasQueued: true });
          }
        } else if (action.do === 'skip') {
          await catalog.commit(batch(crawlId, { skips: action.urls.map((n) => skipOf(urlOf(n))) }));
          for (const url of action.urls.map(urlOf)) {
            if (!model.has(url))
              model.set(url, { id: 0, state: 'skipped', rank: 0, attempts: 0, wasQueued: false });
          }
        } else {
          const url = urlOf(action.url);
          const row = model.get(url);
          if (!row?.wasQueued) continue;
          const pending = row.state === 'pending';
          if (action.do === 'deny') {
            await catalog.commit(
              batch(crawlId, { denials: [{ entryId: row.id, reason: 'robots', detail: '' }] }),
            );
            if (pending) row.state = 'skipped';
          } else {
            const { outcome } = action;
            await catalog.commit(
              batch(crawlId, { visits: [visited(row.id, visitOf(url, { at: now, outcome, bytes: 1 }))] }),
            );
            if (!pending) continue;
            bytes++;
            if (outcome === 'deferred') row.attempts++;
            else row.state = outcome;
          }
        }
      }
      const rows = [...model];
      const count = (state: Row['state']): number => rows.filter(([, row]) => row.state === state).length;
      expect(await catalog.tally(crawlId)).toMatchObject({
        captured: count('captured'),
        unchanged: count('unchanged'),
        failed: count('failed'),
        skipped: count('skipped'),
        pending: count('pending'),
        bytes,
      });
      const expected = rows
        .filter(([, { state }]) => state === 'pending')
        .toSorted(([, a], [, b]) => a.rank - b.rank || a.id - b.id)
        .map(([url, { attempts, id }]) => ({ url, attempts, id }));
      const found = await catalog.pending(crawlId, 'example.org', 99);
      expect(found.map(({ url, attempts, id }) => ({ url, attempts, id }))).toEqual(expected);
    });
    try {
      await fc.assert(property, { numRuns: runs });
    } finally {
      await catalog.close();
      await place.remove();
    }
  });
}
