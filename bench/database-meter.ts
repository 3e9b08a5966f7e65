import { readFile } from 'node:fs/promises';
import type pg from 'pg';

/** What a piece of work cost, here and in the server that did it. */
export interface Cost {
  readonly ms: number;
  /** Processor time of the server for our connections, where it runs on this machine, under Linux; else NaN. */
  readonly processor: number;
  /** KB of the server's log, which is what a commit makes a disk write. */
  readonly log: number;
}

/** Measures work of the connections with this name, while nobody else writes to the server. */
export type Meter = <T>(application: string, costs: Cost[], work: () => Promise<T>) => Promise<T>;

const STANDING = `select coalesce(array_agg(pid), '{}') as pids, (pg_current_wal_insert_lsn() - '0/0')::float8 as log
  from pg_stat_activity where application_name like $1 || ' %'`;

export function openMeter(client: pg.Client): Meter {
  async function stand(application: string): Promise<{ processor: number; log: number }> {
    const { rows } = await client.query<{ pids: number[]; log: number }>(STANDING, [application]);
    const { pids = [], log = Number.NaN } = rows[0] ?? {};
    const times = await Promise.all(pids.map(processorOf));
    return { processor: times.reduce((sum, time) => sum + time, 0), log: log / 1024 };
  }
  return async (application, costs, work) => {
    const before = await stand(application);
    const begun = performance.now();
    const result = await work();
    const ms = performance.now() - begun;
    const after = await stand(application);
    costs.push({ ms, processor: after.processor - before.processor, log: after.log - before.log });
    return result;
  };
}

async function processorOf(pid: number): Promise<number> {
  const told = await readFile(`/proc/${pid}/schedstat`, 'utf8').catch(() => 'NaN');
  return Number(told.split(' ')[0]) / 1e6;
}
