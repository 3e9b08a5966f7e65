import { expect, it } from 'vitest';
import { type BulkStatement, renderForPostgres, renderForSqlite } from './bulk-statement.ts';

const statement: BulkStatement = {
  name: 'example',
  columns: { id: 'int', title: 'text' },
  sql: 'select rows.id from {rows}',
  returns: true,
};

it('SQLite => one row of parameters', () => {
  expect(renderForSqlite(statement)).toBe('select rows.id from (select ? as id, ? as title) as rows');
});

it('PostgreSQL => one array per column', () => {
  expect(renderForPostgres(statement)).toBe(
    'select rows.id from unnest($1::bigint[], $2::text[]) as rows(id, title)',
  );
});
