import { leadsElsewhere } from '../../model/exchange.ts';
import { recordFiles } from '../../storage/archive-folder.ts';
import { EMPTY_DIGEST } from '../../warc/digest.ts';
import { committedSince, olderText } from '../open/older-catalog.ts';
import type { OpenArchive } from '../open/open-archive.ts';

export interface CatalogError {
  readonly file: string;
  readonly offset: number;
  readonly reason: string;
}

/** Every capture of the catalog must lie within an existing file; every revisit must resolve. */
export async function verifyCatalog({
  folder,
  catalog,
  identity,
}: OpenArchive): Promise<readonly CatalogError[]> {
  const errors: CatalogError[] = [];
  const older =
    identity && (await committedSince(folder, catalog, { archiveId: identity.id, isShared: true }));
  if (older)
    errors.push({ file: older.committed, offset: 0, reason: `${olderText(older)}: run 'daguerre reindex'` });
  let sizes = new Map<string, number>();
  const damaged = new Set<string>();
  for await (const capture of catalog.captures({})) {
    const { file, offset, length, url, type, status, digest } = capture;
    let size = sizes.get(file);
    const isThere = (): boolean => size !== undefined && offset + length <= size;
    if (!isThere() && !damaged.has(file)) {
      // A crawl may be writing: its files grow while the catalog is read. What misses a record grows no more.
      sizes = new Map((await recordFiles(folder)).map((known) => [known.file, known.size]));
      size = sizes.get(file);
      if (!isThere()) damaged.add(file);
    }
    if (size === undefined)
      errors.push({ file, offset, reason: `the catalog names this file for ${url}; it is not there` });
    else if (offset + length > size) {
      errors.push({ file, offset, reason: `the catalog names a record past the end of the file for ${url}` });
    } else if (type === 'revisit' && !isBare(status, digest) && !(await catalog.originalOf(capture))) {
      errors.push({
        file,
        offset,
        reason: `the revisit of ${url} refers to a capture that the archive does not hold`,
      });
    }
  }
  return errors;
}

/** A redirect or an empty answer needs no payload: replay serves it from its own head. */
function isBare(
  status: number,
  { sha256, sha1 }: { readonly sha256: string; readonly sha1: string },
): boolean {
  return leadsElsewhere(status) || sha256 === EMPTY_DIGEST.sha256 || sha1 === EMPTY_DIGEST.sha1;
}
