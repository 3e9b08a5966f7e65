import { type FiltersEngine, Request } from '@ghostery/adblocker';
import { parse } from 'tldts';
import type { RequestType } from '../../model/block-rule.ts';
import type { AdRecogniser, AdUse, SeenNames } from '../../ports/ad-recogniser.ts';
import type { PageRequest } from '../../ports/request-blocker.ts';

/**
 * Recognises advertisements by filter lists, with the engine of @ghostery/adblocker. Network rules judge URLs,
 * cosmetic rules name containers.
 */

/**
 * What a browser would be asked to load. Rules are written for requests, not for links: a link counts as if its
 * target were framed, since rules for documents alone are few and click servers also serve frames.
 */
const REQUEST_TYPES = { link: 'sub_frame', image: 'image', frame: 'sub_frame' } as const satisfies Record<
  AdUse,
  string
>;

const ENGINE_TYPES = {
  document: 'sub_frame',
  stylesheet: 'stylesheet',
  image: 'image',
  media: 'media',
  font: 'font',
  script: 'script',
  xhr: 'xhr',
  fetch: 'xhr',
  websocket: 'websocket',
  other: 'other',
} as const satisfies Record<RequestType, string>;

/** Scripts, styles and extended selectors are of no use to an archive, and take a third of the memory. */
export const ENGINE_OPTIONS = {
  enableCompression: false,
  loadExtendedSelectors: false,
  enableHtmlFiltering: false,
  loadCSPFilters: false,
} as const;

export class ListRecogniser implements AdRecogniser {
  readonly lists: readonly string[];
  readonly #engine: FiltersEngine;

  constructor(engine: FiltersEngine, lists: readonly string[]) {
    this.#engine = engine;
    this.lists = lists;
  }

  isAdvertisement(url: string, pageUrl: string, use: AdUse): boolean {
    if (!/^https?:/i.test(url)) return false;
    // A link within the site is no advertisement, whatever its path looks like.
    if (use === 'link' && sameSite(url, pageUrl)) return false;
    return this.#engine.match(Request.fromRawDetails({ url, sourceUrl: pageUrl, type: REQUEST_TYPES[use] }))
      .match;
  }

  /** The filter that takes a request for an advertisement, as written in its list. */
  filterOf({ url, type, pageUrl, frameUrl }: PageRequest): string | undefined {
    const { match, filter } = this.#engine.match(
      Request.fromRawDetails({ url, sourceUrl: frameUrl ?? pageUrl, type: ENGINE_TYPES[type] }),
    );
    return match ? (filter?.toString() ?? 'a filter of the lists') : undefined;
  }

  hidden(pageUrl: string, seen: SeenNames): readonly string[] {
    const { hostname, domain } = parse(pageUrl);
    const { matches } = this.#engine.matchCosmeticFilters({
      url: pageUrl,
      hostname: hostname ?? '',
      domain: domain ?? '',
      classes: [...seen.classes],
      ids: [...seen.ids],
      hrefs: [...seen.hrefs],
    });
    const selectors: string[] = [];
    for (const { filter, exception } of matches) {
      if (filter && !exception && !filter.isScriptInject()) selectors.push(filter.getSelector());
    }
    return selectors;
  }
}

function sameSite(url: string, pageUrl: string): boolean {
  const [a, b] = [parse(url), parse(pageUrl)];
  return (a.domain ?? a.hostname) === (b.domain ?? b.hostname);
}

/** For when there are no lists: nothing is recognised by lists; the page's own signals still are. */
export const noLists: AdRecogniser = { lists: [], isAdvertisement: () => false, hidden: () => [] };
