import { CompiledQuery, type Kysely } from 'kysely';
import type { BulkStatement, Value } from './bulk-statement.ts';
import type { Tables } from './tables.ts';

export type Connection = Kysely<Tables>;
export type BulkRow = readonly Value[];

/** What differs between SQLite and PostgreSQL; everything else of the catalog is written once. */
export interface Engine {
  readonly db: Connection;
  readonly dialect: 'sqlite' | 'postgres';
  /** For messages: a path, or a URL without password. */
  readonly location: string;
  /** `immediate` on SQLite: a deferred transaction that turns writer late fails instead of waiting. */
  readonly begin: string;
  bulk<Row>(connection: Connection, statement: BulkStatement, rows: readonly BulkRow[]): Promise<Row[]>;
  /** Runs work whose commit must outlive a power cut. */
  lasting<T>(work: () => Promise<T>): Promise<T>;
  /** Throws when what is written now would not be found again. */
  assertInPlace?(): void;
  /** The driver's error in words that say what to do. */
  explain(error: unknown): unknown;
  close(): Promise<void>;
}

export function transaction<T>(engine: Engine, work: (connection: Connection) => Promise<T>): Promise<T> {
  return engine.db.connection().execute(async (connection) => {
    await connection.executeQuery(CompiledQuery.raw(engine.begin));
    try {
      const result = await work(connection);
      engine.assertInPlace?.();
      await connection.executeQuery(CompiledQuery.raw('commit'));
      return result;
    } catch (error) {
      // A full disk or a lost connection has ended the transaction already: then there is none to roll back.
      await connection.executeQuery(CompiledQuery.raw('rollback')).catch(() => {});
      throw error;
    }
  });
}
