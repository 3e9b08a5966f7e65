import type { Crawl, CrawlTally, FrontierEntry } from '../model/crawl.ts';
import type { Decisions } from '../model/decisions.ts';
import type { Millis } from '../model/time.ts';
import { afterRequest } from '../science/policy/politeness.ts';
import { planRevisits } from '../stages/plan-revisits.ts';
import { ReadableOriginals } from '../stages/readable-originals.ts';
import { createEventRecorder } from '../stages/record-event.ts';
import { type Committer, createCommitter } from './committer.ts';
import { endCrawl } from './crawl-end.ts';
import { EntryWork } from './entry-work.ts';
import type { Host } from './host.ts';
import type { Hosts } from './hosts.ts';
import { InHand } from './in-hand.ts';
import type { Inferences } from './inferences.ts';
import { unlinkedNotes } from './known-pages.ts';
import { Ledger } from './ledger.ts';
import { type Progress, ProgressMeter } from './progress.ts';
import type { CrawlOptions, CrawlOutcome, CrawlPorts, SiteCrawl, StopReason } from './site-crawl.ts';
import { StopSwitch } from './stop-switch.ts';
import { turnOf } from './turn.ts';
import { WakeTimer } from './wake-timer.ts';

export interface CrawlerOptions extends CrawlOptions {
  readonly decisions: Decisions;
  readonly inferences: Inferences;
}

/** Drives a crawl: begins whatever may be begun now, and ends it when there is nothing left, or a reason to stop. */
export class Crawler implements SiteCrawl {
  readonly #crawl: Crawl;
  readonly #ports: CrawlPorts;
  readonly #options: CrawlerOptions;
  readonly #originals: ReadableOriginals;
  readonly #committer: Committer;
  readonly #hosts: Hosts;
  readonly #ledger: Ledger;
  readonly #entries: EntryWork;
  readonly #meter: ProgressMeter;
  readonly #startedAt: Millis;
  readonly #inHand = new InHand();
  readonly #stop: StopSwitch;
  readonly #timer: WakeTimer;
  #lastNow: Millis = Number.NEGATIVE_INFINITY;
  #failure: { readonly error: unknown } | undefined;
  #finish: () => void = () => {};

  constructor(crawl: Crawl, ports: CrawlPorts, options: CrawlerOptions, tally: CrawlTally, hosts: Hosts) {
    this.#crawl = crawl;
    this.#hosts = hosts;
    this.#ports = ports;
    this.#options = options;
    this.#originals = new ReadableOriginals(ports);
    this.#committer = createCommitter({
      ...ports,
      recorder: createEventRecorder(ports.store, this.#originals),
      crawlId: crawl.id,
      syncEvery: options.syncEvery,
      paysByRelevance: crawl.spec.perimeter?.importance === 'perimeter',
    });
    this.#stop = new StopSwitch(ports.clock, options.grace);
    this.#timer = new WakeTimer(ports.clock, () => this.#pump());
    this.#startedAt = ports.clock.now() - (options.ranBefore ?? 0);
    this.#meter = new ProgressMeter(tally);
    hosts.pagesClaimed = this.#meter.pages;
    this.#ledger = new Ledger({
      committer: this.#committer,
      hosts,
      inHand: this.#inHand,
      meter: this.#meter,
      ...(options.onNote && { onNote: options.onNote }),
      ...(options.onVisit && { onVisit: options.onVisit }),
      ...(options.alerts && { alerts: options.alerts }),
      ...(options.teaches && { teaches: true }),
      onFree: () => this.#pump(),
    });
    this.#entries = new EntryWork({
      crawl,
      ports,
      options,
      hosts,
      ledger: this.#ledger,
      stop: this.#stop,
      visited: this.#meter.pages + this.#meter.resources,
      onAnswer: () => this.#pump(),
      tell: (note) => this.tell(note),
    });
  }

  async run(): Promise<CrawlOutcome> {
    const { signal, seeds, notes = [], gate, decidedPages = [] } = this.#options;
    const onAbort = (): void => {
      void this.#stop.interrupted();
      if (this.#inHand.active === 0) this.#finish();
    };
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort);
    try {
      const done = new Promise<void>((resolve) => {
        this.#finish = resolve;
      });
      await this.#ledger.join({ discovered: seeds });
      if (gate) await this.#ledger.join(gate.decided(decidedPages, this.#ports.clock.now()));
      await this.#ledger.notes.keep(notes);
      this.#pump();
      await done;
      await this.#committer.drain();
      if (this.#failure) throw this.#failure.error;
      // What is still held back when a limit ends the crawl is left out by the limit, unless its rule holds.
      const { reason } = this.#stop;
      if (reason !== undefined && reason !== 'signal') await this.#settleHeld();
      const now = this.#ports.clock.now();
      for (const suspects of gate?.leftUnread(now) ?? []) await this.#ledger.join({ suspects });
      await this.#ledger.notes.tell([...(gate?.fallen(now) ?? []), ...this.#originals.notes]);
      if (reason === undefined)
        await this.#ledger.notes.tell(
          await unlinkedNotes(this.#crawl, this.#hosts.known, this.#ports.catalog),
        );
    } finally {
      signal.removeEventListener('abort', onAbort);
      this.#timer.stop();
      this.#stop.over();
    }
    return await endCrawl(this.#crawl, this.#stop.reason, this.#ports, {
      signal,
      store: (record) => this.#ledger.store(record, this.#ports, signal),
    });
  }

  decided(pages: readonly string[]): void {
    const { gate } = this.#options;
    if (gate) this.#work(() => this.#ledger.join(gate.decided(pages, this.#ports.clock.now())));
  }

  tell(note: string): void {
    this.#work(() => this.#ledger.notes.tell([note]));
  }

  progress(now: Millis): Progress {
    const { limits, revisit = 'none' } = this.#crawl.spec;
    let pending = 0;
    let secondVisits = false;
    for (const { queue, unplanned } of this.#hosts.all()) {
      pending += queue.size;
      secondVisits ||= unplanned && revisit !== 'none';
    }
    const left = this.#startedAt + limits.time - this.#ports.clock.now();
    const pause = this.#inHand.active === 0 ? this.#hosts.pause(this.#ports.clock.now()) : undefined;
    return this.#meter.snapshot(pending, now, { pageLimit: limits.pages, time: left, secondVisits, pause });
  }

  /** Launches every visit that may begin now; sets the timer for the next; ends the crawl when none is left. */
  #pump(): void {
    this.#checkLimits();
    const now = this.#ports.clock.now();
    this.#lookAtClock(now);
    const next = this.#stop.reason === undefined ? this.#launchAll(now) : Number.POSITIVE_INFINITY;
    if (this.#inHand.isWaiting) this.#committer.hurry();
    if (this.#inHand.active === 0 && (this.#stop.reason !== undefined || next === Number.POSITIVE_INFINITY))
      this.#finish();
    else this.#timer.at(Math.min(next, this.#startedAt + this.#crawl.spec.limits.time));
  }

  /** Returns when the next host has its turn; Infinity when none waits for the clock. */
  #launchAll(now: Millis): Millis {
    const { workers, politeness } = this.#crawl.spec;
    let next = Number.POSITIVE_INFINITY;
    const { inferences, gate } = this.#options;
    const isIdle = (): boolean => this.#hosts.all().every(({ queue }) => queue.size === 0);
    if (inferences.hasHeld && isIdle()) {
      this.#work(() => this.#settleHeld());
      return next;
    }
    if (gate?.hasWaiting && this.#inHand.active === 0 && isIdle()) {
      this.#work(async () => this.#ledger.join(await gate.release(this.#ports.clock.now())));
      return next;
    }
    for (const host of gate ? this.#hosts.byChance((name) => gate.chanceOf(name)) : this.#hosts.all()) {
      if (host.queue.size === 0 && !inferences.hasHeld) this.#planRevisits(host);
      if (host.queue.waiting === 0) continue;
      if (host.inFlight >= politeness.perHost) next = Math.min(next, host.freeAt(now));
      while (this.#inHand.mayBegin(workers) && host.inFlight < politeness.perHost) {
        const readyAt = host.readyAt(now);
        if (readyAt > now) {
          next = Math.min(next, readyAt);
          break;
        }
        if (!this.#launch(host)) break;
        this.#hosts.hadTurn(host);
      }
      if (!this.#inHand.mayBegin(workers)) break;
    }
    return next;
  }

  #lookAtClock(now: Millis): void {
    const back = this.#lastNow - now;
    this.#lastNow = now;
    if (back > 0) for (const host of this.#hosts.all()) host.clockSetBack(back);
  }

  /** Begins one piece of work for a host; false when there is nothing to begin now. */
  #launch(host: Host): boolean {
    const { spec } = this.#crawl;
    const { clock, scope } = this.#ports;
    const now = clock.now();
    const taken = host.queue.take(now);
    if (!taken) {
      // Not in memory, or deferred.
      if (host.queue.readyAt(now) <= now) this.#work(() => host.queue.load());
      return false;
    }
    if (this.#hosts.postpone(host, taken)) return true;
    const entry = host.explained(taken);
    const { unreachable } = this.#ledger;
    const { inferences, decisions } = this.#options;
    const counts = { pagesClaimed: this.#hosts.pagesClaimed, promised: this.#hosts.promised };
    const turn = turnOf(entry, host, now, { spec, scope, decisions, ...counts, unreachable, inferences });
    if (turn.kind === 'wait') {
      host.queue.putBack(entry);
      return false;
    }
    if (turn.kind === 'refused') this.#work(() => this.#ledger.deny(host, entry, turn.refusal));
    else if (turn.kind === 'given-up') this.#work(() => this.#entries.giveUp(host, entry, turn.fault));
    else if (turn.kind === 'kept') this.#work(() => this.#ledger.keep(host, entry));
    else if (turn.kind === 'plan') this.#plan(host, entry);
    else if (turn.kind === 'ask-robots') this.#work(() => this.#entries.askRobots(host, entry));
    else {
      const { crawlDelay } = turn.rules;
      this.#hosts.claim(entry);
      if (entry.kind === 'page' && entry.attempts === 0) host.curve.download(entry.depth);
      host.politeness = afterRequest(host.politeness, now, spec.politeness, crawlDelay);
      this.#work(() => this.#entries.visit(host, entry, crawlDelay));
    }
    return true;
  }

  /** Runs a piece of work; a failure that is not the web's ends the crawl. */
  #work(job: () => Promise<void>): void {
    this.#inHand.active++;
    job()
      .catch((error: unknown) => {
        this.#failure ??= { error };
        this.#stopFor('signal');
      })
      .finally(() => {
        this.#inHand.active--;
        this.#pump();
      });
  }

  /** The entry waits until it is decided which directories of its site are taken for unchanged. */
  #plan(host: Host, entry: FrontierEntry): void {
    const { inferences } = this.#options;
    inferences.beginPlan(entry.url);
    this.#work(async () => {
      await inferences.plan(
        entry.url,
        this.#ports.clock.now(),
        this.#hosts.room,
        async ({ notes, ...plan }) => {
          await this.#ledger.join(plan);
          await this.#ledger.notes.tell(notes);
        },
      );
      host.queue.putBack(entry);
    });
  }

  async #settleHeld(): Promise<void> {
    const now = this.#ports.clock.now();
    const { notes, ...settled } = await this.#options.inferences.settleHeld(now, this.#hosts.room);
    await this.#ledger.join(settled);
    await this.#ledger.notes.tell(notes);
  }

  /** The first pass of a host is over: the second is planned, once for the pages there are. */
  #planRevisits(host: Host): void {
    const { id, spec } = this.#crawl;
    const { revisit: purpose = 'none' } = spec;
    if (purpose === 'none' || !host.unplanned) return;
    host.unplanned = false;
    this.#work(async () => {
      const ports = { ...this.#ports, ...this.#options };
      const discovered = await planRevisits(id, host.name, purpose, ports.clock.now(), ports);
      host.revisiting = true;
      await this.#ledger.join({ discovered });
    });
  }

  #checkLimits(): void {
    const { time, size } = this.#crawl.spec.limits;
    if (this.#ports.clock.now() - this.#startedAt >= time) this.#stopFor('time-limit');
    if (this.#meter.bytes >= size) this.#stopFor('size-limit');
  }

  #stopFor(reason: StopReason): void {
    this.#stop.stopFor(reason);
    if (this.#inHand.active === 0) this.#finish();
  }
}
