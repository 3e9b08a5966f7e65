import { redirectTarget } from '../../model/exchange.ts';
import type { PageContent } from '../../ports/page-reader.ts';
import type { Finds } from '../../stages/discover.ts';
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
  const read = await named(state, ports.pageReader);
  const { finds } = read;
  return {
    ...state,
    at: 'digested',
    fault: step.fault ?? state.fault,
    exchanges: [exchange, ...loaded.filter((other) => other !== exchange)],
    loaded,
    lost: finds.lost ?? [],
    title: read.title,
    finds: step.target === undefined ? finds : { ...finds, redirect: step.target },
    facts: [...document.facts, ...read.facts, ...mishaps(state)],
    cut: read.cut,
    isRedirect: location !== undefined,
  };
}

interface Read {
  readonly title: string;
  readonly finds: Finds;
  readonly facts: readonly string[];
  readonly cut: readonly string[];
}

const NOTHING: Read = { title: '', finds: { links: [], resources: [] }, facts: [], cut: [] };

/** What the page names: from the rendered DOM where there is one, else from the bytes. */
async function named(
  { entry, document, shown }: ShownPage,
  reader: VisitWorld['ports']['pageReader'],
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
    const { title, links, embedded, lost, facts, cut = [] } = shown.rendering;
    return { title, finds: { links, resources: embedded, lost }, facts, cut };
  }
  const found: PageContent = await reader.read(content);
  const { title, links, resources, facts } = found;
  if (shown.by === 'bytes') return { title, finds: { links, resources }, facts, cut: facts };
  const { filled } = shown;
  const finds = { links, resources: [], lost: filled.lost };
  return { title: filled.title, finds, facts: [...facts, ...filled.facts], cut: facts };
}

function mishaps({ shown }: ShownPage): readonly string[] {
  if (shown.by === 'bytes' && shown.notRendered) return [`not rendered: ${shown.notRendered.message}`];
  if (shown.by === 'browser' && shown.template.kind === 'failed')
    return [`not filled from its template: ${shown.template.fault.message}`];
  return [];
}
