import type { PlannedVisit } from '../../model/watch.ts';
import type { Clock } from '../../ports/clock.ts';
import { lessonOf } from '../../stages/visit-lesson.ts';
import type { Alerts } from '../alerts/open-alerts.ts';
import type { CrawlEquipment } from '../crawl/equipment.ts';
import { type RunOptions, runCrawl } from '../crawl/run-crawl.ts';
import type { OpenArchive } from '../open/open-archive.ts';
import type { LeasedHosts } from '../workers/leased-hosts.ts';
import type { Lessons } from './lessons.ts';
import type { LiveSite } from './live-site.ts';
import {
  beginRound,
  type RoundCrawl,
  type RoundScope,
  roundScope,
  roundSpec,
  roundsOf,
  runRound,
} from './run-round.ts';
import type { CaptureEnd, DueCapture, WatchCrawls } from './watch-crawls.ts';

export interface OwnCrawlsOptions {
  readonly clock: Clock;
  readonly equipment: CrawlEquipment;
  readonly syncEvery: number;
  readonly rotateSize?: number;
  readonly alerts?: Alerts;
  /** How long a round may take, in milliseconds. */
  readonly round: number;
  /** The clock that the loop plans by. */
  readonly now: () => number;
  readonly siteOf: (url: string) => LiveSite | undefined;
  /** Where others share the archive: which hosts this process may ask. */
  readonly hosts?: LeasedHosts;
  readonly onNote: (note: string) => void;
}

/** Workers may have crawls of the same sites, so their hosts are passed around. */
const NO_OWN_HOSTS: ReadonlySet<string> = new Set();

/** Rounds and captures that the process of the watch makes itself. */
export class OwnCrawls implements WatchCrawls {
  readonly #archive: OpenArchive;
  readonly #options: OwnCrawlsOptions;
  #rounds = 0;

  constructor(archive: OpenArchive, options: OwnCrawlsOptions) {
    this.#archive = archive;
    this.#options = options;
  }

  /** Sites with the same settings share one crawl. */
  async round(visits: readonly PlannedVisit[], lessons: Lessons, signal: AbortSignal): Promise<void> {
    const { now, round: time, siteOf } = this.#options;
    const at = now();
    await Promise.all(
      roundsOf(visits, siteOf).map(async (round, number) => {
        const id = `${new Date(at).toISOString()}-${this.#rounds++}${number > 0 ? `-${number}` : ''}`;
        const crawl = await beginRound(this.#archive, roundSpec(round, id, time), at);
        await this.#run(crawl, { scope: roundScope(round.sites), visits: round.visits }, lessons, signal);
      }),
    );
  }

  /** An interrupted one is resumed. */
  async resume(crawl: RoundCrawl, scope: RoundScope, lessons: Lessons, signal: AbortSignal): Promise<void> {
    await this.#archive.catalog.setCrawlState(crawl.id, 'running', this.#options.now());
    await this.#run(crawl, { scope, visits: [] }, lessons, signal);
  }

  /** Its time is up: what it did not reach becomes a skip. Nothing is requested. */
  async end(crawl: RoundCrawl, scope: RoundScope, signal: AbortSignal): Promise<void> {
    const { alerts: _, hosts: __, ...options } = this.#options;
    const piece = { ranBefore: crawl.spec.limits.time };
    await runRound(this.#archive, crawl, { scope, visits: [] }, { ...options, piece, signal });
  }

  async capture({ spec, reason }: DueCapture, lessons: Lessons, signal: AbortSignal): Promise<CaptureEnd> {
    const { hosts, alerts, ...options } = this.#options;
    const leases = hosts?.forPiece(NO_OWN_HOSTS);
    return runCrawl(this.#archive, {
      ...options,
      ...(leases && { piece: { leases } }),
      ...(alerts && { alerts: alerts.judge }),
      spec,
      restart: false,
      signal,
      notes: [`watch: ${reason}`],
      onVisit: heardBy(lessons),
    }).finally(() => leases?.leave());
  }

  async #run(
    crawl: RoundCrawl,
    round: Parameters<typeof runRound>[2],
    lessons: Lessons,
    signal: AbortSignal,
  ): Promise<void> {
    const { alerts, hosts, ...options } = this.#options;
    const leases = hosts?.forPiece(NO_OWN_HOSTS);
    await runRound(this.#archive, crawl, round, {
      ...options,
      ...(leases && { piece: { leases } }),
      ...(alerts && { alerts: alerts.judge }),
      signal,
      onVisit: heardBy(lessons),
    }).finally(() => leases?.leave());
  }
}

const heardBy =
  (lessons: Lessons): NonNullable<RunOptions['onVisit']> =>
  (entry, stored) =>
    lessons.hear(lessonOf(entry, stored));
