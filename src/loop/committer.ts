import type { CaptureFact } from '../model/capture.ts';
import type { NewFrontierEntry, Skip } from '../model/crawl.ts';
import type { Millis } from '../model/exchange.ts';
import type { Catalog, CommitResult, Denial, VisitCommit } from '../ports/catalog.ts';
import type { Clock } from '../ports/clock.ts';
import type { RecordStore } from '../ports/record-store.ts';
import type { EventDraft, EventRecorder } from '../stages/record-event.ts';

/** What is to be stored and committed together. */
export type Commit =
  | {
      readonly kind: 'visit';
      readonly draft?: EventDraft;
      readonly complete: (facts: readonly CaptureFact[]) => VisitCommit;
    }
  /** Captures outside the frontier: robots.txt. */
  | { readonly kind: 'event'; readonly draft: EventDraft }
  | {
      readonly kind: 'frontier';
      readonly discovered: readonly NewFrontierEntry[];
      readonly skips: readonly Skip[];
      readonly denials: readonly Denial[];
    };

export interface Committed extends CommitResult {
  /** The committed visit, for a commit of that kind. */
  readonly visit?: VisitCommit;
}

export interface Committer {
  /** Resolves when the item is stored and in the catalog. */
  commit(item: Commit): Promise<Committed>;
  /** Whoever calls it waits for commits alone: the batch that gathers is written now. */
  hurry(): void;
  /** Resolves when everything handed in so far is in the catalog and on disk. */
  drain(): Promise<void>;
}

/** Milliseconds that a batch gathers. A transaction costs as much for one visit as for thirty. */
const LINGER = 25;

interface Waiting {
  readonly item: Commit;
  readonly resolve: (result: Committed) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Group commit. Finished visits gather while the last batch is written, and a moment longer as long as the
 * crawl has other work; then one transaction takes them all.
 *
 * Order of things, always: records appended → fsync, when the last is older than the cadence → the catalog
 * names them, with the length of the file they end at. Only the committer appends, so the catalog's length
 * is the end of the last committed event; after a crash, whatever lies past it was never reported captured.
 */
export function createCommitter(options: {
  readonly crawlId: number;
  readonly catalog: Pick<Catalog, 'commit'>;
  readonly recorder: EventRecorder;
  readonly store: Pick<RecordStore, 'sync' | 'lengths'>;
  readonly clock: Clock;
  /** Milliseconds between two fsyncs of the record file; 0 for one before every commit. */
  readonly syncEvery: number;
}): Committer {
  const { crawlId, catalog, recorder, store, clock, syncEvery } = options;
  let waiting: Waiting[] = [];
  let running: Promise<void> | undefined;
  let gathering = new AbortController();
  let lastSync: Millis = clock.now();
  let failure: { readonly error: unknown } | undefined;

  async function flush(batch: readonly Waiting[]): Promise<void> {
    const drafts = batch.map(({ item }) => (item.kind === 'frontier' ? undefined : item.draft));
    const recorded = await recorder.record(drafts.filter((draft) => draft !== undefined));
    const factsById = new Map<EventDraft, readonly CaptureFact[]>();
    let next = 0;
    for (const draft of drafts) if (draft) factsById.set(draft, recorded[next++] ?? []);
    if (clock.now() - lastSync >= syncEvery) {
      await store.sync();
      lastSync = clock.now();
    }
    const facts = (draft: EventDraft | undefined): readonly CaptureFact[] =>
      (draft && factsById.get(draft)) ?? [];
    const visits = batch.map(({ item }) =>
      item.kind === 'visit' ? item.complete(facts(item.draft)) : undefined,
    );
    const frontier = batch.flatMap(({ item }) => (item.kind === 'frontier' ? [item] : []));
    const { enqueued } = await catalog.commit({
      crawlId,
      visits: visits.filter((visit) => visit !== undefined),
      denials: frontier.flatMap(({ denials }) => denials),
      captures: batch.flatMap(({ item }) => (item.kind === 'event' ? facts(item.draft) : [])),
      discovered: frontier.flatMap(({ discovered }) => discovered),
      skips: frontier.flatMap(({ skips }) => skips),
      fileLengths: store.lengths(),
    });
    batch.forEach(({ resolve }, index) => {
      const visit = visits[index];
      // The frontier does not care who found a URL: the first caller hands all of them on.
      resolve({ enqueued: index === 0 ? enqueued : [], ...(visit && { visit }) });
    });
  }

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      await clock.sleep(LINGER, gathering.signal);
      gathering = new AbortController();
      const batch = waiting;
      waiting = [];
      try {
        if (failure) throw failure.error;
        await flush(batch);
      } catch (error) {
        // After a failed commit nothing more may be reported as captured: every later item fails too.
        failure ??= { error };
        for (const { reject } of batch) reject(error);
      }
    }
    running = undefined;
  }

  return {
    commit(item) {
      return new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        running ??= Promise.resolve().then(run);
      });
    },
    hurry() {
      gathering.abort();
    },
    async drain() {
      gathering.abort();
      while (running !== undefined) await running;
      if (!failure) await store.sync();
    },
  };
}
