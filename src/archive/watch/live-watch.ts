import type { KeptWatch, WatchedSite, WatchPorts } from '../../loop/watch/ports.ts';
import type { FrontierEntry } from '../../model/crawl.ts';
import type { Millis } from '../../model/time.ts';
import {
  type PlannedCapture,
  type PlannedVisit,
  type SeenVisit,
  type Signal,
  type SignalKind,
  VISIT_KINDS,
  type VisitKind,
  type WatchedPage,
} from '../../model/watch.ts';
import type { VisitCommit } from '../../ports/catalog.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Alerts } from '../alerts/open-alerts.ts';
import type { CrawlReport } from '../crawl/crawl-report.ts';
import type { CrawlEquipment } from '../crawl/equipment.ts';
import { runCrawl } from '../crawl/run-crawl.ts';
import type { OpenArchive } from '../open/open-archive.ts';
import { CapturePace } from './capture-pace.ts';
import type { LiveSite } from './live-site.ts';
import { Pings } from './pings.ts';
import { beginRound, type RoundCrawl, type RoundPages, roundKey, roundSpec, runRound } from './run-round.ts';
import { type OnHubs, SeenPages } from './seen-pages.ts';
import { seenVisit } from './seen-visit.ts';
import { Telling } from './telling.ts';
import { Upkeep, type UpkeepOptions } from './upkeep.ts';
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
  /** Milliseconds that a round may take. */
  readonly round: Millis;
  readonly requestsPerHour: number;
  readonly onHubs?: OnHubs;
  /** A site is captured from now on. */
  readonly onCapture?: (planned: PlannedCapture) => void;
  readonly onCaptured?: (site: string, report: CrawlReport) => void;
}

/** Milliseconds back in which captures are looked at for alerts: a kill may have come between a capture and its judgement. */
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
  #note: WatchNote;
  #rounds = 0;
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
  }

  static async open(
    archive: OpenArchive,
    sites: readonly LiveSite[],
    options: LiveWatchOptions,
  ): Promise<LiveWatch> {
    return new LiveWatch(archive, sites, await readWatchNote(archive.folder.root), options);
  }

  /** From now on. */
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
    const now = this.clock.now();
    this.#known.forget();
    for (const site of this.#sites) {
      for await (const page of watchedPages(site, this.#archive.catalog, { decisions, sources }, now)) {
        if (page.lastVisit !== undefined) this.#known.visited(page.url, page.lastVisit);
        yield page;
      }
    }
    yield* this.#known.found();
  }

  async sites(): Promise<readonly WatchedSite[]> {
    const counts = new Map((await this.#archive.catalog.sites()).map(({ site, pages }) => [site, pages]));
    await this.#noteEarlierCaptures();
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

  /** Captures that were made before the site was watched count too. */
  async #noteEarlierCaptures(): Promise<void> {
    const unknown = this.#sites.filter(({ name }) => this.#note.capturedAt[name] === undefined);
    if (unknown.length === 0) return;
    const { siteOf } = this.#archive.catalog.siteBounds();
    const capturedAt = { ...this.#note.capturedAt };
    for (const { finishedAt, state, spec } of await this.#archive.catalog.crawls()) {
      if (state !== 'finished' || finishedAt === undefined) continue;
      for (const seed of spec.seeds) capturedAt[siteOf(seed)] = finishedAt;
    }
    const ours = Object.entries(capturedAt).filter(([site]) => this.#sites.some(({ name }) => name === site));
    this.#note = { ...this.#note, capturedAt: { ...Object.fromEntries(ours), ...this.#note.capturedAt } };
  }

  async visit(
    visits: readonly PlannedVisit[],
    told: (seen: SeenVisit) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const at = this.clock.now();
    const rounds = this.#grouped(visits);
    await Promise.all(
      rounds.map(async (round, number) => {
        const id = `${new Date(at).toISOString()}-${this.#rounds++}${number > 0 ? `-${number}` : ''}`;
        const crawl = await beginRound(this.#archive, roundSpec(round, id, this.#options.round), at);
        await this.#run(crawl, round, told, signal);
      }),
    );
    if (!signal.aborted)
      await this.#upkeep.learn(
        this.#sites.map(({ name }) => name),
        this.clock.now(),
      );
    if (!signal.aborted && this.#capturing === 0) await this.#upkeep.thin(this.clock.now());
  }

  /** Rounds that were interrupted go on, before anything new is planned. */
  async resume(told: (seen: SeenVisit) => void, signal: AbortSignal): Promise<number> {
    const left = (await this.#archive.catalog.crawls()).filter(
      ({ state, spec }) => state !== 'finished' && spec.watch,
    );
    for (const crawl of left) {
      if (signal.aborted) break;
      await this.#archive.catalog.setCrawlState(crawl.id, 'running', this.clock.now());
      await this.#run(crawl, { sites: this.#sites, visits: [] }, told, signal);
    }
    return left.length;
  }

  async capture(
    planned: PlannedCapture,
    told: (seen: SeenVisit) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const site = this.#sites.find(({ name }) => name === planned.site);
    if (!site) return;
    this.#options.onCapture?.(planned);
    const telling = new Telling(told);
    const sources: Record<string, SignalKind> = {};
    const { alerts, ...options } = this.#options;
    this.#capturing++;
    const report = await runCrawl(this.#archive, {
      ...options,
      ...(alerts && { alerts: alerts.judge }),
      spec: this.#pace.of(site),
      restart: false,
      signal,
      notes: [`watch: ${planned.reason}`],
      onVisit: (entry, stored) => {
        if (entry.kind === 'sitemap') sources[entry.url] = 'sitemap';
        if (entry.kind === 'page') telling.page(this.#seen(entry, stored, 'refresh'));
        else telling.beside(stored);
      },
    }).finally(() => {
      this.#capturing--;
    });
    await telling.done();
    await alerts?.judgeCaptures(this.clock.now() - LATE_CAPTURES);
    if (report.state === 'finished') {
      this.#note = {
        ...this.#note,
        sources: { ...this.#note.sources, ...sources },
        capturedAt: { ...this.#note.capturedAt, [site.name]: this.clock.now() },
      };
      await writeWatchNote(this.#archive.folder.root, this.#note);
    }
    this.#options.onCaptured?.(site.name, report);
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

  async keep(watch: KeptWatch): Promise<void> {
    this.#note = { ...this.#note, watch };
    await writeWatchNote(this.#archive.folder.root, this.#note);
  }

  async kept(): Promise<KeptWatch | undefined> {
    return this.#note.watch;
  }

  #grouped(visits: readonly PlannedVisit[]): readonly RoundPages[] {
    const rounds = new Map<string, { sites: Set<LiveSite>; visits: PlannedVisit[] }>();
    for (const visit of visits) {
      const site = this.#known.siteOf(visit.url);
      if (!site) continue;
      const key = roundKey(site);
      const round = rounds.get(key) ?? { sites: new Set(), visits: [] };
      rounds.set(key, round);
      round.sites.add(site);
      round.visits.push(visit);
    }
    return [...rounds.values()].map((round) => ({ sites: [...round.sites], visits: round.visits }));
  }

  async #run(
    crawl: RoundCrawl,
    round: RoundPages,
    told: (seen: SeenVisit) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const kinds = new Map(round.visits.map(({ url, kind }) => [url, kind]));
    const telling = new Telling(told);
    const { alerts, ...options } = this.#options;
    await runRound(this.#archive, crawl, round, {
      ...options,
      ...(alerts && { alerts: alerts.judge }),
      time: this.#options.round,
      signal,
      onVisit: (entry, stored) => {
        if (entry.kind === 'page' && entry.redirects === 0)
          telling.page(this.#seen(entry, stored, kinds.get(entry.url) ?? kindOf(entry)));
        else telling.beside(stored);
      },
    });
    await telling.done();
  }

  async #seen(entry: FrontierEntry, stored: VisitCommit, kind: SeenVisit['kind']): Promise<SeenVisit> {
    const seen = seenVisit(entry, stored, { kind, isFirst: !this.#known.has(entry.url) });
    this.#pace.taken(this.#known.siteOf(entry.url)?.name ?? '', seen.requests);
    if (seen.outcome === 'failed') this.#known.drop(entry.url);
    else this.#known.visited(entry.url, seen.at);
    return { ...seen, ...(await this.#known.newsIn(entry.url, stored, this.#note.sources)) };
  }
}

/** Of a round that was interrupted: its entries say what they are for. */
const kindOf = ({ reason }: FrontierEntry): VisitKind =>
  VISIT_KINDS.find((kind) => reason.startsWith(`${kind}: `)) ?? 'refresh';
