import type { WatchPorts } from '../../loop/watch/ports.ts';
import type { Watch } from '../../loop/watch/watch.ts';
import { openWatch } from '../../loop/watch/watch-loop.ts';
import type { PlannedCapture, SeenVisit } from '../../model/watch.ts';
import type { Clock } from '../../ports/clock.ts';
import { type Alerts, openAlerts } from '../alerts/open-alerts.ts';
import type { CrawlReport } from '../crawl/crawl-report.ts';
import { type CrawlEquipment, openEquipment } from '../crawl/equipment.ts';
import { checkSpec } from '../crawl/run-crawl.ts';
import { readConfig } from '../given/config-file.ts';
import type { OpenArchive } from '../open/open-archive.ts';
import { NO_GEAR } from '../session/crawl-gear.ts';
import { UserError } from '../user-error.ts';
import { WatchWebSub, type WebSubSettings } from '../websub/watch-websub.ts';
import { liveSites } from './live-site.ts';
import { LATE_CAPTURES, LiveWatch } from './live-watch.ts';
import { settingsOf, sharedSpec } from './loop-settings.ts';
import { WatchNotes } from './watch-notes.ts';
import { WATCH_SETTINGS, type WatchConfig, watchConfig } from './watch-settings.ts';
import { WatchCounts, type WatchStatus } from './watch-status.ts';

export interface WatchOptions {
  readonly clock: Clock;
  /** Of the loop, where that is another than the clock of its crawls: a demonstration leaps from round to round. */
  readonly loopClock?: Clock;
  readonly syncEvery: number;
  readonly rotateSize?: number;
  /** A sentence for whoever looks on. */
  readonly tell: (sentence: string) => void;
  /** Nothing will be visited. */
  readonly isPlan?: boolean;
  readonly onSeen?: (seen: SeenVisit) => void;
  readonly onRound?: (visits: number) => void;
  readonly onCapture?: (planned: PlannedCapture) => void;
  readonly onCaptured?: (site: string, report: CrawlReport) => void;
}

/** Reads and checks the configuration; throws UserError with line and what is accepted. */
export async function readWatchConfig(file: string): Promise<WatchConfig> {
  const config = watchConfig(await readConfig(file, WATCH_SETTINGS), file);
  for (const { spec } of config.sites) await checkSpec(spec);
  const privacy = new Set(config.sites.map(({ spec }) => spec.politeness.allowPrivate));
  if (privacy.size > 1)
    throw new UserError(
      `${file}: allowPrivate holds for the whole watch: write it under defaults, not with a site`,
    );
  return config;
}

/** An archive that is watched: see loop/watch for what decides, live-watch.ts for what is done. */
export class RunningWatch {
  readonly #live: LiveWatch;
  readonly #equipment: CrawlEquipment;
  readonly #alerts: Alerts | undefined;
  #websub: WatchWebSub | undefined;
  readonly #archive: OpenArchive;
  readonly #options: WatchOptions;
  readonly #counts: WatchCounts;
  readonly #notes: WatchNotes;
  #watch: Watch | undefined;
  #config: WatchConfig;

  private constructor(
    archive: OpenArchive,
    config: WatchConfig,
    parts: {
      readonly live: LiveWatch;
      readonly equipment: CrawlEquipment;
      readonly notes: WatchNotes;
      readonly alerts?: Alerts;
    },
    options: WatchOptions,
  ) {
    this.#archive = archive;
    this.#config = config;
    this.#live = parts.live;
    this.#equipment = parts.equipment;
    this.#alerts = parts.alerts;
    this.#options = options;
    this.#notes = parts.notes;
    this.#counts = new WatchCounts(options.clock.now(), config.budget.requestsPerHour);
  }

  static async open(archive: OpenArchive, config: WatchConfig, options: WatchOptions): Promise<RunningWatch> {
    const sites = liveSites(config, archive.catalog.siteBounds());
    const { clock, tell } = options;
    const shared = sharedSpec(sites);
    const spec = options.isPlan ? { ...shared, render: 'never' as const } : shared;
    // Complains of a secret that is missing before a browser is started.
    const alerts =
      options.isPlan || options.loopClock ? undefined : openAlerts(archive, config.alerts, { clock });
    const { ways } = config;
    const gear = ways ? { ways, facts: {}, notes: [] } : NO_GEAR;
    if (config.budget.storage !== undefined && archive.folder.remote)
      tell(
        `budget.storage is not kept: record files in ${archive.folder.remote.url} are not rewritten (docs/storage.md)`,
      );
    const equipment = await openEquipment(archive.folder, { spec, clock, gear, onNote: tell });
    const notes = new WatchNotes(tell);
    let watch: RunningWatch | undefined;
    try {
      const live = await LiveWatch.open(archive, sites, {
        ...options,
        ...(alerts && { alerts }),
        equipment,
        round: config.round,
        requestsPerHour: config.budget.requestsPerHour,
        ...(config.budget.storage !== undefined && { storage: config.budget.storage }),
        onNote: tell,
        onStanding: (about, sentence) => notes.note(about, sentence),
        onHubs: (topic, hubs) => watch?.hubs?.announced(topic, hubs),
      });
      watch = new RunningWatch(
        archive,
        config,
        { live, equipment, notes, ...(alerts && { alerts }) },
        options,
      );
      if (config.websub && !options.isPlan)
        await watch.#subscribe(config.websub, spec.politeness.allowPrivate);
      return watch;
    } catch (error) {
      await equipment.close();
      throw error;
    }
  }

  async #subscribe(settings: WebSubSettings, allowPrivate: boolean): Promise<void> {
    this.#websub = await WatchWebSub.open({
      ...{ settings, allowPrivate, root: this.#archive.folder.root },
      ...{ clock: this.#options.clock, tell: this.#options.tell },
      changed: (topic, hub) => void this.ping(topic, `hub ${new URL(hub).host}`),
    });
  }

  /** Until the signal fires: what is under way has a moment to finish. */
  async run(signal: AbortSignal): Promise<void> {
    const stop = new AbortController();
    const stopped = AbortSignal.any([signal, stop.signal]);
    // A sender that fails ends the watch, and a watch that fails the sender.
    const sending = Promise.all([this.#send(stopped), this.#websub?.run(stopped)]).finally(() =>
      stop.abort(),
    );
    try {
      await this.#watchUntil(stopped);
    } finally {
      stop.abort();
      await sending;
    }
  }

  /** What rules tell, until the signal fires. */
  async #send(signal: AbortSignal): Promise<void> {
    const alerts = this.#alerts;
    if (!alerts) return aborted(signal);
    await alerts.judgeCaptures(this.#options.clock.now() - LATE_CAPTURES);
    await alerts.send(signal, ({ sent, failed, givenUp }) => {
      this.#options.tell(
        `Alerts: ${sent} sent` +
          (failed > 0 ? `, ${failed} to be tried again` : '') +
          (givenUp > 0 ? `, ${givenUp} given up: 'daguerre alerts list' names them` : ''),
      );
    });
  }

  async #watchUntil(signal: AbortSignal): Promise<void> {
    // Lists the pages first: what a round that goes on finds is told against what is known of them.
    await this.#listPages();
    const resumed = await this.#live.resume((seen) => this.#seen(seen), signal);
    if (resumed > 0) this.#options.tell('The round that was interrupted is done.');
    const watch = await this.#open();
    this.#noteShortages();
    await watch.run(signal, () => this.#noteShortages());
  }

  /** Pages that become known may be forced too. */
  #noteShortages(): void {
    this.#notes.shortages(this.#watch?.shortages() ?? [], this.#config.budget.requestsPerHour === 0);
  }

  /** What would be done next. */
  async planAhead(hours: number): Promise<Awaited<ReturnType<Watch['planAhead']>>> {
    return (await this.#open()).planAhead(hours);
  }

  async explain(url: string): Promise<ReturnType<Watch['explain']>> {
    return (await this.#open()).explain(url);
  }

  /** What hubs may ask; undefined where none is asked. */
  get hubs(): WatchWebSub | undefined {
    return this.#websub;
  }

  ping(url: string, source: string): boolean {
    const isHeard = this.#live.ping(url, source);
    if (isHeard) this.#watch?.wake();
    return isHeard;
  }

  status(): WatchStatus {
    const notes = this.#notes.all;
    return { ...this.#counts.status(this.#options.clock.now()), ...(notes.length > 0 && { notes }) };
  }

  /** With what waits to be sent. */
  async fullStatus(): Promise<WatchStatus> {
    const { deliveries } = await this.#archive.catalog.outboxCounts();
    return { ...this.status(), outbox: { waiting: deliveries.waiting, givenUp: deliveries['given-up'] } };
  }

  /** From now on. Throws UserError for a configuration that cannot be: the old one goes on. */
  async reconfigure(config: WatchConfig): Promise<void> {
    const sites = liveSites(config, this.#archive.catalog.siteBounds());
    const [before, now] = [this.#config, config].map(({ sites: all, ways, websub }) => [
      JSON.stringify([ways, websub]),
      all.some(({ spec }) => spec.politeness.allowPrivate),
      all.some(({ spec }) => spec.render !== 'never'),
    ]);
    // Connections and the browser were opened by them: what the file says must not be taken to hold.
    if (String(before) !== String(now))
      throw new UserError(
        'proxies, websub, allowPrivate, and whether pages are rendered at all, need a new start: stop the watch and begin it again',
      );
    this.#alerts?.configure(config.alerts);
    this.#live.reconfigure(sites, config.budget.requestsPerHour);
    this.#counts.problem = undefined;
    this.#config = config;
    this.#counts.requestsPerHour = config.budget.requestsPerHour;
    await this.#watch?.reconfigure(settingsOf(config, sites));
    this.#noteShortages();
  }

  async close(): Promise<void> {
    await this.#equipment.close();
  }

  async #listPages(): Promise<void> {
    const pages = this.#live.pages();
    while (!(await pages.next()).done);
  }

  /** What is wrong with the file: the old one goes on. */
  complain(problem: string): void {
    this.#counts.problem = problem;
  }

  async #open(): Promise<Watch> {
    const sites = liveSites(this.#config, this.#archive.catalog.siteBounds());
    this.#watch ??= await openWatch(this.#ports(), settingsOf(this.#config, sites));
    return this.#watch;
  }

  #seen(seen: SeenVisit): void {
    this.#counts.seen(seen);
    this.#options.onSeen?.(seen);
  }

  /** The live ports, counted. */
  #ports(): WatchPorts {
    const live = this.#live;
    const counts = this.#counts;
    const counted = (told: (seen: SeenVisit) => void) => (seen: SeenVisit) => {
      this.#seen(seen);
      told(seen);
    };
    return {
      clock: live.clock,
      pages: () => live.pages(),
      sites: () => live.sites(),
      heard: () => live.heard(),
      found: () => live.found(),
      keep: (watch) => live.keep(watch),
      kept: () => live.kept(),
      visit: async (visits, told, signal) => {
        counts.planned(visits);
        this.#options.onRound?.(visits.length);
        await live.visit(visits, counted(told), signal);
        counts.roundOver();
      },
      capture: async (planned, told, signal) => {
        counts.capturing.add(planned.site);
        try {
          await live.capture(planned, counted(told), signal);
          counts.captures++;
        } finally {
          counts.capturing.delete(planned.site);
        }
      },
    };
  }
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
