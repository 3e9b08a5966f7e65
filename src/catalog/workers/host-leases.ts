import { sql } from 'kysely';
import type { LeasedHost, ReturnedHost } from '../../model/worker.ts';
import type { Engine } from '../engines/engine.ts';
import { storable, whole } from '../names/stored-text.ts';
import { databaseNow } from './workers.ts';

/** In one statement, and in one order: two workers that ask for the same hosts wait for each other, never in a circle. */
export async function leaseHosts(
  engine: Engine,
  workerId: number,
  hosts: readonly string[],
): Promise<readonly LeasedHost[]> {
  if (hosts.length === 0) return [];
  const names = [...new Set(hosts.map(storable))].sort();
  const values = names.map((host) => sql`(${host}, ${sql.lit(workerId)}, 0)`);
  const { rows } = await sql<{ host: string; pause: number }>`
    insert into host_leases (host, worker_id, ready_at) values ${sql.join(values)}
    on conflict (host) do update set worker_id = excluded.worker_id
    where host_leases.worker_id is null or host_leases.worker_id = excluded.worker_id
      or not exists (select 1 from workers w where w.id = host_leases.worker_id)
    returning host, ready_at - ${databaseNow(engine)} as pause`.execute(engine.db);
  return rows.map(({ host, pause }) => ({ host, pause: Math.max(0, pause) }));
}

/** They stay with the worker. */
export async function notePauses(
  engine: Engine,
  workerId: number,
  hosts: readonly ReturnedHost[],
): Promise<void> {
  for (const { host, pause } of inOneOrder(hosts)) {
    await engine.db
      .updateTable('host_leases')
      .set({ ready_at: sql<number>`${databaseNow(engine)} + ${sql.lit(whole(pause))}` })
      .where('host', '=', storable(host))
      .where('worker_id', '=', workerId)
      .execute();
  }
}

const inOneOrder = (hosts: readonly ReturnedHost[]): readonly ReturnedHost[] =>
  hosts.toSorted((a, b) => (a.host < b.host ? -1 : 1));

export async function returnHosts(
  engine: Engine,
  workerId: number,
  hosts: readonly ReturnedHost[],
): Promise<void> {
  for (const { host, pause } of inOneOrder(hosts)) {
    await engine.db
      .updateTable('host_leases')
      .set({ worker_id: null, ready_at: sql<number>`${databaseNow(engine)} + ${sql.lit(whole(pause))}` })
      .where('host', '=', storable(host))
      .where('worker_id', '=', workerId)
      .execute();
  }
}
