import type { CrawlSpec } from '../model/crawl.ts';
import { type Exchange, mediaType } from '../model/exchange.ts';
import { CaptureFault } from '../model/fault.ts';
import type { Fetcher } from '../ports/fetcher.ts';
import { redirectTarget } from './answer.ts';

export interface FetchedResources {
  /** In the order they were asked for, redirects included. */
  readonly exchanges: readonly Exchange[];
  /** What could not be had. */
  readonly facts: readonly string[];
}

/** Requests under way at once, as browsers do it for one host. */
const AT_ONCE = 6;

/** What a page embeds, over HTTP: as a browser would ask for it, in one go with the page. */
export async function fetchResources(
  urls: readonly string[],
  spec: CrawlSpec,
  fetcher: Fetcher,
  signal: AbortSignal | undefined,
): Promise<FetchedResources> {
  const { limits, politeness } = spec;
  const seen = new Set(urls);
  const found = new Map<string, Exchange>();
  const facts: string[] = [];
  const open = [...seen];

  async function fetchOne(first: string): Promise<void> {
    let url: string | undefined = first;
    for (let hops = 0; url !== undefined && hops <= limits.redirects; hops++) {
      const exchange: Exchange = await fetcher.fetch({
        url,
        userAgent: politeness.userAgent,
        timeLimit: limits.responseTime,
        sizeLimit: limits.responseSize,
        ...(signal && { signal }),
      });
      found.set(url, { ...exchange, resourceType: typeOf(exchange) });
      url = targetOf(exchange);
      if (url === undefined || seen.has(url)) return;
      seen.add(url);
    }
  }
  async function work(): Promise<void> {
    for (let url = open.shift(); url !== undefined; url = open.shift()) {
      try {
        await fetchOne(url);
      } catch (error) {
        if (!(error instanceof CaptureFault)) throw error;
        facts.push(`not loaded: ${url} (${error.message})`);
      }
    }
  }
  const done = await Promise.allSettled(Array.from({ length: AT_ONCE }, work));
  const failed = done.find((one) => one.status === 'rejected');
  if (failed) {
    await Promise.all([...found.values()].map(({ response }) => response.body.release()));
    throw failed.reason;
  }
  return { exchanges: [...seen].flatMap((url) => found.get(url) ?? []), facts: facts.sort() };
}

function targetOf(exchange: Exchange): string | undefined {
  const location = redirectTarget(exchange);
  if (location === undefined || !URL.canParse(location, exchange.url)) return undefined;
  const target = new URL(location, exchange.url);
  target.hash = '';
  return /^https?:$/u.test(target.protocol) ? target.href : undefined;
}

/** As CDP would name it, as far as the answer tells. */
function typeOf({ response }: Exchange): string {
  const type = mediaType(response.headers);
  if (type === 'text/css') return 'stylesheet';
  if (type.startsWith('image/')) return 'image';
  if (/^(?:video|audio)\//u.test(type)) return 'media';
  if (type.includes('font')) return 'font';
  return /(?:java|ecma)script/u.test(type) ? 'script' : 'other';
}
