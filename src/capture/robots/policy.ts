/** What the answer to a request for robots.txt means for the host: RFC 9309 §2.3.1 and §2.4. */
import type { Millis } from '../../model/exchange.ts';
import { parseRobots, type Robots } from './robots.ts';

/** After redirects were followed; the RFC asks for at least five hops. */
export type RobotsAnswer = { readonly status: number; readonly bytes: Uint8Array } | 'unreachable';

export interface RobotsPolicy {
  readonly robots: Robots;
  readonly kind: 'rules' | 'allow-all' | 'disallow-all';
  /** For the stored fact. */
  readonly why: string;
  readonly fetchedAt: Millis;
  readonly validUntil: Millis;
}

/** §2.3.1.2: "at least five consecutive redirects". */
export const ROBOTS_REDIRECTS = 5;
/** §2.4: a cached copy is not used for more than 24 hours. */
export const ROBOTS_MAX_AGE = 24 * 3_600_000;
/** An unreachable robots.txt shuts the whole host, so it is asked for again sooner. */
export const ROBOTS_RETRY = 10 * 60_000;

/** @param address of the robots.txt that was asked for */
export function robotsFromResponse(answer: RobotsAnswer, now: Millis, address: string): RobotsPolicy {
  if (answer === 'unreachable') return closed('robots.txt could not be fetched', now);
  const { status, bytes } = answer;
  if (status >= 500) return closed(`robots.txt answered ${status}`, now);
  if (status >= 200 && status < 300) {
    const robots = parseRobots(bytes, address);
    const cut = robots.truncated ? ', of which the first 500 KiB count' : '';
    return policy(robots, 'rules', `robots.txt of ${bytes.byteLength} bytes${cut}`, now, ROBOTS_MAX_AGE);
  }
  // 4xx: no rules. 3xx still: more redirects than are followed, which §2.3.1.2 lets us treat likewise.
  return policy(allowAll, 'allow-all', `robots.txt answered ${status}`, now, ROBOTS_MAX_AGE);
}

export function isFresh(policy: RobotsPolicy, now: Millis): boolean {
  return now >= policy.fetchedAt && now < policy.validUntil;
}

const allowAll: Robots = {
  sitemaps: [],
  truncated: false,
  crawlDelay: () => undefined,
  allows: () => ({ allowed: true }),
};

function closed(why: string, now: Millis): RobotsPolicy {
  const robots: Robots = { ...allowAll, allows: () => ({ allowed: false, rule: why }) };
  return policy(robots, 'disallow-all', why, now, ROBOTS_RETRY);
}

function policy(
  robots: Robots,
  kind: RobotsPolicy['kind'],
  why: string,
  now: Millis,
  age: number,
): RobotsPolicy {
  return { robots, kind, why, fetchedAt: now, validUntil: now + age };
}
