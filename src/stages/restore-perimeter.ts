import type { Decisions } from '../model/decisions.ts';
import type { Millis } from '../model/time.ts';
import type { FrontierCatalog, PerimeterCatalog, PerimeterUrl } from '../ports/catalog.ts';
import type { PerimeterDefinition } from '../science/perimeter/definition.ts';
import { OnlinePerimeter, type StoredUrl } from '../science/perimeter/online-perimeter.ts';
import type { PerimeterPorts } from './perimeter-facts.ts';

/** Pages whose links are queried at once. */
const AT_ONCE = 500;

type KnownUrls = Pick<PerimeterCatalog, 'perimeterUrls' | 'linksFrom'>;

/**
 * Stage: what the archive knows of a perimeter → its state, to continue from. Pages read by any crawl pass on what they said then;
 * everything in the frontier of this crawl has joined.
 */
export async function restorePerimeter(
  definition: PerimeterDefinition,
  decisions: Decisions,
  catalog: KnownUrls & Pick<FrontierCatalog, 'frontierUrls'>,
  frontier?: { readonly crawlId: number; readonly addressFacts: PerimeterPorts['addressFacts'] },
): Promise<OnlinePerimeter> {
  const perimeter = new OnlinePerimeter(definition, decisions);
  await readBack(perimeter, catalog, (one) => {
    if (!one.isRead) perimeter.restoreSuspect(one);
    return one.isRead;
  });
  if (!frontier) return perimeter;
  const { crawlId, addressFacts } = frontier;
  for await (const { url, kind } of catalog.frontierUrls(crawlId))
    if (kind === 'page') perimeter.restoreJoined(addressFacts(url) ?? { url, host: '', domain: '' });
  return perimeter;
}

/** A URL as it was at a past time. */
export type UrlThen = Pick<PerimeterUrl, 'url' | 'isRead'>;

/**
 * Stage: the same, as known at a past time: pages that had been read by then, with all links that any capture of them had, and what
 * they name. Weights, decisions and what pages say about themselves are today's: sizes at two times differ by what was found, not
 * by a change of mind.
 */
export async function perimeterAsOf(
  definition: PerimeterDefinition,
  decisions: Decisions,
  catalog: KnownUrls,
  asOf: Millis,
): Promise<{ readonly state: OnlinePerimeter; readonly urls: readonly UrlThen[] }> {
  const state = new OnlinePerimeter(definition, decisions);
  const read: UrlThen[] = [];
  const others: { readonly url: string; readonly wasHeard: boolean }[] = [];
  await readBack(state, catalog, ({ url, isRead, firstReadAt, at }) => {
    const wasRead = isRead && (firstReadAt ?? at) <= asOf;
    if (wasRead) read.push({ url, isRead: true });
    // For a page that no other names, such as one named by a person, the time of its verdict decides.
    else others.push({ url, wasHeard: !isRead && at <= asOf });
    return wasRead;
  });
  const named = others.flatMap(({ url, wasHeard }) =>
    wasHeard || state.knows(url) ? [{ url, isRead: false }] : [],
  );
  return { state, urls: [...read, ...named] };
}

/** Pages accepted by `isPage` pass on what they said when last read. */
async function readBack(
  perimeter: OnlinePerimeter,
  catalog: KnownUrls,
  isPage: (one: PerimeterUrl) => boolean,
): Promise<void> {
  let pages: StoredUrl[] = [];
  const flush = async (): Promise<void> => {
    const links = await catalog.linksFrom(pages.map(({ url }) => url));
    for (const page of pages) perimeter.restoreRead(page, links.get(page.url) ?? []);
    pages = [];
  };
  for await (const one of catalog.perimeterUrls({ perimeter: perimeter.definition.name })) {
    if (!isPage(one)) continue;
    pages.push(one);
    if (pages.length >= AT_ONCE) await flush();
  }
  await flush();
}
