import { type FrontierEntry, RANKS } from '../model/crawl.ts';
import type { FaultKind } from '../model/fault.ts';
import type { Millis } from '../model/time.ts';
import type { RobotsRules } from '../ports/robots.ts';
import type { HostState } from '../science/policy/politeness.ts';
import { type SiteOrder, slotReason } from '../science/policy/site-order.ts';
import { DiscoveryCurve } from '../science/sharpness/discovery-curve.ts';
import type { CrawlCourse, SlotChoice } from '../science/sharpness/slot-rule.ts';
import type { HostManners } from './courtesy.ts';
import type { HostLeases } from './host-leases.ts';
import { type BandCounts, HostQueue, type LoadPending } from './host-queue.ts';
import { KnownPages } from './known-pages.ts';

/** RFC 9309 §2.4: a robots.txt is good for 24 hours. Milliseconds. */
const ROBOTS_LIFETIME = 24 * 60 * 60 * 1000;

/** Milliseconds after which a host that another crawl, or another process, is asking is looked at again. */
const BUSY_ELSEWHERE = 100;

export interface HostOptions {
  readonly manners: HostManners;
  readonly pending: BandCounts;
  readonly load: LoadPending;
  readonly order: SiteOrder;
  /** Pages that the last capture had; 0 when there was none. */
  readonly sizeGuess: number;
  /** Pages that the crawl may visit. */
  readonly pageLimit: number;
  /** Pages of the last capture that the crawl began with. */
  readonly known?: Pick<KnownPages, 'size' | 'isDoubtful' | 'reasonOf'>;
  /** Where other processes may be asking it. */
  readonly leases?: HostLeases | undefined;
}

/** All that the loop holds of one host: what waits, how far its crawl is, how it must be treated, what it forbids. */
export class Host {
  readonly name: string;
  readonly queue: HostQueue;
  readonly curve: DiscoveryCurve;
  /** What a host that is given up failed with. */
  lastFault: FaultKind = 'connection-failed';
  /** Pages were visited that stand in no second pass yet, perhaps. */
  unplanned = false;
  /** The second pass has begun: entries come in the order of their ranks. */
  revisiting = false;
  readonly #order: SiteOrder;
  readonly #pageLimit: number;
  readonly #manners: HostManners;
  /** Requests of this crawl alone. */
  #own = 0;
  readonly #known: NonNullable<HostOptions['known']>;
  readonly #leases: HostLeases | undefined;
  /** What the order decided last; undefined when ranks alone did. */
  #decided: { readonly choice: SlotChoice; readonly course: CrawlCourse } | undefined;

  constructor(name: string, options: HostOptions) {
    this.name = name;
    this.#manners = options.manners;
    this.#order = options.order;
    this.#pageLimit = options.pageLimit;
    this.#known = options.known ?? new KnownPages();
    this.#leases = options.leases;
    this.curve = new DiscoveryCurve(Math.min(options.sizeGuess, options.pageLimit));
    this.queue = new HostQueue(name, options.pending, options.load, (waiting) => this.#place(waiting));
  }

  get manners(): HostManners {
    return this.#manners;
  }

  get politeness(): HostState {
    return this.#manners.politeness;
  }

  set politeness(state: HostState) {
    this.#manners.politeness = state;
  }

  /** Requests (or pages being rendered) under way, those of other crawls included. */
  get inFlight(): number {
    return this.#manners.inFlight;
  }

  /** When to look whether it is free: where another crawl is asking it, nothing of this one will say so. */
  freeAt(now: Millis): Millis {
    return this.#manners.inFlight > this.#own ? now + BUSY_ELSEWHERE : Number.POSITIVE_INFINITY;
  }

  begin(): void {
    this.#own++;
    this.#manners.inFlight++;
  }

  end(): void {
    this.#own--;
    this.#manners.inFlight--;
  }

  /** When the next request may be made: Infinity while nothing waits. */
  readyAt(now: Millis): Millis {
    const turn = this.politeness.givenUp ? now : this.politeness.nextAt;
    const readyAt = Math.max(turn, this.queue.readyAt(now));
    if (readyAt > now || !this.#leases || this.#leases.mayAsk(this.name)) return readyAt;
    return now + BUSY_ELSEWHERE;
  }

  /** The entry just taken, with the reason that the order had for serving it now. */
  explained(entry: FrontierEntry): FrontierEntry {
    // What comes before other pages has its own reason.
    if (entry.rank < RANKS.pages) return entry;
    if (entry.kind !== 'page' || entry.redirects > 0) return entry;
    // An entry may be put back and explained again: what was said first is kept apart.
    const own = entry.isSeed ? 'seed' : this.#known.reasonOf(entry);
    if (this.#known.isDoubtful(entry))
      return { ...entry, reason: `asked last, since the page that led to it links there no more; ${own}` };
    if (!this.#order.choose) return entry;
    // Alone in the queue, a seed is taken because it is one; among known pages it waits for its slot as they do.
    if (entry.isSeed && this.#known.size === 0) return entry;
    const slot = this.#slotReason(entry);
    return { ...entry, reason: own === undefined ? slot : `${slot}; ${own}` };
  }

  #slotReason({ rank, rate = 0 }: FrontierEntry): string {
    const { name } = this.#order;
    if (rank >= RANKS.reserve)
      return `${name}: from the reserve past the page limit, found first of those that wait`;
    if (!this.#decided) return `${name}: found during the second pass, lowest rank first`;
    const { choice, course } = this.#decided;
    return slotReason(this.#order, { ...choice, place: this.queue.takenAt }, course, rate);
  }

  /** The clock was set back: what is due in so many milliseconds is not to wait for it to catch up. */
  clockSetBack(by: number): void {
    this.politeness = { ...this.politeness, nextAt: this.politeness.nextAt - by };
  }

  robots(entry: FrontierEntry, now: Millis): RobotsRules | undefined {
    const known = this.#manners.robots.get(new URL(entry.url).origin);
    return known && known.until > now ? known.rules : undefined;
  }

  setRobots(origin: string, rules: RobotsRules, now: Millis): void {
    this.#manners.robots.set(origin, { rules, until: now + ROBOTS_LIFETIME });
  }

  #place(waiting: number): number {
    const { choose } = this.#order;
    this.#decided = undefined;
    if (!choose || this.revisiting) return 0;
    const estimate = Math.min(this.curve.estimate(), this.#pageLimit);
    const course = { downloaded: this.curve.downloaded, waiting, firstGuess: this.curve.guess, estimate };
    const choice = choose(course);
    this.#decided = { choice, course };
    return choice.place;
  }
}
