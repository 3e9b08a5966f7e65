import type { CaptureFact, EventDraft } from '../model/capture.ts';
import type { NewFrontierEntry, Skip } from '../model/crawl.ts';
import type { InferredDirectory, VirtualDirectory } from '../model/inference.ts';
import type { Suspect } from '../model/perimeter.ts';
import type { Millis } from '../model/time.ts';
import type {
  CommitCatalog,
  CommitResult,
  Denial,
  KeptEntry,
  PageRelevance,
  VisitCommit,
} from '../ports/catalog.ts';
import type { Clock } from '../ports/clock.ts';
import type { RecordStore } from '../ports/record-store.ts';
import { relevanceOfChance } from '../science/importance/teleport.ts';
import type { EventRecorder } from '../stages/record-event.ts';

/** What is to be stored and committed together. */
export type Commit =
  | {
      readonly kind: 'visit';
      readonly draft?: EventDraft;
      readonly complete: (facts: readonly CaptureFact[]) => VisitCommit;
    }
  /** Captures outside the frontier: robots.txt. One that fails with the reason of its signal was given up: the rest goes on. */
  | { readonly kind: 'event'; readonly draft: EventDraft; readonly signal?: AbortSignal }
  | {
      readonly kind: 'frontier';
      readonly discovered: readonly NewFrontierEntry[];
      readonly skips: readonly Skip[];
      readonly denials: readonly Denial[];
      readonly notes?: readonly string[];
      readonly kept?: readonly KeptEntry[];
      readonly inferred?: readonly InferredDirectory[];
      readonly suspects?: readonly Suspect[];
      readonly virtual?: readonly VirtualDirectory[];
    };

export interface Committed extends CommitResult {
  /** The committed visit, for a commit of that kind. */
  readonly visit?: VisitCommit;
}

export interface Committer {
  /** Resolves when the item is stored and in the catalog. */
  commit(item: Commit): Promise<Committed>;
  /** The caller waits for nothing but commits: the gathering batch is written now. */
  hurry(): void;
  /** Resolves when everything handed in so far is in the catalog and on disk. */
  drain(): Promise<void>;
}

/**
 * Milliseconds that a batch gathers while the crawl has other work. A transaction costs as much for one visit as for thirty;
 * with 25 it had eight.
 */
const LINGER = 60;
/** A reason of our own: see wake-timer.ts. */
const HURRY = 'hurry';
/** Most visits that are packed together: the next are packed while these are committed. */
const PACKED_AT_ONCE = 64;

interface Waiting {
  readonly item: Commit;
  readonly resolve: (result: Committed) => void;
  readonly reject: (error: unknown) => void;
}

/** Its records are in the file. */
interface Recorded extends Waiting {
  readonly facts: readonly CaptureFact[];
  /** Of the files, at the end of the records of its batch. */
  readonly lengths: ReadonlyMap<string, number>;
}

/**
 * Group commit, in two steps that overlap:
 *
 *   waiting ──record──▶ recorded ──commit──▶ in the catalog
 *
 * Finished visits gather while the last batch is packed, and a moment longer as long as the crawl has other
 * work; their records are appended together. Meanwhile the catalog takes all that was recorded before, in one
 * transaction.
 *
 * Order of things, always: records appended → fsync, when the last is older than the cadence → the catalog
 * names them, with the length of the file at the end of their batch. Only the committer appends, and both steps
 * keep the order: the catalog's length is the end of the last committed event, and after a crash, whatever lies
 * past it was never reported captured.
 */
export function createCommitter(options: {
  readonly crawlId: number;
  readonly catalog: Pick<CommitCatalog, 'commit'>;
  readonly recorder: EventRecorder;
  readonly store: Pick<RecordStore, 'sync' | 'lengths' | 'gathers' | 'noteCommitted'>;
  readonly clock: Clock;
  /** Milliseconds between two fsyncs of the record file; 0 for one before every commit. */
  readonly syncEvery: number;
  /** On-line importance pays pages by their chance to belong to the perimeter of the crawl. */
  readonly paysByRelevance?: boolean;
}): Committer {
  const { crawlId, catalog, recorder, store, clock, paysByRelevance = false } = options;
  const { gathers: linger = LINGER } = store;
  // A local file that is not synced yet can be read by all who ask; what is not in the object store yet cannot.
  const syncEvery = store.gathers === undefined ? options.syncEvery : 0;
  const waiting: Waiting[] = [];
  let recorded: Recorded[] = [];
  let recording: Promise<void> | undefined;
  let committing: Promise<void> | undefined;
  let gathering = new AbortController();
  let lastSync: Millis = clock.now();
  let failure: { readonly error: unknown } | undefined;

  /** After a failure nothing more may be reported as captured: every later item fails too. */
  async function guarded(batch: readonly Waiting[], work: () => Promise<void>): Promise<void> {
    try {
      if (failure) throw failure.error;
      await work();
    } catch (error) {
      // Records are packed before any is written: nothing of what was given up is in the file.
      const isGivenUp = batch.some(
        ({ item }) => item.kind === 'event' && item.signal?.aborted && item.signal.reason === error,
      );
      if (!isGivenUp) failure ??= { error };
      for (const { reject } of batch) reject(error);
    }
  }

  async function record(batch: readonly Waiting[]): Promise<void> {
    const drafts = batch.flatMap(({ item }) => (item.kind !== 'frontier' && item.draft ? [item.draft] : []));
    const stored = await recorder.record(drafts);
    const facts = new Map(drafts.map((draft, i) => [draft, stored[i] ?? []]));
    const lengths = store.lengths();
    for (const one of batch) {
      const draft = one.item.kind === 'frontier' ? undefined : one.item.draft;
      recorded.push({ ...one, facts: (draft && facts.get(draft)) ?? [], lengths });
    }
  }

  async function commitRecorded(batch: readonly Recorded[]): Promise<void> {
    if (clock.now() - lastSync >= syncEvery) {
      await store.sync();
      lastSync = clock.now();
    }
    const visits = batch.map(({ item, facts }) => (item.kind === 'visit' ? item.complete(facts) : undefined));
    const frontier = batch.flatMap(({ item }) => (item.kind === 'frontier' ? [item] : []));
    const done = visits.filter((visit) => visit !== undefined);
    const suspects = frontier.flatMap(({ suspects: some = [] }) => some);
    const fileLengths = batch.at(-1)?.lengths ?? new Map();
    const { enqueued } = await catalog.commit({
      crawlId,
      visits: done,
      denials: frontier.flatMap(({ denials }) => denials),
      captures: batch.flatMap(({ item, facts }) => (item.kind === 'event' ? facts : [])),
      discovered: frontier.flatMap(({ discovered }) => discovered),
      skips: frontier.flatMap(({ skips }) => skips),
      notes: frontier.flatMap(({ notes = [] }) => notes),
      kept: frontier.flatMap(({ kept = [] }) => kept),
      inferred: frontier.flatMap(({ inferred = [] }) => inferred),
      suspects,
      ...(paysByRelevance && { relevances: relevancesOf(done, suspects) }),
      virtual: frontier.flatMap(({ virtual = [] }) => virtual),
      fileLengths,
    });
    store.noteCommitted?.(fileLengths);
    batch.forEach(({ resolve }, index) => {
      const visit = visits[index];
      // The frontier does not care who found a URL: the first caller hands all of them on.
      resolve({ enqueued: index === 0 ? enqueued : [], ...(visit && { visit }) });
    });
  }

  async function recordAll(): Promise<void> {
    while (waiting.length > 0) {
      if (waiting.length < PACKED_AT_ONCE) await clock.sleep(linger, gathering.signal);
      gathering = new AbortController();
      const batch = waiting.splice(0, PACKED_AT_ONCE);
      await guarded(batch, () => record(batch));
      committing ??= Promise.resolve().then(commitAll);
    }
    recording = undefined;
  }

  async function commitAll(): Promise<void> {
    while (recorded.length > 0) {
      const batch = recorded;
      recorded = [];
      await guarded(batch, () => commitRecorded(batch));
    }
    committing = undefined;
  }

  return {
    commit(item) {
      return new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        recording ??= Promise.resolve().then(recordAll);
      });
    },
    hurry() {
      gathering.abort(HURRY);
    },
    async drain() {
      gathering.abort(HURRY);
      while (recording !== undefined || committing !== undefined) await (recording ?? committing);
      if (!failure) await store.sync();
    },
  };
}

/** Suspects before pages: a page that was read in the same batch stands by what was read. */
function relevancesOf(visits: readonly VisitCommit[], suspects: readonly Suspect[]): PageRelevance[] {
  const judged = [...visits.flatMap((visit) => visit.suspects ?? []), ...suspects];
  const read = visits.flatMap(({ page }) =>
    page?.perimeter ? [{ url: page.url, chance: page.perimeter.chance }] : [],
  );
  return [...judged, ...read].map(({ url, chance }) => ({ url, relevance: relevanceOfChance(chance) }));
}
