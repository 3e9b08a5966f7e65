import { setTimeout as sleep } from 'node:timers/promises';
import {
  Logger,
  makeWorkerUtils,
  runTaskList,
  type TaskList,
  type WorkerPool,
  type WorkerPoolOptions,
} from 'graphile-worker';
import type pg from 'pg';
import type { JobQueue, JobTaker, PieceJob } from '../../ports/job-queue.ts';
import { connectionConfig } from '../engines/postgres.ts';
import { explainPostgres } from '../engines/postgres-faults.ts';
import { schemaOf } from '../engines/postgres-schema.ts';
import { patiently, patientPool, type QuietPatience } from './patient-pool.ts';

/** Kinds of jobs. */
const [PIECE, ANALYSIS, UPKEEP] = ['piece', 'analyse', 'upkeep'] as const;

/** Longest name of a queue, and longest key of a job, that the library takes. */
const [LONGEST_NAME, LONGEST_KEY] = [128, 512];

/** Milliseconds after which jobs are looked for though no notice came: a notice is lost where the connection was. */
const POLL_EVERY = 2_000;

/** Milliseconds before taking goes on after the database was away. */
const AGAIN = 1_000;

/** A worker that fails at a job is at fault, not the job: it is tried as long as somebody wants it. */
const ATTEMPTS = 10_000;

/** What goes wrong is told where it matters: in the catalog, and by who runs the queue. */
const silent = new Logger(() => () => {});

/** Connections at most, beside those that listen: a job holds one while it is taken, and while it ends. */
const AT_ONCE = 4;

export interface QueueOptions {
  readonly archiveId: string;
  /** Jobs at once. */
  readonly connections: number;
  /** None unless given. */
  readonly patience?: QuietPatience;
}

/**
 * The queue of an archive: graphile-worker in a schema of its own, beside that of the catalog. A job is one piece of a crawl;
 * its queue has the name of the site, so that one worker at a time does a site. What is analysed of a site waits in a queue
 * beside it. See decisions/0090, 0092.
 */
export async function openJobQueue(
  database: string,
  { archiveId, connections, patience = { wait: 0 } }: QueueOptions,
): Promise<JobQueue> {
  const given = new URL(database);
  const named = given.searchParams.get('schema');
  given.searchParams.delete('schema');
  const schema = `${(named ?? schemaOf(archiveId)).slice(0, 58)}_jobs`;
  const { url, config } = connectionConfig(given.href, { schema, readonly: false, id: 'jobs' });
  // For jobs that begin and end; one that listens for each kind of them, and one for all else.
  const max = Math.min(connections, AT_ONCE) + 4;
  const { tell, ...quiet } = patience;
  let isOpen = false;
  // Later it is the catalog that tells of an outage.
  const opening = {
    ...quiet,
    ...(tell && { tell: (sentence: string) => (isOpen ? undefined : tell(sentence)) }),
  };
  const pool = patientPool({ ...config, connectionString: url, max }, opening);
  const options: WorkerPoolOptions = { pgPool: pool, schema, logger: silent, pollInterval: POLL_EVERY };
  const location = `${given.protocol}//${given.host}${given.pathname} (schema ${schema})`;
  // All of it may be done twice: a job has a key, and what is free stays free.
  const lasting = <T>(work: () => Promise<T>): Promise<T> =>
    patiently(work, quiet).catch((error: unknown) => {
      throw explainPostgres(location, error);
    });
  try {
    const utils = await lasting(() => makeWorkerUtils(options));
    isOpen = true;
    const addJob = (...job: Parameters<typeof utils.addJob>) => lasting(() => utils.addJob(...job));
    return {
      async add(jobs) {
        for (const job of jobs) await addJob(PIECE, { crawlId: job.crawlId }, placeOf(job));
      },
      take: ({ concurrency, work }) =>
        takeJobs(options, pool, concurrency, { [PIECE]: ({ crawlId }) => work(crawlId as number) }),
      async addAnalyses(sites) {
        for (const site of sites)
          await addJob(ANALYSIS, { site }, placed(`analyse:${site}`, `analyse ${site}`));
      },
      takeAnalyses: ({ concurrency, work }) =>
        takeJobs(options, pool, concurrency, { [ANALYSIS]: ({ site }) => work(site as string) }),
      async addUpkeep(pause) {
        const keeping = { jobKeyMode: 'preserve_run_at' } as const;
        await addJob(UPKEEP, {}, { ...placed(UPKEEP, UPKEEP, pause), ...keeping });
      },
      takeUpkeep: (work) => takeJobs(options, pool, 1, { [UPKEEP]: work }),
      async holders() {
        // The library tells who holds a job, but not who holds a queue.
        const { rows } = await lasting(() =>
          pool.query<{ name: string }>(
            `select locked_by as name from ${schema}._private_jobs where locked_by is not null
             union select locked_by from ${schema}._private_job_queues where locked_by is not null`,
          ),
        );
        return rows.map(({ name }) => name);
      },
      free: (holders) => lasting(() => utils.forceUnlockWorkers([...holders])),
      async close() {
        await utils.release();
        await pool.end();
      },
    };
  } catch (error) {
    await pool.end();
    throw explainPostgres(location, error);
  }
}

const placeOf = ({ crawlId, queue, pause }: PieceJob) => placed(queue, `crawl ${crawlId}`, pause);

const placed = (queue: string, key: string, pause = 0) => ({
  queueName: queue.slice(0, LONGEST_NAME),
  jobKey: key.slice(0, LONGEST_KEY),
  maxAttempts: ATTEMPTS,
  ...(pause > 0 && { runAt: new Date(Date.now() + pause) }),
});

async function takeJobs(
  options: WorkerPoolOptions,
  pool: pg.Pool,
  concurrency: number,
  work: Readonly<Record<string, (payload: Readonly<Record<string, unknown>>) => Promise<void>>>,
): Promise<JobTaker> {
  let isStopping = false;
  const tasks = work as TaskList;
  const begin = (): WorkerPool =>
    runTaskList({ ...options, concurrency, noHandleSignals: true }, tasks, pool);
  let current = begin();
  // It gives up when the database is away for a while.
  const goOn = async (): Promise<void> => {
    for (;;) {
      await Promise.resolve(current.promise).catch(() => {});
      if (isStopping) return;
      await sleep(AGAIN);
      if (isStopping) return;
      current = begin();
    }
  };
  const over = goOn();
  return {
    get pool() {
      return current.id;
    },
    async stop() {
      isStopping = true;
      await Promise.resolve(current.gracefulShutdown()).catch(() => {});
      await over;
    },
  };
}
