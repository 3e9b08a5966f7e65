/** Captures of a whole site inside a watch, by the crawler that archives, under the clock of the watch; and their results. */
import type { WatchedSite } from '../../loop/watch/ports.ts';
import type { WatchSettings } from '../../loop/watch/watch.ts';
import type { RevisitMode } from '../../model/site-capture.ts';
import type { Millis } from '../../model/time.ts';
import { type CrawlLabPorts, crawlWeb } from '../crawl/crawl-web.ts';
import { type MeasuredCapture, measureCapture } from '../crawl/measure-capture.ts';
import { memoryPorts } from '../crawl/memory-ports.ts';
import type { SyntheticWeb } from '../crawl/synthetic-web.ts';
import type { VirtualClock } from '../crawl/virtual-clock.ts';
import type { WatchedWeb } from './watched-web.ts';

export interface WatchCaptures {
  /** Milliseconds from one to the next. */
  readonly every: number;
  readonly order: string;
  readonly revisit: RevisitMode;
  readonly ports: CrawlLabPorts;
}

/** Like crawlers that know nothing about change: page by page as they are found, and then the same again. */
export const breadthFirst = (captures: WatchCaptures): WatchCaptures => ({
  ...captures,
  order: 'breadth-first',
  revisit: captures.revisit === 'none' ? 'none' : 'blur',
});

/** Share of the requests that a capture may take: as in archive/watch/capture-pace.ts. */
const SHARE = 0.8;
const HOUR = 3_600_000;

export class WholeCaptures {
  readonly made: MeasuredCapture[] = [];
  readonly #captures: WatchCaptures;
  readonly #site: SyntheticWeb;
  readonly #ports: Parameters<typeof crawlWeb>[2];
  readonly #delay: number;
  /** The pages known at the start are known from a capture at this time. */
  #lastAt: Millis;

  constructor(
    web: WatchedWeb,
    { budget }: Pick<WatchSettings, 'budget'>,
    captures: WatchCaptures,
    clock: VirtualClock,
  ) {
    const site = web.site?.();
    if (!site) throw new RangeError('this web cannot be captured whole');
    this.#site = site;
    this.#captures = captures;
    this.#lastAt = web.start;
    this.#delay = HOUR / Math.max(1, SHARE * budget.requestsPerHour);
    this.#ports = { ...captures.ports, ...memoryPorts(site, clock) };
  }

  sites(pages: number): readonly WatchedSite[] {
    const { every, revisit } = this.#captures;
    const revisits = revisit === 'none' ? 0 : pages;
    return this.#site.sites.map(({ origin }) => ({
      site: new URL(origin).host,
      every,
      lastCapture: this.#lastAt,
      pages,
      revisits,
    }));
  }

  /** @param seen called for each page and each revisit, when it is stored */
  async capture(
    rates: { rateOf(url: string): number },
    seen: (url: string) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const { order, revisit } = this.#captures;
    const { state, capture } = await crawlWeb(
      this.#site,
      {
        ...{ order, revisit, delay: this.#delay, workers: 8, seed: this.made.length, signal },
        rates: { known: 1, rateOf: (url) => rates.rateOf(url) },
        onVisit: ({ kind, url }) => {
          if (kind === 'page' || kind === 'revisit') seen(url);
        },
      },
      this.#ports,
    );
    this.#lastAt = this.#ports.clock.now();
    // A capture that the end of the watch stopped does not count.
    if (state === 'finished') this.made.push(measureCapture(capture, this.#site));
  }
}
