import type { CrawlSpec } from './crawl.ts';

/**
 * Names in a stored spec mean what they meant when it was written.
 *
 *   1  (no version)  `sharc-online` is the default order, which was never the paper's rule
 *   2                that order is `adaptive-organ-pipe`; `sharc-online` is SHARC-online as the paper has it
 */
export const SPEC_VERSION = 2;

/** A spec as it was stored, in today's names. The version stays, and tells when the crawl began. */
export function inTodaysNames(spec: CrawlSpec): CrawlSpec {
  return spec.version === undefined && spec.order === 'sharc-online'
    ? { ...spec, order: 'adaptive-organ-pipe' }
    : spec;
}
