import type { VisitLesson } from '../../model/visit-lesson.ts';
import type { SeenVisit } from '../../model/watch.ts';

/** Called at the moment the loop has learnt: what is kept then contains the lesson fully or not at all. */
export type OnLearnt = () => void;

/**
 * Findings of visits are reported as they become known; `done` also waits for those that require reading first. Where
 * no browser is used, embedded resources are fetched on their own: these requests are reported with the next page, so
 * that the total matches the requests made.
 */
export class Telling {
  readonly #told: (seen: SeenVisit) => void;
  readonly #under = new Set<Promise<void>>();
  #beside: { requests: number; bytes: number; readonly learnt: OnLearnt[] } = nothing();

  constructor(told: (seen: SeenVisit) => void) {
    this.#told = told;
  }

  page(seen: Promise<SeenVisit>, onLearnt: OnLearnt = () => {}): void {
    const work = seen
      .then((one) => {
        const { requests, bytes, learnt } = this.#beside;
        this.#beside = nothing();
        this.#told({ ...one, requests: one.requests + requests, bytes: one.bytes + bytes });
        for (const done of [...learnt, onLearnt]) done();
      })
      .finally(() => this.#under.delete(work));
    this.#under.add(work);
    work.catch(() => {});
  }

  beside({ requests, bytes }: Pick<VisitLesson, 'requests' | 'bytes'>, onLearnt: OnLearnt = () => {}): void {
    this.#beside.requests += requests;
    this.#beside.bytes += bytes;
    this.#beside.learnt.push(onLearnt);
  }

  /** Resolves when everything so far is reported. */
  async done(): Promise<void> {
    await Promise.all(this.#under);
  }

  /** No more pages will come: what the last ones embedded is reported with none, and counts as learnt. */
  async end(): Promise<void> {
    await this.done();
    for (const learnt of this.#beside.learnt.splice(0)) learnt();
  }
}

const nothing = () => ({ requests: 0, bytes: 0, learnt: [] as OnLearnt[] });
