import type { DerivedRecord } from '../model/capture.ts';
import type { Crawl, CrawlTally, FrontierEntry } from '../model/crawl.ts';
import type { Millis } from '../model/exchange.ts';
import { CaptureFault } from '../model/fault.ts';
import type { FoundTrap } from '../ports/perimeter.ts';
import type { Answer } from '../science/policy/answer.ts';
import { afterRequest, afterResponse } from '../science/policy/politeness.ts';
import type { Discovery } from '../stages/discover.ts';
import { EVERYTHING_ALLOWED } from '../stages/fetch-robots.ts';
import { planRevisits } from '../stages/plan-revisits.ts';
import { createEventRecorder } from '../stages/record-event.ts';
import { createRedirectChains } from '../stages/redirect-chains.ts';
import { type Refusal, refusedAtOnce, refusedByRobots } from './admission.ts';
import { askRobots } from './ask-robots.ts';
import { type Commit, type Committed, type Committer, createCommitter } from './committer.ts';
import { endCrawl } from './crawl-end.ts';
import { CrawlNotes, trapNote } from './crawl-notes.ts';
import type { Host } from './host.ts';
import type { Hosts } from './hosts.ts';
import { InHand } from './in-hand.ts';
import { type Progress, ProgressMeter } from './progress.ts';
import type { CrawlOptions, CrawlOutcome, CrawlPorts, SiteCrawl, StopReason } from './site-crawl.ts';
import { StopSwitch } from './stop-switch.ts';
import { nothingStored } from './visit/nothing-stored.ts';
import { type FinishedVisit, type VisitResult, visit } from './visit/visit.ts';
import { WakeTimer } from './wake-timer.ts';

/** URLs remembered as not worth asking for. */
const UNREACHABLE_KNOWN = 20_000;

export class Crawler implements SiteCrawl {
  readonly #crawl: Crawl;
  readonly #ports: CrawlPorts;
  readonly #options: CrawlOptions;
  readonly #committer: Committer;
  readonly #chains = createRedirectChains();
  readonly #hosts: Hosts;
  readonly #meter: ProgressMeter;
  readonly #startedAt: number;
  readonly #seedHosts: ReadonlySet<string>;
  readonly #inHand = new InHand();
  #lastNow: Millis = Number.NEGATIVE_INFINITY;
  #batch: number;
  #pagesClaimed: number;
  readonly #notes: CrawlNotes;
  readonly #stop: StopSwitch;
  readonly #timer: WakeTimer;
  #failure: { readonly error: unknown } | undefined;
  /** Lost in the browser since their hosts could not be reached: settled without being asked for. */
  readonly #unreachable = new Map<string, CaptureFault>();
  #finish: () => void = () => {};

  constructor(crawl: Crawl, ports: CrawlPorts, options: CrawlOptions, tally: CrawlTally, hosts: Hosts) {
    this.#crawl = crawl;
    this.#hosts = hosts;
    this.#ports = ports;
    this.#options = options;
    const recorder = createEventRecorder(ports.store, ports.catalog);
    this.#committer = createCommitter({
      ...ports,
      recorder,
      crawlId: crawl.id,
      syncEvery: options.syncEvery,
    });
    this.#notes = new CrawlNotes((notes) => this.#join({ notes }), options.onNote);
    this.#stop = new StopSwitch(ports.clock);
    this.#timer = new WakeTimer(ports.clock, () => this.#pump());
    this.#startedAt = ports.clock.now();
    this.#meter = new ProgressMeter(tally);
    this.#batch = this.#meter.pages + this.#meter.resources;
    this.#pagesClaimed = this.#meter.pages;
    this.#seedHosts = new Set(
      crawl.spec.seeds.flatMap((seed) => (URL.canParse(seed) ? [new URL(seed).host] : [])),
    );
  }

  async run(): Promise<CrawlOutcome> {
    const { signal } = this.#options;
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
      await this.#join({ discovered: this.#options.seeds });
      await this.#notes.keep(this.#options.notes ?? []);
      this.#pump();
      await done;
      await this.#committer.drain();
      if (this.#failure) throw this.#failure.error;
    } finally {
      signal.removeEventListener('abort', onAbort);
      this.#timer.stop();
      this.#stop.over();
    }
    return await endCrawl(this.#crawl, this.#stop.reason, this.#ports, (record) => this.#store(record));
  }

  /** A record outside any visit, on disk when it resolves. */
  async #store(record: DerivedRecord): Promise<void> {
    const { clock, newId } = this.#ports;
    const draft = { id: newId(), url: record.uri, at: clock.now(), exchanges: [], derived: [record] };
    await this.#commit({ kind: 'event', draft });
    await this.#committer.drain();
  }

  progress(now: Millis): Progress {
    let pending = 0;
    for (const { queue } of this.#hosts.all()) pending += queue.size;
    const { pages, time } = this.#crawl.spec.limits;
    const left = this.#startedAt + time - this.#ports.clock.now();
    return this.#meter.snapshot(pending, now, { pageLimit: pages, time: left });
  }

  /** Launches every visit that may begin now; sets the timer for the next; ends the crawl when none is left. */
  #pump(): void {
    this.#checkLimits();
    const { workers, politeness } = this.#crawl.spec;
    const now = this.#ports.clock.now();
    this.#lookAtClock(now);
    let next = Number.POSITIVE_INFINITY;
    if (this.#stop.reason === undefined) {
      for (const host of this.#hosts.all()) {
        if (host.queue.size === 0) this.#planRevisits(host);
        if (host.queue.waiting === 0) continue;
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
    }
    if (this.#inHand.isWaiting) this.#committer.hurry();
    if (this.#inHand.active === 0 && (this.#stop.reason !== undefined || next === Number.POSITIVE_INFINITY))
      this.#finish();
    else this.#timer.at(Math.min(next, this.#startedAt + this.#crawl.spec.limits.time));
  }

  #lookAtClock(now: Millis): void {
    const back = this.#lastNow - now;
    this.#lastNow = now;
    if (back > 0) for (const host of this.#hosts.all()) host.clockSetBack(back);
  }

  /** Begins one piece of work for a host; false when there is nothing to begin now. */
  #launch(host: Host): boolean {
    const { clock } = this.#ports;
    const taken = host.queue.take(clock.now());
    if (!taken) {
      // Not in memory, or deferred.
      if (host.queue.readyAt(clock.now()) <= clock.now()) this.#work(() => host.queue.load());
      return false;
    }
    const entry = host.explained(taken);
    const refused = (refusal: Refusal): true => {
      this.#work(() => this.#deny(host, entry, refusal));
      return true;
    };
    const atOnce = refusedAtOnce(entry, this.#pagesClaimed, this.#crawl.spec, this.#ports.perimeter);
    if (atOnce) return refused(atOnce);
    if (host.politeness.givenUp) {
      const fault = new CaptureFault(host.lastFault, entry.url, host.politeness.reason);
      this.#work(() => this.#settle(host, entry, this.#giveUp(entry, fault)));
      return true;
    }
    const unreachable = this.#unreachable.get(entry.url);
    if (unreachable && entry.kind === 'lost') {
      this.#unreachable.delete(entry.url);
      this.#work(() => this.#settle(host, entry, this.#giveUp(entry, unreachable)));
      return true;
    }
    const rules = this.#crawl.spec.politeness.robots ? host.robots(entry, clock.now()) : EVERYTHING_ALLOWED;
    if (!rules) {
      this.#work(() => this.#askRobots(host, entry));
      return true;
    }
    const byRobots = refusedByRobots(entry, rules);
    if (byRobots) return refused(byRobots);
    if (entry.kind === 'page') this.#pagesClaimed++;
    if (entry.kind === 'page' && entry.attempts === 0) host.curve.download(entry.depth);
    host.politeness = afterRequest(
      host.politeness,
      clock.now(),
      this.#crawl.spec.politeness,
      rules.crawlDelay,
    );
    this.#work(() => this.#visit(host, entry, rules.crawlDelay));
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

  async #visit(host: Host, entry: FrontierEntry, crawlDelay: number | undefined): Promise<void> {
    host.inFlight++;
    let answered = false;
    const onAnswer = (answer: Answer): void => {
      if (answered) return;
      answered = true;
      host.inFlight--;
      this.#answered(host, answer, crawlDelay);
      this.#pump();
    };
    try {
      const { spec } = this.#crawl;
      const { order, rates, versions } = this.#options;
      const { signal } = this.#stop;
      const room = spec.limits.pages - this.#hosts.pagesKnown;
      const context = {
        spec,
        order,
        rates,
        versions,
        room,
        chains: this.#chains,
        batch: this.#batch++,
        onAnswer,
        onTrap: (trap: FoundTrap) => this.#work(() => this.#notes.tell([trapNote(trap)])),
        signal,
      };
      const result = await visit(entry, { ports: this.#ports, context });
      await this.#settle(host, entry, result);
    } catch (error) {
      if (!this.#stop.gaveUp(error)) throw error;
      // Given up when the grace was over: it was not visited.
      if (entry.kind === 'page') this.#pagesClaimed--;
      host.queue.putBack(entry);
    } finally {
      onAnswer({ responseTime: 0, fault: 'internal' });
    }
  }

  async #settle(host: Host, entry: FrontierEntry, result: VisitResult): Promise<void> {
    const { links } = result;
    this.#inHand.links += links;
    try {
      const { draft, complete } = await this.#analysed(result);
      for (const [url, fault] of result.unreachable)
        if (this.#unreachable.size < UNREACHABLE_KNOWN) this.#unreachable.set(url, fault);
      const { visit: committed } = await this.#commit({
        kind: 'visit',
        complete,
        ...(draft && { draft }),
      });
      if (!committed) return;
      this.#meter.count(committed, entry.kind);
      await this.#notes.tellTraps(committed.skips);
      const { settlement } = committed;
      if (settlement.state === 'deferred') {
        if (entry.kind === 'page') this.#pagesClaimed--;
        host.queue.defer({ ...entry, attempts: entry.attempts + 1, notBefore: settlement.notBefore });
      } else {
        if (entry.kind === 'page') host.unplanned = true;
        host.queue.settled(entry);
      }
    } finally {
      this.#inHand.links -= links;
      await result.release();
    }
  }

  /** Analysis runs elsewhere: while it does, the visit holds no worker. */
  async #analysed({ finished }: VisitResult): Promise<FinishedVisit> {
    this.#inHand.committing++;
    this.#pump();
    return await finished.finally(() => {
      this.#inHand.committing--;
    });
  }

  /** The entry waits until its host's robots.txt is known; a host that cannot be asked fails the entry. */
  async #askRobots(host: Host, entry: FrontierEntry): Promise<void> {
    const { clock } = this.#ports;
    const { spec } = this.#crawl;
    const { signal } = this.#options;
    const startedAt = clock.now();
    host.inFlight++;
    try {
      const isSeedHost = this.#seedHosts.has(host.name);
      const robots = await askRobots(host, entry, spec, this.#ports, { signal, isSeedHost });
      this.#answered(host, robots.answer, robots.crawlDelay);
      host.queue.putBack(entry);
      try {
        await this.#commit({ kind: 'event', draft: robots.draft });
      } finally {
        await robots.release();
      }
      await this.#join(robots.sitemaps);
      await this.#notes.tell(robots.notes);
    } catch (error) {
      if (!(error instanceof CaptureFault)) {
        if (!signal.aborted || error !== signal.reason) throw error;
        // Told to stop while robots.txt was under way: the entry was not visited.
        host.queue.putBack(entry);
        return;
      }
      const wait = error.retryAfter === undefined ? {} : { retryAfter: error.retryAfter };
      this.#answered(host, { responseTime: clock.now() - startedAt, fault: error.kind, ...wait }, undefined);
      await this.#settle(host, entry, nothingStored(entry, error, startedAt, clock.now(), spec));
    } finally {
      host.inFlight--;
    }
  }

  async #deny(host: Host, entry: FrontierEntry, refusal: Refusal): Promise<void> {
    await this.#commit({
      kind: 'frontier',
      discovered: [],
      skips: [],
      denials: [{ entryId: entry.id, ...refusal }],
    });
    this.#meter.skipped++;
    if (entry.kind === 'page') host.curve.drop(entry.depth);
    host.queue.settled(entry);
  }

  async #commit(item: Commit): Promise<Committed> {
    this.#inHand.committing++;
    // Nothing else may be under way, and then nobody would pump until the batch is full.
    if (this.#inHand.isWaiting) this.#committer.hurry();
    const committed = await this.#committer.commit(item).finally(() => {
      this.#inHand.committing--;
    });
    for (const entry of committed.enqueued) {
      const host = this.#hosts.get(entry.host);
      if (entry.kind === 'page') {
        host.curve.detect(entry.depth);
        this.#hosts.pagesKnown++;
      }
      host.queue.offer(entry);
    }
    return committed;
  }

  /** The first pass of a host is over: the second is planned, once for the pages there are. */
  #planRevisits(host: Host): void {
    const { id, spec } = this.#crawl;
    const { revisit: purpose = 'none' } = spec;
    if (purpose === 'none' || !host.unplanned) return;
    host.unplanned = false;
    this.#work(async () => {
      const { catalog, clock } = this.#ports;
      const discovered = await planRevisits(id, host.name, purpose, clock.now(), catalog);
      host.revisiting = true;
      await this.#join({ discovered });
    });
  }

  /** Entries that no visit found. */
  async #join({
    discovered = [],
    skips = [],
    notes = [],
  }: Partial<Discovery> & { readonly notes?: readonly string[] }): Promise<void> {
    if (discovered.length + skips.length + notes.length > 0)
      await this.#commit({ kind: 'frontier', discovered, skips, denials: [], notes });
  }

  #giveUp(entry: FrontierEntry, fault: CaptureFault): VisitResult {
    const now = this.#ports.clock.now();
    const lastTry = { ...entry, attempts: Number.POSITIVE_INFINITY };
    return nothingStored(lastTry, fault, now, now, this.#crawl.spec);
  }

  #answered(host: Host, answer: Answer, crawlDelay: number | undefined): void {
    const { clock, random } = this.#ports;
    if (answer.fault !== undefined) host.lastFault = answer.fault;
    host.politeness = afterResponse(
      host.politeness,
      { ...answer, now: clock.now(), random: random() },
      this.#crawl.spec.politeness,
      crawlDelay,
    );
  }

  #checkLimits(): void {
    const { limits } = this.#crawl.spec;
    if (this.#ports.clock.now() - this.#startedAt >= limits.time) this.#stopFor('time-limit');
    if (this.#meter.bytes >= limits.size) this.#stopFor('size-limit');
  }

  #stopFor(reason: StopReason): void {
    this.#stop.stopFor(reason);
    if (this.#inHand.active === 0) this.#finish();
  }
}
