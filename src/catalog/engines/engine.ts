import { CompiledQuery, type Kysely } from 'kysely';
import type { SiteBounds } from '../../model/site-bounds.ts';
import type { Tables } from '../tables.ts';
import type { BulkStatement, ColumnTypes, RowOf } from './bulk-statement.ts';

export type Connection = Kysely<Tables>;

/** What differs between SQLite and PostgreSQL; everything else of the catalog is written once. */
export interface Engine {
  readonly db: Connection;
  readonly dialect: 'sqlite' | 'postgres';
  /** For messages: a path, or a URL without password. */
  readonly location: string;
  /** By the rules that the rows follow: read when the catalog is opened, replaced when they change. */
  bounds: SiteBounds;
  /**
   * Of several processes that write, one commits at a time. The transactions of this one wait here and not in the server: with all its
   * connections waiting there, nothing would be left to give a sign of life by.
   */
  readonly inTurn?: <T>(work: () => Promise<T>) => Promise<T>;
  /** Begins a transaction, to write; what it returns goes to `wasCommitted`. */
  begin(connection: Connection): Promise<unknown>;
  bulk<C extends ColumnTypes, Result>(
    connection: Connection,
    statement: BulkStatement<C, Result>,
    rows: readonly RowOf<C>[],
  ): Promise<Result[]>;
  /** Runs work whose commit must outlive a power cut. */
  lasting<T>(work: () => Promise<T>): Promise<T>;
  /** Whether rows are kept in memory once they were read or written; absent where another process does. */
  setCaching?(isOn: boolean): void;
  /** Throws when what is written would not be found again. */
  beforeCommit?(): void;
  /** How to go on after a connection was lost; absent where there is none to lose. */
  readonly afterLoss?: {
    isLoss(error: unknown): boolean;
    /** Waits for the server. */
    wasCommitted(mark: unknown): Promise<boolean>;
  };
  /** Told of each opening for writing: commits of a former one are refused from then on. */
  setOpening?(opening: string | undefined): void;
  /** Told which worker this is: commits are refused once it is dismissed. */
  setWorker?(workerId: number | undefined): void;
  /** Does the work where nobody else shares the catalog, and keeps others away meanwhile; absent where nobody ever does. */
  whileAlone?(work: () => Promise<void>): Promise<boolean>;
  /** Name of our connections at the server, where there is one. */
  readonly connection?: string;
  /** The driver's error in words that say what to do. */
  explain(error: unknown): unknown;
  close(): Promise<void>;
}

/**
 * Runs work in a transaction. Where the connection was lost the work is done again, unless it turns out that its commit
 * went through: so work must not remember what it did in a transaction that came to nothing (`onRetry` forgets it).
 */
export async function transaction<T>(
  engine: Engine,
  work: (connection: Connection) => Promise<T>,
  onRetry: () => void = () => {},
): Promise<T> {
  for (;;) {
    let ending: { readonly result: T; readonly mark: unknown } | undefined;
    try {
      const { inTurn = (now) => now() } = engine;
      return await inTurn(() =>
        engine.db.connection().execute(async (connection) => {
          try {
            const mark = await engine.begin(connection);
            const result = await work(connection);
            engine.beforeCommit?.();
            ending = { result, mark };
            await connection.executeQuery(CompiledQuery.raw('commit'));
            return result;
          } catch (error) {
            // A full disk or a lost connection has ended the transaction already: then there is none to roll back.
            await connection.executeQuery(CompiledQuery.raw('rollback')).catch(() => {});
            throw error;
          }
        }),
      );
    } catch (error) {
      if (!engine.afterLoss?.isLoss(error)) throw error;
      if (ending && (await engine.afterLoss.wasCommitted(ending.mark))) return ending.result;
      onRetry();
    }
  }
}
