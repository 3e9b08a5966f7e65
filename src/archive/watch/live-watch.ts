import type { KeptWatch, WatchedSite, WatchPorts } from '../../loop/watch/ports.ts';
import type { AlertRule } from '../../model/alert.ts';
import type { Crawl } from '../../model/crawl.ts';
import type { Millis } from '../../model/time.ts';
import type { VisitLesson } from '../../model/visit-lesson.ts';
import type {
  PlannedCapture,
  PlannedVisit,
  SeenVisit,
  Signal,
  SignalKind,
  WatchedPage,
} from '../../model/watch.ts';
import type { Clock } from '../../ports/clock.ts';
import type { JobQueue } from '../../ports/job-queue.ts';
import type { Alerts } from '../alerts/open-alerts.ts';
import type { CrawlEquipment } from '../crawl/equipment.ts';
import type { OpenArchive } from '../open/open-archive.ts';
import type { LeasedHosts } from '../workers/leased-hosts.ts';
import { CapturePace } from './capture-pace.ts';
import { capturedBefore } from './captured-before.ts';
import { HandedCrawls } from './handed-crawls.ts';
import { inCapture, inRound, type KindOfVisit, Lessons } from './lessons.ts';
import type { LiveSite } from './live-site.ts';
import { OwnCrawls } from './own-crawls.ts';
import { Pings } from './pings.ts';
import { roundScope } from './run-round.ts';
import { type OnHubs, SeenPages } from './seen-pages.ts';
import { seenVisit } from './seen-visit.ts';
import { StoredLessons } from './stored-lessons.ts';
import { Upkeep, type UpkeepOptions } from './upkeep.ts';
import type { CaptureEnd, WatchCrawls } from './watch-crawls.ts';
import { readWatchNote, type WatchNote, writeWatchNote } from './watch-file.ts';
import { dueAfter } from './watch-settings.ts';
import { watchedPages } from './watched-pages.ts';

export interface LiveWatchOptions extends UpkeepOptions {
  readonly clock: Clock;
  /** See WatchOptions. */
  readonly loopClock?: Clock;
  readonly equipment: CrawlEquipment;
  readonly syncEvery: number;
  readonly rotateSize?: number;
  readonly alerts?: Alerts;
  /** The rules of alerts in force now. */
  readonly rules: () => readonly AlertRule[];
  /** How long a round may take, in milliseconds. */
  readonly round: Millis;
  readonly requestsPerHour: number;
  readonly onHubs?: OnHubs;
  /** Where others share the archive: which hosts this process may ask. */
  readonly hosts?: LeasedHosts;
  /** Where workers make the crawls. */
  readonly queue?: Pick<JobQueue, 'add'>;
  /** Called when the capture of a site begins. */
  readonly onCapture?: (planned: PlannedCapture) => void;
  readonly onCaptured?: (site: string, end: CaptureEnd) => void;
}

/**
 * How far back captures are checked for alerts, in milliseconds: a kill may have come between a capture and its
 * judgement.
 */
export const LATE_CAPTURES = 7 * 86_400_000;

/** The world of a watch: rounds and captures are crawls of an archive. */
export class LiveWatch implements WatchPorts {
  readonly clock: Clock;
  readonly #archive: OpenArchive;
  readonly #options: LiveWatchOptions;
  readonly #known: SeenPages;
  readonly #upkeep: Upkeep;
  readonly #pace: CapturePace;
  readonly #pings: Pings;
  readonly #own: OwnCrawls;
  /** Where others share the archive: an earlier watch may have handed something over even if this one does not. */
  readonly #stored: StoredLessons | undefined;
  readonly #handed: HandedCrawls | undefined;
  #note: WatchNote;
  #written: Promise<void> = Promise.resolve();
  #capturing = 0;

  private constructor(
    archive: OpenArchive,
    sites: readonly LiveSite[],
    note: WatchNote,
    options: LiveWatchOptions,
  ) {
    this.#archive = archive;
    this.#known = new SeenPages(archive, sites, options);
    this.#pings = new Pings(this.#known);
    this.#note = note;
    this.#pace = new CapturePace(options.requestsPerHour);
    this.#options = options;
    this.clock = options.loopClock ?? options.clock;
    this.#upkeep = new Upkeep(archive, this.clock.now(), options);
    const making = { ...options, siteOf: (url: string) => this.#known.siteOf(url) };
    this.#own = new OwnCrawls(archive, { ...making, now: () => this.clock.now() });
    this.#stored = options.hosts && new StoredLessons(archive.catalog);
    this.#handed =
      this.#stored && new HandedCrawls(archive, { ...making, own: this.#own, stored: this.#stored });
  }

  /** Who makes the planned crawls. */
  get #crawls(): WatchCrawls {
    return (this.#options.queue && this.#handed) ?? this.#own;
  }

  static async open(
    archive: OpenArchive,
    sites: readonly LiveSite[],
    options: LiveWatchOptions,
  ): Promise<LiveWatch> {
    return new LiveWatch(archive, sites, await readWatchNote(archive), options);
  }

  /** Takes effect from now on. */
  reconfigure(sites: readonly LiveSite[], requestsPerHour: number): void {
    this.#pace.requestsPerHour = requestsPerHour;
    this.#known.sites = sites;
  }

  get #sites(): readonly LiveSite[] {
    return this.#known.sites;
  }

  async *pages(): AsyncGenerator<WatchedPage> {
    const { held: decisions } = await this.#archive.decisions();
    const sources = new Map(Object.entries(this.#note.sources));
    const unlearnt = await this.#stored?.unlearntSince();
    const told = { decisions, sources, ...(unlearnt && { unlearnt }) };
    const now = this.clock.now();
    this.#known.forget();
    for (const site of this.#sites) {
      for await (const page of watchedPages(site, this.#archive.catalog, told, now)) {
        if (page.lastVisit !== undefined) this.#known.visited(page.url, page.lastVisit);
        yield page;
      }
    }
    yield* this.#known.found();
  }

  async sites(): Promise<readonly WatchedSite[]> {
    const counts = new Map((await this.#archive.catalog.sites()).map(({ site, pages }) => [site, pages]));
    const capturedAt = await capturedBefore(this.#archive, this.#sites, this.#note.capturedAt);
    this.#note = { ...this.#note, capturedAt };
    return this.#sites
      .filter(({ settings }) => settings.capture !== 'never')
      .map(({ name, settings: { capture, zone, spec } }) => {
        const lastCapture = this.#note.capturedAt[name];
        const pages = counts.get(name) ?? 1;
        const span =
          capture === 'auto' || capture === 'never' || lastCapture === undefined
            ? undefined
            : dueAfter(lastCapture, capture, zone) - lastCapture;
        return {
          site: name,
          pages,
          revisits: (spec.revisit ?? 'none') === 'none' ? 0 : pages,
          ...(lastCapture !== undefined && { lastCapture }),
          ...(span !== undefined && { every: span }),
        };
      });
  }

  async visit(
    visits: readonly PlannedVisit[],
    told: (seen: SeenVisit) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const lessons = this.#lessons(inRound, told);
    await this.#crawls.round(visits, lessons, signal);
    await lessons.end();
    if (!signal.aborted)
      await this.#upkeep.learn(
        this.#sites.map(({ name }) => name),
        this.clock.now(),
      );
    if (!signal.aborted) await this.#upkeep.merge(this.clock.now(), signal);
    if (!signal.aborted && this.#capturing === 0) await this.#upkeep.thin(this.clock.now());
  }

  /**
   * Rounds that this process, or an earlier one, made itself and did not end: they are resumed before anything new is
   * planned.
   */
  async resume(told: (seen: SeenVisit) => void, signal: AbortSignal): Promise<number> {
    const left = await this.#interrupted();
    const scope = roundScope(this.#sites);
    for (const crawl of left) {
      if (signal.aborted) break;
      const lessons = this.#lessons(inRound, told);
      // Nothing is visited here: their pages are planned again.
      if (this.#options.queue) await this.#own.end(crawl, scope, signal);
      else await this.#own.resume(crawl, scope, lessons, signal);
      await lessons.end();
    }
    return left.length;
  }

  /** Except those that were handed over. */
  async #interrupted(): Promise<readonly Crawl[]> {
    const { catalog } = this.#archive;
    const left: Crawl[] = [];
    for (const crawl of await catalog.crawls())
      if (crawl.state !== 'finished' && crawl.spec.watch && !(await catalog.brief(crawl.id)))
        left.push(crawl);
    return left;
  }

  async takeUp(told: (seen: SeenVisit, as?: 'capture') => void, signal: AbortSignal): Promise<void> {
    const round = this.#lessons(inRound, told);
    const capture = this.#lessons(inCapture, (seen) => told(seen, 'capture'));
    await this.#handed?.takeUp({ round, capture }, signal);
    await Promise.all([round.end(), capture.end()]);
    this.#noteSources(capture.sources);
  }

  async capture(
    planned: PlannedCapture,
    told: (seen: SeenVisit) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const site = this.#sites.find(({ name }) => name === planned.site);
    if (!site) return;
    this.#options.onCapture?.(planned);
    const lessons = this.#lessons(inCapture, told);
    this.#capturing++;
    const { reason } = planned;
    const end = await this.#crawls
      .capture({ site, spec: this.#pace.of(site), reason }, lessons, signal)
      .finally(() => {
        this.#capturing--;
      });
    await lessons.end();
    await this.#options.alerts?.judgeCaptures(this.clock.now() - LATE_CAPTURES);
    if (end.state === 'finished') {
      this.#noteSources(lessons.sources);
      const capturedAt = { ...this.#note.capturedAt, [site.name]: this.clock.now() };
      this.#note = { ...this.#note, capturedAt };
      await this.#write();
    }
    this.#options.onCaptured?.(site.name, end);
  }

  #noteSources(found: Readonly<Record<string, SignalKind>>): void {
    this.#note = { ...this.#note, sources: { ...this.#note.sources, ...found } };
  }

  heard(): readonly Signal[] {
    return this.#pings.heard();
  }

  found(): Promise<readonly WatchedPage[]> {
    return this.#pings.found();
  }

  /** A signal from outside. False where the page is not watched. */
  ping(given: string, source: string): boolean {
    return this.#pings.ping(given, source, this.clock.now());
  }

  /** What workers stored stops being unlearnt at the very moment that the state based on it is kept. */
  async keep(watch: KeptWatch): Promise<void> {
    this.#note = { ...this.#note, watch };
    const learnt = this.#stored?.takeLearnt() ?? [];
    await this.#write(learnt);
    this.#stored?.kept(learnt);
  }

  /** One after the other: an older note must not be written over a newer one. */
  #write(learnt: readonly number[] = []): Promise<void> {
    const note = this.#note;
    const isShared = this.#stored !== undefined;
    this.#written = this.#written.then(() => writeWatchNote(this.#archive, note, isShared && { learnt }));
    return this.#written;
  }

  async kept(): Promise<KeptWatch | undefined> {
    return this.#note.watch;
  }

  #lessons(kindOf: KindOfVisit, told: (seen: SeenVisit) => void): Lessons {
    return new Lessons(kindOf, (lesson, kind) => this.#seen(lesson, kind), told);
  }

  async #seen(lesson: VisitLesson, kind: SeenVisit['kind']): Promise<SeenVisit> {
    const { url } = lesson;
    const seen = seenVisit(lesson, { kind, isFirst: !this.#known.has(url) });
    this.#pace.taken(this.#known.siteOf(url)?.name ?? '', seen.requests);
    if (seen.outcome === 'failed') this.#known.drop(url);
    else this.#known.visited(url, seen.at);
    return { ...seen, ...(await this.#known.newsIn(lesson, this.#note.sources)) };
  }
}
