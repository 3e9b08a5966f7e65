import type { CrawlSpec } from '../../model/crawl.ts';
import type { LiveSite } from './live-site.ts';

/** Share of the budget for capturing whole sites: the rest is for the rounds that go on meanwhile. */
const CAPTURE_SHARE = 0.8;
const HOUR = 3_600_000;

/**
 * How fast sites are captured: no faster than their share of the budget allows, given what a visit of the site
 * costs.
 */
export class CapturePace {
  /** The limit for all of them together. */
  requestsPerHour: number;
  readonly #taken = new Map<string, { readonly requests: number; readonly visits: number }>();

  constructor(requestsPerHour: number) {
    this.requestsPerHour = requestsPerHour;
  }

  taken(site: string, more: number): void {
    const { requests, visits } = this.#taken.get(site) ?? { requests: 0, visits: 0 };
    this.#taken.set(site, { requests: requests + more, visits: visits + 1 });
  }

  of({ name, settings: { spec } }: Pick<LiveSite, 'name' | 'settings'>): CrawlSpec {
    const { requests, visits } = this.#taken.get(name) ?? { requests: 1, visits: 1 };
    const share = Math.max(1, CAPTURE_SHARE * this.requestsPerHour);
    const delay = Math.ceil((HOUR / share) * Math.max(1, requests / visits));
    const { politeness } = spec;
    if (delay <= politeness.delay) return spec;
    return { ...spec, politeness: { ...politeness, delay, maxDelay: Math.max(delay, politeness.maxDelay) } };
  }
}
