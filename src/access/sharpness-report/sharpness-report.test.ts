import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { certifiedArchive, type PlannedPage } from '../../../test/certified-archive.ts';
import { openSqliteCatalog } from '../../catalog/engines/sqlite.ts';
import { openRecordReader } from '../../warc/record-reader.ts';
import { blurBars, intervals, organPipes } from './figures.ts';
import { NoSuchReport, qualityReport } from './quality-report.ts';
import { reportPage } from './report-page.ts';
import { reportText } from './report-text.ts';

const PAGES: readonly PlannedPage[] = [
  { name: '', rate: 1e-4, visit: 0, revisit: 70 },
  { name: 'news', rate: 0.02, visit: 20, revisit: 50, later: 'changed' },
  { name: 'about', rate: 1e-6, visit: 10, revisit: 60 },
];

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function reportOf(pages: readonly PlannedPage[], asked = 'example.org', crawl?: number) {
  const { archive, remove } = await certifiedArchive(pages, { failed: ['https://example.org/<slow>'] });
  const catalog = await openSqliteCatalog(join(archive, 'catalog.sqlite'), { readonly: true });
  const reader = openRecordReader(join(archive, 'warc'));
  closing.push(
    () => reader.close(),
    () => catalog.close(),
    remove,
  );
  return { archive, report: await qualityReport(asked, crawl, { catalog, reader }) };
}

test('a capture of three pages, one changed, one failed => its numbers, from records and catalog', async () => {
  const { report } = await reportOf(PAGES, 'https://www.example.org/some/page');
  expect(report).toMatchObject({
    site: 'example.org',
    crawl: { id: 1, state: 'finished', order: 'sharc-online' },
    coverage: { captured: 3, failed: 1, pending: 0, share: 0.75 },
    errors: { failures: { timeout: 1 }, urls: [{ url: 'https://example.org/<slow>', kind: 'timeout' }] },
    storage: { captures: 6, revisits: 2 },
  });
  expect(report.certificate?.statement.sharp).toMatchObject({ strict: 2, pages: 3 });
  // The pages have 1 + 1 + 2 versions, and were watched for 70, 50 and 30 s.
  expect(report.completeness).toEqual({
    estimate: 4 / (1.007 + 1.00005 + 2),
    archived: 4,
    believed: 1.007 + 1.00005 + 2,
  });
});

test('as text => the sentence of t*, the ratio, a row per page', async () => {
  const { report } = await reportOf(PAGES);
  const text = reportText(report);
  expect(text).toContain('t*             2026-11-02 09:00:35.000 UTC: 2 pages were then as archived');
  expect(text).toMatch(/strictly sharp 2 of 3 \(66\.7 %\)/);
  expect(text).toMatch(/^ {2}={60} {2}\/$/m);
  expect(text).toMatch(/!{20,}.* {2}\/news$/m);
  expect(text).toContain('1 timeout: no complete answer within the time limit');
});

test('as a page => nothing from outside, texts of the web escaped, every page and both digests in it', async () => {
  const { report } = await reportOf(PAGES);
  const page = reportPage(report, 'f00d');
  expect(page).not.toMatch(/<script|\bsrc=|\bhref=|url\(|@import|https?:\/\/(?!example\.org)/);
  expect(page).not.toContain('<slow>');
  expect(page).toContain('&lt;slow&gt;');
  expect(page).toContain("default-src 'none'");
  for (const { url, visit, revisit } of report.certificate?.statement.pages ?? []) {
    for (const part of [url, visit.sha256.slice(0, 12), revisit?.sha256.slice(0, 12) ?? ''])
      expect(page).toContain(part);
  }
  expect(page).toContain('SHA-256 f00d');
});

test('a page that was cut short => not sharp, and said in words', async () => {
  const { report } = await reportOf([...PAGES, { name: 'long', rate: 0, visit: 30, revisit: 40, cut: true }]);
  const text = reportText(report);
  expect(text).toMatch(/strictly sharp 2 of 4/);
  expect(text).toMatch(/cut short {6}1 of 4 \(25\.0 %\): the connection broke off; .* not proven/);
  expect(text).toMatch(/\/{3,}.* {2}\/long$/m);
  expect(reportPage(report, undefined)).toContain('the connection broke off');
});

test('a capture without revisits => no t* is claimed', async () => {
  const { report } = await reportOf(PAGES.map(({ name, rate, visit }) => ({ name, rate, visit })));
  expect(reportText(report)).toContain('no page was visited twice');
  expect(reportPage(report, undefined)).toContain('Every page was visited once');
});

test('thousands of pages => figures of a bounded size', async () => {
  const { report } = await reportOf(PAGES);
  const statement = report.certificate?.statement;
  const [page] = statement?.pages ?? [];
  if (!statement || !page) throw new Error('no page');
  const pages = Array.from({ length: 20_000 }, (_, i) => ({ ...page, rate: i / 1e6, breadthFirst: i }));
  for (const figure of [organPipes, intervals, blurBars])
    expect(figure({ ...statement, pages }).markup.length).toBeLessThan(300_000);
});

test('rates that are all 0, one page, no page => figures all the same', async () => {
  const { report } = await reportOf([{ name: '', rate: 0, visit: 0 }]);
  const statement = report.certificate?.statement;
  if (!statement) throw new Error('no certificate');
  const empty = { ...statement, pages: [], interval: null };
  for (const one of [statement, empty])
    for (const figure of [organPipes, intervals, blurBars])
      expect(figure(one).markup).not.toMatch(/NaN|Infinity/);
});

test('a site or crawl that is not there => what is', async () => {
  await expect(reportOf(PAGES, 'other.org')).rejects.toThrow(NoSuchReport);
  await expect(reportOf(PAGES, 'other.org')).rejects.toThrow('there are crawls of: example.org');
  await expect(reportOf(PAGES, 'example.org', 9)).rejects.toThrow('there is no crawl 9');
});

test('the schema knows every member that a certificate has', async () => {
  const { report } = await reportOf(PAGES);
  const schema = JSON.parse(
    await readFile(new URL('../../../schemas/certificate.schema.json', import.meta.url), 'utf8'),
  ) as Schema;
  const { publicKey, signature, statement } = report.certificate ?? {};
  expect(faultsOf({ algorithm: 'Ed25519', publicKey, signature, statement }, schema, schema)).toEqual([]);
  expect(faultsOf({ algorithm: 'RSA', publicKey, signature, statement, more: 1 }, schema, schema)).toEqual([
    '.more is unknown',
    '.algorithm is not "Ed25519"',
  ]);
});

interface Schema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly oneOf?: readonly Schema[];
  readonly type?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: false;
  readonly items?: Schema;
}

/** As much of JSON Schema as ours uses: no validator is among the dependencies. */
function faultsOf(value: unknown, schema: Schema, root: Schema, path = ''): string[] {
  if (schema.$ref !== undefined) {
    const target = root.$defs?.[schema.$ref.replace('#/$defs/', '')];
    return target ? faultsOf(value, target, root, path) : [`${schema.$ref} is not defined`];
  }
  if (schema.oneOf) {
    const fitting = schema.oneOf.filter((one) => faultsOf(value, one, root, path).length === 0);
    return fitting.length === 1 ? [] : [`${path} fits ${fitting.length} of ${schema.oneOf.length} forms`];
  }
  if (schema.const !== undefined && value !== schema.const)
    return [`${path} is not ${JSON.stringify(schema.const)}`];
  if (schema.enum && !schema.enum.includes(value)) return [`${path} is none of ${schema.enum.join()}`];
  if (schema.type !== undefined && !isOfType(value, schema.type)) return [`${path} is no ${schema.type}`];
  if (schema.pattern !== undefined && !new RegExp(schema.pattern, 'u').test(String(value)))
    return [`${path} does not match ${schema.pattern}`];
  if (schema.minimum !== undefined && Number(value) < schema.minimum) return [`${path} is too small`];
  if (schema.items && Array.isArray(value)) {
    const { items } = schema;
    return value.flatMap((item, i) => faultsOf(item, items, root, `${path}[${i}]`));
  }
  if (!schema.properties || typeof value !== 'object' || value === null) return [];
  const { properties } = schema;
  const present = Object.entries(value).filter(([, member]) => member !== undefined);
  return [
    ...(schema.required ?? []).filter((name) => !(name in value)).map((name) => `${path}.${name} is missing`),
    ...(schema.additionalProperties === false
      ? present.filter(([name]) => !(name in properties)).map(([name]) => `${path}.${name} is unknown`)
      : []),
    ...present.flatMap(([name, member]) => {
      const own = properties[name];
      return own ? faultsOf(member, own, root, `${path}.${name}`) : [];
    }),
  ];
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'integer') return Number.isInteger(value);
  return type === 'object'
    ? typeof value === 'object' && value !== null && !Array.isArray(value)
    : typeof value === type;
}
