import type { RobotsReader } from '../ports/robots.ts';
import { decodedBytes } from './http/decode-body.ts';
import { parseRobots, productToken, ROBOTS_SIZE_LIMIT, type Robots } from './robots/robots.ts';

/** robots.txt files for one user agent. */
export function createRobotsReader(userAgent: string): RobotsReader {
  const agent = productToken(userAgent);
  return {
    async read(exchange) {
      const answer = exchange && {
        status: exchange.response.status,
        bytes: (await decodedBytes(exchange.response, 2 * ROBOTS_SIZE_LIMIT)).bytes,
      };
      const address = exchange?.url ?? '';
      const robots = robotsFromResponse(answer, address);
      return {
        allows(url) {
          const { allowed, rule, line } = robots.allows(url, agent);
          if (allowed) return { allowed };
          const where = line === undefined ? '' : ` (line ${line} of ${address})`;
          return { allowed, detail: `${rule ?? 'disallowed'}${where}` };
        },
        crawlDelay: robots.crawlDelay(agent),
        sitemaps: robots.sitemaps,
        badSitemaps: robots.badSitemaps,
        cut: robots.truncated,
      };
    },
  };
}

/**
 * What an answer means for the host: RFC 9309 §2.3.1 and §2.4.
 * @param answer after following redirects, of which the RFC requires at least five; undefined when none came
 * @param address of the robots.txt that was requested
 */
export function robotsFromResponse(
  answer: { readonly status: number; readonly bytes: Uint8Array } | undefined,
  address: string,
): Robots {
  if (!answer) return closed('robots.txt could not be fetched');
  const { status, bytes } = answer;
  if (status >= 500) return closed(`robots.txt answered ${status}`);
  // 4xx: no rules. Still 3xx: more redirects than we follow, which §2.3.1.2 allows to be treated the same way.
  return status >= 200 && status < 300 ? parseRobots(bytes, address) : ALLOW_ALL;
}

const ALLOW_ALL: Robots = {
  sitemaps: [],
  badSitemaps: [],
  truncated: false,
  crawlDelay: () => undefined,
  allows: () => ({ allowed: true }),
};

function closed(why: string): Robots {
  return { ...ALLOW_ALL, allows: () => ({ allowed: false, rule: why }) };
}
