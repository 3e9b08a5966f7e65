import type { WatchPorts } from '../../loop/watch/ports.ts';
import type { Watch } from '../../loop/watch/watch.ts';
import { openWatch } from '../../loop/watch/watch-loop.ts';
import type { SeenVisit } from '../../model/watch.ts';
import { type Alerts, openAlerts } from '../alerts/open-alerts.ts';
import { type CrawlEquipment, closeAll, openEquipment } from '../crawl/equipment.ts';
import type { OpenArchive } from '../open/open-archive.ts';
import { NO_GEAR } from '../session/crawl-gear.ts';
import { UserError } from '../user-error.ts';
import { WatchWebSub, type WebSubSettings } from '../websub/watch-websub.ts';
import { LeasedHosts } from '../workers/leased-hosts.ts';
import { liveSites } from './live-site.ts';
import { LATE_CAPTURES, LiveWatch } from './live-watch.ts';
import { settingsOf, sharedSpec } from './loop-settings.ts';
import { refuseUnhandable } from './read-watch-config.ts';
import { WatchNotes } from './watch-notes.ts';
import type { WatchOptions } from './watch-options.ts';
import type { WatchConfig } from './watch-settings.ts';
import { WatchCounts, type WatchStatus } from './watch-status.ts';

export type { WatchOptions };

/** An archive that is watched: loop/watch decides, live-watch.ts carries it out. */
export class RunningWatch {
  readonly #live: LiveWatch;
  readonly #equipment: CrawlEquipment;
  readonly #alerts: Alerts | undefined;
  readonly #hosts: LeasedHosts | undefined;
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
      readonly hosts?: LeasedHosts;
    },
    options: WatchOptions,
  ) {
    this.#archive = archive;
    this.#config = config;
    this.#live = parts.live;
    this.#equipment = parts.equipment;
    this.#alerts = parts.alerts;
    this.#hosts = parts.hosts;
    this.#options = options;
    this.#notes = parts.notes;
    this.#counts = new WatchCounts(options.clock.now(), config.budget.requestsPerHour);
  }

  static async open(archive: OpenArchive, config: WatchConfig, options: WatchOptions): Promise<RunningWatch> {
    const sites = liveSites(config, archive.catalog.siteBounds());
    const { clock, tell, sharing } = options;
    const shared = sharedSpec(sites);
    const isShown = !options.isPlan && !sharing?.queue;
    const spec = isShown ? shared : { ...shared, render: 'never' as const };
    if (sharing?.queue) refuseUnhandable(config);
    // Complains of a secret that is missing before a browser is started.
    const alerts = options.isPlan
      ? undefined
      : openAlerts(archive, config.alerts, {
          clock,
          ...(sharing && { maySend: () => sharing.isConfirmed() }),
        });
    const { ways } = config;
    const gear = ways ? { ways, facts: {}, notes: [] } : NO_GEAR;
    const equipment = await openEquipment(archive.folder, { spec, clock, gear, onNote: tell });
    const notes = new WatchNotes(tell);
    const { catalog } = archive;
    const hosts = sharing && new LeasedHosts({ ...sharing, catalog, clock, courtesy: equipment.courtesy });
    let watch: RunningWatch | undefined;
    try {
      const live = await LiveWatch.open(archive, sites, {
        ...options,
        ...(alerts && { alerts }),
        ...(hosts && { hosts }),
        ...(sharing?.queue && { queue: sharing.queue }),
        rules: () => (watch ? watch.#config : config).alerts.rules.map(({ rule }) => rule),
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
        { live, equipment, notes, ...(alerts && { alerts }), ...(hosts && { hosts }) },
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

  /** Runs until the signal fires; then work in hand has a moment to finish. */
  async run(signal: AbortSignal): Promise<void> {
    const stop = new AbortController();
    const stopped = AbortSignal.any([signal, stop.signal]);
    // A failing sender ends the watch, and a failing watch ends the sender.
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

  /** Sends what rules tell, until the signal fires. */
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
    // Lists the pages first: findings of a resumed round are judged against what is known of them.
    await this.#listPages();
    const resumed = await this.#live.resume((seen) => this.#seen(seen), signal);
    if (resumed > 0) this.#options.tell('The round that was interrupted is done.');
    const watch = await this.#open();
    this.#noteShortages();
    await watch.run(signal, () => this.#noteShortages());
  }

  /** Pages that become known later may be forced too. */
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

  /** Answers requests from hubs; undefined where no hub is used. */
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

  /** Includes what waits to be sent. */
  async fullStatus(): Promise<WatchStatus> {
    const { deliveries } = await this.#archive.catalog.outboxCounts();
    return { ...this.status(), outbox: { waiting: deliveries.waiting, givenUp: deliveries['given-up'] } };
  }

  /** Takes effect from now on. Throws UserError for an invalid configuration: then the old one stays in force. */
  async reconfigure(config: WatchConfig): Promise<void> {
    const sites = liveSites(config, this.#archive.catalog.siteBounds());
    const [before, now] = [this.#config, config].map(({ sites: all, ways, websub }) => [
      JSON.stringify([ways, websub]),
      all.some(({ spec }) => spec.politeness.allowPrivate),
      all.some(({ spec }) => spec.render !== 'never'),
    ]);
    // Connections and the browser were opened with these settings: they cannot change now, and must not seem
    // to have changed.
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
    await closeAll([async () => this.#hosts?.close(), () => this.#equipment.close()]);
  }

  async #listPages(): Promise<void> {
    const pages = this.#live.pages();
    while (!(await pages.next()).done);
  }

  /** Reports what is wrong with the file; the old configuration stays in force. */
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
      takeUp: (told, signal) =>
        live.takeUp((seen, as) => {
          this.#seen(seen);
          told(seen, as);
        }, signal),
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
