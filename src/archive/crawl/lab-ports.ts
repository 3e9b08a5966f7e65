import { createPageReader } from '../../capture/page-reader.ts';
import { createPerimeter } from '../../capture/perimeter.ts';
import { createRobotsReader } from '../../capture/robots-reader.ts';
import type { CrawlSpec } from '../../model/crawl.ts';

/** What reads pages and judges links in the crawls of the lab, which brings its own web, clock, catalog and records. */
export const labPorts = {
  pageReader: createPageReader(),
  robotsReader: createRobotsReader('daguerre-lab'),
  perimeter: ({ seeds, scope }: CrawlSpec) => createPerimeter(seeds, scope),
};
