import type { CrawlSpec, FrontierEntry, Skip } from '../model/crawl.ts';
import type { Clock } from '../ports/clock.ts';
import type { Scope } from '../ports/scope.ts';

/** What one crawl has asked for so far, for a page or as an alternative of one. */
export class AskedBefore {
  readonly #urls = new Set<string>();
  /** Addresses remembered; beyond that the oldest ones may be asked for again. */
  readonly #most: number;

  constructor(most = 200_000) {
    this.#most = most;
  }

  /** Returns whether it was new. */
  add(url: string): boolean {
    if (this.#urls.has(url)) return false;
    this.#urls.add(url);
    const [oldest] = this.#urls;
    if (this.#urls.size > this.#most && oldest !== undefined) this.#urls.delete(oldest);
    return true;
  }
}

export interface AlternativesContext {
  readonly spec: CrawlSpec;
  readonly scope: Pick<Scope, 'judgeResource'>;
  readonly clock: Clock;
  readonly before: AskedBefore;
}

/** Used if a crawl does not specify it, e.g. crawls from before there was a limit. */
export const ALTERNATIVES_LIMIT = 200;

/**
 * Stage: chooses which of the things a page would load on another screen are asked for. Each once per crawl, since most are
 * on every page of a site. What the rules of the crawl or the limit leave out is a skip.
 */
export function chooseAlternatives(
  urls: readonly string[],
  from: FrontierEntry,
  { spec, scope, clock, before }: AlternativesContext,
): { readonly wanted: readonly string[]; readonly skips: readonly Skip[] } {
  const most = spec.limits.alternatives ?? ALTERNATIVES_LIMIT;
  const origin = { url: from.url, depth: from.depth, extraHops: from.extraHops };
  const skips: Skip[] = [];
  const wanted: string[] = [];
  for (const url of urls) {
    const verdict = scope.judgeResource(url, origin, clock.now());
    if (!verdict.inside) {
      const { reason, detail, rule } = verdict;
      skips.push({ url, reason, detail, ...(rule && { rule }), depth: from.depth + 1, via: from.url });
    } else if (wanted.length >= most) {
      const detail = `${urls.length} alternatives, of which ${most} are asked for`;
      skips.push(leftOut(url, from, detail, `--alternatives-limit ${most}`));
    } else if (before.add(url)) wanted.push(url);
  }
  return { wanted, skips };
}

/** For one there was no time for. */
export const outOfTime = (url: string, from: FrontierEntry): Skip =>
  leftOut(url, from, 'no time was left for it beside its page', 'the time of a page');

function leftOut(url: string, from: FrontierEntry, detail: string, rule: string): Skip {
  return { url, reason: 'alternatives-limit', detail, rule, depth: from.depth + 1, via: from.url };
}
