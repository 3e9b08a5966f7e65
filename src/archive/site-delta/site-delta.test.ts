import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { openSqliteCatalog } from '../../catalog/engines/sqlite.ts';
import { INFERENCE_REASONS, isByRule } from '../../model/inference.ts';
import { type DeltaDocument, type DeltaPage, DOCUMENT_STATUSES } from '../../model/site-delta.ts';
import { surt } from '../../model/surt.ts';
import { openRecordReader } from '../../warc/record-reader.ts';
import { siteDeltas } from './export-site-delta.ts';
import { indexSiteDelta } from './index-site-delta.ts';
import { type SiteDelta, siteDeltaText } from './write-site-delta.ts';

const SCHEMA = readFileSync(new URL('../../../schemas/site-delta.xsd', import.meta.url), 'utf8');
const FUTURE = Date.UTC(2100, 0, 1);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'daguerre-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function textOf(deltas: Iterable<SiteDelta>): Promise<string> {
  async function* each() {
    yield* deltas;
  }
  let text = '';
  for await (const piece of siteDeltaText(each())) text += piece;
  return text;
}

async function* bytesOf(text: string) {
  const bytes = Buffer.from(text);
  // Small pieces, so that characters and tags are split.
  for (let from = 0; from < bytes.byteLength; from += 1000) yield bytes.subarray(from, from + 1000);
}

let serial = 0;
/** Reads texts into an empty catalog, one after the other, and writes out what it then knows. */
async function throughCatalog(...texts: string[]): Promise<string> {
  const catalog = await openSqliteCatalog(join(folder, `${++serial}.sqlite`));
  const reader = openRecordReader(folder);
  try {
    for (const text of texts) await indexSiteDelta(bytesOf(text), FUTURE, catalog);
    let written = '';
    const deltas = siteDeltas({ catalog, reader }, await catalog.historySites());
    for await (const piece of siteDeltaText(deltas)) written += piece;
    return written;
  } finally {
    await catalog.close();
  }
}

const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 });
const plain = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
  .filter((text) => !/\p{Cc}|\p{Cs}/u.test(text));
const archive = fc.constantFrom('k7mq-2xrt-9hbd', 'zzzz-2222-3333', 'unnamed');
const at = fc.integer({ min: Date.UTC(1996, 0, 1), max: Date.UTC(2030, 0, 1) });
const url = fc.constantFrom(
  'https://example.org/',
  'http://www.example.org/a?b=1&c="2"',
  'https://example.org/ü/😀',
);

const document = fc
  .record({
    at,
    status: fc.constantFrom(...DOCUMENT_STATUSES),
    archive,
    record: optional(plain),
    file: optional(plain),
    offset: optional(fc.nat()),
    sha256: optional(fc.stringMatching(/^[0-9a-f]{64}$/)),
    size: optional(fc.nat()),
    look: optional(plain),
    importance: optional(fc.double({ min: 0, max: 1, noNaN: true })),
    sameAs: optional(url),
    http: optional(fc.integer({ min: 100, max: 999 })),
    fault: optional(plain),
    inferred: optional(fc.constantFrom(...INFERENCE_REASONS.filter(isByRule))),
    heldBy: optional(archive),
    of: optional(url),
  })
  .map(
    (all) =>
      Object.fromEntries(Object.entries(all).filter(([, v]) => v !== undefined)) as unknown as DeltaDocument,
  );

const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

function delta(
  site: string,
  paths: readonly string[],
  documents: readonly (readonly DeltaDocument[])[],
): SiteDelta {
  const pages = [...new Set(paths.map((path) => new URL(`https://${site}${path}`).href))]
    .map((one, i): DeltaPage => ({ url: one, documents: inTime(documents[i] ?? []) }))
    .filter((page) => page.documents.length > 0)
    .sort((a, b) => byBytes(surt(a.url), surt(b.url)) || byBytes(a.url, b.url));
  const crawls = pages.slice(0, 2).map(({ documents: [first] }) => ({
    archive: first?.archive ?? '',
    from: first?.at ?? 0,
    ...(first?.size && { to: (first?.at ?? 0) + 1000 }),
  }));
  const mirrors = crawls.slice(0, 1).map(({ from }) => ({
    ...{ archive: 'unnamed', url: 'mirror.example', path: '/doc/', exclusions: ['/doc/a/', '/doc/b/'] },
    ...{ checkedAt: from, behind: 2, since: from },
  }));
  return {
    site,
    crawls: crawls.filter(
      ({ archive, from }, i) =>
        !crawls.slice(0, i).some((one) => one.archive === archive && one.from === from),
    ),
    mirrors,
    async *pages() {
      yield* pages;
    },
  };
}

/** Each access of an archive once. */
function inTime(documents: readonly DeltaDocument[]): DeltaDocument[] {
  const sorted = documents.toSorted((a, b) => a.at - b.at || (a.archive < b.archive ? -1 : 1));
  return sorted.filter(
    (one, i) => !sorted.slice(0, i).some((other) => other.at === one.at && other.archive === one.archive),
  );
}

const anyDelta = fc
  .record({
    site: fc.constantFrom('example.org', '127.0.0.1:8080', 'zürich.example'),
    paths: fc.array(fc.webPath({ size: 'small' }), { minLength: 1, maxLength: 6 }),
    documents: fc.array(fc.array(document, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 6 }),
  })
  .map(({ site, paths, documents }) => delta(new URL(`http://${site}`).host, paths, documents));

test('made-up histories => valid by the schema; read into an empty catalog and written again: the same bytes', async () => {
  await fc.assert(
    fc.asyncProperty(anyDelta, async (one) => {
      const text = await textOf([one]);
      expect(await throughCatalog(text)).toBe(text);
      expect(await throughCatalog(text, text)).toBe(text);
    }),
    { numRuns: 60 },
  );
  const some = fc.sample(anyDelta, 5);
  for (const one of some) {
    const { valid, errors } = await validateXML({ xml: await textOf([one]), schema: [SCHEMA] });
    expect({ valid, errors: errors.map(({ message }) => message) }).toEqual({ valid: true, errors: [] });
  }
}, 60_000);

test('the example of the paper, with its dates as ISO 8601 => pages by URL, documents oldest first', async () => {
  const paper = `<website url="www.inria.fr">
    <page url="/index.html"><document date="2002-01-01" status="updated" file="543B6.html"/>
      <document date="2002-03-01" status="unchanged" file="543B6.html"/></page>
    <page url="/news.html"><document date="2002-03-25" status="updated" file="543GX6.html"/>
      <document date="2002-03-24" status="error"><error httperror="404"/></document>
      <document date="1999-01-08" status="new" file="123GB8.html"/></page>
    <mirror url="www-mirror.inria.fr" depth="nolimit"><exclusion path="/cgi-bin"/></mirror></website>`;
  expect(await throughCatalog(paper)).toMatchInlineSnapshot(`
    "<?xml version="1.0" encoding="UTF-8"?>
    <site-delta version="1">
    <website url="inria.fr">
      <page url="http://www.inria.fr/index.html" archive="unnamed" last-update="2002-01-01T00:00:00.000Z" changes-per-day="0.00687229">
        <document date="2002-01-01T00:00:00.000Z" status="updated" file="543B6.html"/>
        <document date="2002-03-01T00:00:00.000Z" status="unchanged" file="543B6.html"/>
      </page>
      <page url="http://www.inria.fr/news.html" archive="unnamed" last-update="2002-03-25T00:00:00.000Z" changes-per-day="0.000937382">
        <document date="1999-01-08T00:00:00.000Z" status="new" file="123GB8.html"/>
        <document date="2002-03-24T00:00:00.000Z" status="error"><error httperror="404"/></document>
        <document date="2002-03-25T00:00:00.000Z" status="updated" file="543GX6.html"/>
      </page>
      <mirror url="www-mirror.inria.fr" depth="nolimit" archive="unnamed" checked="1970-01-01T00:00:00.000Z" status="up-to-date">
        <exclusion path="/cgi-bin"/>
      </mirror>
    </website>
    </site-delta>
    "
  `);
});

test('documents that say they are of the very archive that imports them => left out, and told', async () => {
  const own = 'k7mq-2xrt-9hbd';
  const document = (archive: string) =>
    `<document archive="${archive}" date="2026-03-01T00:00:00Z" status="updated"/>`;
  const text = `<site-delta version="1"><website url="example.org"><page url="https://example.org/">${document(own)}${document('zzzz-2222-3333')}</page>
    <page url="https://example.org/a">${document(own)}</page></website></site-delta>`;
  const { counts, problems } = await indexSiteDelta(bytesOf(text), FUTURE, undefined, own);
  expect(counts).toEqual({ sites: 1, pages: 1, documents: 1 });
  expect(problems.notes).toContainEqual(
    expect.stringMatching(/^2 of its documents are told as held by this archive itself/),
  );
});

test('a page of which two archives tell => each document names the one that holds it', async () => {
  const document = (archive: string, day: number) =>
    `<document archive="${archive}" date="2026-03-0${day}T00:00:00Z" status="updated" record="urn:x:${day}"/>`;
  const text = `<site-delta version="1"><website url="example.org"><page url="https://example.org/">${document('k7mq-2xrt-9hbd', 1)}${document('zzzz-2222-3333', 2)}${document('k7mq-2xrt-9hbd', 3)}</page>
    <page url="https://example.org/b" archive="zzzz-2222-3333">${document('zzzz-2222-3333', 1)}</page></website></site-delta>`;
  const written = await throughCatalog(text);
  expect(written.match(/<(?:page|document) .*?archive="[^"]*"/g)?.map((tag) => tag.slice(-16, -1))).toEqual(
    ['k7mq-2xrt-9hbd', 'k7mq-2xrt-9hbd', 'zzzz-2222-3333', 'k7mq-2xrt-9hbd', 'zzzz-2222-3333'].map(
      (id) => `"${id}`,
    ),
  );
});
