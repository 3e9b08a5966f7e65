import type { EventDraft } from '../model/capture.ts';
import type { CrawlSpec } from '../model/crawl.ts';
import { type Exchange, redirectTarget } from '../model/exchange.ts';
import { CaptureFault } from '../model/fault.ts';
import type { Clock } from '../ports/clock.ts';
import type { Fetcher } from '../ports/fetcher.ts';
import type { NewId } from '../ports/ids.ts';
import type { RobotsReader, RobotsRules } from '../ports/robots.ts';
import { statusFault } from '../science/policy/answer.ts';

/** RFC 9309 §2.3.1.2: at least five redirects are followed, across hosts too. */
const ROBOTS_REDIRECTS = 5;
/** RFC 9309 §2.5 requires at least 500 KiB. */
const ROBOTS_SIZE = 2 * 1024 * 1024;

export interface FetchedRobots {
  readonly rules: RobotsRules;
  readonly last: Exchange;
  /** The exchanges, to be stored. */
  readonly draft: EventDraft;
  release(): Promise<void>;
}

export interface RobotsPorts {
  readonly fetcher: Fetcher;
  readonly robotsReader: RobotsReader;
  readonly clock: Clock;
  readonly newId: NewId;
  /** Waits until another host, reached by a redirect, may be asked; undefined if that takes too long. */
  readonly turnAt?: (host: string) => Promise<((status: number | undefined) => void) | undefined>;
}

/**
 * Stage: fetches the robots.txt of an origin. A server that answers 5xx, or not at all, is a CaptureFault: by the RFC
 * everything is then disallowed, so no page of it may be fetched, and the entries waiting for it fail with that reason.
 */
export async function fetchRobots(
  origin: string,
  spec: CrawlSpec,
  ports: RobotsPorts,
  signal?: AbortSignal,
): Promise<FetchedRobots> {
  const url = `${origin}/robots.txt`;
  const exchanges: Exchange[] = [];
  const release = async (): Promise<void> => {
    await Promise.all(exchanges.map(({ response }) => response.body.release()));
  };
  try {
    let next: string | undefined = url;
    while (next !== undefined && exchanges.length <= ROBOTS_REDIRECTS) {
      const exchange = await inTurn(next, origin, ports, (asked) =>
        ports.fetcher.fetch({
          url: asked,
          userAgent: spec.politeness.userAgent,
          timeLimit: spec.limits.responseTime,
          sizeLimit: Math.min(spec.limits.responseSize, ROBOTS_SIZE),
          ...(signal && { signal }),
        }),
      );
      exchanges.push(exchange);
      const location = redirectTarget(exchange);
      next =
        location !== undefined && URL.canParse(location, next) ? new URL(location, next).href : undefined;
    }
    const last = exchanges.at(-1) as Exchange;
    const fault = statusFault(last, ports.clock.now());
    if (fault && last.response.status >= 500) {
      throw new CaptureFault('robots-unreachable', url, `robots.txt: ${fault.message}`, {
        ...(fault.retryAfter !== undefined && { retryAfter: fault.retryAfter }),
      });
    }
    const rules = await ports.robotsReader.read(last);
    const at = (exchanges[0] as Exchange).startedAt;
    return { rules, last, draft: { id: ports.newId(), url, at, exchanges, derived: [] }, release };
  } catch (error) {
    await release();
    throw error;
  }
}

/** The origin's host already has its turn; another one has a pace of its own. */
async function inTurn(
  url: string,
  origin: string,
  { turnAt }: RobotsPorts,
  ask: (url: string) => Promise<Exchange>,
): Promise<Exchange> {
  const { host, protocol } = new URL(url);
  if (!turnAt || host === new URL(origin).host || !/^https?:$/.test(protocol)) return ask(url);
  const end = await turnAt(host);
  if (!end)
    throw new CaptureFault(
      'robots-unreachable',
      `${origin}/robots.txt`,
      `robots.txt: it redirects to ${host}, which had no turn for it`,
    );
  let status: number | undefined;
  try {
    const exchange = await ask(url);
    status = exchange.response.status;
    return exchange;
  } finally {
    end(status);
  }
}

/** The rules under `--no-robots`. */
export const EVERYTHING_ALLOWED: RobotsRules = {
  allows: () => ({ allowed: true }),
  crawlDelay: undefined,
  sitemaps: [],
};
