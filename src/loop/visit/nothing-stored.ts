import type { CrawlSpec, FrontierEntry } from '../../model/crawl.ts';
import type { CaptureFault } from '../../model/fault.ts';
import type { Millis } from '../../model/time.ts';
import type { VisitCommit } from '../../ports/catalog.ts';
import { honouredWait } from '../../science/policy/politeness.ts';
import type { VisitResult } from './visit.ts';

/** Tries of one URL while the proxy is down: its host is given up before, unless it answers for others. */
const TRIES_OF_PROXY = 12;

/** That the proxy is down says nothing of the page, and does not use up its tries: its host waits. */
export function mayRetry(fault: CaptureFault, entry: FrontierEntry, { limits }: CrawlSpec): boolean {
  const tries = fault.kind === 'proxy-failed' ? Math.max(TRIES_OF_PROXY, limits.attempts) : limits.attempts;
  return fault.retry && entry.attempts + 1 < tries;
}

/** A visit that brought nothing to store: tried again later, or failed. */
export function nothingStored(
  entry: FrontierEntry,
  fault: CaptureFault,
  startedAt: Millis,
  now: Millis,
  spec: CrawlSpec,
): VisitResult {
  const again = mayRetry(fault, entry, spec);
  const commit: VisitCommit = {
    visit: {
      url: entry.url,
      at: startedAt,
      duration: now - startedAt,
      reason: entry.reason,
      outcome: again ? 'deferred' : 'failed',
      bytes: 0,
      fault: { kind: fault.kind, detail: fault.message },
    },
    settlement: again
      ? { entryId: entry.id, state: 'deferred', notBefore: now + honouredWait(fault.retryAfter ?? 0) }
      : { entryId: entry.id, state: 'failed' },
    captures: [],
    discovered: [],
    skips: [],
  };
  return {
    links: 0,
    unreachable: new Map(),
    finished: Promise.resolve({ draft: undefined, complete: () => commit }),
    release: async () => {},
  };
}
