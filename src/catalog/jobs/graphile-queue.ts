import { setTimeout as sleep } from 'node:timers/promises';
import {
  Logger,
  makeWorkerUtils,
  runTaskList,
  type WorkerPool,
  type WorkerPoolOptions,
} from 'graphile-worker';
import pg from 'pg';
import type { JobQueue, JobTaker, PieceJob, TakingOptions } from '../../ports/job-queue.ts';
import { connectionConfig } from '../engines/postgres.ts';
import { explainPostgres } from '../engines/postgres-faults.ts';
import { schemaOf } from '../engines/postgres-schema.ts';

const TASK = 'piece';

/** Longest name of a queue that the library takes. */
const LONGEST_NAME = 128;

/** Milliseconds after which jobs are looked for though no notice came: a notice is lost where the connection was. */
const POLL_EVERY = 2_000;

/** Milliseconds before taking goes on after the database was away. */
const AGAIN = 1_000;

/** A worker that fails at a job is at fault, not the job: it is tried as long as somebody wants it. */
const ATTEMPTS = 10_000;

/** What goes wrong is told where it matters: in the catalog, and by who runs the queue. */
const silent = new Logger(() => () => {});

/**
 * The queue of an archive: graphile-worker in a schema of its own, beside that of the catalog. A job is one piece of a crawl;
 * its queue has the name of the site, so that one worker at a time does a site. See decisions/0090.
 */
export async function openJobQueue(
  database: string,
  { archiveId, connections }: { readonly archiveId: string; readonly connections: number },
): Promise<JobQueue> {
  const given = new URL(database);
  const named = given.searchParams.get('schema');
  given.searchParams.delete('schema');
  const schema = `${(named ?? schemaOf(archiveId)).slice(0, 58)}_jobs`;
  const { url, config } = connectionConfig(given.href, { schema, readonly: false, id: 'jobs' });
  // One for each job that ends, one that listens, one for all else.
  const pool = new pg.Pool({ ...config, connectionString: url, max: connections + 2 });
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const options: WorkerPoolOptions = { pgPool: pool, schema, logger: silent, pollInterval: POLL_EVERY };
  try {
    const utils = await makeWorkerUtils(options);
    return {
      async add(jobs) {
        for (const job of jobs) await utils.addJob(TASK, { crawlId: job.crawlId }, placeOf(job));
      },
      take: (taking) => takeJobs(options, pool, taking),
      async holders() {
        // The library tells who holds a job, but not who holds a queue.
        const { rows } = await pool.query<{ name: string }>(
          `select locked_by as name from ${schema}._private_jobs where locked_by is not null
           union select locked_by from ${schema}._private_job_queues where locked_by is not null`,
        );
        return rows.map(({ name }) => name);
      },
      free: (holders) => utils.forceUnlockWorkers([...holders]),
      async close() {
        await utils.release();
        await pool.end();
      },
    };
  } catch (error) {
    await pool.end();
    throw explainPostgres(`${given.protocol}//${given.host}${given.pathname} (schema ${schema})`, error);
  }
}

const placeOf = ({ crawlId, queue, pause = 0 }: PieceJob) => ({
  queueName: queue.slice(0, LONGEST_NAME),
  jobKey: `crawl ${crawlId}`,
  maxAttempts: ATTEMPTS,
  ...(pause > 0 && { runAt: new Date(Date.now() + pause) }),
});

async function takeJobs(
  options: WorkerPoolOptions,
  pool: pg.Pool,
  { concurrency, work }: TakingOptions,
): Promise<JobTaker> {
  let isStopping = false;
  const tasks = { [TASK]: (payload: unknown) => work((payload as { readonly crawlId: number }).crawlId) };
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
