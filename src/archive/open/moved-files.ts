import type { RecoveryCatalog } from '../../ports/catalog.ts';
import type { ArchiveFolder } from '../../storage/archive-folder.ts';
import { isMergedFile } from '../../storage/merged-files.ts';
import { localFile } from '../../storage/record-copies.ts';
import { readRecords } from '../../warc/read-records.ts';
import type { GoneFile } from './lost-records.ts';

/**
 * Of the files that are gone, the names of those whose every capture lies in files that the catalog does not know, e.g. since
 * somebody renamed them, or what was merged is there instead: nothing of them is lost.
 */
export async function movedFiles(
  folder: ArchiveFolder,
  catalog: RecoveryCatalog,
  gone: readonly GoneFile[],
  unknown: readonly string[],
): Promise<ReadonlySet<string>> {
  const moved = new Set<string>();
  const missing = gone.filter(({ kind, known }) => kind === 'missing' && known > 0);
  if (missing.length === 0 || unknown.length === 0) return moved;
  const here = new Set<string>();
  for (const file of unknown)
    for await (const { id, shared } of readRecords(await localFile(folder, file))) if (!shared) here.add(id);
  for (const { file } of missing) {
    let [known, found] = [0, 0];
    for await (const { recordId } of catalog.recordsIn(file)) {
      known++;
      if (here.has(recordId)) found++;
    }
    // The record that says what a file was merged from is of no use without it.
    if (isMergedFile(file)) known--;
    if (known > 0 && found >= known) moved.add(file);
  }
  return moved;
}
