import type { DerivedRecord } from '../model/capture.ts';
import type { FrontierEntry } from '../model/crawl.ts';
import type { CaptureFault } from '../model/fault.ts';
import type { InferredDirectory, VirtualDirectory } from '../model/inference.ts';
import type { Suspect } from '../model/perimeter.ts';
import type { AlertJudge } from '../ports/alert-judge.ts';
import type { VisitCommit } from '../ports/catalog.ts';
import type { Clock } from '../ports/clock.ts';
import type { NewId } from '../ports/ids.ts';
import type { Discovery } from '../stages/discover.ts';
import { lessonOf } from '../stages/visit-lesson.ts';
import type { Commit, Committed, Committer } from './committer.ts';
import { CrawlNotes } from './crawl-notes.ts';
import type { Host } from './host.ts';
import type { Hosts } from './hosts.ts';
import type { InHand } from './in-hand.ts';
import type { ProgressMeter } from './progress.ts';
import type { Refusal } from './turn.ts';
import { failureOf } from './visit/finding.ts';
import type { FinishedVisit, VisitResult } from './visit/visit.ts';

/** URLs remembered as not worth asking for. */
const UNREACHABLE_KNOWN = 20_000;

export interface LedgerOptions {
  readonly committer: Committer;
  readonly hosts: Hosts;
  readonly inHand: InHand;
  readonly meter: ProgressMeter;
  readonly onNote?: (note: string) => void;
  /** See CrawlOptions. */
  readonly onVisit?: (entry: FrontierEntry, stored: VisitCommit) => void;
  /** Absent where nobody is told of changes. */
  readonly alerts?: AlertJudge;
  /** See CrawlOptions. */
  readonly teaches?: boolean;
  /** Called when a visit holds no worker any more. */
  readonly onFree: () => void;
}

/** What came of entries, on its way to the catalog; and what the commit brings back to the queues. */
export class Ledger {
  readonly notes: CrawlNotes;
  /** Lost in the browser since their hosts could not be reached: settled without being asked for. */
  readonly unreachable = new Map<string, CaptureFault>();
  readonly #options: LedgerOptions;

  constructor(options: LedgerOptions) {
    this.#options = options;
    this.notes = new CrawlNotes((notes) => this.join({ notes }), options.onNote);
  }

  async commit(item: Commit): Promise<Committed> {
    const { committer, hosts, inHand } = this.#options;
    inHand.committing++;
    // If nothing else is under way, nothing would pump until the batch is full.
    if (inHand.isWaiting) committer.hurry();
    const committed = await committer.commit(item).finally(() => {
      inHand.committing--;
    });
    for (const entry of committed.enqueued) hosts.joined(entry);
    return committed;
  }

  /** Entries, skips and notes that no visit found. */
  async join({
    discovered = [],
    skips = [],
    notes = [],
    inferred = [],
    suspects = [],
    virtual = [],
  }: Partial<Discovery> & {
    readonly notes?: readonly string[];
    readonly suspects?: readonly Suspect[];
    readonly inferred?: readonly InferredDirectory[];
    readonly virtual?: readonly VirtualDirectory[];
  }): Promise<void> {
    const found = [discovered, skips, notes, inferred, virtual, suspects];
    if (found.some(({ length }) => length > 0))
      await this.commit({
        kind: 'frontier',
        discovered,
        skips,
        denials: [],
        notes,
        inferred,
        virtual,
        suspects,
      });
  }

  async settle(host: Host, entry: FrontierEntry, result: VisitResult): Promise<void> {
    const { inHand, meter, hosts } = this.#options;
    const { links } = result;
    inHand.links += links;
    try {
      const { draft, complete } = await this.#analysed(entry, result);
      for (const [url, fault] of result.unreachable)
        if (this.unreachable.size < UNREACHABLE_KNOWN) this.unreachable.set(url, fault);
      const { visit } = await this.commit({
        ...{ kind: 'visit', complete: this.#options.teaches ? taught(entry, complete) : complete },
        ...(draft && { draft }),
      });
      this.unreachable.delete(entry.url);
      if (!visit) return;
      meter.count(visit, entry.kind);
      await this.notes.tellTraps(visit.skips);
      const { settlement } = visit;
      if (settlement.state === 'deferred') {
        hosts.unclaim(entry);
        const again = { ...entry, attempts: entry.attempts + 1, notBefore: settlement.notBefore };
        if (visit.visit.fault?.kind === 'timeout') host.queue.deferToLast(again);
        else host.queue.defer(again);
      } else {
        if (entry.kind === 'page') host.unplanned = true;
        hosts.settled(entry);
        host.queue.settled(entry);
        this.#options.onVisit?.(entry, visit);
      }
    } finally {
      inHand.links -= links;
      await result.release();
    }
  }

  async deny(host: Host, entry: FrontierEntry, refusal: Refusal): Promise<void> {
    const denials = [{ entryId: entry.id, ...refusal }];
    await this.commit({ kind: 'frontier', discovered: [], skips: [], denials });
    this.#options.meter.skipped++;
    this.#options.hosts.dropped(entry);
    host.queue.settled(entry);
  }

  /** It keeps its archived version: that its directory is taken for unchanged is stored already. */
  async keep(host: Host, entry: FrontierEntry): Promise<void> {
    const kept = [{ entryId: entry.id, url: entry.url }];
    await this.commit({ kind: 'frontier', discovered: [], skips: [], denials: [], kept });
    this.#options.hosts.dropped(entry);
    host.queue.settled(entry);
  }

  /** A record outside any visit, on disk when it resolves. Its body may give up with the reason of the signal. */
  async store(
    record: DerivedRecord,
    { clock, newId }: { readonly clock: Clock; readonly newId: NewId },
    signal: AbortSignal,
  ): Promise<void> {
    const draft = { id: newId(), url: record.uri, at: clock.now(), exchanges: [], derived: [record] };
    await this.commit({ kind: 'event', draft, signal });
    await this.#options.committer.drain();
  }

  /** With what rules tell of it. One that cannot be judged is stored all the same, with a note. */
  async #told(entry: FrontierEntry, finished: FinishedVisit): Promise<FinishedVisit> {
    const judge = this.#options.alerts;
    if (!judge || entry.kind !== 'page') return finished;
    const { complete } = finished;
    try {
      const finding = finished.finding ? await finished.finding() : failureOf(complete([]));
      const alerts = finding ? await judge(finding) : [];
      return { ...finished, complete: (facts) => ({ ...complete(facts), alerts }) };
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      await this.notes.tell([`no alerts were told of ${entry.url}: ${why}`]);
      return finished;
    }
  }

  /** Analysis runs elsewhere: while it does, the visit holds no worker. */
  async #analysed(entry: FrontierEntry, { finished }: VisitResult): Promise<FinishedVisit> {
    const { inHand, onFree } = this.#options;
    inHand.committing++;
    onFree();
    try {
      return await this.#told(entry, await finished);
    } finally {
      inHand.committing--;
    }
  }
}

/** A visit that is put off is told by the one that settles its entry. */
const taught =
  (entry: FrontierEntry, complete: FinishedVisit['complete']): FinishedVisit['complete'] =>
  (facts) => {
    const stored = complete(facts);
    return stored.settlement.state === 'deferred' ? stored : { ...stored, lesson: lessonOf(entry, stored) };
  };
