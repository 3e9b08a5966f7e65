import { isDeepStrictEqual } from 'node:util';
import {
  type DeltaCrawl,
  type DeltaDocument,
  type DeltaMirror,
  type DeltaPage,
  DOCUMENT_STATUSES,
  isInferenceReason,
  UNNAMED,
} from '../../model/site-delta.ts';
import type { Millis } from '../../model/time.ts';
import { archiveName, DOCUMENT_ATTRIBUTES, plainText, wholeNumber } from './document-attributes.ts';
import type { FilePosition, XmlEvent } from './sax-events.ts';

export type FindProblem = (place: FilePosition, reason: string, severity?: 'error' | 'note') => void;

type Opened = Extract<XmlEvent, { kind: 'open' }>;

const MOST_DOCUMENTS = 100_000;
const PAGE_ATTRIBUTES = ['url', 'archive', 'last-update', 'changes-per-day', 'size'];
const OWN_ATTRIBUTES = ['date', 'status', 'archive', ...DOCUMENT_ATTRIBUTES.map(({ name }) => name)];

/**
 * A page, built from its elements as they arrive. What follows from its documents (last update, rate, size) is
 * recomputed, not read.
 */
export class PageBuilder {
  readonly #url: string;
  readonly #archive: string;
  readonly #before: Millis;
  readonly #find: FindProblem;
  readonly #byAccess = new Map<string, DeltaDocument>();
  readonly #documents: DeltaDocument[] = [];
  /** The last document, held until its element ends: an error may follow. */
  #last: { readonly document: DeltaDocument; readonly at: Opened } | undefined;

  constructor(url: string, event: Opened, before: Millis, find: FindProblem) {
    this.#url = url;
    this.#before = before;
    this.#find = find;
    unknownAttributes(event, PAGE_ATTRIBUTES, find);
    this.#archive = archiveOf(event, UNNAMED, find);
  }

  document(event: Opened): void {
    this.#settle();
    const document = readDocument(event, this.#archive, this.#before, this.#find);
    if (document) this.#last = { document, at: event };
  }

  error(event: Opened): void {
    unknownAttributes(event, ['httperror', 'fault'], this.#find);
    if (!this.#last) return;
    const { document, at } = this.#last;
    const { httperror, fault } = event.attributes;
    const http = httperror === undefined ? undefined : wholeNumber(httperror);
    if (httperror !== undefined && !(http && http >= 100 && http <= 999))
      this.#find(event, `'${httperror.slice(0, 100)}' is no status of HTTP`);
    if (fault !== undefined && !plainText(fault)) this.#find(event, 'the fault is no plain text');
    this.#last = {
      document: {
        ...document,
        ...(http && http >= 100 && http <= 999 && { http }),
        ...(fault !== undefined && plainText(fault) && { fault }),
      },
      at,
    };
  }

  finish(): DeltaPage {
    this.#settle();
    const documents = this.#documents;
    if (documents.some(({ at }, i) => at < (documents[i - 1]?.at ?? at)))
      documents.sort((a, b) => a.at - b.at || (a.archive < b.archive ? -1 : 1));
    return { url: this.#url, documents };
  }

  #settle(): void {
    if (!this.#last) return;
    const { document, at } = this.#last;
    this.#last = undefined;
    const key = `${document.at} ${document.archive}`;
    const known = this.#byAccess.get(key);
    if (known) {
      if (!isDeepStrictEqual(known, document))
        this.#find(
          at,
          `another document of ${new Date(document.at).toISOString()} says otherwise: the first stays`,
        );
    } else if (this.#documents.length >= MOST_DOCUMENTS)
      this.#find(at, `more than ${MOST_DOCUMENTS} documents of one page: it is left out`);
    else {
      this.#byAccess.set(key, document);
      this.#documents.push(document);
    }
  }
}

function readDocument(
  event: Opened,
  pageArchive: string,
  before: Millis,
  find: FindProblem,
): DeltaDocument | undefined {
  const { attributes } = event;
  unknownAttributes(event, OWN_ATTRIBUTES, find);
  const at = readDate(event, 'date', before, find);
  const status = DOCUMENT_STATUSES.find((one) => one === attributes.status);
  if (status === undefined)
    find(event, `'${(attributes.status ?? '').slice(0, 100)}' is no status of a document: it is left out`);
  if (status === undefined || at === undefined) return undefined;
  const rest: Record<string, string | number> = {};
  for (const { key, name, read } of DOCUMENT_ATTRIBUTES) {
    const text = attributes[name];
    if (text === undefined) continue;
    const value = read(text);
    if (value === undefined || (key === 'inferred' && !isInferenceReason(text)))
      find(event, `${name}="${text.slice(0, 100)}" has no meaning: it is left out`);
    else rest[key] = value;
  }
  return { at, status, archive: archiveOf(event, pageArchive, find), ...rest };
}

export function readCrawl(event: Opened, before: Millis, find: FindProblem): DeltaCrawl | undefined {
  unknownAttributes(event, ['archive', 'start', 'end'], find);
  const from = readDate(event, 'start', before, find);
  const to = event.attributes.end === undefined ? undefined : readDate(event, 'end', before, find);
  if (from === undefined) return undefined;
  if (to !== undefined && to < from) {
    find(event, 'the crawl ends before it begins: it is left out');
    return undefined;
  }
  return { archive: archiveOf(event, UNNAMED, find), from, ...(to !== undefined && { to }) };
}

const MIRROR_ATTRIBUTES = ['url', 'depth', 'path', 'archive', 'checked', 'status', 'behind', 'since'];

/** The paper's form does not say when the mirror was checked, nor its standing. */
export function readMirror(event: Opened, before: Millis, find: FindProblem): DeltaMirror | undefined {
  const { url = '', path = '/', behind = '0' } = event.attributes;
  unknownAttributes(event, MIRROR_ATTRIBUTES, find);
  const since = event.attributes.since === undefined ? undefined : readDate(event, 'since', before, find);
  const checked = event.attributes.checked === undefined ? 0 : readDate(event, 'checked', before, find);
  const pages = wholeNumber(behind);
  if (
    !plainText(url) ||
    !URL.canParse(`http://${url}/`) ||
    !path.startsWith('/') ||
    !plainText(path) ||
    pages === undefined
  ) {
    find(event, 'the mirror has no site, path or number of pages that can be: it is left out');
    return undefined;
  }
  return {
    archive: archiveOf(event, UNNAMED, find),
    url,
    path,
    exclusions: [],
    checkedAt: checked ?? 0,
    behind: pages,
    ...(since !== undefined && { since }),
  };
}

function archiveOf({ attributes, ...place }: Opened, otherwise: string, find: FindProblem): string {
  const { archive } = attributes;
  if (archive === undefined || archiveName(archive)) return archive ?? otherwise;
  find(place, `'${archive.slice(0, 100)}' is no name of an archive`);
  return otherwise;
}

/** A day, or a time in UTC or with a UTC offset. */
const DATE = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})?)?$/;

function readDate(event: Opened, name: string, before: Millis, find: FindProblem): Millis | undefined {
  const text = event.attributes[name] ?? '';
  const at = DATE.test(text)
    ? Date.parse(/T.*(?:Z|[+-]\d{2}:\d{2})$/.test(text) || !text.includes('T') ? text : `${text}Z`)
    : Number.NaN;
  if (Number.isNaN(at))
    find(event, `${name}="${text.slice(0, 100)}" is no date such as 2026-01-31T12:00:00Z: left out`);
  else if (at >= before) find(event, `${name}="${text}" lies in the future: left out`);
  else return at;
  return undefined;
}

export function unknownAttributes(event: Opened, known: readonly string[], find: FindProblem): void {
  for (const name of Object.keys(event.attributes))
    if (!known.includes(name))
      find(event, `<${event.name}> has no attribute '${name.slice(0, 100)}'`, 'note');
}
