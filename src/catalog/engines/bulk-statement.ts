/**
 * One SQL text for both databases, over many rows of input. `rows` in the text stands for the input:
 *
 *   SQLite      `(select ? as a, ? as b) as rows`, prepared once and run per row: calls are
 *               cheap, and nothing crosses a network;
 *   PostgreSQL  `unnest($1::bigint[], $2::text[]) as rows(a, b)`, run once per batch: one round trip.
 *
 * Rejected: multi-row VALUES (a statement per number of rows), and JSON arrays through `json_each` (see
 * decisions/0005-catalog.md). Every statement yields at most one row per row of input.
 */
import { ownColumns, type TableName } from '../tables.ts';

interface ValueOf {
  readonly int: number | null;
  readonly real: number | null;
  readonly text: string | null;
  readonly bytes: Uint8Array | null;
}
export type ColumnTypes = Readonly<Record<string, keyof ValueOf>>;

/** A row of input: a value per column. */
export type RowOf<C extends ColumnTypes> = { readonly [column in keyof C]: ValueOf[C[column]] };

export interface BulkStatement<C extends ColumnTypes = ColumnTypes, Result = unknown> {
  readonly name: string;
  readonly columns: C;
  /** Holds `{rows}` once, in a FROM clause; its columns are `rows.<name>`. */
  readonly sql: string;
  /** For SQLite, in place of `sql`: UPDATE … FROM costs it 10 µs, a plain UPDATE 7. Takes the columns in order. */
  readonly sqliteSql?: string;
  readonly returns: boolean;
  /** Of the rows that come back; never set. */
  readonly result?: Result;
}

type Text<C extends ColumnTypes> = Omit<BulkStatement<C>, 'returns' | 'result'>;

export const bulkWrite = <const C extends ColumnTypes>(statement: Text<C>): BulkStatement<C, never> => ({
  ...statement,
  returns: false,
});

export const bulkQuery =
  <Result>() =>
  <const C extends ColumnTypes>(statement: Text<C>): BulkStatement<C, Result> => ({
    ...statement,
    returns: true,
  });

/** The beginning of a statement that adds each row of input to a table as it is. */
export function insertInto(table: TableName, columns: ColumnTypes): string {
  const names = Object.keys(columns);
  return `insert into ${table} (${names.join(', ')})
    select ${names.map((name) => `rows.${name}`).join(', ')} from {rows} where true`;
}

/** Adds rows to a table as they are; `ending` says what becomes of those that are there. */
export function bulkInsert<Name extends TableName>(table: Name, ending = '') {
  const columns = ownColumns(table);
  return bulkWrite({ name: `add-${table}`, columns, sql: `${insertInto(table, columns)} ${ending}` });
}

const POSTGRES_TYPES = { int: 'bigint', real: 'double precision', text: 'text', bytes: 'bytea' } as const;

export function renderForSqlite({ sql, sqliteSql, columns }: BulkStatement): string {
  if (sqliteSql !== undefined) return sqliteSql;
  const input = Object.keys(columns)
    .map((column) => `? as ${column}`)
    .join(', ');
  return sql.replace('{rows}', `(select ${input}) as rows`);
}

export function renderForPostgres({ sql, columns }: BulkStatement): string {
  const arrays = Object.values(columns).map((type, index) => `$${index + 1}::${POSTGRES_TYPES[type]}[]`);
  return sql.replace('{rows}', `unnest(${arrays.join(', ')}) as rows(${Object.keys(columns).join(', ')})`);
}
