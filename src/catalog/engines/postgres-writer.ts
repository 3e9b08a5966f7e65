import { setTimeout as sleep } from 'node:timers/promises';
import { CompiledQuery, sql } from 'kysely';
import type pg from 'pg';
import { CatalogFault } from '../faults.ts';
import type { Connection } from './engine.ts';

/** Tells this lock of a schema from that of making its tables. */
const WRITING = 1145128790;
/** Milliseconds that a process which was just killed may take to let go. */
const LET_GO = 5_000;
const AGAIN = 200;

interface Holder {
  readonly pid: number;
  readonly name: string;
  readonly address: string | null;
}

/**
 * One writer per archive, whatever folder it writes from: the lock of the folder does not reach a copy of it. The
 * server frees the lock with the connection; whoever takes it again ends what the former connections left behind, which
 * may still hold it where the network was cut.
 */
export async function takeWriterLock(
  client: pg.ClientBase,
  { schema, location, name, isAgain }: WriterLock & { readonly isAgain: boolean },
): Promise<void> {
  if (isAgain) {
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = $1 and usename = current_user and pid <> pg_backend_pid()`,
      [name],
    );
  }
  for (let left = LET_GO; ; left -= AGAIN) {
    const { rows } = await client.query<{ taken: boolean }>(
      'select pg_try_advisory_lock(hashtextextended($1, $2)) as taken',
      [schema, WRITING],
    );
    if (rows[0]?.taken) return;
    if (left <= 0) throw new CatalogFault('busy', location, await whoHolds(client, schema));
    await sleep(AGAIN);
  }
}

export interface WriterLock {
  readonly schema: string;
  readonly location: string;
  /** `application_name` of all our connections, and of nobody else's. */
  readonly name: string;
}

async function whoHolds(client: pg.ClientBase, schema: string): Promise<string> {
  const { rows } = await client.query<Holder>(
    `select a.pid, a.application_name as name, host(a.client_addr) as address
     from pg_locks l join pg_stat_activity a on a.pid = l.pid
     where l.locktype = 'advisory' and l.granted and l.objsubid = 1
       and l.classid::bigint = (hashtextextended($1, $2) >> 32) & 4294967295
       and l.objid::bigint = hashtextextended($1, $2) & 4294967295`,
    [schema, WRITING],
  );
  const [holder] = rows;
  const who = holder
    ? ` (server process ${holder.pid}, '${holder.name}'${holder.address === null ? '' : `, from ${holder.address}`})`
    : '';
  return `another process writes to this archive's catalog${who}: wait until it ends, or stop it`;
}

/** What is needed to know later whether a transaction went through, though the answer to its commit was lost. */
export interface CommitMark {
  readonly xid: string;
}

/**
 * Begins a transaction and asks for its mark, in one message: each takes a journey to the server. With `opening`, the archive
 * must not have been opened by anyone since: the row is held until the commit is through, so that who opens it next waits
 * for that.
 */
export async function begin(
  db: Connection,
  opening: string | undefined,
  location: string,
): Promise<CommitMark> {
  const current =
    opening === undefined ? 'null::text' : '(select opening from owner where one = 1 for share)';
  const { rows } = await db.executeQuery<{ xid: string; opening: string | null }>(
    CompiledQuery.raw(`begin; select txid_current()::text as xid, ${current} as opening`),
  );
  const [row] = rows;
  if (!row) throw new Error('the server gave no transaction: a fault of Daguerre itself');
  if (opening !== undefined && row.opening !== opening) {
    throw new CatalogFault(
      'busy',
      location,
      'another process has opened this archive for writing meanwhile. What was reported captured is safe: ' +
        'stop the other one, then run the same command to go on',
    );
  }
  return { xid: row.xid };
}

/** Whether a transaction went through whose commit was not answered. */
export async function wasCommitted(db: Connection, { xid }: CommitMark): Promise<boolean> {
  for (;;) {
    const { rows } = await sql<{ status: string | null }>`
      select txid_status(${xid}::bigint) as status`.execute(db);
    if (rows[0]?.status !== 'in progress') return rows[0]?.status === 'committed';
    await sleep(AGAIN);
  }
}
