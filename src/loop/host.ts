import type { FrontierEntry } from '../model/crawl.ts';
import type { Millis } from '../model/exchange.ts';
import type { FaultKind } from '../model/fault.ts';
import type { RobotsRules } from '../ports/robots.ts';
import type { HostState } from '../science/policy/politeness.ts';
import { HostQueue, type LoadPending } from './host-queue.ts';

/** RFC 9309 §2.4: a robots.txt is good for 24 hours. Milliseconds. */
const ROBOTS_LIFETIME = 24 * 60 * 60 * 1000;

/** All that the loop holds of one host: what waits, how it must be treated, what it forbids. */
export class Host {
  readonly name: string;
  readonly queue: HostQueue;
  politeness: HostState;
  /** What a host that is given up failed with. */
  lastFault: FaultKind = 'connection-failed';
  /** Requests (or pages being rendered) under way. */
  inFlight = 0;
  readonly #robots = new Map<string, { readonly rules: RobotsRules; readonly until: Millis }>();

  constructor(name: string, politeness: HostState, pending: number, load: LoadPending) {
    this.name = name;
    this.politeness = politeness;
    this.queue = new HostQueue(name, pending, load);
  }

  /** When the next request may be made: Infinity while nothing waits. */
  readyAt(now: Millis): Millis {
    const turn = this.politeness.givenUp ? now : this.politeness.nextAt;
    return Math.max(turn, this.queue.readyAt(now));
  }

  robots(entry: FrontierEntry, now: Millis): RobotsRules | undefined {
    const known = this.#robots.get(new URL(entry.url).origin);
    return known && known.until > now ? known.rules : undefined;
  }

  setRobots(origin: string, rules: RobotsRules, now: Millis): void {
    this.#robots.set(origin, { rules, until: now + ROBOTS_LIFETIME });
  }
}
