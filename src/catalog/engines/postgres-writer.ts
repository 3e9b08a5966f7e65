import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { CompiledQuery, sql } from 'kysely';
import type pg from 'pg';
import { CatalogFault, errorCode } from '../faults.ts';
import type { Connection } from './engine.ts';
import { MAY_WRITE } from './may-write.ts';
import { isAway, readOnlyFault } from './postgres-faults.ts';

/** Tells this lock of a schema from that of making its tables. */
const WRITING = 1145128790;
/** And this one from both: one commit at a time, where several processes write. */
const COMMITTING = 1145128791;
/** Milliseconds that a process which was just killed may take to let go. */
const LET_GO = 5_000;
const AGAIN = 200;

interface Holder {
  readonly pid: number;
  readonly name: string;
  readonly address: string | null;
  readonly shared: boolean;
}

/**
 * One writer per archive, or workers that share it, whatever folder they write from: the lock of the folder does not reach a
 * copy of it. The server frees the lock with the connection; whoever takes it again ends what the former connections left behind, which
 * may still hold it where the network was cut.
 */
export async function takeWriterLock(
  client: pg.ClientBase,
  {
    schema,
    location,
    name,
    isShared,
    patience = LET_GO,
    isAgain,
  }: WriterLock & { readonly isAgain: boolean },
): Promise<void> {
  if (isAgain) {
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = $1 and usename = current_user and pid <> pg_backend_pid()`,
      [name],
    );
  }
  // Before it waits for others: to stop them would not help.
  const { rows: rights } = await client.query<{ writes: boolean }>(`select ${MAY_WRITE} as writes`);
  if (rights[0]?.writes === false) throw readOnlyFault(location);
  const take = isShared ? 'pg_try_advisory_lock_shared' : 'pg_try_advisory_lock';
  // Whoever comes first after an outage may have the archive alone for a moment.
  for (let left = isAgain ? Math.max(patience, LET_GO) : patience; ; left -= AGAIN) {
    const { rows } = await client.query<{ taken: boolean }>(
      `select ${take}(hashtextextended($1, $2)) as taken`,
      [schema, WRITING],
    );
    if (rows[0]?.taken) return;
    if (left <= 0) throw new CatalogFault('busy', location, await whoHolds(client, schema));
    await sleep(AGAIN);
  }
}

/** Has the archive alone until the work is done, where nobody else shares it: others who come meanwhile wait for that. */
export async function whileAlone(
  client: pg.ClientBase | undefined,
  schema: string,
  work: () => Promise<void>,
): Promise<boolean> {
  if (!client) return false;
  const ask = (what: string) =>
    client.query<{ done: boolean }>(`select ${what}(hashtextextended($1, $2)) as done`, [schema, WRITING]);
  const answer = await ask('pg_try_advisory_lock').catch((error: unknown) => {
    // With its connection the share in the archive was lost too, for now.
    if (isAway(error)) return undefined;
    throw error;
  });
  if (!answer?.rows[0]?.done) return false;
  try {
    await work();
    return true;
  } finally {
    // Of a connection that was lost, the server has let go already.
    await ask('pg_advisory_unlock').catch(() => {});
  }
}

export interface WriterLock {
  readonly schema: string;
  readonly location: string;
  /** `application_name` of all our connections, and of nobody else's. */
  readonly name: string;
  /** Others may write so too; nobody alone. */
  readonly isShared: boolean;
  /** Milliseconds to wait for whoever holds it. */
  readonly patience?: number;
}

async function whoHolds(client: pg.ClientBase, schema: string): Promise<string> {
  const { rows } = await client.query<Holder>(
    `select a.pid, a.application_name as name, host(a.client_addr) as address, l.mode = 'ShareLock' as shared
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
  if (holder?.shared)
    return `workers write to this archive's catalog: stop them first ('daguerre workers' lists them, SIGTERM ends each), or hand the work to them`;
  return `another process writes to this archive's catalog${who}: wait until it ends, or stop it`;
}

/** What is needed to know later whether a transaction went through, though the answer to its commit was lost. */
export interface CommitMark {
  readonly xid: string;
  /** Written by the transaction itself, since a server that crashed may give its number to another; absent where none was. */
  readonly written?: { readonly process: number; readonly mark: number };
}

const newMark = (): number => randomBytes(6).readUIntBE(0, 6);

/** The name of our connections, as `workers` holds it. */
const WRITER = "current_setting('application_name')";

/** What must still hold when a transaction begins, or it comes to nothing. */
export interface WriterStanding {
  /** The archive must not have been opened by anyone since. */
  readonly opening?: string | undefined;
  /** This worker must not have been dismissed. */
  readonly worker?: number | undefined;
  /** Several processes write: one transaction at a time. Ids that one has noted are then never of rows that come to nothing. */
  readonly isShared: boolean;
  readonly schema: string;
  readonly location: string;
}

interface Begun {
  readonly xid: string;
  readonly process: number;
  readonly opening: string | null;
  readonly worker: number | null;
}

/**
 * Begins a transaction and asks for its mark, in one message: each message costs a round trip. The rows that tell the
 * standing are held until the commit is through, so that who opens the archive next, or dismisses the worker, waits for that.
 * (A sign of life does not: it changes no key.)
 */
export async function begin(db: Connection, standing: WriterStanding): Promise<CommitMark> {
  const { opening, worker, isShared, schema, location } = standing;
  // Nothing is reported captured before an opening, and the table may not have been made.
  const mark = opening === undefined ? undefined : newMark();
  const marking =
    mark === undefined
      ? ''
      : `insert into writer_marks (writer, process, mark) values (${WRITER}, pg_backend_pid(), ${mark})
         on conflict (writer, process) do update set mark = excluded.mark; `;
  const turn = isShared ? `select pg_advisory_xact_lock(hashtextextended('${schema}', ${COMMITTING})); ` : '';
  const current =
    opening === undefined ? 'null::text' : '(select opening from owner where one = 1 for share)';
  const member =
    worker === undefined ? 'null::bigint' : `(select id from workers where id = ${worker} for key share)`;
  const { rows } = await db.executeQuery<Begun>(
    CompiledQuery.raw(
      `begin; ${turn}${marking}select txid_current()::text as xid, pg_backend_pid() as process, ${current} as opening,
       ${member} as worker`,
    ),
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
  if (worker !== undefined && row.worker !== worker) throw dismissed(location, worker);
  const { xid, process } = row;
  return { xid, ...(mark !== undefined && { written: { process, mark } }) };
}

const dismissed = (location: string, worker: number): CatalogFault =>
  new CatalogFault(
    'dismissed',
    location,
    `worker ${worker} gave no sign of life for too long, and others go on with its work. What was reported captured is ` +
      'safe: start it again',
  );

/** Whether a transaction went through whose commit was not answered. */
export async function wasCommitted(db: Connection, mark: CommitMark): Promise<boolean> {
  for (;;) {
    const status = await statusOf(db, mark);
    if (status !== 'in progress') return status === 'committed' && (await isWritten(db, mark));
    await sleep(AGAIN);
  }
}

async function isWritten(db: Connection, { written }: CommitMark): Promise<boolean> {
  if (!written) return true;
  const row = await db
    .selectFrom('writer_marks')
    .select('mark')
    .where('writer', '=', sql.raw<string>(WRITER))
    .where('process', '=', written.process)
    .executeTakeFirst();
  return row?.mark === written.mark;
}

/** Of a number that it has yet to give, a server that crashed knows nothing: that transaction went with it. */
const YET_TO_COME = '22023';

async function statusOf(db: Connection, { xid }: CommitMark): Promise<string | null> {
  try {
    const { rows } = await sql<{ status: string | null }>`
      select txid_status(${xid}::bigint) as status`.execute(db);
    return rows[0]?.status ?? null;
  } catch (error) {
    if (errorCode(error) === YET_TO_COME) return null;
    throw error;
  }
}
