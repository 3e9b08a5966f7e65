import type { Catalog } from '../ports/catalog.ts';

/** A `postgres://` URL names a database (`?schema=` the schema in it), anything else is the path of a file. */
export async function openCatalog(
  location: string,
  options: { readonly readonly?: boolean } = {},
): Promise<Catalog> {
  // Loaded when asked for: most archives never need the one, and a usage error needs neither.
  if (!/^postgres(ql)?:\/\//.test(location)) {
    const { openSqliteCatalog } = await import('./sqlite.ts');
    return openSqliteCatalog(location, options);
  }
  const url = new URL(location);
  const schema = url.searchParams.get('schema');
  url.searchParams.delete('schema');
  const { openPostgresCatalog } = await import('./postgres.ts');
  return openPostgresCatalog(url.href, schema === null ? {} : { schema });
}
