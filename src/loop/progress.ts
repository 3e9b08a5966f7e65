import type { CrawlTally, EntryKind } from '../model/crawl.ts';
import { isRedirect } from '../model/exchange.ts';
import type { Millis } from '../model/time.ts';
import type { VisitCommit } from '../ports/catalog.ts';

export interface Progress {
  readonly captured: number;
  readonly unchanged: number;
  /** Versions left out: see `store: important`. */
  readonly dropped: number;
  readonly redirects: number;
  /** Those that are gone among them. */
  readonly failed: number;
  /** Embedded resources and sitemaps that were fetched on their own. */
  readonly resources: number;
  readonly skipped: number;
  readonly pending: number;
  /** Response bytes received. */
  readonly bytes: number;
  /** Pages per second over the last while. */
  readonly rate: number;
  /** Pages that the crawl may visit at most; absent without a limit. */
  readonly pageLimit?: number;
  /** Milliseconds, at this rate, for what is known now or to the first limit; undefined while nothing can be said. */
  readonly timeLeft?: number;
  /** The limit that comes before the end of what is known. */
  readonly bound?: 'page-limit' | 'time-limit';
  /** All that waits, waits for a host to be ready again. */
  readonly pause?: HostPause;
}

export interface HostPause {
  /** The one whose turn comes first. */
  readonly host: string;
  /** Milliseconds until then. */
  readonly left: number;
}

/** What a crawl may still do. */
export interface RoomLeft {
  readonly pageLimit: number;
  /** Milliseconds to the time limit. */
  readonly time: number;
  /** Whether each page is visited twice, as far as that is not among what waits. */
  readonly secondVisits?: boolean;
  /** What it waits for while nothing is under way. */
  readonly pause?: HostPause | undefined;
}

/** Weight of the newest second in the rate: about the last 20 seconds count. */
const SMOOTHING = 0.1;

/** Running counts of a crawl, begun from what the catalog knew when it was resumed. */
export class ProgressMeter {
  captured: number;
  unchanged: number;
  dropped: number;
  redirects: number;
  failed: number;
  resources: number;
  skipped: number;
  bytes: number;
  /** Pages, and requests of every kind, per second. */
  #rate = 0;
  #pace = 0;
  #since: Millis | undefined;
  #pagesSince = 0;
  #requestsSince = 0;

  constructor(start: CrawlTally) {
    this.captured = start.captured;
    this.unchanged = start.unchanged;
    this.dropped = start.dropped ?? 0;
    this.redirects = start.redirects;
    this.failed = start.failed + start.gone;
    this.resources = start.resources.captured + start.resources.unchanged + start.resources.failed;
    this.skipped = start.skipped;
    this.bytes = start.bytes;
  }

  get pages(): number {
    return this.captured + this.unchanged + this.dropped + this.redirects + this.failed;
  }

  count({ visit, skips }: VisitCommit, kind: EntryKind): void {
    this.bytes += visit.bytes;
    this.skipped += skips.length;
    if (visit.outcome === 'deferred') return;
    this.#requestsSince++;
    if (kind === 'page')
      this[visit.outcome !== 'failed' && isRedirect(visit.status ?? 0) ? 'redirects' : visit.outcome]++;
    else if (kind !== 'revisit') this.resources++;
    // A page visited twice takes the time of two.
    if (kind === 'page' || kind === 'revisit') this.#pagesSince++;
  }

  /** `now` is of the reader's clock: a crawl on a fast clock still has pages per real second. */
  snapshot(pending: number, now: Millis, room: RoomLeft): Progress {
    this.#since ??= now;
    const seconds = (now - this.#since) / 1000;
    if (seconds >= 1) {
      this.#rate = smoothed(this.#rate, this.#pagesSince / seconds, seconds);
      this.#pace = smoothed(this.#pace, this.#requestsSince / seconds, seconds);
      this.#since = now;
      this.#pagesSince = 0;
      this.#requestsSince = 0;
    }
    const { captured, unchanged, dropped, redirects, failed, resources, skipped, bytes } = this;
    const base = {
      captured,
      unchanged,
      dropped,
      redirects,
      failed,
      resources,
      skipped,
      bytes,
      pending,
      rate: this.#rate,
      ...(room.pageLimit !== Number.POSITIVE_INFINITY && { pageLimit: room.pageLimit }),
      ...(room.pause && { pause: room.pause }),
    };
    return this.#pace > 0 ? { ...base, ...this.#estimate(pending, room) } : base;
  }

  /** What waits is pages and what they embed: each page still allowed brings as many requests as those before. */
  #estimate(
    pending: number,
    { pageLimit, time, secondVisits = false }: RoomLeft,
  ): Pick<Progress, 'timeLeft' | 'bound'> {
    const pagesLeft = Math.max(0, pageLimit - this.pages);
    const perPage = 1 + this.resources / Math.max(1, this.pages);
    const allowed = pagesLeft * perPage;
    const first = Math.min(pending, allowed);
    // Second visits are queued when the first are over: those of the pages there are, and of the pages to come.
    const again = secondVisits ? this.captured + this.unchanged + this.dropped + first / perPage : 0;
    const needed = ((first + again) / this.#pace) * 1000;
    if (time < needed) return { timeLeft: Math.max(0, time), bound: 'time-limit' };
    return allowed < pending ? { timeLeft: needed, bound: 'page-limit' } : { timeLeft: needed };
  }
}

const smoothed = (before: number, current: number, seconds: number): number =>
  before === 0 ? current : before + (current - before) * (1 - (1 - SMOOTHING) ** seconds);
