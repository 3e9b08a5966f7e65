import type { CrawlSpec } from '../../model/crawl.ts';
import { type LinkSelector, parseLinkSelector } from '../../model/link-selector.ts';

/** Few, and short: reading them again for each page costs nothing. */
export const linkSelectors = ({
  selectLinks = [],
}: Pick<CrawlSpec, 'selectLinks'>): readonly LinkSelector[] => selectLinks.map(parseLinkSelector);
