import { expect, test } from 'vitest';
import type { VisitCommit } from '../../ports/catalog.ts';
import { seenVisit } from './seen-visit.ts';

const entry = { url: 'https://e.org/' };
const commit = (visit: object, more: object = {}) =>
  ({
    visit: { at: 7, bytes: 10, outcome: 'captured', status: 200, ...visit },
    captures: [],
    ...more,
  }) as unknown as VisitCommit;
const known = { kind: 'refresh', isFirst: false } as const;

test.each([
  ['a change with its importance', commit({}, { change: { importance: 0.4 } }), 'changed', 0.4],
  ['a change that no reader sees', commit({}, { change: { importance: 0 } }), 'unchanged', 0],
  ['other bytes, the same layout', commit({}, { page: { layoutAt: 1 } }), 'unchanged', 0],
  ['other bytes that nobody looked at', commit({}, { page: {} }), 'changed', 0.1],
  ['the same bytes', commit({ outcome: 'unchanged' }), 'unchanged', 0],
  ['404', commit({ outcome: 'failed', status: 404 }), 'gone', 0],
  ['a redirect', commit({ status: 301 }, { redirect: 'https://e.org/b' }), 'unchanged', 0],
  ['503', commit({ outcome: 'failed', status: 503 }), 'failed', 0],
])('%s => %s', (_, stored, outcome, importance) => {
  expect(seenVisit(entry, stored, known)).toMatchObject({ outcome, importance, requests: 1, bytes: 10 });
});

test('a failure => with its reason', () => {
  const fault = { kind: 'timeout', detail: 'no answer within 5 s' };
  const seen = seenVisit(entry, commit({ outcome: 'failed', status: undefined, fault } as never), known);
  expect(seen.fault).toBe(fault.detail);
});

test('the first version of a page => worth all of it', () => {
  expect(seenVisit(entry, commit({}), { kind: 'discover', isFirst: true })).toMatchObject({
    outcome: 'changed',
    importance: 1,
    isFirst: true,
  });
});
