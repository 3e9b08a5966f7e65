import type { Millis } from '../../model/time.ts';
import type { UnlearntVisit } from '../../model/worker.ts';
import type { WorkerCatalog } from '../../ports/catalog.ts';
import type { Lessons } from './lessons.ts';

type LessonCatalog = Pick<WorkerCatalog, 'unlearntVisits' | 'unlearntPages'>;

/** Lessons read at a time. */
const AT_ONCE = 100;

/**
 * What workers have stored for the watch to learn from. A lesson is
 *
 *   stored   in the transaction of its visit
 *   learnt   by the loop, in memory
 *   kept     gone from the catalog, in the transaction that keeps what the loop has learnt
 *
 * A watch that dies before the last step has forgotten what it learnt, and the next one finds the lesson
 * again.
 */
export class StoredLessons {
  readonly #catalog: LessonCatalog;
  /** Heard since something was last kept, so still in the catalog. */
  readonly #heard = new Set<number>();
  /** The learnt ones among these. */
  #learnt: number[] = [];

  constructor(catalog: LessonCatalog) {
    this.#catalog = catalog;
  }

  /** Reads those of these crawls, in commit order. Returns the last id: no later commit gets a lower one. */
  hear(crawls: readonly number[], lessons: Lessons, after = 0): Promise<number> {
    return this.#read({ crawls, after }, async () => lessons);
  }

  /** For all crawls. */
  async hearAll(lessonsOf: (crawlId: number) => Promise<Lessons>): Promise<void> {
    await this.#read({ after: 0 }, lessonsOf);
  }

  /** To be kept at once: what is learnt after this call is left for the next time. */
  takeLearnt(): readonly number[] {
    const taken = this.#learnt;
    this.#learnt = [];
    return taken;
  }

  /** They are no longer in the catalog. */
  kept(ids: readonly number[]): void {
    for (const id of ids) this.#heard.delete(id);
  }

  /**
   * Pages with visits that nothing was learnt from, and the time of the first of these: a page's past is known up to
   * then.
   */
  async unlearntSince(): Promise<ReadonlyMap<string, Millis>> {
    const since = new Map<string, Millis>();
    for (const { id, url, at } of await this.#catalog.unlearntPages())
      if (!this.#heard.has(id)) since.set(url, Math.min(at, since.get(url) ?? at));
    return since;
  }

  async #read(
    { after, ...query }: { readonly crawls?: readonly number[]; readonly after: number },
    lessonsOf: (crawlId: number) => Promise<Lessons>,
  ): Promise<number> {
    for (let last = after; ; ) {
      const visits = await this.#catalog.unlearntVisits({ ...query, after: last, limit: AT_ONCE });
      for (const visit of visits) await this.#hear(visit, lessonsOf);
      last = visits.at(-1)?.id ?? last;
      if (visits.length < AT_ONCE) return last;
    }
  }

  async #hear(
    { id, crawlId, lesson }: UnlearntVisit,
    lessonsOf: (crawlId: number) => Promise<Lessons>,
  ): Promise<void> {
    if (this.#heard.has(id)) return;
    this.#heard.add(id);
    const lessons = await lessonsOf(crawlId);
    lessons.hear(lesson, () => this.#learnt.push(id));
    // In order: what one page says of another is heard before the visit of that other page.
    await lessons.done();
  }
}
