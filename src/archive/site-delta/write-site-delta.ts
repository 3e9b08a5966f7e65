import {
  type DeltaCrawl,
  type DeltaDocument,
  type DeltaMirror,
  type DeltaPage,
  UNNAMED,
} from '../../model/site-delta.ts';
import type { Millis } from '../../model/time.ts';
import { pageSummary } from '../../science/evolution/page-summary.ts';
import { xmlAttribute } from '../../science/layout/xml.ts';
import { DOCUMENT_ATTRIBUTES } from './document-attributes.ts';

/** A site with all that is known of its history; pages in order of SURT key, then URL. */
export interface SiteDelta {
  readonly site: string;
  readonly crawls: readonly DeltaCrawl[];
  readonly mirrors: readonly DeltaMirror[];
  pages(): AsyncIterable<DeltaPage>;
}

/** The text of a site-delta, in small pieces: schemas/site-delta.xsd. The same histories give the same bytes. */
export async function* siteDeltaText(sites: AsyncIterable<SiteDelta>): AsyncGenerator<string> {
  yield '<?xml version="1.0" encoding="UTF-8"?>\n<site-delta version="1">\n';
  for await (const { site, crawls, mirrors, pages } of sites) {
    yield `${open('website', [['url', site]])}\n`;
    for (const { archive, from, to } of crawls.toSorted(byStart))
      yield `  ${empty('crawl', [
        ['archive', archive],
        ['start', date(from)],
        ['end', date(to)],
      ])}\n`;
    for await (const page of pages()) if (page.documents.length > 0) yield pageText(page);
    for (const mirror of mirrors.toSorted(byName)) yield mirrorText(mirror);
    yield '</website>\n';
  }
  yield '</site-delta>\n';
}

type Attribute = readonly [name: string, value: string | number | undefined];

/** Omits attributes without a value. */
function attributes(list: readonly Attribute[]): string {
  let text = '';
  for (const [name, value] of list)
    if (value !== undefined) text += ` ${name}="${xmlAttribute(String(value))}"`;
  return text;
}

const open = (name: string, list: readonly Attribute[]): string => `<${name}${attributes(list)}>`;
const empty = (name: string, list: readonly Attribute[]): string => `<${name}${attributes(list)}/>`;

const date = (at: Millis | undefined): string | undefined =>
  at === undefined ? undefined : new Date(at).toISOString();

/**
 * The page names the archive of its first document. If others tell of it too, each document names its own: the archive
 * that made the access has the record, unless `held-by` names another.
 */
function pageText({ url, documents }: DeltaPage): string {
  const archive = documents[0]?.archive ?? UNNAMED;
  const isMixed = documents.some((one) => one.archive !== archive);
  const { lastUpdate, changesPerDay, size } = pageSummary(documents);
  const head = open('page', [
    ['url', url],
    ['archive', archive],
    ['last-update', date(lastUpdate)],
    ['changes-per-day', changesPerDay],
    ['size', size],
  ]);
  return `  ${head}\n${documents.map((document) => documentText(document, isMixed)).join('')}  </page>\n`;
}

function documentText(document: DeltaDocument, isMixed: boolean): string {
  const { at, status, archive, http, fault } = document;
  const list: Attribute[] = [
    ['date', date(at)],
    ['status', status],
    ['archive', isMixed ? archive : undefined],
    ...DOCUMENT_ATTRIBUTES.map(({ key, name }): Attribute => [name, document[key]]),
  ];
  if (http === undefined && fault === undefined) return `    ${empty('document', list)}\n`;
  return `    ${open('document', list)}${empty('error', [
    ['httperror', http],
    ['fault', fault],
  ])}</document>\n`;
}

function mirrorText({ archive, url, path, exclusions, checkedAt, behind, since }: DeltaMirror): string {
  const list: Attribute[] = [
    ['url', url],
    ['depth', 'nolimit'],
    ['path', path === '/' ? undefined : path],
    ['archive', archive],
    ['checked', date(checkedAt)],
    ['status', behind === 0 ? 'up-to-date' : 'behind'],
    ['behind', behind === 0 ? undefined : behind],
    ['since', date(since)],
  ];
  if (exclusions.length === 0) return `  ${empty('mirror', list)}\n`;
  const inner = exclusions.map((one) => `    ${empty('exclusion', [['path', one]])}\n`).join('');
  return `  ${open('mirror', list)}\n${inner}  </mirror>\n`;
}

const byStart = (a: DeltaCrawl, b: DeltaCrawl): number => a.from - b.from || compare(a.archive, b.archive);
const byName = (a: DeltaMirror, b: DeltaMirror): number =>
  compare(a.url, b.url) || compare(a.path, b.path) || compare(a.archive, b.archive);
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
