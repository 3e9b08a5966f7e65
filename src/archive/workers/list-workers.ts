import { isPostgres } from '../../catalog/open.ts';
import type { HandedState, WaitingSite, WorkerFact } from '../../model/worker.ts';
import { type ArchiveLocation, openForReading } from '../open/open-archive.ts';
import { onceDatabaseIsThere, SHORT_WAIT } from '../short-wait.ts';
import { systemClock } from '../system-clock.ts';
import { UserError } from '../user-error.ts';
import { siteOfQueue } from './left-analyses.ts';

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
  /** Time of the request. */
  readonly at: number;
  readonly workers: readonly Omit<WorkerFact, 'connection' | 'pools' | 'silence'>[];
  /** That were handed over and are not finished. */
  readonly crawls: readonly ListedCrawl[];
  readonly finished: number;
  /** Sites with pages that wait to be analysed. */
  readonly analyses: readonly WaitingSite[];
}

/** @param tell receives what is being waited for */
export async function listWorkers(
  location: ArchiveLocation,
  tell: (sentence: string) => void = () => {},
): Promise<WorkerList> {
  const { database, databaseWait = SHORT_WAIT } = location;
  if (database === undefined || !isPostgres(database))
    throw new UserError(
      'workers share a catalog in PostgreSQL: give --database postgres://user@host/database, or set DAGUERRE_DATABASE',
    );
  const archive = await onceDatabaseIsThere(() => openForReading(location), {
    wait: Math.min(databaseWait, SHORT_WAIT),
    tell,
  });
  try {
    const handed = await archive.catalog.handedCrawls();
    return {
      at: systemClock.now(),
      workers: (await archive.catalog.workers()).map(
        ({ connection: _c, pools: _p, silence: _s, ...fact }) => fact,
      ),
      crawls: handed
        .filter(({ state }) => state !== 'finished')
        .map(({ crawlId, queue, ran: _, ...rest }) => ({
          ...{ crawl: crawlId, site: siteOfQueue(queue) },
          ...rest,
        })),
      finished: handed.filter(({ state }) => state === 'finished').length,
      analyses: await archive.catalog.waitingSites(),
    };
  } finally {
    await archive.close();
  }
}
