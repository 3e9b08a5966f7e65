import type { VisitLesson } from '../../model/visit-lesson.ts';
import { type SeenVisit, type SignalKind, VISIT_KINDS, type VisitKind } from '../../model/watch.ts';
import { type OnLearnt, Telling } from './telling.ts';

/**
 * The kind under which a visit is reported; undefined: reported with the next page, since it is one of its
 * resources.
 */
export type KindOfVisit = (lesson: VisitLesson) => VisitKind | undefined;

/** The reason of an entry begins with what it was planned for; a redirect's target is reported with the next page. */
export const inRound: KindOfVisit = ({ kind, redirects, reason }) =>
  kind !== 'page' || redirects > 0
    ? undefined
    : (VISIT_KINDS.find((one) => reason.startsWith(`${one}: `)) ?? 'refresh');

/** In a capture of a whole site. */
export const inCapture: KindOfVisit = ({ kind }) => (kind === 'page' ? 'refresh' : undefined);

/**
 * What the visits of a crawl teach, on its way to the loop: the same path whether they were made here or by a worker.
 */
export class Lessons {
  /** Includes sitemaps. */
  readonly sources: Record<string, SignalKind> = {};
  readonly #kindOf: KindOfVisit;
  readonly #seen: (lesson: VisitLesson, kind: VisitKind) => Promise<SeenVisit>;
  readonly #telling: Telling;

  /** @param seen adds what the page says of others, which may have to be read */
  constructor(
    kindOf: KindOfVisit,
    seen: (lesson: VisitLesson, kind: VisitKind) => Promise<SeenVisit>,
    told: (seen: SeenVisit) => void,
  ) {
    this.#kindOf = kindOf;
    this.#seen = seen;
    this.#telling = new Telling(told);
  }

  hear(lesson: VisitLesson, onLearnt?: OnLearnt): void {
    if (lesson.kind === 'sitemap') this.sources[lesson.url] = 'sitemap';
    const kind = this.#kindOf(lesson);
    if (kind === undefined) this.#telling.beside(lesson, onLearnt);
    else this.#telling.page(this.#seen(lesson, kind), onLearnt);
  }

  /** Resolves when everything heard so far is learnt, except what waits for the next page. */
  done(): Promise<void> {
    return this.#telling.done();
  }

  end(): Promise<void> {
    return this.#telling.end();
  }
}
