import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  at,
  capture,
  context,
  type Example,
  foundInOrder,
  NAMES,
  START,
  sha,
  url,
} from '../../../test/capture-example.ts';
import { canonicalJson } from '../../model/canonical-json.ts';
import type { CertificateStatement } from '../../model/certificate.ts';
import type { InferredDirectory } from '../../model/inference.ts';
import { statementOf } from './certificate.ts';
import {
  type CertificateEvidence,
  checkStatement,
  type RecordEvidence,
  untoldCuts,
} from './check-certificate.ts';
import { CertificateError, readCertificate } from './read-certificate.ts';

const pages: Example[] = [
  { name: 'p0', rate: 0.1, visit: 0, revisit: 70 },
  { name: 'p1', rate: 0.2, visit: 10, revisit: 60, later: 'changed', visiblyUnchanged: true },
  { name: 'p2', rate: 0.4, visit: 20, revisit: 50, later: 'gone' },
  { name: 'p3', rate: 0.3, visit: 30 },
  { name: 'p4', rate: 0.9, visit: 31, revisit: 45 },
];
const STATEMENT = statementOf(capture(pages), context(NAMES));

/** Records that agree with the statement, in the order they would have been written. */
function evidenceFor(
  statement: CertificateStatement,
  change: (record: RecordEvidence) => RecordEvidence | undefined = (r) => r,
): CertificateEvidence {
  const visits = statement.pages
    .flatMap(({ url: of, visit, revisit }) =>
      (revisit ? [visit, revisit] : [visit]).map((one) => ({ url: of, ...one })),
    )
    .sort((a, b) => a.time.localeCompare(b.time));
  const records = new Map<string, RecordEvidence>();
  visits.forEach(({ record: id, time, ...rest }, i) => {
    const record = change({ id, at: Date.parse(time), file: 'a.warc.gz', offset: 1000 * i, ...rest });
    if (record) records.set(id, record);
  });
  return {
    certificate: { url: 'urn:certificate:k', at: START + 100_001, file: 'a.warc.gz', offset: 99_000 },
    record: (id) => records.get(id),
    log: {
      startedAt: START - 1000,
      seeds: [url('p0')],
      order: 'sharc-online',
      found: foundInOrder(NAMES),
      rates: new Map([[url('p4'), 0.9]]),
      inferred: [],
      skipped: 0,
    },
  };
}

describe('checking against the records', () => {
  const parsed = JSON.parse(canonicalJson(STATEMENT)) as CertificateStatement;

  test('untouched => no fault', () => {
    expect(checkStatement(parsed, evidenceFor(STATEMENT))).toEqual([]);
  });

  const withRecord = (change: Partial<RecordEvidence>) =>
    checkStatement(
      parsed,
      evidenceFor(STATEMENT, (record) => (record.id === '<urn:p4:r>' ? { ...record, ...change } : record)),
    );

  test('a record of another date => the date, and what follows from it, are named', () => {
    const faults = withRecord({ at: START + 46_000 });
    expect(faults.join('\n')).toContain(
      `pages[4].revisit.time is stated as "${at(45)}"; the records say "${at(46)}"`,
    );
    expect(faults.some((fault) => fault.startsWith('blur.expected'))).toBe(true);
  });

  test('another payload => digest, outcome, number of sharp pages', () => {
    const faults = withRecord({ sha256: sha('f') }).join('\n');
    for (const what of ['pages[4].revisit.sha256', 'pages[4].revisit.outcome', 'sharp.strict', 'date.strict'])
      expect(faults).toContain(what);
  });

  test('another target, a missing record, a record before its visit or after the certificate => named', () => {
    expect(withRecord({ url: url('other') })).toEqual([
      `${url('p4')}: the record <urn:p4:r> is of ${url('other')}`,
    ]);
    expect(withRecord({ offset: 0 })).toEqual([
      `${url('p4')}: the record of the revisit stands before that of the visit`,
    ]);
    expect(withRecord({ offset: 99_999 })).toEqual([
      `${url('p4')}: the record <urn:p4:r> stands after the certificate`,
    ]);
    const gone = evidenceFor(STATEMENT, (record) => (record.id === '<urn:p0:v>' ? undefined : record));
    expect(checkStatement(parsed, gone)).toEqual([
      `${url('p0')}: the record <urn:p0:v> of ${at(0)} is not in the archive`,
    ]);
    expect(checkStatement(parsed, { ...gone, isPartial: true })).toEqual([]);
    const changed = { ...parsed, crawl: { ...parsed.crawl, order: 'x' } };
    expect(checkStatement(changed, { ...gone, isPartial: true })).not.toEqual([]);
  });

  test('an answer that was cut short => no sharp page, though both visits brought the same bytes', () => {
    const faults = withRecord({ truncated: 'disconnect' });
    expect(faults).toContain('pages[4].revisit.truncated is stated as nothing; the records say "disconnect"');
    expect(faults).toContain('pages[4].revisit.outcome is stated as "same"; the records say "cut"');
    expect(faults).toContain('sharp.strict is stated as 2; the records say 1');
    const cut = capture(pages);
    const told = statementOf(
      {
        ...cut,
        pages: cut.pages.map(({ visiblyUnchanged: _, ...one }) => ({
          ...one,
          visit: { ...one.visit, truncated: 'time' },
        })),
      },
      context(NAMES),
    );
    expect(told).toMatchObject({ version: 6, sharp: { strict: 0, visible: 0 }, date: { strict: null } });
    expect(told.pages[0]).toMatchObject({ visit: { truncated: 'time' }, revisit: { outcome: 'cut' } });
    expect(checkStatement(told, evidenceFor(told))).toEqual([]);
    expect(untoldCuts(told, evidenceFor(told).record)).toEqual([]);
  });

  test('pages taken for unchanged => as the log and their records say, and any other claim is found', () => {
    const version = { recordId: '<urn:kept>', at: START - 5000, sha256: 'ee', status: 200 };
    const fact = {
      site: 'example.org',
      directory: '/doc/',
      reason: 'quiet' as const,
      rule: 'nothing changed in the last 9 looks at it',
      expectedMissed: 0.2,
      confidence: 0.9,
      lastSeen: START - 5000,
    };
    const kept = url('doc/a');
    const unvisited = { inferred: [{ ...fact, pages: [{ url: kept, ...version }] }], skipped: 4 };
    const told = statementOf({ ...capture(pages), unvisited }, context(NAMES));
    expect(told.coverage).toEqual({ proven: 5, inferred: 1, skipped: 4, expectedMissed: 0.2 });
    const { log, record, ...rest } = evidenceFor(told);
    if (!log) throw new Error('no log');
    const line = { ...fact, state: 'inferred' as const, urls: [kept] };
    const found = { id: '<urn:kept>', url: kept, at: START - 5000, sha256: 'ee', status: 200 };
    const witness = { ...found, file: 'b.warc.gz', offset: 0 };
    const faults = (
      inferred: readonly InferredDirectory[],
      changes: Partial<RecordEvidence> = {},
      skipped = 4,
    ): string[] =>
      checkStatement(told, {
        ...rest,
        log: { ...log, inferred, skipped },
        record: (id) => (id === '<urn:kept>' ? { ...witness, ...changes } : record(id)),
      });
    expect(faults([line])).toEqual([]);
    expect(faults([])).not.toEqual([]);
    expect(faults([{ ...line, state: 'visited' }])).not.toEqual([]);
    expect(faults([{ ...line, urls: [kept, url('doc/b')] }]).join()).toContain('doc/b: the log of the crawl');
    expect(faults([{ ...line, expectedMissed: 3 }]).join()).toContain('expectedMissed');
    expect(faults([line], { sha256: 'ff' }).join()).toContain('inferred[0].pages[0].sha256');
    expect(faults([line], { at: START + 1 }).join()).toContain('after the crawl began');
    expect(faults([line], { url: url('p1') }).join()).toContain('is of');
    expect(faults([line], {}, 5).join()).toContain('coverage.skipped');
  });

  test('pages of a mirror => counted as inferred, those never seen there too, as the log says; version 3 told none', () => {
    const fact = {
      site: 'example.org',
      directory: '/doc/',
      reason: 'mirror' as const,
      rule: 'the site mirrors example.net: 16 of 17 pages that were compared agree',
      expectedMissed: 0.2,
      confidence: 0.8,
      lastSeen: START - 5000,
    };
    const [kept, unseen] = [url('doc/a'), url('doc/b')];
    const version = { recordId: '<urn:kept>', at: START - 5000, sha256: 'ee', status: 200 };
    const pagesOf = { pages: [{ url: kept, ...version }], unseen: [unseen] };
    const told = statementOf(
      { ...capture(pages), unvisited: { inferred: [{ ...fact, ...pagesOf }], skipped: 0 } },
      context(NAMES),
    );
    expect(told.coverage).toEqual({ proven: 5, inferred: 2, skipped: 0, expectedMissed: 0.2 });
    const { log, record, ...rest } = evidenceFor(told);
    if (!log) throw new Error('no log');
    const witness = { id: '<urn:kept>', url: kept, at: START - 5000, sha256: 'ee', status: 200 };
    const faults = (statement: CertificateStatement, urls: readonly string[]): string[] =>
      checkStatement(statement, {
        ...rest,
        log: { ...log, inferred: [{ ...fact, state: 'inferred', urls }] },
        record: (id) => (id === '<urn:kept>' ? { ...witness, file: 'b.warc.gz', offset: 0 } : record(id)),
      });
    expect(faults(told, [kept, unseen])).toEqual([]);
    expect(faults(told, [kept]).join()).toContain('coverage.inferred is stated as 2; the records say 1');
    expect(faults(STATEMENT, [kept, unseen]).join()).toContain(
      'coverage.inferred is stated as 0; the records say 2',
    );
    const { observation: _, ...before } = STATEMENT;
    expect(faults({ ...before, version: 3 }, [kept, unseen])).toEqual([]);
  });

  test('a statement of version 1, which told no cuts => holds as it was computed; what it left out can be told', () => {
    const { coverage: _, inferred: _inferred, observation: _observation, ...before } = parsed;
    const old = { ...before, version: 1 as const };
    const evidence = evidenceFor(STATEMENT, (record) =>
      record.id === '<urn:p4:r>' ? { ...record, truncated: 'length' } : record,
    );
    expect(checkStatement(old, evidence)).toEqual([]);
    expect(untoldCuts(old, evidence.record)).toEqual([url('p4')]);
  });

  test('pages in another order => named', () => {
    const [first, second, ...rest] = parsed.pages;
    if (!first || !second) throw new Error('too few pages');
    const faults = checkStatement({ ...parsed, pages: [second, first, ...rest] }, evidenceFor(STATEMENT));
    expect(faults.join('\n')).toContain('pages[0].url is stated as "https://example.org/p1"');
  });

  test('another order of discovery in the log => the breadth-first places', () => {
    const { log, ...evidence } = evidenceFor(STATEMENT);
    if (!log) throw new Error('no log');
    const other = { ...log, found: foundInOrder(NAMES.toReversed()) };
    expect(checkStatement(parsed, { ...evidence, log: other }).join('\n')).toContain('pages[0].breadthFirst');
    expect(checkStatement(parsed, evidence)).toEqual([
      'the log of its crawl is not among the records: the breadth-first order cannot be computed again',
    ]);
  });

  /** Members that cannot be derived from the records; only the signature vouches for them. */
  const BELIEVED = /^(?:software|clock|crawl\.(?:revisit|finishedAt)|pages\.\d+\.(?:visiblyUnchanged|rate))$/;

  test('any one value changed => found by recomputation, but for those that no record tells', () => {
    const paths = leaves(parsed);
    fc.assert(
      fc.property(fc.constantFrom(...paths), fc.nat(), (path, seed) => {
        const changed = structuredClone(parsed);
        alter(changed, path, seed);
        let faults: string[];
        try {
          readCertificate(
            canonicalJson({ algorithm: 'Ed25519', publicKey: '', signature: '', statement: changed }),
          );
          faults = checkStatement(changed, evidenceFor(STATEMENT));
        } catch (error) {
          if (!(error instanceof CertificateError)) throw error;
          faults = [error.message];
        }
        if (!BELIEVED.test(path.join('.'))) expect(faults).not.toEqual([]);
      }),
      { numRuns: 500 },
    );
  });
});

test('reading: what is no certificate => said in words', () => {
  const signed = { algorithm: 'Ed25519', publicKey: 'a', signature: 'b', statement: STATEMENT };
  expect(readCertificate(JSON.stringify(signed)).statement).toEqual(JSON.parse(JSON.stringify(STATEMENT)));
  const wrong: [unknown, string][] = [
    ['{', 'not JSON'],
    [{ ...signed, algorithm: 'RSA' }, 'not Ed25519'],
    [{ ...signed, statement: { ...STATEMENT, version: 7 } }, 'only versions 1 to 6'],
    [{ ...signed, statement: { ...STATEMENT, inferred: [{}] } }, 'statement.inferred[0].site is no text'],
    [{ ...signed, statement: { ...STATEMENT, pages: [{}] } }, 'statement.pages[0].url is no text'],
    [{ ...signed, statement: { ...STATEMENT, pages: 3 } }, 'statement.pages is no list'],
  ];
  for (const [value, message] of wrong) {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    expect(() => readCertificate(text)).toThrow(message);
  }
});

type Path = readonly string[];

function leaves(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([name, member]) => leaves(member, [...path, name]));
}

function alter(root: unknown, path: Path, seed: number): void {
  let holder = root as Record<string, unknown>;
  for (const name of path.slice(0, -1)) holder = holder[name] as Record<string, unknown>;
  const last = path.at(-1) as string;
  const value = holder[last];
  if (typeof value === 'number') holder[last] = value + 1 + (seed % 7);
  else if (typeof value === 'boolean') holder[last] = !value;
  else if (typeof value === 'string') {
    const i = seed % (value.length + 1);
    holder[last] = `${value.slice(0, i)}${value[i] === '7' ? '8' : '7'}${value.slice(i + 1)}`;
  } else holder[last] = 0;
}
