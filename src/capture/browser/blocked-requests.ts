import { REQUEST_TYPES, type RequestType } from '../../model/block-rule.ts';
import type { BlockedRequest } from '../../ports/renderer.ts';
import type { BlockVerdict } from '../../ports/request-blocker.ts';

/** Requests of one page that are named individually; the rest are only counted. */
const MOST = 1000;
/** How many list filters a fact names. */
const FILTERS_NAMED = 3;

/** What a page was kept from requesting: how often, and by which rule. */
export class BlockedRequests {
  readonly #named = new Map<string, BlockedRequest>();
  readonly #counts = new Map<string, { readonly verdict: BlockVerdict; requests: number }>();

  add(url: string, verdict: BlockVerdict): void {
    const key = `${verdict.reason} ${verdict.rule}`;
    const known = this.#counts.get(key) ?? { verdict, requests: 0 };
    known.requests++;
    this.#counts.set(key, known);
    if (this.#named.size < MOST) this.#named.set(url, { url, ...verdict });
  }

  list(): readonly BlockedRequest[] {
    return [...this.#named.values()];
  }

  /** One line per rule of the configuration, and one for all list filters together. */
  facts(): readonly string[] {
    const all = [...this.#counts.values()].sort((a, b) => b.requests - a.requests);
    const rules = all.filter(({ verdict }) => verdict.reason === 'blocked');
    const filters = all.filter(({ verdict }) => verdict.reason === 'advertisement');
    const facts = rules.map(
      ({ verdict, requests }) => `${counted(requests)} not made, by the block rule: ${verdict.rule}`,
    );
    if (filters.length === 0) return facts;
    const ads = filters.reduce((sum, { requests }) => sum + requests, 0);
    const named = filters
      .slice(0, FILTERS_NAMED)
      .map(({ verdict, requests }) => `${verdict.rule} (${requests})`)
      .join(', ');
    const more = filters.length - FILTERS_NAMED;
    return [
      ...facts,
      `${counted(ads)} for advertisements not made, by ${named}${more > 0 ? ` and ${more} more filters` : ''}`,
    ];
  }
}

const counted = (requests: number): string => `${requests} request${requests === 1 ? '' : 's'}`;

/** The name used in rules: `Image` => image; types without a name are other. */
export function requestType(told: string): RequestType {
  const type = told.toLowerCase();
  return REQUEST_TYPES.find((one) => one === type) ?? 'other';
}
