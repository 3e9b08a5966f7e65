import type { SearchIndex } from '../../ports/search-index.ts';
import { schemaOf } from '../engines/postgres-schema.ts';
import { isPostgres } from '../open.ts';

export interface SearchLocation {
  /** A `postgres://` URL, or the path of a file. */
  readonly location: string;
  /** Names the schema; `?schema=` in the URL names another. */
  readonly archiveId?: string | undefined;
  readonly readonly: boolean;
}

export async function openSearchIndex({
  location,
  archiveId,
  readonly,
}: SearchLocation): Promise<SearchIndex> {
  if (!isPostgres(location)) {
    const { openSqliteSearch } = await import('./sqlite-search.ts');
    return openSqliteSearch(location, { readonly });
  }
  const url = new URL(location);
  const schema = url.searchParams.get('schema') ?? schemaOf(archiveId ?? 'none');
  url.searchParams.delete('schema');
  const { openPostgresSearch } = await import('./postgres-search.ts');
  return openPostgresSearch(url.href, { schema, readonly });
}
