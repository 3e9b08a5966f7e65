import type { Catalog } from '../ports/catalog.ts';
import type { ImportanceLedger } from '../ports/importance-ledger.ts';
import type { WritingAccess } from './engines/postgres.ts';
import type { Patience } from './engines/postgres-connections.ts';
import { CatalogFault } from './faults.ts';
import type { Admit } from './schema.ts';

export interface OpenOptions {
  readonly readonly?: boolean;
  readonly admit?: Admit;
  /** Importance is kept, and can be asked for, with it alone. */
  readonly ledger?: ImportanceLedger;
  /** SQLite: reads the whole file first, and throws where it is damaged. */
  readonly check?: boolean;
  /** PostgreSQL: the archive's id, which names its schema; `?schema=` in the URL names another. */
  readonly archiveId?: string;
  /** PostgreSQL: who else may write. */
  readonly access?: WritingAccess;
  readonly patience?: Patience;
}

export function isPostgres(location: string): boolean {
  return /^postgres(ql)?:\/\//.test(location);
}

/** A `postgres://` URL names a database, anything else is the path of a file. */
export async function openCatalog(location: string, options: OpenOptions = {}): Promise<Catalog> {
  const { archiveId, access, patience, ...rest } = options;
  // Loaded when asked for: most archives never need the one, and a usage error needs neither.
  if (!isPostgres(location)) {
    const { openSqliteCatalog } = await import('./engines/sqlite.ts');
    return openSqliteCatalog(location, rest);
  }
  if (!URL.canParse(location)) {
    throw new CatalogFault(
      'foreign',
      'postgres://…',
      'this is no URL: write postgres://user:password@host:5432/database, with special characters as %40 and the like',
    );
  }
  const url = new URL(location);
  const named = url.searchParams.get('schema');
  url.searchParams.delete('schema');
  const { openPostgresCatalog } = await import('./engines/postgres.ts');
  const { schemaOf } = await import('./engines/postgres-schema.ts');
  // A folder without identity has no schema: whoever only reads it finds no catalog.
  const schema = named ?? schemaOf(archiveId ?? 'none');
  return openPostgresCatalog(url.href, {
    ...rest,
    schema,
    ...(access && { access }),
    ...(patience && { patience }),
  });
}
