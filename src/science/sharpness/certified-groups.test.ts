import { expect, test } from 'vitest';
import { at, capture, context, type Example, foundInOrder, url } from '../../../test/capture-example.ts';
import type { CertificateStatement, CertifiedVisit } from '../../model/certificate.ts';
import type { PageGroup } from '../../model/page-group.ts';
import { statementOf } from './certificate.ts';
import { checkStatement } from './check-certificate.ts';
import { CertificateError, readCertificate } from './read-certificate.ts';
import { siteStatement } from './site-statement.ts';

const pages: Example[] = [
  { name: 'index', rate: 0.1, visit: 0, revisit: 70, visiblyUnchanged: true },
  { name: 'quiet', rate: 0.2, visit: 10, revisit: 60, visiblyUnchanged: true },
  { name: 'token', rate: 0.2, visit: 20, revisit: 50, later: 'changed', visiblyUnchanged: true },
  { name: 'hot', rate: 0.4, visit: 30, revisit: 40, later: 'changed' },
];
const names = pages.map(({ name }) => name);
const group = (...members: string[]): PageGroup => ({ kind: 'index', pages: members.map(url) });
const stated = (...groups: PageGroup[]) => statementOf({ ...capture(pages), groups }, context(names));

test('an index with a quiet article, one whose token changes and a hot one => per group what is proven, and when', () => {
  const { groups } = stated(group('index', 'quiet'), group('index', 'token'), group('hot', 'index'));
  const all = { from: at(10), to: at(60), proven: 2, wholeGroup: true };
  expect(groups?.map(({ strict, visible }) => ({ strict, visible }))).toEqual([
    { strict: all, visible: all },
    {
      strict: { from: at(0), to: at(70), proven: 1, wholeGroup: false },
      visible: { from: at(20), to: at(50), proven: 2, wholeGroup: true },
    },
    {
      strict: { from: at(0), to: at(70), proven: 1, wholeGroup: false },
      visible: { from: at(0), to: at(70), proven: 1, wholeGroup: false },
    },
  ]);
});

test('pages of a group that were not captured => left out; a group of one is none', () => {
  expect(stated(group('index', 'gone')).groups).toEqual([]);
  expect(stated(group('index', 'quiet', 'gone')).groups?.[0]?.pages).toEqual(['index', 'quiet'].map(url));
});

test('a capture in which nobody looked for groups, or of version 5 => says nothing of them', () => {
  expect(statementOf(capture(pages), context(names))).not.toHaveProperty('groups');
  const old = statementOf({ ...capture(pages), groups: [] }, { ...context(names), version: 5 });
  expect(old).not.toHaveProperty('groups');
});

/** Records that agree with the statement. */
function check(statement: CertificateStatement): string[] {
  const visits = statement.pages.flatMap(({ url: page, visit, revisit }) =>
    [visit, revisit].flatMap((one?: CertifiedVisit) => (one ? [{ page, ...one }] : [])),
  );
  const records = new Map(
    visits
      .toSorted((a, b) => Date.parse(a.time) - Date.parse(b.time))
      .map(({ page, record, time, sha256, status }, offset) => [
        record,
        { id: record, url: page, at: Date.parse(time), sha256, status, file: 'a', offset },
      ]),
  );
  const { crawl } = statement;
  return checkStatement(statement, {
    certificate: { url: 'urn:certificate:k', at: Date.parse(crawl.finishedAt), file: 'a', offset: 100 },
    record: (id) => records.get(id),
    log: {
      startedAt: Date.parse(crawl.startedAt),
      ...{ seeds: crawl.seeds, order: crawl.order, found: foundInOrder(names) },
      ...{ rates: new Map(), inferred: [], skipped: 0 },
    },
  });
}

test('computed again from the records => as stated; a group that claims more is found', () => {
  const statement = stated(group('index', 'quiet'), group('hot', 'index'));
  expect(check(statement)).toEqual([]);
  const [first, second] = statement.groups ?? [];
  if (!first || !second) throw new Error('no groups');
  const lie = { ...statement, groups: [first, { ...second, strict: first.strict }] };
  expect(check(lie).join('\n')).toContain('groups[1].strict.proven is stated as 2; the records say 1');
});

test('of one site of several => its groups alone', () => {
  const statement = stated(group('index', 'quiet'));
  expect(siteStatement(statement, 'example.org', () => 'example.org').groups).toHaveLength(1);
  expect(siteStatement(statement, 'other', () => 'example.org').groups).toEqual([]);
});

test.each([
  [3, 'statement.groups is no list'],
  [[{ kind: 'x', pages: [] }], 'statement.groups[0].kind is none of index, list, shared-text'],
  [[{ kind: 'list', pages: [1] }], 'statement.groups[0].pages is no list of URLs'],
])('groups %j => %s', (groups, message) => {
  const statement = { ...stated(), groups };
  const text = JSON.stringify({ algorithm: 'Ed25519', publicKey: 'a', signature: 'b', statement });
  expect(() => readCertificate(text)).toThrow(new CertificateError(message));
});
