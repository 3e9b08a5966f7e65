import type { RobotsReader } from '../ports/robots.ts';
import { decodedBytes } from './http/decode-body.ts';
import { robotsFromResponse } from './robots/policy.ts';
import { productToken, ROBOTS_SIZE_LIMIT } from './robots/robots.ts';

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
      const { robots } = robotsFromResponse(answer ?? 'unreachable', address);
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
