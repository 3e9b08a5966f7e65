import { expect, test } from 'vitest';
import type { VisitLesson } from '../../model/visit-lesson.ts';
import type { VisitCommit } from '../../ports/catalog.ts';
import { lessonOf } from '../../stages/visit-lesson.ts';
import { seenVisit } from './seen-visit.ts';

const entry = { url: 'https://e.org/', kind: 'page', redirects: 0, reason: 'refresh: due' } as const;
const lesson = (visit: object, more: object = {}): VisitLesson =>
  lessonOf(entry, {
    visit: { at: 7, bytes: 10, outcome: 'captured', status: 200, ...visit },
    captures: [],
    ...more,
  } as unknown as VisitCommit);
const known = { kind: 'refresh', isFirst: false } as const;

test.each([
  ['a change with its importance', lesson({}, { change: { importance: 0.4 } }), 'changed', 0.4],
  ['a change that no reader sees', lesson({}, { change: { importance: 0 } }), 'unchanged', 0],
  ['other bytes, the same layout', lesson({}, { page: { layoutAt: 1 } }), 'unchanged', 0],
  ['other bytes that nobody looked at', lesson({}, { page: {} }), 'changed', 0.1],
  ['the same bytes', lesson({ outcome: 'unchanged' }), 'unchanged', 0],
  ['404', lesson({ outcome: 'failed', status: 404 }), 'gone', 0],
  ['a redirect', lesson({ status: 301 }, { redirect: 'https://e.org/b' }), 'unchanged', 0],
  ['503', lesson({ outcome: 'failed', status: 503 }), 'failed', 0],
])('%s => %s', (_, stored, outcome, importance) => {
  expect(seenVisit(stored, known)).toMatchObject({ outcome, importance, requests: 1, bytes: 10 });
});

test('a failure => with its reason', () => {
  const fault = { kind: 'timeout', detail: 'no answer within 5 s' };
  expect(seenVisit(lesson({ outcome: 'failed', status: undefined, fault }), known).fault).toBe(fault.detail);
});

test('the first version of a page => worth all of it', () => {
  expect(seenVisit(lesson({}), { kind: 'discover', isFirst: true })).toMatchObject({
    outcome: 'changed',
    importance: 1,
    isFirst: true,
  });
});
