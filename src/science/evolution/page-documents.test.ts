import { expect, test } from 'vitest';
import type { PageAccess } from '../../model/site-delta.ts';
import { pageDocuments } from './page-documents.ts';
import { pageSummary } from './page-summary.ts';

const DAY = 24 * 60 * 60 * 1000;
const answer = (day: number, http: number, sha256 = '', more = {}): PageAccess => ({
  kind: 'answer',
  at: day * DAY,
  http,
  sha256,
  record: `<urn:uuid:${day}>`,
  ...more,
});
const statuses = (accesses: readonly PageAccess[]): string[] =>
  pageDocuments('own', accesses).map(({ status }) => status);

test('200 a, 200 a, 304 a, 200 b, 404, 404, 200 b => new, unchanged, unchanged, updated, deleted, deleted, new', () => {
  const course = [answer(1, 200, 'a'), answer(2, 200, 'a'), answer(3, 304, 'a'), answer(4, 200, 'b')];
  expect(statuses([...course, answer(5, 404), answer(6, 410), answer(7, 200, 'b')])).toEqual([
    ...['new', 'unchanged', 'unchanged', 'updated', 'deleted', 'deleted', 'new'],
  ]);
});

test('404 of what was never there, 500, 302, no answer => error, with the status or the fault', () => {
  const fault: PageAccess = { kind: 'fault', at: 9 * DAY, fault: 'timeout' };
  const documents = pageDocuments('own', [answer(1, 404), answer(2, 500), answer(3, 302), fault]);
  expect(documents.map(({ status, http, fault }) => [status, http ?? fault])).toEqual([
    ...[
      ['error', 404],
      ['error', 500],
      ['error', 302],
      ['error', 'timeout'],
    ],
  ]);
});

test('a failure in between => what follows is told by the last access that showed the page', () => {
  expect(statuses([answer(1, 200, 'a'), answer(2, 500), answer(3, 200, 'a')])).toEqual([
    'new',
    'error',
    'unchanged',
  ]);
});

test('left out by a rule, or covered by its mirror => the record of the last answer; held elsewhere => that one', () => {
  const documents = pageDocuments('own', [
    answer(1, 200, 'a', { file: 'a.warc.gz', offset: 7 }),
    { kind: 'inferred', at: 2 * DAY, reason: 'quiet' },
    { kind: 'mirrored', at: 3 * DAY, of: 'https://origin.example/' },
    { kind: 'virtual', at: 4 * DAY, reason: 'near', heldBy: 'other', record: 'urn:uuid:9' },
  ]);
  const reference = { record: 'urn:uuid:1', file: 'a.warc.gz', offset: 7 };
  expect(documents.slice(1)).toEqual([
    { at: 2 * DAY, archive: 'own', status: 'skipped', inferred: 'quiet', ...reference },
    { at: 3 * DAY, archive: 'own', status: 'mirror', of: 'https://origin.example/', ...reference },
    {
      at: 4 * DAY,
      archive: 'own',
      status: 'skipped',
      inferred: 'near',
      heldBy: 'other',
      record: 'urn:uuid:9',
    },
  ]);
});

test('a change at every second of daily accesses => about 0.7 changes a day; what was skipped counts for nothing', () => {
  const course = Array.from({ length: 41 }, (_, day) =>
    answer(day, 200, String(day >> 1), { size: 10 + day }),
  );
  const skipped: PageAccess = { kind: 'inferred', at: 50 * DAY, reason: 'quiet' };
  const { lastUpdate, changesPerDay, size } = pageSummary(pageDocuments('own', [...course, skipped]));
  expect([lastUpdate, size]).toEqual([40 * DAY, 50]);
  expect(changesPerDay).toBeCloseTo(Math.log(2), 1);
});

test('never shown => nothing to tell; shown once => no rate', () => {
  expect(pageSummary(pageDocuments('own', [answer(1, 500)]))).toEqual({});
  expect(pageSummary(pageDocuments('own', [answer(1, 200, 'a', { size: 3 })]))).toEqual({
    lastUpdate: DAY,
    size: 3,
  });
});
