import { CatalogFault } from '../../catalog/faults.ts';
import type { Courtesy } from '../../loop/courtesy.ts';
import type { Progress } from '../../loop/progress.ts';
import type { Crawl } from '../../model/crawl.ts';
import type { HandedCrawl } from '../../model/worker.ts';
import type { Clock } from '../../ports/clock.ts';
import type { JobQueue } from '../../ports/job-queue.ts';
import { StorageFull } from '../../ports/record-store.ts';
import { StorageFault } from '../../ports/remote-records.ts';
import { openEquipment } from '../crawl/equipment.ts';
import type { SharedArchive } from '../open/open-shared.ts';
import { crawlPiece } from './crawl-piece.ts';
import type { LeasedHosts } from './leased-hosts.ts';
import { siteOfQueue } from './left-analyses.ts';
import { leavingWords, pieceWords } from './piece-words.ts';

export interface PieceLimits {
  /** In milliseconds. */
  readonly time: number;
  /** Pages and resources. */
  readonly visits: number;
}

/** Jobs are short: no worker is busy with one crawl for days, and one that dies loses little. */
export const PIECE: PieceLimits = { time: 5 * 60_000, visits: 500 };

/** How long visits in hand may take when a piece is over, or the worker is to leave, in milliseconds. */
const GRACE = 20_000;
/** Interval between two progress reports to the catalog, in milliseconds. */
const TELL_EVERY = 1_000;
/** How long until a crawl that another worker seems to have is checked again, in milliseconds. */
const ELSEWHERE = 5_000;

export interface PieceOptions {
  readonly archive: SharedArchive;
  readonly queue: Pick<JobQueue, 'add' | 'addAnalyses'>;
  readonly hosts: LeasedHosts;
  readonly courtesy: Courtesy;
  readonly clock: Clock;
  readonly limits: PieceLimits;
  readonly syncEvery: number;
  /** Fires when the worker is to leave. */
  readonly signal: AbortSignal;
  /** Reports what it is doing; undefined when it is over. */
  readonly onDoing: (crawlId: number, doing: string | undefined) => void;
  readonly onVisit: () => void;
  readonly onNote: (note: string) => void;
}

/**
 * One job: a piece of a crawl, from taking it to queuing the next. Throws only what also ends the worker: faults of the
 * catalog or the disk. Any other error is stored with the crawl, which fails.
 */
export async function runPiece(crawlId: number, options: PieceOptions): Promise<void> {
  const { archive, queue, clock, signal } = options;
  const { catalog, workerId } = archive;
  const [handed] = await catalog.handedCrawls({ crawlIds: [crawlId] });
  if (!handed || signal.aborted) {
    if (handed) await queue.add([handed]);
    return;
  }
  // What the last one met may be over: a full store, say.
  const taken = { state: 'running', worker: workerId, error: null } as const;
  if (!(await catalog.changeHanded(crawlId, taken, { states: ['waiting'] }))) {
    // Its previous worker may not have been dismissed yet.
    if (handed.state === 'running') await queue.add([{ ...handed, pause: ELSEWHERE }]);
    return;
  }
  const startedAt = clock.now();
  // Includes its own site: a previous worker may have died with pages still waiting.
  const sites = new Set([siteOfQueue(handed.queue)]);
  const over = await doPiece(handed, options, sites).catch((error: unknown) => failureOf(error, archive));
  const ran = handed.ran + clock.now() - startedAt;
  const told = {
    ...{ worker: null, ran, pieces: handed.pieces + 1, error: over.error ?? null },
    ...over.counts,
  };
  if (over.state === 'waiting') {
    // The job in hand counts as done only after the next is queued: a worker that dies in between leaves one too many,
    // never one too few.
    if (
      await catalog.changeHanded(
        crawlId,
        { ...told, state: 'waiting' },
        { states: ['running'], worker: workerId },
      )
    )
      await queue.add([handed]);
    // Withdrawn meanwhile, and perhaps handed over again.
    else await catalog.changeHanded(crawlId, told, { worker: workerId });
  } else await catalog.changeHanded(crawlId, { ...told, state: over.state }, { worker: workerId });
  // Also where nothing is left to analyse: that is when patterns are learnt, once the crawl is done.
  await queue.addAnalyses([...sites]);
  if (over.leaves !== undefined) throw over.leaves;
}

type PieceCounts = Pick<HandedCrawl, 'settled' | 'waiting' | 'bytes'>;

interface PieceEnd {
  readonly state: 'waiting' | 'finished' | 'failed';
  readonly error?: string;
  readonly counts?: PieceCounts;
  /** What also ends the worker. */
  readonly leaves?: unknown;
}

function failureOf(error: unknown, archive: SharedArchive): PieceEnd {
  const text = error instanceof Error ? error.message : String(error);
  // Without its catalog a worker can tell nobody: whoever dismisses it makes the crawl wait.
  if (error instanceof CatalogFault) throw error;
  // No space, or a store that refuses: the next crawl would meet the same here, but perhaps not on another
  // worker.
  if (error instanceof StorageFull || error instanceof StorageFault)
    return { state: 'waiting', error: leavingWords(archive, text), leaves: error };
  return { state: 'failed', error: text };
}

/** @param sites receives the sites whose pages it captured */
async function doPiece(handed: HandedCrawl, options: PieceOptions, sites: Set<string>): Promise<PieceEnd> {
  const { archive, clock, courtesy, limits } = options;
  const crawl = await archive.catalog.crawl(handed.crawlId);
  if (!crawl) return { state: 'failed', error: 'the catalog knows no such crawl' };
  // By somebody who had the archive alone in the meantime.
  if (crawl.state === 'finished') return { state: 'finished' };
  // Hosts that other crawls have given up get another chance.
  if (handed.pieces === 0) courtesy.forgive();
  const piece = new AbortController();
  const stop = (): void => piece.abort();
  options.signal.addEventListener('abort', stop);
  const timer = setTimeout(stop, limits.time);
  const brief = await archive.catalog.brief(crawl.id);
  const leases = options.hosts.forPiece(new Set((brief?.scope ?? crawl.spec).seeds.flatMap(hostOf)));
  const equipment = await openEquipment(archive.folder, { spec: crawl.spec, clock, onNote: options.onNote });
  const { siteOf } = archive.catalog.siteBounds();
  let visits = 0;
  let counts: PieceCounts | undefined;
  const tell = teller(crawl, handed, options, stop);
  try {
    const state = await crawlPiece(archive, crawl, {
      ...(brief && { brief }),
      clock,
      signal: piece.signal,
      syncEvery: options.syncEvery,
      equipment: { ...equipment, courtesy },
      piece: { grace: GRACE, ranBefore: handed.ran, leases },
      onVisit: (_, { page }) => {
        options.onVisit();
        if (page) sites.add(siteOf(page.url));
        if (++visits >= limits.visits) stop();
      },
      onNote: options.onNote,
      onProgress: (progress) => {
        counts = countsOf(progress);
        tell(counts);
      },
    });
    // Analysed as it came, and the watch has patterns learnt for many rounds together.
    if (crawl.spec.watch) sites.clear();
    return { state: state === 'finished' ? 'finished' : 'waiting', ...(counts && { counts }) };
  } finally {
    clearTimeout(timer);
    options.signal.removeEventListener('abort', stop);
    options.onDoing(crawl.id, undefined);
    await leases.leave().finally(() => equipment.close());
  }
}

const hostOf = (url: string): readonly string[] => (URL.canParse(url) ? [new URL(url).host] : []);

function countsOf({ pending, bytes, ...progress }: Progress): PieceCounts {
  const { captured, unchanged, dropped, redirects, failed, resources } = progress;
  const settled = captured + unchanged + dropped + redirects + failed + resources;
  return { settled, waiting: pending, bytes };
}

/** Reports progress to the catalog, and learns from it whether the crawl was withdrawn. */
function teller(
  crawl: Crawl,
  handed: HandedCrawl,
  options: PieceOptions,
  stop: () => void,
): (counts: PieceCounts) => void {
  const { id } = crawl;
  const { archive, clock, onDoing } = options;
  let toldAt = Number.NEGATIVE_INFINITY;
  let telling: Promise<void> = Promise.resolve();
  return (counts) => {
    onDoing(id, pieceWords(crawl, handed, counts.waiting));
    if (clock.now() - toldAt < TELL_EVERY) return;
    toldAt = clock.now();
    const ours = { states: ['running'], worker: archive.workerId } as const;
    telling = telling
      .then(() => archive.catalog.changeHanded(id, counts, ours))
      // If something is wrong with the catalog, its next commit will show it.
      .then((isOurs) => (isOurs ? undefined : stop()), stop);
  };
}
