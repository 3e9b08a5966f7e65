import { isPostgres } from '../../catalog/open.ts';
import type { ArchiveFolder } from '../../storage/archive-folder.ts';
import type { ArchiveLocation } from './open-archive.ts';

/** How messages, and the archive's note of who wrote last, name its catalog: without a password, and without who logs in. */
export function catalogName(folder: ArchiveFolder, { database }: Pick<ArchiveLocation, 'database'>): string {
  if (database === undefined) return folder.catalog;
  if (!isPostgres(database)) return database;
  if (!URL.canParse(database)) return 'postgres://…';
  const url = new URL(database);
  const kept = ['schema', 'host', 'port'].flatMap((name) => {
    const value = url.searchParams.get(name);
    return value === null ? [] : [`${name}=${value}`];
  });
  return `postgres://${url.host}${url.pathname}${kept.length > 0 ? `?${kept.join('&')}` : ''}`;
}
