import type { CrawlSpec, NewFrontierEntry } from '../../model/crawl.ts';
import { CaptureFault, type SkipReason } from '../../model/fault.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Fetcher } from '../../ports/fetcher.ts';
import type { PageReader } from '../../ports/page-reader.ts';
import type { RobotsReader, RobotsRules } from '../../ports/robots.ts';
import type { Scope } from '../../ports/scope.ts';
import type { SiteOrder } from '../../science/policy/site-order.ts';
import { discover, namedSitemaps } from '../../stages/discover.ts';
import { EVERYTHING_ALLOWED, fetchRobots } from '../../stages/fetch-robots.ts';

/** What the robots.txt of a seed's origin says. */
export interface AskedOrigin {
  readonly origin: string;
  /** Why it could not be requested: then everything is disallowed. */
  readonly fault?: { readonly kind: string; readonly detail: string };
  readonly crawlDelay?: number;
  readonly sitemaps: readonly string[];
}

export interface AskedSitemaps {
  readonly read: number;
  /** Pages that they name and the crawl would take; `first` are the first of them in crawl order. */
  readonly pages: number;
  readonly first: readonly string[];
  readonly skips: Readonly<Partial<Record<SkipReason, number>>>;
  readonly faults: readonly string[];
}

export interface AskPorts {
  readonly fetcher: Fetcher;
  readonly robotsReader: RobotsReader;
  readonly pageReader: PageReader;
  readonly scope: Scope;
  readonly clock: Clock;
  readonly order: SiteOrder;
  readonly readsSitemaps: boolean;
  readonly signal: AbortSignal;
}

/** Pages named in the report. */
const NAMED = 20;

/**
 * Requests robots.txt from the origins of the seeds, one after the other, with the crawl's pause between two
 * requests.
 */
export async function askOrigins(spec: CrawlSpec, urls: readonly string[], ports: AskPorts) {
  const rules = new Map<string, RobotsRules>();
  const origins: AskedOrigin[] = [];
  const sitemaps = ports.readsSitemaps ? new SitemapTally(spec, ports) : undefined;
  for (const origin of new Set(urls.map((url) => new URL(url).origin))) {
    if (ports.signal.aborted) break;
    const asked = await askRobots(origin, spec, ports);
    if (asked.rules) rules.set(origin, asked.rules);
    origins.push(asked.told);
    await sitemaps?.read(asked.told, asked.rules);
  }
  const robotsOf = (url: string): { allowed: boolean; detail?: string } | undefined => {
    const { origin } = new URL(url);
    const fault = origins.find((one) => one.origin === origin)?.fault;
    return fault ? { allowed: false, detail: fault.detail } : rules.get(origin)?.allows(url);
  };
  return { origins, robotsOf, sitemaps: sitemaps?.told() };
}

async function askRobots(
  origin: string,
  spec: CrawlSpec,
  ports: AskPorts,
): Promise<{ readonly told: AskedOrigin; readonly rules?: RobotsRules }> {
  if (!spec.politeness.robots) return { told: { origin, sitemaps: [] }, rules: EVERYTHING_ALLOWED };
  try {
    const { rules, release } = await fetchRobots(origin, spec, { ...ports, newId: () => '' }, ports.signal);
    await release();
    const { crawlDelay, sitemaps } = rules;
    return { told: { origin, sitemaps, ...(crawlDelay !== undefined && { crawlDelay }) }, rules };
  } catch (error) {
    if (!(error instanceof CaptureFault)) throw error;
    return { told: { origin, sitemaps: [], fault: { kind: error.kind, detail: error.message } } };
  }
}

/** Sitemaps, read as the crawl reads them: the same scope, the same limits, and robots.txt heeded. */
class SitemapTally {
  readonly #spec: CrawlSpec;
  readonly #ports: AskPorts;
  readonly #pages = new Map<string, NewFrontierEntry>();
  readonly #skips: Partial<Record<SkipReason, number>> = {};
  readonly #faults: string[] = [];
  #read = 0;

  constructor(spec: CrawlSpec, ports: AskPorts) {
    this.#spec = spec;
    this.#ports = ports;
  }

  async read(
    { origin, sitemaps, crawlDelay = 0 }: AskedOrigin,
    rules: RobotsRules | undefined,
  ): Promise<void> {
    if (!this.#spec.sitemaps) return;
    const { clock, signal, scope } = this.#ports;
    const { delay, maxCrawlDelay = Number.POSITIVE_INFINITY } = this.#spec.politeness;
    const pause = Math.max(delay, Math.min(crawlDelay, maxCrawlDelay));
    const waiting = [...namedSitemaps(sitemaps, `${origin}/`, scope).discovered];
    for (let next = waiting.shift(); next && !signal.aborted; next = waiting.shift()) {
      if (rules?.allows(next.url).allowed === false) {
        this.#count('robots');
        continue;
      }
      await clock.sleep(pause, signal);
      waiting.push(...(await this.#take(next)));
    }
  }

  /** Counts pages; returns further sitemaps. */
  async #take(sitemap: NewFrontierEntry): Promise<readonly NewFrontierEntry[]> {
    const { fetcher, pageReader, scope, order, clock, signal } = this.#ports;
    const { limits, politeness, sitemapDates } = this.#spec;
    try {
      const exchange = await fetcher.fetch({
        url: sitemap.url,
        userAgent: politeness.userAgent,
        timeLimit: limits.responseTime,
        sizeLimit: limits.responseSize,
        signal,
      });
      const { status, body } = exchange.response;
      const { pages, hints, sitemaps } = await pageReader.readSitemap(exchange);
      await body.release();
      if (status >= 300) this.#faults.push(`${sitemap.url}: the server answered ${status}`);
      else this.#read++;
      const finds = { links: pages, resources: [], sitemaps, ...(hints && { hints }) };
      const { discovered, skips } = await discover({ ...sitemap, id: 0, attempts: 0, notBefore: 0 }, finds, {
        ...{ scope, order, clock, batch: 0, room: limits.pages, rates: { rateOf: () => 0 } },
        ...(sitemapDates && { sitemapDates }),
      });
      for (const { reason } of skips) this.#count(reason);
      for (const entry of discovered) if (entry.kind === 'page') this.#pages.set(entry.url, entry);
      return discovered.filter(({ kind }) => kind === 'sitemap');
    } catch (error) {
      if (!(error instanceof CaptureFault)) throw error;
      this.#faults.push(error.message);
      return [];
    }
  }

  #count(reason: SkipReason): void {
    this.#skips[reason] = (this.#skips[reason] ?? 0) + 1;
  }

  told(): AskedSitemaps {
    const first = [...this.#pages.values()].sort((a, b) => a.rank - b.rank).slice(0, NAMED);
    return {
      read: this.#read,
      pages: this.#pages.size,
      first: first.map(({ url }) => url),
      skips: this.#skips,
      faults: this.#faults.slice(0, NAMED),
    };
  }
}
