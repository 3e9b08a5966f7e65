import { isWebCapture } from '../../model/capture.ts';
import type { SeenVisit } from '../../model/watch.ts';
import type { VisitCommit } from '../../ports/catalog.ts';

/**
 * What visits found is told as it is known; whoever waits for all of it waits for what must be read first. What pages embed is
 * fetched on its own where no browser does it: these requests are told with the next page, so that the sum is what was asked for.
 */
export class Telling {
  readonly #told: (seen: SeenVisit) => void;
  readonly #under = new Set<Promise<void>>();
  #beside = { requests: 0, bytes: 0 };

  constructor(told: (seen: SeenVisit) => void) {
    this.#told = told;
  }

  page(seen: Promise<SeenVisit>): void {
    const work = seen
      .then((one) => {
        const { requests, bytes } = this.#beside;
        this.#beside = { requests: 0, bytes: 0 };
        this.#told({ ...one, requests: one.requests + requests, bytes: one.bytes + bytes });
      })
      .finally(() => this.#under.delete(work));
    this.#under.add(work);
    work.catch(() => {});
  }

  beside({ visit, captures }: Pick<VisitCommit, 'visit' | 'captures'>): void {
    const { requests, bytes } = this.#beside;
    const more = Math.max(1, captures.filter(isWebCapture).length);
    this.#beside = { requests: requests + more, bytes: bytes + visit.bytes };
  }

  async done(): Promise<void> {
    await Promise.all(this.#under);
  }
}
