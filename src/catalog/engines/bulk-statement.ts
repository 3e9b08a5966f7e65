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
export type ColumnType = 'int' | 'real' | 'text';
export type Value = string | number | null;

export interface BulkStatement {
  readonly name: string;
  readonly columns: Readonly<Record<string, ColumnType>>;
  /** Holds `{rows}` once, in a FROM clause; its columns are `rows.<name>`. */
  readonly sql: string;
  /** For SQLite, in place of `sql`: UPDATE … FROM costs it 10 µs, a plain UPDATE 7. Takes the columns in order. */
  readonly sqliteSql?: string;
  readonly returns: boolean;
}

const POSTGRES_TYPES = { int: 'bigint', real: 'double precision', text: 'text' } as const;

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
