import { isHtml, mediaType } from '../../model/exchange.ts';
import {
  type AnalysedPage,
  analyseFilled,
  analysePage,
  archivedSnapshot,
  keepForLater,
  noHtml,
} from '../../stages/analyse-page.ts';
import { verified } from '../../stages/fill-page.ts';
import type { Analysed, Discovered, VisitWorld } from './visit-state.ts';

/** Step: the layout of a page that was there, and its delta. What could not be analysed is a fact of the page. */
export async function analyse(state: Discovered, world: VisitWorld): Promise<Analysed> {
  const isPage = state.entry.kind === 'page' && !state.isRedirect && !state.fault;
  return { ...state, at: 'analysed', analysis: isPage ? await analysed(state, world) : undefined };
}

async function analysed(
  { entry: { url }, document, shown }: Discovered,
  { ports: { analyser, filler, catalog, reader }, context }: VisitWorld,
): Promise<AnalysedPage | undefined> {
  if (!analyser) return undefined;
  const ports = { analyser, catalog, reader };
  const at = document.exchange.startedAt;
  if (shown.by === 'template') {
    const { viXml, record } = shown.filled;
    return withTurn(await analyseFilled({ url, at, viXml }, ports), { record, facts: [] });
  }
  if (shown.by === 'bytes') {
    const mime = mediaType(document.content.response.headers);
    return isHtml(mime) ? undefined : { records: [], facts: [`no layout: ${noHtml(mime)}`] };
  }
  const { rendering, template } = shown;
  const { snapshot, exchanges } = rendering;
  if (!snapshot) return undefined;
  if (context.analysesLater) return keepForLater({ url, at, snapshot, exchanges });
  const page = await analysePage({ url, at, snapshot, exchanges }, ports);
  if (template.kind !== 'verified' || !filler || snapshot.kind !== 'taken') return page;
  const packed = await archivedSnapshot(snapshot.packed, exchanges);
  return withTurn(page, await verified(template.page, packed, filler));
}

/** With what became of the template. */
function withTurn(page: AnalysedPage, told: Awaited<ReturnType<typeof verified>>): AnalysedPage {
  if (!told) return page;
  const records = told.record ? [...page.records, told.record] : page.records;
  return { ...page, records, facts: [...page.facts, ...told.facts] };
}
