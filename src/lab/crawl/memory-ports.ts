import type { Clock } from '../../ports/clock.ts';
import { memoryCatalog } from './memory-catalog.ts';
import { memoryRecords } from './memory-records.ts';
import type { SyntheticWeb } from './synthetic-web.ts';
import { webFetcher } from './web-fetcher.ts';

/** The ports of a crawl of which nothing is to be kept: records and catalog in memory, answers from a synthetic web. */
export function memoryPorts<C extends Clock>(web: SyntheticWeb, clock: C) {
  const newId = countedIds();
  return { ...memoryRecords(newId), catalog: memoryCatalog(), fetcher: webFetcher(web, clock), clock, newId };
}

/** UUIDs in form, but counted: equal crawls have equal ids. */
function countedIds(): () => string {
  let count = 0;
  return () => `00000000-0000-4000-8000-${(count++).toString(16).padStart(12, '0')}`;
}
