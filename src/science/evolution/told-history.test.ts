import { expect, test } from 'vitest';
import type { DeltaDocument } from '../../model/site-delta.ts';
import { mergedSightings, toldSite } from './told-history.ts';

const document = (at: number, status: DeltaDocument['status'], more: Partial<DeltaDocument> = {}) =>
  ({ at, status, archive: 'other', ...more }) satisfies DeltaDocument;

async function* pages(...documents: DeltaDocument[]) {
  yield { url: 'https://example.org/doc/a', documents };
}

test('new, unchanged, updated, deleted => sightings; errors, what was skipped and mirrors are none', async () => {
  const { seen, heldBy } = await toldSite(
    pages(
      document(1, 'new', { sha256: 'a' }),
      document(2, 'error', { http: 500 }),
      document(3, 'unchanged', { sha256: 'a', look: 'x' }),
      document(4, 'skipped', { inferred: 'quiet' }),
      document(5, 'mirror'),
      document(6, 'updated', { sha256: 'b', importance: 0.5 }),
      document(7, 'deleted'),
    ),
    [],
  );
  expect(seen[0]?.sightings).toEqual([
    { at: 1, state: 'there', sha256: 'a' },
    { at: 3, state: 'there', sha256: 'a', look: 'x' },
    { at: 6, state: 'there', sha256: 'b', importance: 0.5 },
    { at: 7, state: 'gone', sha256: '' },
  ]);
  expect(heldBy.size).toBe(0);
});

test('documents without digests => statuses tell whether the bytes are the same', async () => {
  const { seen } = await toldSite(
    pages(document(1, 'updated'), document(2, 'unchanged'), document(3, 'updated')),
    [],
  );
  const bytes = seen[0]?.sightings.map(({ sha256 }) => sha256) ?? [];
  expect([bytes[0] === bytes[1], bytes[1] === bytes[2]]).toEqual([true, false]);
});

test('a crawl that left a directory out => it did not look there; what is later than `before` is not told', async () => {
  const crawls = [
    { archive: 'other', from: 4, to: 9 },
    { archive: 'other', from: 20, to: 30 },
  ];
  const course = [document(1, 'new'), document(4, 'skipped', { inferred: 'near' }), document(21, 'deleted')];
  const { crawls: spans, heldBy, seen } = await toldSite(pages(...course), crawls, 10);
  expect(spans).toEqual([{ from: 4, to: 9, inferred: ['/doc/'] }]);
  expect([...heldBy]).toEqual([['https://example.org/doc/a', 'other']]);
  expect(seen[0]?.sightings).toHaveLength(1);
});

test('own and told sightings of a page => in time, of one moment the own one', () => {
  const there = (at: number, sha256: string) => ({ at, state: 'there', sha256 }) as const;
  const own = [{ url: 'a', sightings: [there(2, 'own'), there(4, 'own')] }];
  const told = [
    { url: 'a', sightings: [there(1, 'told'), there(4, 'told')] },
    { url: 'b', sightings: [there(3, 'told')] },
  ];
  expect(mergedSightings(own, told)).toEqual([
    { url: 'a', sightings: [there(1, 'told'), there(2, 'own'), there(4, 'own')] },
    { url: 'b', sightings: [there(3, 'told')] },
  ]);
});
