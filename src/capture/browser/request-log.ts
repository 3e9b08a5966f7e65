/** All requests of a page so far: settling looks at it, and the record is made from it. */
import type { Body } from '../../model/body.ts';
import type { Exchange } from '../../model/exchange.ts';
import { type Losses, lossesOf } from './lost-requests.ts';
import { Chain, type ExchangeSurroundings, exchangeOf, Hop, type SentRequest } from './recorded-request.ts';
import type { Paused } from './recorder-options.ts';

/** A request pending for this many milliseconds no longer keeps a page from being settled. */
const STALE = 4000;

export interface RequestLogOptions extends ExchangeSurroundings {
  /** Id of the page's own frame. */
  readonly mainFrame: string;
}

export class RequestLog {
  readonly #options: RequestLogOptions;
  readonly #chains = new Map<string, Chain>();
  readonly #hops: { readonly chain: Chain; readonly hop: Hop }[] = [];
  readonly #waiting = new Set<Hop>();
  /** When a request last started or ended, and how many started. */
  lastActivity = 0;
  started = 0;

  constructor(options: RequestLogOptions) {
    this.#options = options;
  }

  chain(id: string): Chain {
    let chain = this.#chains.get(id);
    if (!chain) {
      chain = new Chain();
      this.#chains.set(id, chain);
    }
    return chain;
  }

  /** The latest hop of a known request. */
  last(id: string): Hop | undefined {
    return this.#chains.get(id)?.hops.at(-1);
  }

  begin(chain: Chain, url: string, request: SentRequest): Hop {
    const hop = new Hop(url, request, Date.now());
    const at = this.#options.now?.();
    if (at !== undefined) hop.recorded = { startedAt: at, finishedAt: at };
    chain.hops.push(hop);
    this.#hops.push({ chain, hop });
    this.#waiting.add(hop);
    this.lastActivity = Date.now();
    this.started++;
    return hop;
  }

  /** The request of a paused event, which may come before the one that announces it. */
  paused({ networkId, requestId, request }: Paused): Hop {
    const chain = this.chain(networkId ?? requestId);
    const url = withoutFragment(request.url);
    return (
      chain.hops.find((hop) => hop.state === 'started' && hop.url === url) ?? this.begin(chain, url, request)
    );
  }

  end(hop: Hop, state: 'done' | 'failed' | 'dropped'): void {
    hop.state = state;
    this.#stampEnd(hop);
    this.#waiting.delete(hop);
    this.lastActivity = hop.finishedAt;
  }

  /**
   * Whether an answer that the page may need is still awaited. Requests queued for a connection count, however
   * long they wait, as long as others arrive.
   */
  busy(now: number): boolean {
    const moving = now - this.lastActivity < STALE;
    for (const hop of this.#waiting) {
      if (hop.endless) continue;
      if (now - (hop.sentAt ?? hop.startedAt) < STALE || (moving && inLine(hop))) return true;
    }
    return false;
  }

  /** Whether answers arrive while others are queued for a connection: waiting longer then brings more. */
  moving(now: number): boolean {
    if (now - this.lastActivity >= STALE) return false;
    for (const hop of this.#waiting) if (inLine(hop)) return true;
    return false;
  }

  /** What has arrived so far for one use. */
  cameAs(resourceType: string): readonly { readonly url: string; readonly body: Body }[] {
    return this.#hops
      .map(({ hop }) => hop)
      .filter((hop) => hop.state === 'done' && !hop.redirect && hop.resourceType === resourceType);
  }

  /** Each URL the page asked for, answered or not. */
  get asked(): readonly string[] {
    return this.#hops.map(({ hop }) => hop.url);
  }

  /** What a service worker made or had stored, and no server sent under this address while the page was there. */
  get madeByWorkers(): readonly string[] {
    const hops = this.#hops.map(({ hop }) => hop);
    const sent = new Set(hops.filter(({ state }) => state === 'done').map(({ url }) => url));
    const made = hops.filter(({ state, response }) => state === 'dropped' && response?.fromServiceWorker);
    return [...new Set(made.map(({ url }) => url))].filter((url) => !sent.has(url));
  }

  /** What arrived, and what was lost. Whatever is still under way counts as not coming. */
  async close(): Promise<{ readonly exchanges: Exchange[] } & Losses> {
    const exchanges: Exchange[] = [];
    for (const { chain, hop } of this.#hops) {
      if (hop.state === 'started') {
        hop.loss = { fault: 'timeout', why: 'no answer before the page was done' };
      }
      if (hop.state === 'answered') {
        if (hop.live) hop.body = (await hop.live.finish()).body;
        hop.truncated = 'time';
        if (!hop.endless)
          hop.loss = { fault: 'timeout', why: 'not all of the answer came before the page was done' };
        this.#stampEnd(hop);
      }
      if (hop.state === 'answered' || hop.state === 'done') {
        exchanges.push(exchangeOf(chain, hop, this.#options));
      }
    }
    const hops = this.#hops.map(({ hop }) => hop);
    return { exchanges, ...lossesOf(hops, this.#options.mainFrame) };
  }

  #stampEnd(hop: Hop): void {
    hop.finishedAt = Date.now();
    if (hop.recorded && this.#options.now) hop.recorded.finishedAt = this.#options.now();
  }
}

const inLine = (hop: Hop): boolean => hop.sentAt === undefined && hop.state === 'started';

export function withoutFragment(url: string): string {
  const hash = url.indexOf('#');
  return hash < 0 ? url : url.slice(0, hash);
}
