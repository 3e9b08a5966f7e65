import { randomUUID } from 'node:crypto';
import type { AlertRule } from '../../model/alert.ts';
import type { NewFrontierEntry } from '../../model/crawl.ts';
import type { PlannedVisit } from '../../model/watch.ts';
import type { CrawlBrief, HandedCrawl } from '../../model/worker.ts';
import type { Clock } from '../../ports/clock.ts';
import type { JobQueue } from '../../ports/job-queue.ts';
import type { OpenArchive } from '../open/open-archive.ts';
import { crawlToHandOver } from '../workers/crawl-to-hand-over.ts';
import { queueOfSite } from '../workers/left-analyses.ts';
import type { Lessons } from './lessons.ts';
import type { LiveSite } from './live-site.ts';
import type { OwnCrawls } from './own-crawls.ts';
import { beginRound, type RoundCrawl, roundEntries, roundScope, roundSpec } from './run-round.ts';
import type { StoredLessons } from './stored-lessons.ts';
import type { CaptureEnd, DueCapture, WatchCrawls } from './watch-crawls.ts';

export interface HandedCrawlsOptions {
  readonly clock: Clock;
  /** How long a round may take, in milliseconds. */
  readonly round: number;
  readonly siteOf: (url: string) => LiveSite | undefined;
  /** The rules of alerts in force now. */
  readonly rules: () => readonly AlertRule[];
  readonly stored: StoredLessons;
  /** Ends what workers did not end, without any requests. */
  readonly own: Pick<OwnCrawls, 'end'>;
  /** Absent where this watch makes its crawls itself, and only ends what an earlier one handed over. */
  readonly queue?: Pick<JobQueue, 'add'>;
  readonly onNote: (note: string) => void;
  readonly onStanding: (about: string, sentence: string) => void;
}

/** Interval between two checks of the workers' progress, in milliseconds. */
const LOOK_EVERY = 500;
/** How long workers may take after a withdrawal to finish the pages in hand, in milliseconds: see run-piece.ts. */
const LEAVE = 25_000;

interface Following {
  /** By then everything is over, or withdrawn. */
  readonly until: number;
  readonly signal: AbortSignal;
}

/**
 * Rounds and captures that workers make. A round is a crawl for each site, which its worker finds with a brief; what
 * visits teach is stored with them, and learnt here in the order of the catalog, however long ago it was stored.
 *
 *   begun → handed over → followed, while its lessons come in → over: ended where time was short, and forgotten
 *
 * Whatever a watch that is gone left unfinished of this, the next one takes up.
 */
export class HandedCrawls implements WatchCrawls {
  readonly #archive: OpenArchive;
  readonly #options: HandedCrawlsOptions;
  /** Rounds that a worker did not let go of in time. */
  readonly #late = new Set<number>();

  constructor(archive: OpenArchive, options: HandedCrawlsOptions) {
    this.#archive = archive;
    this.#options = options;
  }

  async round(visits: readonly PlannedVisit[], lessons: Lessons, signal: AbortSignal): Promise<void> {
    const { clock, round: time } = this.#options;
    await this.#close([...this.#late], lessons, signal);
    if (!(await this.#workers({ until: clock.now() + time, signal }))) return;
    const at = clock.now();
    const crawls: number[] = [];
    for (const [site, own] of this.#bySite(visits)) {
      const spec = roundSpec({ sites: [site] }, `${new Date(at).toISOString()}-${site.name}`, time);
      const { id } = await beginRound(this.#archive, spec, at);
      await this.#note(id, { discovered: roundEntries(own) });
      const brief = { scope: roundScope([site]), rules: this.#options.rules() };
      await this.#handOver([{ crawlId: id, queue: queueOfSite(site.name), brief }]);
      crawls.push(id);
    }
    await this.#follow(crawls, lessons, { until: at + time, signal });
    if (signal.aborted) return;
    await this.#close(crawls, lessons, signal);
  }

  async capture(
    { site, spec, reason }: DueCapture,
    lessons: Lessons,
    signal: AbortSignal,
  ): Promise<CaptureEnd> {
    const { catalog } = this.#archive;
    const { onNote } = this.#options;
    await this.#workers({ until: Number.POSITIVE_INFINITY, signal });
    const nothing = { state: 'stopped', captured: 0, unchanged: 0, failed: 0 } as const;
    if (signal.aborted) return nothing;
    const { crawlId, notes } = await crawlToHandOver(this.#archive, spec, { restart: false });
    await this.#note(crawlId, { notes: [`watch: ${reason}`, ...notes] });
    await this.#handOver([
      { crawlId, queue: queueOfSite(site.name), brief: { rules: this.#options.rules() } },
    ]);
    await this.#follow([crawlId], lessons, { until: Number.POSITIVE_INFINITY, signal });
    const { captured, unchanged, failed } = await catalog.tally(crawlId);
    const isOver = (await catalog.crawl(crawlId))?.state === 'finished';
    const [standing] = await this.#standing([crawlId]);
    if (standing?.error !== undefined)
      onNote(`the capture of ${site.name} failed, and is planned again: ${standing.error}`);
    // One that failed, or was withdrawn, is resumed then.
    if (!signal.aborted) await catalog.forgetHanded([crawlId]);
    return { state: isOver ? 'finished' : 'stopped', captured, unchanged, failed };
  }

  /** Takes over from a watch that is gone: learns what its crawls taught, and brings its rounds to their end. */
  async takeUp(
    lessons: { readonly round: Lessons; readonly capture: Lessons },
    signal: AbortSignal,
  ): Promise<void> {
    const { catalog } = this.#archive;
    const { stored, clock, queue, round: time } = this.#options;
    await stored.hearAll(async (crawlId) =>
      (await catalog.crawl(crawlId))?.spec.watch ? lessons.round : lessons.capture,
    );
    const rounds: HandedCrawl[] = [];
    for (const handed of await catalog.handedCrawls()) {
      if (!(await catalog.brief(handed.crawlId))) continue;
      const crawl = await catalog.crawl(handed.crawlId);
      if (crawl?.spec.watch) rounds.push(handed);
      // A capture that continues is followed again when it is planned again.
      else if (!isOpen(handed) && crawl?.state === 'finished') await catalog.forgetHanded([handed.crawlId]);
    }
    if (rounds.length === 0 || signal.aborted) return;
    if (queue) await this.#handOver(rounds.filter(({ state }) => state === 'withdrawn'));
    // A round may have been begun without its job having been queued.
    if (queue) await queue.add(rounds.filter(isOpen));
    const ids = rounds.map(({ crawlId }) => crawlId);
    await this.#follow(ids, lessons.round, { until: clock.now() + (queue ? time : 0), signal });
    if (!signal.aborted) await this.#close(ids, lessons.round, signal);
  }

  #bySite(visits: readonly PlannedVisit[]): ReadonlyMap<LiveSite, PlannedVisit[]> {
    const bySite = new Map<LiveSite, PlannedVisit[]>();
    for (const visit of visits) {
      const site = this.#options.siteOf(visit.url);
      if (site) bySite.set(site, [...(bySite.get(site) ?? []), visit]);
    }
    return bySite;
  }

  /** False where none has come in time: nothing is handed over that nobody would take. */
  async #workers({ until, signal }: Following): Promise<boolean> {
    const { clock, onStanding } = this.#options;
    for (;;) {
      const workers = await this.#archive.catalog.workers();
      const isThere = workers.some(({ roles }) => roles.includes('capture'));
      onStanding('workers', isThere ? '' : NOBODY_CAPTURES);
      if (isThere || signal.aborted || clock.now() >= until) return isThere && !signal.aborted;
      await clock.sleep(LOOK_EVERY, signal);
    }
  }

  async #note(
    crawlId: number,
    { discovered = [], notes = [] }: { discovered?: readonly NewFrontierEntry[]; notes?: readonly string[] },
  ): Promise<void> {
    const none = { visits: [], denials: [], captures: [], skips: [], fileLengths: new Map() };
    await this.#archive.catalog.commit({ crawlId, ...none, discovered, notes });
  }

  /** The job after the row, so that whoever takes it finds what there is to do. */
  async #handOver(crawls: readonly { crawlId: number; queue: string; brief?: CrawlBrief }[]): Promise<void> {
    if (crawls.length === 0) return;
    const batch = randomUUID();
    await this.#archive.catalog.handOver(crawls.map((one) => ({ ...one, batch })));
    await this.#options.queue?.add(crawls);
  }

  /** Learns from them until no worker is busy with any of them. */
  async #follow(crawls: readonly number[], lessons: Lessons, { until, signal }: Following): Promise<void> {
    const { clock, stored } = this.#options;
    for (let heard = 0; ; ) {
      const open = (await this.#standing(crawls)).filter(isOpen);
      // After that check: what is over has committed all that it taught.
      heard = await stored.hear(crawls, lessons, heard);
      if (open.length === 0) return;
      const isLate = clock.now() >= until;
      if (isLate || signal.aborted) await this.#withdraw(open);
      if (signal.aborted || clock.now() >= until + LEAVE) return;
      await clock.sleep(LOOK_EVERY, signal);
    }
  }

  #standing(crawlIds: readonly number[]): Promise<readonly HandedCrawl[]> {
    return this.#archive.catalog.handedCrawls({ crawlIds });
  }

  /** A worker that has one finishes the pages in hand. */
  async #withdraw(crawls: readonly HandedCrawl[]): Promise<void> {
    for (const { crawlId } of crawls)
      await this.#archive.catalog.changeHanded(
        crawlId,
        { state: 'withdrawn' },
        { states: ['waiting', 'running'] },
      );
  }

  /**
   * Ends rounds that are over: what was not reached becomes a skip, and they are forgotten. Those that a worker still
   * has wait until next time.
   */
  async #close(crawls: readonly number[], lessons: Lessons, signal: AbortSignal): Promise<void> {
    if (crawls.length === 0) return;
    const { catalog } = this.#archive;
    const { stored, own, onNote } = this.#options;
    for (const handed of await this.#standing(crawls)) {
      const { crawlId, error } = handed;
      this.#late.delete(crawlId);
      if (isOpen(handed)) {
        this.#late.add(crawlId);
        continue;
      }
      await stored.hear([crawlId], lessons);
      const crawl = await catalog.crawl(crawlId);
      if (crawl && crawl.state !== 'finished') await own.end(crawl, await this.#scopeOf(crawl), signal);
      if (error !== undefined) onNote(`a round that was handed over failed, and is planned again: ${error}`);
      await catalog.forgetHanded([crawlId]);
    }
  }

  async #scopeOf({ id }: RoundCrawl) {
    return (await this.#archive.catalog.brief(id))?.scope ?? { seeds: [], seedScopes: [] };
  }
}

/** A worker has it, or may take it. */
const isOpen = ({ state, worker }: HandedCrawl): boolean =>
  state === 'waiting' || state === 'running' || worker !== undefined;

const NOBODY_CAPTURES =
  "No worker that captures has joined: nothing is visited until one has ('daguerre worker' with the same --database).";
