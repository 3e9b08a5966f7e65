import { expect, test } from 'vitest';
import type { CertificateStatement } from '../../model/certificate.ts';
import type { ProofInterval } from '../../model/proof.ts';
import { answerOf, folded, namedPages, showsPhrase } from './proof.ts';

const iso = (minute: number): string => new Date(Date.UTC(2026, 2, 1, 12, minute)).toISOString();
const visit = (minute: number) => ({ record: `<r${minute}>`, time: iso(minute), sha256: 'a', status: 200 });
const interval = (from: number, to: number, shows: boolean | null): ProofInterval => ({
  visit: visit(from),
  revisit: visit(to),
  shows,
});
const answer = (
  claim: 'present' | 'absent',
  [from, to]: readonly [number, number],
  ...intervals: ProofInterval[]
) => answerOf({ claim, from: iso(from), to: iso(to) }, intervals, false);

test.each([
  ['a moment inside an interval that shows it', 'present', [5, 5], [interval(0, 10, true)], 'proven'],
  ['at its very end', 'present', [10, 10], [interval(0, 10, true)], 'proven'],
  ['a moment outside', 'present', [11, 11], [], 'unknown'],
  ['an interval that does not show it', 'present', [5, 5], [interval(0, 10, false)], 'contradicted'],
  [
    'covered by two that touch',
    'absent',
    [0, 20],
    [interval(0, 10, false), interval(10, 20, false)],
    'proven',
  ],
  [
    'covered by two that overlap',
    'absent',
    [2, 18],
    [interval(0, 12, false), interval(9, 20, false)],
    'proven',
  ],
  [
    'a gap of a minute between',
    'absent',
    [0, 20],
    [interval(0, 10, false), interval(11, 20, false)],
    'unknown',
  ],
  ['begins too late', 'absent', [0, 20], [interval(1, 20, false)], 'unknown'],
  ['ends too early', 'absent', [0, 20], [interval(0, 19, false)], 'unknown'],
  ['shown once, gaps elsewhere', 'absent', [0, 20], [interval(5, 6, true)], 'contradicted'],
  ['no text is read of it', 'absent', [5, 5], [interval(0, 10, null)], 'unknown'],
  [
    'a later one inside an earlier',
    'absent',
    [0, 20],
    [interval(0, 20, false), interval(5, 6, false)],
    'proven',
  ],
] as const)('%s, that it is %s => %5$s', (_, claim, time, intervals, expected) => {
  expect(answer(claim, time, ...intervals).answer).toBe(expected);
});

test('bytes without the phrase, and a browser that showed it => unknown, and why', () => {
  const one = { ...interval(0, 10, false), rendered: { record: '<t>', shows: true } };
  expect(answer('absent', [5, 5], one)).toEqual({
    answer: 'unknown',
    why: 'the bytes and what the browser showed do not say the same',
  });
  expect(answer('present', [5, 5], one).answer).toBe('unknown');
});

test('a gap is told by its beginning; a page that rules left out, as such', () => {
  expect(answer('absent', [0, 20], interval(0, 10, false)).why).toBe(
    `sharp intervals leave a gap from ${iso(10)}`,
  );
  const query = { claim: 'absent', from: iso(0), to: iso(1) } as const;
  expect(answerOf(query, [], true).why).toBe('it was not visited, and taken for unchanged');
});

test('case, white space and composed letters => do not matter; word order and hyphens do', () => {
  expect(folded('  Frei\u00a0 von\n\tKosten ')).toBe('frei von kosten');
  expect(showsPhrase('… Cafe\u0301 OPEN today', 'CAFÉ open')).toBe(true);
  expect(showsPhrase('open café', 'café open')).toBe(false);
  expect(showsPhrase('re-open', 'reopen')).toBe(false);
});

test('pages that certificates name => by URL; sharp ones with their intervals in the time, inferred ones told', () => {
  const page = (url: string, outcome: 'same' | 'changed', at = 0) => ({
    url,
    rate: 0,
    breadthFirst: 0,
    visit: visit(at),
    revisit: { ...visit(at + 10), outcome },
  });
  const inferred = [{ pages: [{ url: 'http://a/kept', ...visit(0) }], unseen: ['http://a/unseen'] }];
  const statement = {
    pages: [page('http://a/2', 'same'), page('http://a/1', 'changed'), page('http://b/', 'same')],
    inferred,
  } as unknown as CertificateStatement;
  const later = { pages: [page('http://a/2', 'same', 30)], inferred: [] } as unknown as CertificateStatement;
  const found = namedPages([later, statement], { from: iso(5), to: iso(6) }, (url) =>
    url.startsWith('http://a/'),
  );
  expect(found.map(({ url, sharp, isInferred }) => [url.slice(9), sharp.length, isInferred])).toEqual([
    ['1', 0, false],
    ['2', 1, false],
    ['kept', 0, true],
    ['unseen', 0, true],
  ]);
});
