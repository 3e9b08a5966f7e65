import { type Exchange, header, redirectTarget, type Truncation } from '../../model/exchange.ts';
import { CaptureFault } from '../../model/fault.ts';
import type { LinkSelector } from '../../model/link-selector.ts';
import { REDACTED, redactedFields } from '../../model/private-capture.ts';
import type { Document, PageContent, PageText } from '../../ports/page-reader.ts';
import type { Finds } from '../../stages/discover.ts';
import { linkSelectors } from './link-selectors.ts';
import { type Digested, loadedWith, type ShownPage, type VisitWorld } from './visit-state.ts';

/** Step: what the answer leads to and names, and what of it is missing. */
export async function digest(state: ShownPage, { ports, context }: VisitWorld): Promise<Digested> {
  const { entry, document, shown } = state;
  const { exchange } = document;
  const loaded = loadedWith(shown);
  const location = redirectTarget(exchange);
  // A second visit asks whether the page is still what it was, and follows nothing.
  const step =
    location === undefined || entry.kind === 'revisit'
      ? {}
      : context.chains.follow(entry, location, context.spec.limits.redirects);
  const selectors = linkSelectors(context.spec);
  const read = await named(state, ports.pageReader, context.gate !== undefined, selectors);
  const { finds } = read;
  const impairment = impairmentOf(
    exchange,
    read.decodable ?? (await ports.pageReader.isDecodable(document.content)),
  );
  return {
    ...state,
    at: 'digested',
    fault: step.fault ?? state.fault,
    exchanges: [exchange, ...loaded.filter((other) => other !== exchange)],
    loaded,
    lost: finds.lost ?? [],
    title: read.title,
    words: read.words,
    finds: step.target === undefined ? finds : { ...finds, redirect: step.target },
    facts: [
      ...document.facts,
      ...state.asides,
      ...read.facts,
      ...mishaps(state),
      ...redactions([exchange, ...loaded]),
      ...(impairment ? [impairment.message] : []),
    ],
    cut: read.cut,
    impairment,
    isRedirect: location !== undefined,
  };
}

interface Read {
  readonly title: string;
  readonly finds: Finds;
  readonly facts: readonly string[];
  readonly cut: readonly string[];
  /** Absent where nobody looked. */
  readonly decodable?: boolean | undefined;
  readonly words?: PageText | undefined;
}

const NOTHING: Read = { title: '', finds: { links: [], resources: [] }, facts: [], cut: [] };

/** What the page names: from the rendered DOM where there is one, else from the bytes. */
async function named(
  { entry, document, shown, read }: ShownPage,
  reader: VisitWorld['ports']['pageReader'],
  wantsWords: boolean,
  selectors: readonly LinkSelector[],
): Promise<Read> {
  const { content } = document;
  if (entry.kind === 'sitemap') {
    const { pages, hints, sitemaps, facts } = await reader.readSitemap(content);
    const finds = { links: pages, resources: [], sitemaps, ...(hints && { hints }) };
    return { title: '', finds, facts, cut: facts };
  }
  // Of a page that still stands there is nothing new to say.
  if (entry.kind === 'revisit' && document.kind === 'not-modified') return NOTHING;
  // What a rendered page embeds was loaded by the browser already, or lost, but for documents it has no viewer for.
  if (shown.by === 'browser') {
    const { title, links, embedded, lost, blocked = [], facts, cut = [] } = shown.rendering;
    const words = wantsWords ? await wordsOf(content, shown.rendering.text, reader) : undefined;
    const allLost = [...lost, ...shown.alternatives.lost];
    return { title, finds: { links, resources: embedded, lost: allLost, blocked }, facts, cut, words };
  }
  const found: PageContent = wantsWords || !read ? await reader.read(content, wantsWords, selectors) : read;
  const { title, links, resources, facts, decodable, words } = found;
  if (shown.by === 'bytes')
    return { title, finds: { links, resources }, facts, cut: facts, decodable, words };
  const { filled } = shown;
  const finds = { links, resources: [], lost: filled.lost };
  return { title: filled.title, finds, facts: [...facts, ...filled.facts], cut: facts, decodable, words };
}

/** A browser tells the text as it is read, the bytes what links say. */
async function wordsOf(
  content: Document,
  text: string,
  reader: VisitWorld['ports']['pageReader'],
): Promise<PageText> {
  const { words } = await reader.read(content, true);
  return {
    declared: words?.declared,
    text: () => text.slice(0, LONGEST_TEXT),
    linkWords: (url) => words?.linkWords(url),
  };
}

/** Characters. */
const LONGEST_TEXT = 2000;

const CUTS: Readonly<Record<Truncation, string>> = {
  disconnect: 'the connection broke off',
  time: 'the time limit was reached',
  length: 'the size limit was reached',
  unspecified: 'the answer ended early',
};

/** What is wrong with the answer itself, though it is stored. */
function impairmentOf({ url, response, truncated }: Exchange, decodable: boolean): CaptureFault | undefined {
  const { size } = response.body;
  if (truncated)
    return new CaptureFault('cut-short', url, `${CUTS[truncated]} after ${size} bytes of the body`);
  if (decodable) return undefined;
  const coding = header(response.headers, 'content-encoding') ?? 'the archived answer';
  return new CaptureFault('not-decodable', url, `${size} bytes cannot be decoded as ${coding}`);
}

/** Which fields are not stored as they were. */
function redactions(exchanges: readonly Exchange[]): readonly string[] {
  const names = redactedFields(
    exchanges.flatMap(({ request, response }) => [request.headers, response.headers]),
  );
  return names.length > 0 ? [`stored as ${REDACTED}: the values of ${names.join(', ')}`] : [];
}

function mishaps({ shown }: ShownPage): readonly string[] {
  if (shown.by === 'bytes' && shown.notRendered) return [`not rendered: ${shown.notRendered.message}`];
  if (shown.by === 'browser' && shown.template.kind === 'failed')
    return [`not filled from its template: ${shown.template.fault.message}`];
  return [];
}
