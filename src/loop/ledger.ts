import type { DerivedRecord } from '../model/capture.ts';
import type { FrontierEntry } from '../model/crawl.ts';
import type { CaptureFault } from '../model/fault.ts';
import type { InferredDirectory, VirtualDirectory } from '../model/inference.ts';
import type { Suspect } from '../model/perimeter.ts';
import type { Clock } from '../ports/clock.ts';
import type { NewId } from '../ports/ids.ts';
import type { Discovery } from '../stages/discover.ts';
import type { Commit, Committed, Committer } from './committer.ts';
import { CrawlNotes } from './crawl-notes.ts';
import type { Host } from './host.ts';
import type { Hosts } from './hosts.ts';
import type { InHand } from './in-hand.ts';
import type { ProgressMeter } from './progress.ts';
import type { Refusal } from './turn.ts';
import type { FinishedVisit, VisitResult } from './visit/visit.ts';

/** URLs remembered as not worth asking for. */
const UNREACHABLE_KNOWN = 20_000;

export interface LedgerOptions {
  readonly committer: Committer;
  readonly hosts: Hosts;
  readonly inHand: InHand;
  readonly meter: ProgressMeter;
  readonly onNote?: (note: string) => void;
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
    // Nothing else may be under way, and then nobody would pump until the batch is full.
    if (inHand.isWaiting) committer.hurry();
    const committed = await committer.commit(item).finally(() => {
      inHand.committing--;
    });
    for (const entry of committed.enqueued) {
      const host = hosts.get(entry.host);
      if (entry.kind === 'page') {
        host.curve.detect(entry.depth);
        hosts.pagesKnown++;
      }
      host.queue.offer(entry);
    }
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
      const { draft, complete } = await this.#analysed(result);
      for (const [url, fault] of result.unreachable)
        if (this.unreachable.size < UNREACHABLE_KNOWN) this.unreachable.set(url, fault);
      const { visit } = await this.commit({ kind: 'visit', complete, ...(draft && { draft }) });
      this.unreachable.delete(entry.url);
      if (!visit) return;
      meter.count(visit, entry.kind);
      await this.notes.tellTraps(visit.skips);
      const { settlement } = visit;
      if (settlement.state === 'deferred') {
        hosts.unclaim(entry);
        host.queue.defer({ ...entry, attempts: entry.attempts + 1, notBefore: settlement.notBefore });
      } else {
        if (entry.kind === 'page') host.unplanned = true;
        host.queue.settled(entry);
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
    if (entry.kind === 'page') host.curve.drop(entry.depth);
    host.queue.settled(entry);
  }

  /** It keeps its archived version: that its directory is taken for unchanged is stored already. */
  async keep(host: Host, entry: FrontierEntry): Promise<void> {
    const kept = [{ entryId: entry.id, url: entry.url }];
    await this.commit({ kind: 'frontier', discovered: [], skips: [], denials: [], kept });
    host.curve.drop(entry.depth);
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

  /** Analysis runs elsewhere: while it does, the visit holds no worker. */
  async #analysed({ finished }: VisitResult): Promise<FinishedVisit> {
    const { inHand, onFree } = this.#options;
    inHand.committing++;
    onFree();
    return await finished.finally(() => {
      inHand.committing--;
    });
  }
}
