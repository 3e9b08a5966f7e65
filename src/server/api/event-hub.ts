import { setTimeout as sleep } from 'node:timers/promises';
import { comparisonBy } from '../../model/comparison.ts';
import type { Crawl, CrawlState } from '../../model/crawl.ts';
import type { Millis } from '../../model/time.ts';
import type { Catalog, Happening, HappeningMark } from '../../ports/catalog.ts';
import type { ServedArchive } from '../served-archive.ts';
import { type EventPlace, eventId } from './event-id.ts';
import { EVENTS } from './schemas/events.ts';

/** One event as it goes out; without an id it does not move the place of whoever reads. */
export interface SentEvent {
  readonly name: keyof typeof EVENTS;
  readonly data: unknown;
  readonly id?: string;
}

/** Who listens, and how far they were told already: what they caught up with is not told again. */
interface Listener {
  readonly tell: (event: SentEvent) => void;
  seen: HappeningMark;
}

/** Which number of a mark an event moves. */
const MOVES = { visit: 'visits', change: 'changes', alert: 'alerts' } as const;

/** Milliseconds between two looks at the catalog. */
const EVERY = 1_000;
/** Of each kind, at a time. */
const AT_ONCE = 500;
/** Looks that a listener who comes back may be behind. */
const MOST_LOOKS = 20;
/** Visits of a crawl that has ended meanwhile, at most: with more, lists are to be read anew. */
const MOST_FOLDED = AT_ONCE * MOST_LOOKS;
/** Milliseconds by which the clock of whoever writes may be behind ours. */
const OTHER_CLOCK = 60_000;

type EventCatalog = Pick<Catalog, 'crawls' | 'happenings' | 'happeningMark' | 'finishedVisits'>;

/**
 * What happens in the archive, for all who listen: one look at the catalog a second, while anybody does. Who writes to the archive
 * need not know, so that a crawl in another process is told of as well; the ids are places in the catalog, and hold over a restart.
 */
export class EventHub {
  readonly #archive: () => Promise<Pick<ServedArchive, 'catalog'>>;
  readonly #now: () => Millis;
  readonly #listeners = new Set<Listener>();
  readonly #ended = new AbortController();
  #mark: HappeningMark | undefined;
  /** Of crawls that are known: their state, and the last of their visits that was told. */
  #crawls = new Map<number, { state: CrawlState | undefined; told: number }>();
  /** The last visit that was told, of any crawl. */
  #lastVisit = 0;
  #looking: Promise<void> | undefined;

  constructor(archive: () => Promise<Pick<ServedArchive, 'catalog'>>, now: () => Millis) {
    this.#archive = archive;
    this.#now = now;
  }

  get ended(): AbortSignal {
    return this.#ended.signal;
  }

  /** From now on, or from the event after the one that was seen last. Returns what ends it. */
  async listen(seen: EventPlace | undefined, tell: Listener['tell']): Promise<() => void> {
    if (this.#listeners.size === 0) this.#mark = undefined;
    this.#mark ??= await this.#here();
    const listener: Listener = { tell, seen: seen?.mark ?? this.#mark };
    if (seen) await this.#catchUp(listener, seen);
    this.#listeners.add(listener);
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return () => void this.#listeners.delete(listener);
  }

  close(): void {
    this.#ended.abort();
    this.#listeners.clear();
  }

  async #here(): Promise<HappeningMark> {
    const { catalog } = await this.#archive();
    const crawls = await catalog.crawls();
    const mark = await catalog.happeningMark();
    this.#lastVisit = mark.visits;
    this.#crawls = new Map(crawls.map(({ id, state }) => [id, { state, told: mark.visits }]));
    return mark;
  }

  async #catchUp(listener: Listener, { at, mark }: EventPlace): Promise<void> {
    const { catalog } = await this.#archive();
    if (at !== undefined) {
      for (const { id, finishedAt } of await catalog.crawls()) {
        if (finishedAt === undefined || finishedAt < at - OTHER_CLOCK) continue;
        const folded = await this.#foldedOf(catalog, id, mark.visits);
        if (!folded) return this.#reset(listener);
        for (const { event } of folded) listener.tell(event);
      }
    }
    for (let look = 0; look < MOST_LOOKS; look++) {
      const happened = await catalog.happenings(listener.seen, AT_ONCE);
      if (happened.length === 0) return;
      for (const one of happened) listener.tell(this.#eventOf(one));
      listener.seen = happened.at(-1)?.mark ?? listener.seen;
    }
    await this.#reset(listener);
  }

  async #reset(listener: Listener): Promise<void> {
    listener.seen = await (await this.#archive()).catalog.happeningMark();
    listener.tell({ name: 'reset', data: {}, id: this.#idOf(listener.seen) });
  }

  async #look(): Promise<void> {
    while (this.#listeners.size > 0 && !this.ended.aborted) {
      // A catalog that is away, or being rebuilt, is asked again.
      await this.#tell().catch(() => {});
      await sleep(EVERY, undefined, { signal: this.ended }).catch(() => {});
    }
  }

  /**
   * Visits are kept in short once their crawl has finished, and catalogs made before they kept their numbers give them to the next: a
   * mark ahead of all there is would pass over every visit until the old numbers are reached again.
   */
  #lowered(mark: HappeningMark | undefined, last: HappeningMark): HappeningMark {
    for (const listener of this.#listeners) listener.seen = least(listener.seen, last);
    return mark ? least(mark, last) : last;
  }

  async #tell(): Promise<void> {
    const { catalog } = await this.#archive();
    const crawls = await catalog.crawls();
    // After the crawls: whoever hears that one has finished can begin the next.
    this.#mark = this.#lowered(this.#mark, await catalog.happeningMark());
    for (const crawl of crawls) await this.#tellState(catalog, crawl);
    for (const one of await catalog.happenings(this.#mark, AT_ONCE)) {
      this.#mark = one.mark;
      const event = this.#eventOf(one);
      if (one.kind === 'visit') this.#keepTold(one.crawlId, one.mark.visits);
      const moved = MOVES[one.kind];
      for (const { tell, seen } of this.#listeners) if (one.mark[moved] > seen[moved]) tell(event);
    }
  }

  /** That a crawl began or ended, and before its end those of its visits that came and were kept in short since the last look. */
  async #tellState(catalog: EventCatalog, { id, state, startedAt }: Crawl): Promise<void> {
    const known = this.#crawls.get(id);
    if (known?.state === state) return;
    const folded = state === 'finished' ? await this.#foldedOf(catalog, id, known?.told ?? 0) : [];
    this.#crawls.set(id, { state, told: folded?.at(-1)?.number ?? known?.told ?? 0 });
    const events: SentEvent[] = folded?.map(({ event }) => event) ?? [
      { name: 'reset', data: {}, id: this.#idOf(this.#mark as HappeningMark) },
    ];
    events.push({ name: 'crawl', data: { id, state, startedAt } });
    for (const { tell } of this.#listeners) for (const event of events) tell(event);
  }

  #keepTold(crawlId: number, number: number): void {
    const known = this.#crawls.get(crawlId);
    // One that began after this look at the crawls is met at the next, with what was told of it.
    if (known) known.told = Math.max(known.told, number);
    else this.#crawls.set(crawlId, { state: undefined, told: number });
  }

  /** Undefined where it is too many. */
  async #foldedOf(catalog: EventCatalog, crawlId: number, after: number) {
    const visits = await catalog.finishedVisits(crawlId, after, MOST_FOLDED + 1);
    if (visits.length > MOST_FOLDED) return undefined;
    const mark = this.#mark ?? (await catalog.happeningMark());
    return visits.map(({ number, visit }) => ({
      number,
      event: this.#eventOf({ kind: 'visit', crawlId, visit, mark: { ...mark, visits: number } }),
    }));
  }

  /** A place never goes back, though the numbers in the catalog do where the last visits are kept in short. */
  #idOf(mark: HappeningMark): string {
    this.#lastVisit = Math.max(this.#lastVisit, mark.visits);
    return eventId({ mark: { ...mark, visits: this.#lastVisit }, at: this.#now() });
  }

  #eventOf(one: Happening): SentEvent {
    const id = this.#idOf(one.mark);
    switch (one.kind) {
      case 'visit':
        return { name: 'visit', id, data: EVENTS.visit.parse({ ...one.visit, crawl: one.crawlId }) };
      case 'change':
        return {
          name: 'change',
          id,
          data: EVENTS.change.parse({ ...one.change, comparison: comparisonBy(one.change) }),
        };
      case 'alert':
        return { name: 'alert', id, data: EVENTS.alert.parse(one.alert) };
    }
  }
}

const least = (a: HappeningMark, b: HappeningMark): HappeningMark => ({
  visits: Math.min(a.visits, b.visits),
  changes: Math.min(a.changes, b.changes),
  alerts: Math.min(a.alerts, b.alerts),
});
