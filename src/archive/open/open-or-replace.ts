import { rename } from 'node:fs/promises';
import { CatalogFault } from '../../catalog/faults.ts';
import { type OpenOptions, openCatalog } from '../../catalog/open.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { ArchiveFolder } from '../../storage/archive-folder.ts';
import { ForeignCatalog } from './admit-catalog.ts';
import type { ArchiveLocation } from './open-archive.ts';

/**
 * For a rebuild: a SQLite catalog that cannot be read, or belongs to another archive, is moved away, and a new one
 * takes its place.
 */
export async function openOrReplace(
  folder: ArchiveFolder,
  { database }: ArchiveLocation,
  rebuild: boolean,
  options: OpenOptions,
): Promise<Catalog> {
  try {
    return await openCatalog(database ?? folder.catalog, { ...options, check: rebuild });
  } catch (error) {
    const kept = keptAs(error);
    if (!rebuild || database !== undefined || kept === undefined) throw error;
    for (const ending of ['', '-wal', '-shm']) {
      const path = `${folder.catalog}${ending}`;
      await rename(path, `${path}.${kept}`).catch(() => {});
    }
    return openCatalog(folder.catalog, options);
  }
}

/** The suffix for a catalog that is moved away; undefined for one that stays. */
function keptAs(error: unknown): string | undefined {
  if (error instanceof ForeignCatalog) return 'foreign';
  if (!(error instanceof CatalogFault)) return undefined;
  return { damaged: 'damaged', 'newer-schema': 'newer', 'older-schema': 'older' }[error.kind as string];
}
