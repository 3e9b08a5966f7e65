/** What the answer to a request for robots.txt means for the host: RFC 9309 §2.3.1 and §2.4. */
import { parseRobots, type Robots } from './robots.ts';

/** After redirects were followed; the RFC asks for at least five hops. */
export type RobotsAnswer = { readonly status: number; readonly bytes: Uint8Array } | 'unreachable';

export interface RobotsPolicy {
  readonly robots: Robots;
  readonly kind: 'rules' | 'allow-all' | 'disallow-all';
  /** For the stored fact. */
  readonly why: string;
}

/** @param address of the robots.txt that was asked for */
export function robotsFromResponse(answer: RobotsAnswer, address: string): RobotsPolicy {
  if (answer === 'unreachable') return closed('robots.txt could not be fetched');
  const { status, bytes } = answer;
  if (status >= 500) return closed(`robots.txt answered ${status}`);
  if (status >= 200 && status < 300) {
    const robots = parseRobots(bytes, address);
    const cut = robots.truncated ? ', of which the first 500 KiB count' : '';
    return { robots, kind: 'rules', why: `robots.txt of ${bytes.byteLength} bytes${cut}` };
  }
  // 4xx: no rules. 3xx still: more redirects than are followed, which §2.3.1.2 lets us treat likewise.
  return { robots: allowAll, kind: 'allow-all', why: `robots.txt answered ${status}` };
}

const allowAll: Robots = {
  sitemaps: [],
  badSitemaps: [],
  truncated: false,
  crawlDelay: () => undefined,
  allows: () => ({ allowed: true }),
};

function closed(why: string): RobotsPolicy {
  const robots: Robots = { ...allowAll, allows: () => ({ allowed: false, rule: why }) };
  return { robots, kind: 'disallow-all', why };
}
