import { createPageReader } from '../../capture/page-reader.ts';
import { createRobotsReader } from '../../capture/robots-reader.ts';
import { createScope } from '../../capture/scope.ts';

/** What reads pages and judges links in the crawls of the lab, which brings its own web, clock, catalog and records. */
export const labPorts = {
  pageReader: createPageReader(),
  robotsReader: createRobotsReader('daguerre-lab'),
  scope: createScope,
};
