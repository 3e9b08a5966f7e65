import type { HandedState, WorkerFact } from '../../model/worker.ts';
import { type ArchiveLocation, openForReading } from '../open/open-archive.ts';
import { systemClock } from '../system-clock.ts';

export interface ListedCrawl {
  readonly crawl: number;
  readonly batch: string;
  readonly site: string;
  readonly state: HandedState;
  readonly worker?: number;
  readonly pieces: number;
  readonly settled: number;
  readonly waiting: number;
  readonly bytes: number;
  readonly error?: string;
}

/** See docs/json.md. */
export interface WorkerList {
  /** When it was asked for. */
  readonly at: number;
  readonly workers: readonly Omit<WorkerFact, 'connection' | 'pool'>[];
  /** That were handed over and are not finished. */
  readonly crawls: readonly ListedCrawl[];
  readonly finished: number;
}

export async function listWorkers(location: ArchiveLocation): Promise<WorkerList> {
  const archive = await openForReading(location);
  try {
    const handed = await archive.catalog.handedCrawls();
    return {
      at: systemClock.now(),
      workers: (await archive.catalog.workers()).map(({ connection: _c, pool: _p, ...fact }) => fact),
      crawls: handed
        .filter(({ state }) => state !== 'finished')
        .map(({ crawlId, queue, ran: _, ...rest }) => ({
          ...{ crawl: crawlId, site: queue.replace(/^site:/, '') },
          ...rest,
        })),
      finished: handed.filter(({ state }) => state === 'finished').length,
    };
  } finally {
    await archive.close();
  }
}
