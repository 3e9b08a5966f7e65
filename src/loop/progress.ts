import type { CrawlTally, EntryKind } from '../model/crawl.ts';
import { isRedirect, type Millis } from '../model/exchange.ts';
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
  /** Milliseconds, at this rate, for what is known now; undefined while nothing can be said. */
  readonly timeLeft?: number;
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
  #rate = 0;
  #since: Millis | undefined;
  #pagesSince = 0;

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
    if (kind === 'page')
      this[visit.outcome !== 'failed' && isRedirect(visit.status ?? 0) ? 'redirects' : visit.outcome]++;
    else if (kind !== 'revisit') this.resources++;
    // A page visited twice takes the time of two.
    if (kind === 'page' || kind === 'revisit') this.#pagesSince++;
  }

  /** `now` is of the reader's clock: a crawl on a fast clock still has pages per real second. */
  snapshot(pending: number, now: Millis): Progress {
    this.#since ??= now;
    const seconds = (now - this.#since) / 1000;
    if (seconds >= 1) {
      const current = this.#pagesSince / seconds;
      this.#rate =
        this.#rate === 0 ? current : this.#rate + (current - this.#rate) * (1 - (1 - SMOOTHING) ** seconds);
      this.#since = now;
      this.#pagesSince = 0;
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
    };
    return this.#rate > 0 ? { ...base, timeLeft: (pending / this.#rate) * 1000 } : base;
  }
}
