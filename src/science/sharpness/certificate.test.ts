import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalJson } from '../../model/canonical-json.ts';
import type { CertificateStatement } from '../../model/certificate.ts';
import type { CapturedPage, SiteCapture } from '../../model/site-capture.ts';
import { breadthFirstPlaces, type FoundUrl, visitsInPlaces } from './breadth-first-places.ts';
import { statementOf } from './certificate.ts';
import { type CertificateEvidence, checkStatement, type RecordEvidence } from './check-certificate.ts';
import { CertificateError, readCertificate } from './read-certificate.ts';

const START = Date.UTC(2026, 10, 2, 9, 0, 0);
const sha = (text: string): string => text.padStart(64, '0');
const url = (name: string): string => `https://example.org/${name}`;
const at = (second: number): string => new Date(START + second * 1000).toISOString();

interface Example {
  readonly name: string;
  readonly rate: number;
  /** Seconds. */
  readonly visit: number;
  readonly revisit?: number;
  readonly later?: 'same' | 'changed' | 'gone';
  readonly visiblyUnchanged?: boolean;
}

function page({ name, rate, visit, revisit, later = 'same', visiblyUnchanged }: Example): CapturedPage {
  const first = {
    at: START + visit * 1000,
    recordId: `<urn:${name}:v>`,
    sha256: sha(`a${name.length}`),
    status: 200,
  };
  return {
    url: url(name),
    rate,
    visit: first,
    ...(revisit !== undefined && {
      revisit: {
        at: START + revisit * 1000,
        recordId: `<urn:${name}:r>`,
        sha256: later === 'same' ? first.sha256 : sha(`b${name.length}`),
        status: later === 'gone' ? 404 : 200,
        outcome: later,
      },
    }),
    ...(visiblyUnchanged !== undefined && { visiblyUnchanged }),
  };
}

function capture(pages: readonly Example[]): SiteCapture {
  return {
    key: 'k',
    seeds: [url('p0')],
    startedAt: START - 1000,
    finishedAt: START + 100_000,
    order: 'sharc-online',
    revisit: 'sharp',
    pages: pages.map(page),
  };
}

const foundInOrder = (names: readonly string[]): FoundUrl[] =>
  names.map((name, i) => ({ url: url(name), isSeed: i === 0, ...(i > 0 && { via: url(names[0] ?? '') }) }));

const context = (names: readonly string[]) => ({
  software: 'Daguerre/test',
  clock: 'test',
  found: foundInOrder(names),
});

const NAMES = ['p0', 'p1', 'p2', 'p3', 'p4', 'p5'];

describe('blur', () => {
  test('λ = (0,1,2,3,4,5), organ pipe => 22.7; found in order of rate, breadth-first => 27.5 (SHARC, Ex. 4.2, 4.4)', () => {
    const slots = [0, 5, 1, 4, 2, 3];
    const pages = NAMES.map((name, i) => ({ name, rate: i, visit: slots[i] as number }));
    const { blur, interval, date, sharp } = statementOf(capture(pages), context(NAMES));
    expect(blur.expected).toBeCloseTo(22.7, 10);
    expect(blur.breadthFirst).toBeCloseTo(27.5, 10);
    expect(blur.ratio).toBeCloseTo(22.7 / 27.5, 10);
    expect(interval).toEqual({ start: at(0), end: at(5) });
    expect(date).toEqual({ strict: null, visible: null });
    expect(sharp).toEqual({ pages: 6, revisited: 0, strict: 0, visible: 0, visibleUnknown: 0 });
  });

  test('the same with revisits => 22.59; breadth-first twice => 545/22 (SHARC, Ex. 7.2, 7.4)', () => {
    const slots = [0, 5, 1, 4, 2, 3];
    const pages = NAMES.map((name, i) => ({
      name,
      rate: i,
      visit: slots[i] as number,
      revisit: (slots[i] as number) + 6,
    }));
    const { blur } = statementOf(capture(pages), context(NAMES));
    expect(blur.expected).toBeCloseTo(22.59, 2);
    expect(blur.breadthFirst).toBeCloseTo(545 / 22, 10);
  });

  test('change times of every page => exact blur beside the expected; of some only => none', () => {
    const given = capture([
      { name: 'p0', rate: 1, visit: 0 },
      { name: 'p1', rate: 1, visit: 10 },
    ]);
    const changes = new Map([
      [url('p0'), [START + 4000]],
      [url('p1'), []],
    ]);
    // A change at 4 s, fetched at 0 s: wrong for the 6 s after it, of 10.
    expect(statementOf(given, { ...context(NAMES), changes }).blur.exact).toBeCloseTo(0.6, 12);
    changes.delete(url('p1'));
    expect(statementOf(given, { ...context(NAMES), changes }).blur.exact).toBeUndefined();
  });
});

describe('t*', () => {
  test('nested intervals, one page changed => the middle of what the others share; whole site only without it', () => {
    const nested: Example[] = [
      { name: 'p0', rate: 0, visit: 0, revisit: 70 },
      { name: 'p1', rate: 0, visit: 10, revisit: 60 },
      { name: 'p2', rate: 0, visit: 20, revisit: 50 },
    ];
    const all = { time: at(35), from: at(20), to: at(50), proven: 3, wholeSite: true };
    expect(statementOf(capture(nested), context(NAMES)).date.strict).toEqual(all);
    const hot: Example = {
      name: 'p3',
      rate: 9,
      visit: 30,
      revisit: 40,
      later: 'changed',
      visiblyUnchanged: true,
    };
    const { date, sharp } = statementOf(capture([...nested, hot]), context(NAMES));
    expect(date.strict).toEqual({ ...all, wholeSite: false });
    expect(date.visible).toEqual({ time: at(35), from: at(30), to: at(40), proven: 4, wholeSite: true });
    expect(sharp).toEqual({ pages: 4, revisited: 4, strict: 3, visible: 4, visibleUnknown: 0 });
  });

  test('gone at the revisit => not sharp, though its error page is the same bytes; 304 => same', () => {
    const gone = page({ name: 'p0', rate: 1, visit: 0, revisit: 5 });
    const notModified = page({ name: 'p1', rate: 1, visit: 1, revisit: 6 });
    const pages = [
      {
        ...gone,
        revisit: { ...gone.visit, at: START + 5000, recordId: 'x', status: 404, outcome: 'gone' as const },
      },
      {
        ...notModified,
        revisit: {
          ...notModified.visit,
          at: START + 6000,
          recordId: 'y',
          status: 304,
          outcome: 'same' as const,
        },
      },
    ];
    const { pages: certified, sharp } = statementOf({ ...capture([]), pages }, context(NAMES));
    expect(certified.map(({ revisit }) => revisit?.outcome)).toEqual(['gone', 'same']);
    expect(sharp.strict).toBe(1);
  });

  test('no page => no interval, no date, no blur', () => {
    const empty = statementOf(capture([]), context([]));
    expect(empty).toMatchObject({
      interval: null,
      date: { strict: null },
      blur: { expected: 0, ratio: null },
      pages: [],
    });
  });
});

describe('breadth-first places', () => {
  test('the tree of Table 2: p0→p1,p2; p1→p3,p4; p2→p5, found in another order => p0 p1 p2 p3 p4 p5', () => {
    const via = (child: string, parent: string): FoundUrl => ({ url: child, via: parent, isSeed: false });
    const found: FoundUrl[] = [
      { url: 'p0', isSeed: true },
      via('p1', 'p0'),
      via('p2', 'p0'),
      via('p5', 'p2'),
      via('p3', 'p1'),
      via('p4', 'p1'),
    ];
    expect(breadthFirstPlaces(['p5', 'p4', 'p3', 'p2', 'p1', 'p0', 'unknown'], found)).toEqual([
      5, 4, 3, 2, 1, 0, 6,
    ]);
  });

  test('pages that name each other, and two seeds => each once, seeds first', () => {
    const found: FoundUrl[] = [
      { url: 'a', isSeed: true },
      { url: 'c', isSeed: false, via: 'a' },
      { url: 'b', isSeed: true, via: 'c' },
    ];
    expect(breadthFirstPlaces(['a', 'b', 'c'], found)).toEqual([0, 1, 2]);
  });

  test('a page that was not revisited takes one of the times, the others two', () => {
    expect(visitsInPlaces([4, 0, 1, 2, 3], [2, 0, 1], [true, false, true])).toEqual([[2, 4], [0], [1, 3]]);
  });
});

const pages: Example[] = [
  { name: 'p0', rate: 0.1, visit: 0, revisit: 70 },
  { name: 'p1', rate: 0.2, visit: 10, revisit: 60, later: 'changed', visiblyUnchanged: true },
  { name: 'p2', rate: 0.4, visit: 20, revisit: 50, later: 'gone' },
  { name: 'p3', rate: 0.3, visit: 30 },
  { name: 'p4', rate: 0.9, visit: 31, revisit: 45 },
];
const STATEMENT = statementOf(capture(pages), context(NAMES));

/** Records that say what the statement says, in the order they would have been written. */
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

  /** Members that the records cannot tell; their signature alone vouches for them. */
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
    [{ ...signed, statement: { ...STATEMENT, version: 2 } }, 'only version 1'],
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
