import type { EventDraft } from '../model/capture.ts';
import type { CrawlSpec, FrontierEntry } from '../model/crawl.ts';
import type { Scope } from '../ports/scope.ts';
import { type Answer, answerOf } from '../science/policy/answer.ts';
import { type Discovery, namedSitemaps } from '../stages/discover.ts';
import { fetchRobots } from '../stages/fetch-robots.ts';
import type { Host } from './host.ts';
import type { CrawlPorts } from './site-crawl.ts';
import type { EndTurn } from './turn-elsewhere.ts';

export interface AskedRobots {
  readonly answer: Answer;
  readonly crawlDelay: number | undefined;
  /** To be stored. */
  readonly draft: EventDraft;
  readonly sitemaps: Discovery;
  /** What the crawl is to tell of it. */
  readonly notes: readonly string[];
  release(): Promise<void>;
}

/** Asks for the robots.txt that an entry waits for, and stores its rules with the host. Throws CaptureFault. */
export async function askRobots(
  host: Host,
  entry: FrontierEntry,
  spec: CrawlSpec,
  ports: CrawlPorts & { readonly scope: Scope },
  options: {
    readonly signal: AbortSignal;
    readonly isSeedHost: boolean;
    readonly turnAt: (host: string) => Promise<EndTurn | undefined>;
  },
): Promise<AskedRobots> {
  const { origin } = new URL(entry.url);
  const robots = await fetchRobots(origin, spec, { ...ports, turnAt: options.turnAt }, options.signal);
  const { maxCrawlDelay = Number.POSITIVE_INFINITY } = spec.politeness;
  const { crawlDelay: wantedDelay = 0, sitemaps } = robots.rules;
  const isCut = wantedDelay > maxCrawlDelay;
  const rules = isCut ? { ...robots.rules, crawlDelay: maxCrawlDelay } : robots.rules;
  const { crawlDelay } = rules;
  host.setRobots(origin, rules, ports.clock.now());
  const wanted = spec.sitemaps && options.isSeedHost ? sitemaps : [];
  return {
    answer: answerOf(robots.last, undefined),
    crawlDelay,
    draft: robots.draft,
    sitemaps: namedSitemaps(wanted, entry.url, ports.scope),
    notes: [
      ...(isCut
        ? [
            `robots.txt of ${origin} asks for a Crawl-delay of ${wantedDelay / 1000} s: ` +
              `--max-crawl-delay keeps it at ${maxCrawlDelay / 1000} s`,
          ]
        : []),
      ...(rules.cut ? [`${origin}/robots.txt is long: rules past its first 500 KiB do not count`] : []),
      ...badSitemapsNote(origin, rules.badSitemaps ?? []),
    ],
    release: robots.release,
  };
}

function badSitemapsNote(origin: string, [first, ...others]: readonly string[]): readonly string[] {
  if (first === undefined) return [];
  const more = others.length === 0 ? '' : ` (and ${others.length} more such lines)`;
  return [
    `${origin}/robots.txt names a sitemap that is no URL, '${first.slice(0, 80)}'${more}: it is not read`,
  ];
}
