import { randomBytes } from 'node:crypto';
import { CompiledQuery, Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { HOSTS_AS_SITES } from '../../model/site-bounds.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { ImportanceLedger } from '../../ports/importance-ledger.ts';
import { CatalogFault } from '../faults.ts';
import { readSiteRules } from '../reading/site-rules.ts';
import { type Admit, checkVersion, ensureTables } from '../schema.ts';
import { sqlCatalog } from '../sql-catalog.ts';
import type { Tables } from '../tables.ts';
import { type BulkStatement, type ColumnTypes, type RowOf, renderForPostgres } from './bulk-statement.ts';
import type { Connection, Engine } from './engine.ts';
import { type Patience, PostgresConnections } from './postgres-connections.ts';
import { explainPostgres, isAway } from './postgres-faults.ts';
import { ensureSchema, isSchemaName, refuseOldServer } from './postgres-schema.ts';
import { sessionsOf } from './postgres-session.ts';
import { begin, type CommitMark, takeWriterLock, wasCommitted, whileAlone } from './postgres-writer.ts';

export interface PostgresOptions {
  /** One archive per schema. */
  readonly schema: string;
  /** Nothing is made, and the server refuses every write. */
  readonly readonly?: boolean;
  readonly admit?: Admit;
  readonly ledger?: ImportanceLedger;
  /** Who else may write: nobody, or others that share it too. Not asked for by tests and readers alone. */
  readonly access?: WritingAccess;
  readonly patience?: Patience;
  /** See ConnectionsOptions. */
  readonly probeEvery?: number;
}

export interface WritingAccess {
  readonly kind: 'alone' | 'shared';
  /** Milliseconds to wait for whoever writes. */
  readonly patience?: number;
}

const INT8 = 20;
const NUMERIC = 1700;

/** `pg` hands out 64-bit integers as text; ours are all within 2^53. */
export const NUMBER_TYPES: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if ((oid === INT8 || oid === NUMERIC) && format !== 'binary') return Number;
    return pg.types.getTypeParser(oid, format as 'text');
  },
};

export async function openPostgresCatalog(
  connectionString: string,
  options: PostgresOptions,
): Promise<Catalog> {
  const { schema, readonly = false, admit } = options;
  const location = `${withoutPassword(connectionString)} (schema ${schema})`;
  if (!isSchemaName(schema)) {
    throw new CatalogFault(
      'foreign',
      location,
      'the schema name may hold a-z, 0-9 and _, and starts with a letter',
    );
  }
  const id = randomBytes(4).toString('hex');
  const { access } = options;
  const isShared = access?.kind === 'shared';
  const { url, name, config } = connectionConfig(connectionString, { schema, readonly, id, isShared });
  const lock = {
    ...{ schema, location, name, isShared },
    ...(access?.patience !== undefined && { patience: access.patience }),
  };
  const connections = new PostgresConnections({
    config: { ...config, connectionString: url, types: NUMBER_TYPES },
    location,
    patience: options.patience ?? { wait: 0, tell: () => {} },
    ...(access && { first: (client, isAgain) => takeWriterLock(client, { ...lock, isAgain }) }),
    ...(options.probeEvery !== undefined && { probeEvery: options.probeEvery }),
  });
  const engine = postgresEngine({ location, schema, isShared, name }, connections);
  try {
    await connections.open();
    await refuseOldServer(engine.db, location);
    if (!readonly && !isShared) await ensureSchema(engine, schema, admit);
    // Tables are made by whoever is alone with them: workers of an earlier Daguerre may run beside this one.
    await (readonly || isShared ? checkVersion(engine, admit) : ensureTables(engine, admit));
    await readSiteRules(engine);
  } catch (error) {
    await engine.close();
    throw explainPostgres(location, error);
  }
  return sqlCatalog(engine, options.ledger);
}

interface EnginePlace {
  readonly location: string;
  readonly schema: string;
  readonly isShared: boolean;
  /** Of our connections. */
  readonly name: string;
}

function postgresEngine(
  { location, schema, isShared, name }: EnginePlace,
  connections: PostgresConnections,
): Engine {
  const kept = new Map<string, string>();
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: sessionsOf(connections, kept) }) });
  let opening: string | undefined;
  let worker: number | undefined;
  const rendered = new Map<BulkStatement, string>();
  return {
    db,
    dialect: 'postgres',
    location,
    bounds: HOSTS_AS_SITES,
    connection: name,
    begin: (connection) => begin(connection, { opening, worker, isShared, schema, location }),
    async bulk<C extends ColumnTypes, Result>(
      connection: Connection,
      statement: BulkStatement<C, Result>,
      rows: readonly RowOf<C>[],
    ): Promise<Result[]> {
      if (rows.length === 0) return [];
      let text = rendered.get(statement);
      if (text === undefined) {
        text = renderForPostgres(statement);
        rendered.set(statement, text);
        kept.set(text, `bulk_${rendered.size}`);
      }
      const arrays = Object.keys(statement.columns).map((name) => rows.map((row) => row[name]));
      return (await connection.executeQuery<Result>(CompiledQuery.raw(text, arrays))).rows;
    },
    lasting: (work) => work(),
    setOpening(next) {
      opening = next;
    },
    setWorker(id) {
      worker = id;
    },
    ...(isShared && {
      inTurn: oneAtATime(),
      whileAlone: (work: () => Promise<void>) => whileAlone(connections.holder, schema, work),
    }),
    afterLoss: {
      isLoss: isAway,
      wasCommitted: (mark) => wasCommitted(db, mark as CommitMark),
    },
    explain: (error) => explainPostgres(location, error),
    close: () => db.destroy(),
  };
}

/** Half-dead connections are noticed within two minutes, by the server too: they hold locks. */
const KEEPALIVE = ['tcp_keepalives_idle=60', 'tcp_keepalives_interval=10', 'tcp_keepalives_count=6'];

/**
 * A worker that hangs in the middle of a commit keeps all others waiting: the server ends it. Far below the silence after which
 * they would dismiss each other, and far above what a busy machine takes between two statements.
 */
const HANGING = 'idle_in_transaction_session_timeout=10s';

function oneAtATime(): NonNullable<Engine['inTurn']> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work, work);
    last = done;
    return done;
  };
}

/** What the URL asks for is kept, except where ours has to stand beside it. */
export function connectionConfig(
  connectionString: string,
  {
    schema,
    readonly,
    id,
    isShared = false,
  }: {
    readonly schema: string;
    readonly readonly: boolean;
    readonly id: string;
    readonly isShared?: boolean;
  },
) {
  const url = new URL(connectionString);
  const given = (key: string): string | null => {
    const value = url.searchParams.get(key);
    url.searchParams.delete(key);
    return value;
  };
  const name = `${(given('application_name') ?? 'daguerre').slice(0, 50)} ${id}`;
  const settings = [`search_path=${schema}`, 'client_min_messages=warning', ...KEEPALIVE];
  if (readonly) settings.push('default_transaction_read_only=on');
  if (isShared) settings.push(HANGING);
  const options = [given('options') ?? '', ...settings.map((setting) => `-c ${setting}`)].join(' ').trim();
  return {
    url: url.href,
    name,
    config: { options, application_name: name, keepAlive: true, keepAliveInitialDelayMillis: 60_000 },
  };
}

function withoutPassword(connectionString: string): string {
  try {
    const url = new URL(connectionString);
    url.password = '';
    url.search = '';
    return url.href;
  } catch {
    return 'postgres://…';
  }
}
