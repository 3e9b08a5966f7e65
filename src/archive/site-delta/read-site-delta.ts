import { siteOf } from '../../model/site.ts';
import type { DeltaCrawl, DeltaMirror, DeltaPage } from '../../model/site-delta.ts';
import type { Millis } from '../../model/time.ts';
import { type FindProblem, PageBuilder, readCrawl, readMirror, unknownAttributes } from './delta-elements.ts';
import { plainText, webUrl } from './document-attributes.ts';
import { type FilePosition, SiteDeltaError, type XmlEvent, xmlEvents } from './sax-events.ts';
import { SeenUrls } from './seen-urls.ts';

export type DeltaItem =
  | { readonly kind: 'site'; readonly site: string }
  | { readonly kind: 'crawl'; readonly site: string; readonly crawl: DeltaCrawl }
  | { readonly kind: 'page'; readonly site: string; readonly page: DeltaPage }
  | { readonly kind: 'mirror'; readonly site: string; readonly mirror: DeltaMirror }
  | { readonly kind: 'problem'; readonly severity: 'error' | 'note'; readonly reason: string };

/** Which elements may contain which; anything else is not a site-delta, and ends the reading. */
const CHILDREN: Readonly<Record<string, readonly string[]>> = {
  '': ['site-delta', 'website'],
  'site-delta': ['website'],
  website: ['crawl', 'page', 'mirror'],
  page: ['document'],
  document: ['error'],
  mirror: ['exclusion'],
};

/** Crawls and mirrors of a site, which the catalog keeps in one row. */
const MOST_OF_SITE = 100_000;

/**
 * A site-delta, item by item. What is not a site-delta throws SiteDeltaError; an element with impossible content is
 * left out and reported as a problem, by line and column. `before`: no access is later.
 */
export async function* readSiteDelta(
  chunks: AsyncIterable<Uint8Array>,
  before: Millis,
): AsyncGenerator<DeltaItem> {
  const open: string[] = [];
  const problems: DeltaItem[] = [];
  const find: FindProblem = ({ line, column }, reason, severity = 'error') => {
    problems.push({ kind: 'problem', severity, reason: `line ${line}, column ${column}: ${reason}` });
  };
  const hasRoom = (place: FilePosition): boolean => {
    if (++ofSite <= MOST_OF_SITE) return true;
    find(place, `more than ${MOST_OF_SITE} crawls and mirrors of one site: it is left out`);
    return false;
  };
  let base: URL | undefined;
  let site = '';
  // To report a page that occurs twice; its documents are joined all the same.
  const urls = new SeenUrls();
  let ofSite = 0;
  let page: PageBuilder | undefined;
  let mirror: { readonly mirror: DeltaMirror; readonly exclusions: string[] } | undefined;
  for await (const event of xmlEvents(chunks)) {
    if (event.kind === 'close') {
      open.pop();
      if (event.name === 'page') {
        if (page) yield { kind: 'page', site, page: page.finish() };
        page = undefined;
      }
      if (event.name === 'mirror' && mirror)
        yield { kind: 'mirror', site, mirror: { ...mirror.mirror, exclusions: mirror.exclusions.sort() } };
    } else {
      place(open, event);
      switch (event.name) {
        case 'site-delta':
          if (event.attributes.version !== '1')
            throw new SiteDeltaError(
              event,
              `its version is '${event.attributes.version ?? ''}': only 1 is known`,
            );
          break;
        case 'website':
          unknownAttributes(event, ['url'], find);
          base = baseOf(event);
          site = siteName(event.attributes.url ?? '', base);
          ofSite = 0;
          yield { kind: 'site', site };
          break;
        case 'crawl': {
          const crawl = readCrawl(event, before, find);
          if (crawl && hasRoom(event)) yield { kind: 'crawl', site, crawl };
          break;
        }
        case 'page': {
          const url = pageUrl(event, base as URL, find);
          if (url !== undefined && urls.add(url))
            find(event, `the page ${url} stands there twice: its documents are joined`, 'note');
          page = url === undefined ? undefined : new PageBuilder(url, event, before, find);
          break;
        }
        case 'document':
          page?.document(event);
          break;
        case 'error':
          page?.error(event);
          break;
        case 'mirror': {
          const read = readMirror(event, before, find);
          mirror = read && hasRoom(event) ? { mirror: read, exclusions: [] } : undefined;
          break;
        }
        case 'exclusion': {
          const path = event.attributes.path;
          if (path?.startsWith('/') && plainText(path)) mirror?.exclusions.push(path);
          else find(event, 'an exclusion needs a path that begins with a slash');
        }
      }
    }
    yield* problems.splice(0);
  }
}

/** Throws where the element is not allowed; otherwise notes it as open. */
function place(open: string[], event: XmlEvent): void {
  const parent = open.at(-1) ?? '';
  if (!CHILDREN[parent]?.includes(event.name)) {
    const where = parent === '' ? 'as the root' : `in <${parent}>`;
    throw new SiteDeltaError(
      event,
      `<${event.name.slice(0, 100)}> cannot stand ${where}: this is no site-delta`,
    );
  }
  open.push(event.name);
}

type Opened = Extract<XmlEvent, { kind: 'open' }>;

/** `www.inria.fr` => `http://www.inria.fr/`. */
function baseOf(event: Opened): URL {
  const text = event.attributes.url ?? '';
  const full = /^https?:\/\//i.test(text) ? text : `http://${text}`;
  if (plainText(text) && URL.canParse(full)) {
    const url = new URL(full);
    if (siteOf(url.href) !== '') return url;
  }
  throw new SiteDeltaError(event, `'${text.slice(0, 100)}' names no site`);
}

/** A directory of a host may be a site under the writer's rules: `example.org/~user`. */
const siteName = (text: string, base: URL): string =>
  /^https?:/i.test(text) || !text.includes('/') ? siteOf(base.href) : text;

function pageUrl(event: Opened, base: URL, find: FindProblem): string | undefined {
  const text = event.attributes.url ?? '';
  const url = text.startsWith('/') && plainText(text) ? resolved(text, base) : webUrl(text);
  if (url === undefined) find(event, `'${text.slice(0, 100)}' is no address of a page: it is left out`);
  else return copied(url);
  return undefined;
}

/**
 * URLs are remembered, here and in the catalog, and V8 keeps the whole chunk alive that a substring was cut from: in
 * the end, the whole file.
 */
const copied = (text: string): string => Buffer.from(text).toString();

const resolved = (path: string, base: URL): string | undefined =>
  URL.canParse(path, base) ? new URL(path, base).href : undefined;
