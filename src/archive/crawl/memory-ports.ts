import { createPageReader } from '../../capture/page-reader.ts';
import { createPerimeter } from '../../capture/perimeter.ts';
import { createRobotsReader } from '../../capture/robots-reader.ts';
import { openCatalog } from '../../catalog/open.ts';
import type { CrawlSpec } from '../../model/crawl.ts';

/** Ports of a crawl that keeps nothing: for the lab, which brings its own web, clock and records. */
export async function openMemoryPorts() {
  const catalog = await openCatalog(':memory:');
  return {
    catalog,
    pageReader: createPageReader(),
    robotsReader: createRobotsReader('daguerre-lab'),
    perimeter: ({ seeds, scope }: CrawlSpec) => createPerimeter(seeds, scope),
    close: () => catalog.close(),
  };
}
