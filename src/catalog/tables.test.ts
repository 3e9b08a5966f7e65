import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { createTable } from './columns.ts';
import { SCHEMA_VERSION, TABLES } from './tables.ts';

/** The schema version, and a digest of the tables that it stands for. */
const KNOWN = '28 20f19518ad3555fb';

/** An archive that exists gets tables that it lacks when the version is higher than its own, and never else. */
test('tables other than before => a schema version other than before', () => {
  const statements = Object.entries(TABLES).flatMap(([name, table]) => [
    ...createTable('sqlite', name, table),
    ...createTable('postgres', name, table),
  ]);
  // In whatever order they stand.
  const digest = createHash('sha256').update(statements.sort().join('\n')).digest('hex').slice(0, 16);

  const [version, before] = KNOWN.split(' ');
  if (digest !== before) {
    expect(
      SCHEMA_VERSION,
      `The tables are not those of version ${version}: raise SCHEMA_VERSION in src/catalog/tables.ts by one, ` +
        'or archives that exist never get what is new (and OLDEST_SCHEMA, where columns of a table changed)',
    ).toBeGreaterThan(Number(version));
  }
  const now = `${SCHEMA_VERSION} ${digest}`;
  expect(now, `The version is raised: let KNOWN in src/catalog/tables.test.ts be '${now}'`).toBe(KNOWN);
});
