import { join } from 'node:path';
import type { RecoveryCatalog } from '../../ports/catalog.ts';
import type { ArchiveFolder } from '../../storage/archive-folder.ts';
import type { FileState } from '../../storage/set-aside.ts';
import { readRecords } from '../../warc/read-records.ts';
import { UserError } from '../user-error.ts';

/** A record file that is not the one the catalog knows by its name, e.g. because somebody compressed it anew. */
export interface ReplacedFile {
  readonly kind: 'replaced';
  readonly file: string;
  readonly size: number;
}

/**
 * Where sizes differ: whether it is the same file, with more or less at its end, or another one. Lengths of another one say nothing
 * of what was committed, so nothing of it may be cut off. The last record that the catalog knows within both tells: in the
 * same file it stands where it stood.
 */
export async function withReplaced(
  folder: ArchiveFolder,
  catalog: RecoveryCatalog,
  states: readonly FileState[],
): Promise<readonly (FileState | ReplacedFile)[]> {
  const told: (FileState | ReplacedFile)[] = [];
  for (const state of states) {
    const isOther =
      (state.kind === 'longer' || state.kind === 'shorter') && !(await isSame(folder, catalog, state));
    told.push(isOther ? { kind: 'replaced', file: state.file, size: state.size } : state);
  }
  return told;
}

async function isSame(
  folder: ArchiveFolder,
  catalog: RecoveryCatalog,
  { file, size }: FileState & { readonly size: number },
): Promise<boolean> {
  for await (const { offset, length, recordId } of catalog.recordsIn(file)) {
    if (offset + length > size) continue;
    for await (const record of readRecords(join(folder.warc, file), { from: offset }))
      return record.offset === offset && record.length === length && record.id === recordId;
    return false;
  }
  // All that the catalog knows lay past the end of what is left.
  return true;
}

/** Captures that the catalog knew of the file, and that are not in it any more; and how many it knew. */
export async function missingIn(
  { warc }: ArchiveFolder,
  catalog: RecoveryCatalog,
  file: string,
): Promise<{ readonly known: number; readonly missing: number }> {
  const here = new Set<string>();
  for await (const { id } of readRecords(join(warc, file))) here.add(id);
  let [known, missing] = [0, 0];
  for await (const { recordId } of catalog.recordsIn(file)) {
    known++;
    if (!here.has(recordId)) missing++;
  }
  return { known, missing };
}

/** The catalog would look for every record of such a file in the wrong place. */
export function replacedFiles({ warc }: ArchiveFolder, [first, ...more]: readonly ReplacedFile[]): UserError {
  const others = more.length === 0 ? '' : `, and ${more.length} more`;
  return new UserError(
    `${warc}: ${first?.file}${others}: not the record file that the catalog knows by this name, its records lie elsewhere in it; ` +
      "it was packed anew or replaced. Nothing was changed. Put it back as it was, or run 'daguerre reindex', which reads " +
      'all that is in it',
    'damaged',
  );
}
