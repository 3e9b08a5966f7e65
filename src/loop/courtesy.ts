import type { Millis } from '../model/time.ts';
import type { RobotsRules } from '../ports/robots.ts';
import type { MissingAnswer } from '../science/answers/missing-page.ts';
import { type HostState, newHost } from '../science/policy/politeness.ts';

/** How one host must be treated. */
export interface HostManners {
  politeness: HostState;
  /** Requests (or pages being rendered) under way, of all crawls. */
  inFlight: number;
  /** By origin. */
  readonly robots: Map<string, { readonly rules: RobotsRules; readonly until: Millis }>;
  /** What it answers for an address that cannot exist, by origin: see missing-pages.ts. */
  readonly missing: Map<string, Promise<MissingAnswer | undefined>>;
}

/**
 * How hosts must be treated. Crawls that run beside or after one another share one, so that a host is asked no more
 * often by several than by one, and for its robots.txt once a day.
 */
export class Courtesy {
  readonly #hosts = new Map<string, HostManners>();

  of(name: string): HostManners {
    const known = this.#hosts.get(name);
    if (known) return known;
    const manners: HostManners = {
      politeness: newHost(),
      inFlight: 0,
      robots: new Map(),
      missing: new Map(),
    };
    this.#hosts.set(name, manners);
    return manners;
  }

  /** Before another crawl: hosts that were given up have another chance; the pauses that they are owed stay. */
  forgive(): void {
    for (const manners of this.#hosts.values()) {
      const { givenUp, nextAt } = manners.politeness;
      if (givenUp) manners.politeness = { ...newHost(), nextAt };
    }
  }
}
