import type { CrawlSpec } from '../model/crawl.ts';
import { type Exchange, mediaType, redirectTarget } from '../model/exchange.ts';
import { CaptureFault } from '../model/fault.ts';
import type { LostRequest } from '../model/lost-request.ts';
import { languageHeaders } from '../model/page-spec.ts';
import type { Fetcher } from '../ports/fetcher.ts';

export interface FetchedResources {
  /** In the order they were requested, redirects included. */
  readonly exchanges: readonly Exchange[];
  /** What could not be fetched: asked for again later, like what a browser requests without success. */
  readonly lost: readonly LostRequest[];
}

export interface ResourceUse {
  /** What the page uses it for; if absent, inferred from the answer. */
  readonly resourceType?: string;
  /** No further request is begun once it returns true. */
  readonly isOver?: () => boolean;
}

/** Concurrent requests, as browsers make them to one host. */
const AT_ONCE = 6;
/**
 * Failures of one host after which no more of its resources are requested here: the crawl does so later, and
 * slowly.
 */
const MOST_FAILURES = 6;
/** Statuses of a server that asks for less. */
const BUSY = new Set([429, 503]);

const NOT_NOW = 'its host had failed to answer, or asked for less, a moment before';

/** What a page embeds, over HTTP: requested as a browser would, in one go with the page. */
export async function fetchResources(
  urls: readonly string[],
  spec: Pick<CrawlSpec, 'limits' | 'politeness' | 'page'>,
  fetcher: Fetcher,
  signal: AbortSignal | undefined,
  { resourceType, isOver }: ResourceUse = {},
): Promise<FetchedResources & { readonly unasked: readonly string[] }> {
  const { limits, politeness } = spec;
  const seen = new Set(urls);
  const found = new Map<string, Exchange>();
  const lost = new Map<string, LostRequest>();
  const open = [...seen];
  const unasked: string[] = [];
  const failures = new Map<string, number>();
  const fails = (url: string, times: number): void => {
    const { host } = new URL(url);
    failures.set(host, (failures.get(host) ?? 0) + times);
  };

  async function fetchOne(first: string): Promise<void> {
    let url: string | undefined = first;
    for (let hops = 0; url !== undefined; hops++) {
      if (hops > limits.redirects)
        throw new CaptureFault('redirect-limit', first, `more than ${limits.redirects} redirects in a row`);
      const exchange: Exchange = await fetcher.fetch({
        url,
        userAgent: politeness.userAgent,
        headers: languageHeaders(spec.page),
        timeLimit: limits.responseTime,
        sizeLimit: limits.responseSize,
        ...(signal && { signal }),
      });
      found.set(url, { ...exchange, resourceType: resourceType ?? typeOf(exchange) });
      const { status } = exchange.response;
      if (BUSY.has(status)) {
        fails(url, MOST_FAILURES);
        // The answer is kept, but it is not the resource: that is asked for again later.
        const type = resourceType ?? 'other';
        lost.set(url, {
          url,
          type,
          fault: 'server-busy',
          why: `the server answered ${status}`,
          remedy: 'ask',
        });
      }
      url = targetOf(exchange);
      if (url === undefined || seen.has(url)) return;
      seen.add(url);
    }
  }
  async function work(): Promise<void> {
    for (let url = open.shift(); url !== undefined; url = open.shift()) {
      if (isOver?.()) {
        unasked.push(url);
        continue;
      }
      const type = resourceType ?? 'other';
      if ((failures.get(new URL(url).host) ?? 0) >= MOST_FAILURES) {
        lost.set(url, { url, type, fault: 'server-busy', why: NOT_NOW, remedy: 'ask' });
        continue;
      }
      try {
        await fetchOne(url);
      } catch (error) {
        if (!(error instanceof CaptureFault)) throw error;
        fails(url, 1);
        lost.set(url, { url, type, fault: error.kind, why: error.message, remedy: 'ask' });
      }
    }
  }
  const done = await Promise.allSettled(Array.from({ length: AT_ONCE }, work));
  const failed = done.find((one) => one.status === 'rejected');
  if (failed) {
    await Promise.all([...found.values()].map(({ response }) => response.body.release()));
    throw failed.reason;
  }
  // In the order requested, whichever came first.
  const inOrder = <T>(known: ReadonlyMap<string, T>): T[] => [...seen].flatMap((url) => known.get(url) ?? []);
  return { exchanges: inOrder(found), lost: inOrder(lost), unasked };
}

function targetOf(exchange: Exchange): string | undefined {
  const location = redirectTarget(exchange);
  if (location === undefined || !URL.canParse(location, exchange.url)) return undefined;
  const target = new URL(location, exchange.url);
  target.hash = '';
  return /^https?:$/u.test(target.protocol) ? target.href : undefined;
}

/** As CDP would name it, as far as the answer shows. */
function typeOf({ response }: Exchange): string {
  const type = mediaType(response.headers);
  if (type === 'text/css') return 'stylesheet';
  if (type.startsWith('image/')) return 'image';
  if (/^(?:video|audio)\//u.test(type)) return 'media';
  if (type.includes('font')) return 'font';
  return /(?:java|ecma)script/u.test(type) ? 'script' : 'other';
}
