import type { FrontierEntry } from '../model/crawl.ts';
import type { Millis } from '../model/exchange.ts';
import type { FaultKind } from '../model/fault.ts';
import type { RobotsRules } from '../ports/robots.ts';
import type { HostState } from '../science/policy/politeness.ts';
import type { CrawlCourse, SiteOrder } from '../science/policy/site-order.ts';
import { DiscoveryCurve } from '../science/sharpness/discovery-curve.ts';
import { type BandCounts, HostQueue, type LoadPending } from './host-queue.ts';

/** RFC 9309 §2.4: a robots.txt is good for 24 hours. Milliseconds. */
const ROBOTS_LIFETIME = 24 * 60 * 60 * 1000;

export interface HostOptions {
  readonly politeness: HostState;
  readonly pending: BandCounts;
  readonly load: LoadPending;
  readonly order: SiteOrder;
  /** Pages that the last capture had; 0 when there was none. */
  readonly sizeGuess: number;
  /** Pages that the crawl may visit. */
  readonly pageLimit: number;
}

/** All that the loop holds of one host: what waits, how far its crawl is, how it must be treated, what it forbids. */
export class Host {
  readonly name: string;
  readonly queue: HostQueue;
  readonly curve: DiscoveryCurve;
  politeness: HostState;
  /** What a host that is given up failed with. */
  lastFault: FaultKind = 'connection-failed';
  /** Requests (or pages being rendered) under way. */
  inFlight = 0;
  /** Pages were visited that stand in no second pass yet, perhaps. */
  unplanned = false;
  /** The second pass has begun: entries come in the order of their ranks. */
  revisiting = false;
  readonly #order: SiteOrder;
  readonly #pageLimit: number;
  readonly #robots = new Map<string, { readonly rules: RobotsRules; readonly until: Millis }>();
  #course: CrawlCourse = { downloaded: 0, waiting: 0, size: 0 };

  constructor(name: string, options: HostOptions) {
    this.name = name;
    this.politeness = options.politeness;
    this.#order = options.order;
    this.#pageLimit = options.pageLimit;
    this.curve = new DiscoveryCurve(Math.min(options.sizeGuess, options.pageLimit));
    this.queue = new HostQueue(name, options.pending, options.load, (waiting) => this.#place(waiting));
  }

  /** When the next request may be made: Infinity while nothing waits. */
  readyAt(now: Millis): Millis {
    const turn = this.politeness.givenUp ? now : this.politeness.nextAt;
    return Math.max(turn, this.queue.readyAt(now));
  }

  /** The entry with the reason that the order has for serving it now. */
  explained(entry: FrontierEntry): FrontierEntry {
    const { slotReason } = this.#order;
    if (!slotReason || entry.kind !== 'page' || entry.isSeed || entry.redirects > 0) return entry;
    return { ...entry, reason: slotReason(entry.rate ?? 0, this.#course) };
  }

  /** The clock was set back: what is due in so many milliseconds is not to wait for it to catch up. */
  clockSetBack(by: number): void {
    this.politeness = { ...this.politeness, nextAt: this.politeness.nextAt - by };
  }

  robots(entry: FrontierEntry, now: Millis): RobotsRules | undefined {
    const known = this.#robots.get(new URL(entry.url).origin);
    return known && known.until > now ? known.rules : undefined;
  }

  setRobots(origin: string, rules: RobotsRules, now: Millis): void {
    this.#robots.set(origin, { rules, until: now + ROBOTS_LIFETIME });
  }

  #place(waiting: number): number {
    const { place } = this.#order;
    if (!place || this.revisiting) return 0;
    const size = Math.min(this.curve.estimate(), this.#pageLimit);
    this.#course = { downloaded: this.curve.downloaded, waiting, size };
    return place(this.#course);
  }
}
