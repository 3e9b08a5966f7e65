import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { SPEC } from '../../catalog/conformance/examples.conformance.ts';
import { openSqliteCatalog } from '../../catalog/engines/sqlite.ts';
import { memoryBody } from '../../model/body.ts';
import type { InferredDirectory } from '../../model/inference.ts';
import type { Catalog, FrontierLogEntry, SkipRule } from '../../ports/catalog.ts';
import { crawlLog, restoreCrawl } from '../crawl-log.ts';
import { type LogHead, readLogHead, readLogLine } from './log-schema.ts';

const INFERRED: InferredDirectory = {
  site: 'a.example',
  directory: '/a/',
  reason: 'near',
  rule: 'when / changes, /a/ does not',
  assumes: { head: ['/'], alpha: 0.1 },
  expectedMissed: 0.2,
  confidence: 0.8,
  lastSeen: 1_700_000_000_000,
  state: 'inferred',
  urls: ['http://a.example/a/x'],
};

const ENTRY: FrontierLogEntry = {
  kind: 'page',
  url: 'http://a.example/b',
  host: 'a.example',
  depth: 1,
  extraHops: 0,
  redirects: 0,
  rank: 1.5,
  rate: 1e-6,
  reason: 'rank 1.5',
  isSeed: false,
  via: 'http://a.example/',
  state: 'failed',
  visits: [
    {
      url: 'http://a.example/b',
      at: 1_700_000_000_000.5,
      duration: 12,
      reason: 'rank 1.5',
      outcome: 'failed',
      status: 404,
      bytes: 512,
      fault: { kind: 'http-status', detail: '404 Not Found' },
      eventId: 'event',
    },
  ],
};

const SKIPPED: FrontierLogEntry = {
  ...ENTRY,
  url: 'http://a.example/private',
  state: 'skipped',
  skip: { reason: 'robots', detail: 'Disallow: /private' },
  visits: [],
};

const RULE: SkipRule = {
  reason: 'out-of-scope',
  rule: 'another host',
  entries: 3,
  sample: [{ url: 'http://b.example/', depth: 1, detail: 'another host', via: 'http://a.example/' }],
};

const HEAD: LogHead = {
  key: 'key',
  startedAt: 1_700_000_000_000,
  finishedAt: 1_700_000_001_000,
  state: 'finished',
  spec: {
    ...SPEC,
    seeds: ['http://a.example/'],
    skipByRules: { missAtMost: 0.05, refreshEvery: 8, pin: ['/prices/'] },
  },
};

const LINES: readonly unknown[] = [
  HEAD,
  { skipped: RULE },
  { note: 'a trap' },
  { inferred: INFERRED },
  { ...ENTRY, url: 'http://a.example/', isSeed: true, state: 'pending', visits: [] },
  ENTRY,
  SKIPPED,
];

it('each line as a crawl writes it => itself', () => {
  expect(readLogHead(HEAD)).toEqual(HEAD);
  for (const line of LINES.slice(1)) expect(readLogLine(line)).toEqual(line);
});

it.each([
  [{ ...INFERRED, urls: 'abc' }],
  [{ ...INFERRED, urls: undefined }],
  [{ ...INFERRED, urls: [null] }],
  [{ ...INFERRED, urls: ['no URL'] }],
  [{ ...INFERRED, confidence: 'x' }],
  [{ ...INFERRED, confidence: 2 }],
  [{ ...INFERRED, expectedMissed: -1 }],
  [{ ...INFERRED, expectedMissed: Number.POSITIVE_INFINITY }],
  [{ ...INFERRED, lastSeen: 1e20 }],
  [{ ...INFERRED, directory: 5 }],
  [{ ...INFERRED, site: null }],
  [{ ...INFERRED, rule: '\u001b[31mred' }],
  [{ ...INFERRED, reason: 'because' }],
  [{ ...INFERRED, state: 'gone' }],
  [{ ...INFERRED, assumes: { head: '/', alpha: 0.1 } }],
])('a directory %j => none', (inferred) => {
  expect(readLogLine({ inferred })).toBeUndefined();
});

it.each([
  ['a skip without a sample', { skipped: { reason: 'robots', rule: '', entries: 1 } }],
  ['a skip for a reason that there is not', { skipped: { ...RULE, reason: 'mood' } }],
  ['a sample that is no list', { skipped: { ...RULE, sample: 'http://b.example/' } }],
  ['half a URL', { skipped: { ...RULE, entries: 0.5 } }],
  ['visits that are no list', { ...ENTRY, visits: 3 }],
  ['a visit that is none', { ...ENTRY, visits: [null] }],
  ['a visit to another URL', { ...ENTRY, visits: [{ ...ENTRY.visits[0], url: 'http://b.example/' }] }],
  [
    'a fault that there is not',
    { ...ENTRY, visits: [{ ...ENTRY.visits[0], fault: { kind: 'x', detail: '' } }] },
  ],
  ['depth as text', { ...ENTRY, depth: '1' }],
  ['a queued URL that is none', { ...ENTRY, url: 'b', visits: [] }],
  ['a note that is no text', { note: 5 }],
  ['no line of a log', { other: 1 }],
  ['a list', [1]],
  ['null', null],
])('%s => none', (_, line) => {
  expect(readLogLine(line)).toBeUndefined();
});

it.each([
  ['seeds that are no list', { ...HEAD, spec: { ...HEAD.spec, seeds: 'http://a.example/' } }],
  ['no scope', { ...HEAD, spec: { ...HEAD.spec, scope: undefined } }],
  ['a state that there is not', { ...HEAD, state: 'dreaming' }],
  ['no time', { ...HEAD, startedAt: 'yesterday' }],
  [
    'a pattern that is none',
    { ...HEAD, spec: { ...HEAD.spec, skipByRules: { missAtMost: 0, refreshEvery: 1, pin: ['('] } } },
  ],
])('a head with %s => none', (_, head) => {
  expect(readLogHead(head)).toBeUndefined();
});

type Path = readonly (string | number)[];

function* placesIn(value: unknown, path: Path = []): Generator<Path> {
  yield path;
  if (typeof value !== 'object' || value === null) return;
  for (const [key, part] of Object.entries(value)) yield* placesIn(part, [...path, key]);
}

function changed(value: unknown, [key, ...rest]: Path, to: unknown): unknown {
  if (key === undefined) return to;
  const copy: Record<string | number, unknown> = Array.isArray(value)
    ? ([...value] as never)
    : { ...(value as object) };
  copy[key] = changed(copy[key], rest, to);
  return copy;
}

/** One field of one line is something else, or the line has other characters. */
const mutation = fc.integer({ min: 0, max: LINES.length - 1 }).chain((index) => {
  const line = LINES[index];
  const text = JSON.stringify(line);
  const place = fc.constantFrom(...placesIn(line));
  const other = fc.oneof(
    fc.constantFrom(
      undefined,
      null,
      '',
      'Infinity',
      -1,
      0.5,
      1e300,
      true,
      [],
      {},
      '\0',
      '\ud800',
      'x'.repeat(5000),
    ),
    fc.jsonValue(),
    place.map((path) => path.reduce<unknown>((at, key) => (at as never)[key], line)),
  );
  const field = fc.tuple(place, other).map(([path, to]) => JSON.stringify(changed(line, path, to)) ?? '');
  const characters = fc
    .tuple(fc.nat(text.length), fc.nat(9), fc.string({ maxLength: 9 }))
    .map(([at, length, some]) => text.slice(0, at) + some.replaceAll('\n', '') + text.slice(at + length));
  return fc.tuple(fc.constant(index), fc.oneof({ weight: 4, arbitrary: field }, characters));
});

async function readEverything(catalog: Catalog): Promise<void> {
  for (const crawl of await catalog.crawls()) {
    const crawlId = crawl.id;
    await Promise.all([catalog.tally(crawlId), catalog.visits({ crawlId }), catalog.skips({ crawlId })]);
    await Promise.all([catalog.notes(crawlId), catalog.inferences({ crawlId }), catalog.hostCounts(crawlId)]);
    await catalog.pending(crawlId, 'a.example', 9);
    await crawlLog(crawl, 'finished', 2000, catalog);
  }
}

test('real lines with any field changed => no error, and a line that brings nothing is counted', async () => {
  const texts = LINES.map((line) => JSON.stringify(line));
  await fc.assert(
    fc.asyncProperty(fc.array(mutation, { minLength: 1, maxLength: 3 }), async (mutations) => {
      const lines = [...texts];
      for (const [index, text] of mutations) lines[index] = text;
      const catalog = await openSqliteCatalog(':memory:');
      const log = memoryBody(Buffer.from(lines.map((line) => `${line}\n`).join('')));
      const lost = await restoreCrawl(log, catalog);
      await readEverything(catalog);
      const isHeadWhole = (await catalog.crawls()).length === 1;
      const damaged = lines.slice(1).filter((line) => line !== '' && !isLine(line)).length;
      if (isHeadWhole) expect(lost).toBeGreaterThanOrEqual(damaged);
      await catalog.close();
    }),
    { numRuns: 400 },
  );
});

function isLine(text: string): boolean {
  try {
    return readLogLine(JSON.parse(text)) !== undefined;
  } catch {
    return false;
  }
}
