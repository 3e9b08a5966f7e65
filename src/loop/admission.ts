import type { CrawlSpec, FrontierEntry } from '../model/crawl.ts';
import type { SkipReason } from '../model/fault.ts';
import type { Perimeter } from '../ports/perimeter.ts';
import type { RobotsRules } from '../ports/robots.ts';
import { limitDetail } from './limits.ts';

/** Why an entry that has its turn is not asked for after all. */
export interface Refusal {
  readonly reason: SkipReason;
  readonly detail: string;
}

/** By what needs no request: the page limit, and traps that were found after the entry joined the queue. */
export function refusedAtOnce(
  entry: FrontierEntry,
  pagesClaimed: number,
  { limits }: CrawlSpec,
  perimeter: Pick<Perimeter, 'trapOf'>,
): Refusal | undefined {
  if (entry.kind !== 'page') return undefined;
  if (pagesClaimed >= limits.pages)
    return { reason: 'page-limit', detail: limitDetail(limits, 'page-limit') };
  return entry.isSeed ? undefined : perimeter.trapOf(entry.url);
}

export function refusedByRobots(entry: FrontierEntry, rules: RobotsRules): Refusal | undefined {
  const verdict = rules.allows(entry.url);
  return verdict.allowed ? undefined : { reason: 'robots', detail: verdict.detail };
}
