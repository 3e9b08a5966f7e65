import type { Decisions } from '../model/decisions.ts';
import type { FrontierCatalog, PerimeterCatalog } from '../ports/catalog.ts';
import type { PerimeterDefinition } from '../science/perimeter/definition.ts';
import { OnlinePerimeter, type StoredUrl } from '../science/perimeter/online-perimeter.ts';
import type { PerimeterPorts } from './perimeter-facts.ts';

/** Pages whose links are asked for at once. */
const AT_ONCE = 500;

/**
 * Stage: what the archive knows of a perimeter → its state, to go on from. Pages read by any crawl hand on what they said then;
 * what is in the frontier of this crawl has joined.
 */
export async function restorePerimeter(
  definition: PerimeterDefinition,
  decisions: Decisions,
  catalog: Pick<PerimeterCatalog, 'perimeterUrls' | 'linksFrom'> & Pick<FrontierCatalog, 'frontierUrls'>,
  frontier?: { readonly crawlId: number; readonly addressFacts: PerimeterPorts['addressFacts'] },
): Promise<OnlinePerimeter> {
  const perimeter = new OnlinePerimeter(definition, decisions);
  let pages: StoredUrl[] = [];
  const flush = async (): Promise<void> => {
    const links = await catalog.linksFrom(pages.map(({ url }) => url));
    for (const page of pages) perimeter.restoreRead(page, links.get(page.url) ?? []);
    pages = [];
  };
  for await (const one of catalog.perimeterUrls({ perimeter: definition.name })) {
    if (!one.isRead) {
      perimeter.restoreSuspect(one);
      continue;
    }
    pages.push(one);
    if (pages.length >= AT_ONCE) await flush();
  }
  await flush();
  if (!frontier) return perimeter;
  const { crawlId, addressFacts } = frontier;
  for await (const { url, kind } of catalog.frontierUrls(crawlId))
    if (kind === 'page') perimeter.restoreJoined(addressFacts(url) ?? { url, host: '', domain: '' });
  return perimeter;
}
