import type { Millis } from '../../model/time.ts';
import type { Catalog } from '../../ports/catalog.ts';

/** An answer that is ready to be sent. */
export interface ReadyAnswer {
  readonly type: string;
  readonly body: string;
  readonly etag?: string | undefined;
  /** Where its list goes on. */
  readonly link?: string | undefined;
}

interface Kept {
  readonly state: string;
  readonly at: Millis;
  readonly answer: Promise<ReadyAnswer>;
}

/** Milliseconds for which an answer holds while the catalog changes, and at most: decisions end without anybody writing. */
const FRESH = 1_000;
const LONGEST = 60_000;
/** Answers, and characters of one: what is larger is computed each time. */
const MOST = 300;
const LARGEST = 1_000_000;

/**
 * Answers of lists, for as long as the catalog stays as it is: a list of a large archive takes tens of milliseconds in which nobody
 * else is answered, and two hundred readers ask for the same few. Those who ask at once wait for one computation.
 */
export class AnswerCache {
  #catalog: Catalog | undefined;
  readonly #kept = new Map<string, Kept>();

  async get(
    catalog: Catalog,
    key: string,
    now: Millis,
    compute: () => Promise<ReadyAnswer>,
  ): Promise<ReadyAnswer> {
    // Another one took its place: nothing of the old one holds.
    if (catalog !== this.#catalog) this.forget();
    this.#catalog = catalog;
    const kept = this.#kept.get(key);
    if (kept && now < kept.at + FRESH) return kept.answer;
    const state = await catalog.stateMark();
    if (kept && kept.state === state && now < kept.at + LONGEST) return kept.answer;
    const answer = compute();
    this.#kept.delete(key);
    this.#kept.set(key, { state, at: now, answer });
    answer.then(
      ({ body }) => body.length > LARGEST && this.#kept.delete(key),
      () => this.#kept.delete(key),
    );
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MOST && oldest !== undefined) this.#kept.delete(oldest);
    return answer;
  }

  /** Somebody has written through this server, and expects to see it. */
  forget(): void {
    this.#kept.clear();
  }
}
