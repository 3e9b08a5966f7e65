import { CatalogFault } from '../../catalog/faults.ts';
import type { WorkerRole } from '../../model/worker.ts';
import type { JobQueue, JobTaker } from '../../ports/job-queue.ts';
import { StorageFull } from '../../ports/record-store.ts';
import { type AnalysisJobOptions, runAnalysis } from './run-analysis.ts';
import { runUpkeep, type UpkeepJobOptions } from './run-upkeep.ts';

export interface OtherJobs extends Omit<AnalysisJobOptions, 'queue'>, Omit<UpkeepJobOptions, 'queue'> {
  readonly queue: JobQueue;
  /** Called with what ends the worker. */
  readonly onEnd: (error: unknown) => void;
}

/** Sites analysed at a time: each has a thread of its own, and pieces of crawls need the machine as well. */
const SITES_AT_ONCE = 1;

/** Takes all jobs other than pieces of crawls, each kind independently: no crawl waits for any of them. */
export async function takeOthers(roles: readonly WorkerRole[], options: OtherJobs): Promise<JobTaker[]> {
  const { archive, queue, onEnd, onNote } = options;
  const guarded = (what: string, work: Promise<void>): Promise<void> =>
    work.catch((error: unknown) => {
      if (error instanceof CatalogFault || error instanceof StorageFull) onEnd(error);
      else
        onNote(
          `${what}: ${error instanceof Error ? error.message : String(error)}. It is tried again later.`,
        );
      // After a while the queue gives the job to the next worker that asks.
      throw error;
    });
  const takers: JobTaker[] = [];
  if (roles.includes('analyse')) {
    await queue.addAnalyses((await archive.catalog.waitingSites()).map(({ site }) => site));
    takers.push(
      await queue.takeAnalyses({
        concurrency: SITES_AT_ONCE,
        work: (site) => guarded(`the analysis of ${site} failed`, runAnalysis(site, options)),
      }),
    );
  }
  if (roles.includes('index')) {
    await queue.addUpkeep(0);
    takers.push(
      await queue.takeUpkeep(() => guarded('the upkeep of the archive failed', runUpkeep(options))),
    );
  }
  return takers;
}
