/**
 * Pages per second of 1, 2 and 3 workers on sites that answer slowly, so that the machine is not the limit:
 * `npx tsx bench/workers.ts [--json] [--rounds N] [--sites N] [--pages N] [--answer ms]`, built.
 *
 * Real processes, PostgreSQL from npm, sites on loopback that take that long for each answer. Timed from the first request that the sites
 * saw to the last. Numbers of workers take turns; transactions are those that PostgreSQL counts during the crawls, from all clients.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { openSites } from '../test/cluster-rig.ts';
import { spawnDaguerre } from '../test/daguerre-process.ts';
import { startPostgres } from '../test/postgres.ts';
import { median, print, round } from './figures.ts';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '3' },
    sites: { type: 'string', default: '24' },
    pages: { type: 'string', default: '12' },
    answer: { type: 'string', default: '1000' },
  },
});
const [rounds, sites, pages, answer] = [values.rounds, values.sites, values.pages, values.answer].map(
  Number,
) as [number, number, number, number];

interface Run {
  readonly perSecond: number;
  /** Per page, as counted by PostgreSQL. */
  readonly transactions: number;
}

async function run(database: string, count: number): Promise<Run> {
  const folder = await mkdtemp(join(tmpdir(), 'daguerre-bench-'));
  const place = ['--archive', join(folder, 'archive'), '--database', database];
  const served = await openSites(sites, pages, answer);
  const workers = [];
  for (let worker = 0; worker < count; worker++) {
    const running = spawnDaguerre(['worker', ...place, '--concurrency', '4']);
    await running.said('has joined');
    workers.push(running);
  }
  try {
    const before = await transactions(database);
    const { json } = await spawnDaguerre([
      ...['archive', ...served.map(({ url }) => `${url}/`), ...place, '--hand-over', '--json'],
      ...['--allow-private', '--render', 'never', '--delay', '0', '--delay-factor', '0'],
    ]).ended;
    const { captured } = json<{ captured: number }>();
    if (captured !== sites * pages) throw new Error(`${captured} of ${sites * pages} pages`);
    const times = served.flatMap(({ requests }) => requests.map(({ at }) => at));
    const seconds = (Math.max(...times) - Math.min(...times) + answer) / 1_000;
    return {
      perSecond: captured / seconds,
      transactions: ((await transactions(database)) - before) / captured,
    };
  } finally {
    for (const { child, ended } of workers) {
      child.kill('SIGTERM');
      await ended;
    }
    for (const site of served) await site.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function transactions(database: string): Promise<number> {
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  const { rows } = await client.query<{ sum: string }>(
    'select xact_commit + xact_rollback as sum from pg_stat_database where datname = current_database()',
  );
  await client.end();
  return Number(rows[0]?.sum);
}

const server = await startPostgres();
const runs = new Map<number, Run[]>([1, 2, 3].map((count) => [count, []]));
try {
  for (let number = 0; number < rounds; number++)
    for (const [count, done] of runs) done.push(await run(server.url, count));
} finally {
  await server.stop();
}
const speed = (count: number): number => median((runs.get(count) ?? []).map(({ perSecond }) => perSecond));
print(
  {
    title: `Workers on ${sites} sites of ${pages} pages that answer after ${answer} ms, ${rounds} rounds`,
    rows: [...runs].map(([count, done]) => ({
      workers: count,
      'pages per second, median': round(speed(count), 2),
      'transactions per page, median': round(median(done.map((one) => one.transactions)), 1),
    })),
    ratios: [2, 3].map((count) => ({
      what: `${count} workers ÷ ${count} × one`,
      value: speed(count) / (count * speed(1)),
      aim: 0.9,
    })),
    notes: [],
  },
  values.json,
);
