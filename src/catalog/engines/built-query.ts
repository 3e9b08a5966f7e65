import type { Compilable, CompiledQuery } from 'kysely';
import type { Connection } from './engine.ts';

/** Stands in a query for a value that comes with each asking. */
class Awaited {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

const awaited = new Proxy({}, { get: (_, name) => new Awaited(String(name)) });

/**
 * A query that is built once for each database, for what is asked many times a second: Kysely takes longer to build a wide query
 * than SQLite to answer it. `given` has the values by name; they may only be compared with columns.
 */
export function builtOnce<Values extends Readonly<Record<string, unknown>>, Row>(
  build: (db: Connection, given: Values) => Compilable<Row>,
): (db: Connection, values: Values) => Promise<readonly Row[]> {
  const built = new WeakMap<Connection, CompiledQuery<Row>>();
  return async (db, values) => {
    let query = built.get(db);
    if (!query) {
      query = build(db, awaited as Values).compile();
      built.set(db, query);
    }
    const parameters = query.parameters.map((value) =>
      value instanceof Awaited ? values[value.name] : value,
    );
    return (await db.executeQuery<Row>({ ...query, parameters })).rows;
  };
}
