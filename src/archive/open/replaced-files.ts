import type { RecoveryCatalog } from '../../ports/catalog.ts';
import type { ArchiveFolder } from '../../storage/archive-folder.ts';
import { localFile } from '../../storage/record-copies.ts';
import type { FileState } from '../../storage/set-aside.ts';
import { readRecords } from '../../warc/read-records.ts';
import { UserError } from '../user-error.ts';

/** A record file that is not the one the catalog knows under its name, e.g. because somebody recompressed it. */
export interface ReplacedFile {
  readonly kind: 'replaced';
  readonly file: string;
  readonly size: number;
}

/**
 * Where sizes differ: whether it is the same file, with more or less at its end, or a different one. The known length
 * of a different file says nothing of what was committed, so nothing of it may be cut off. The last record that the
 * catalog knows within both decides: in the same file it is where it was.
 */
export async function withReplaced(
  folder: ArchiveFolder,
  catalog: RecoveryCatalog,
  states: readonly FileState[],
  lastWritten: ReadonlySet<string>,
): Promise<readonly (FileState | ReplacedFile)[]> {
  const told: (FileState | ReplacedFile)[] = [];
  for (const state of states) {
    const isOther =
      (state.kind === 'longer' || state.kind === 'shorter') &&
      !(await isSame(folder, catalog, state, lastWritten.has(state.file)));
    told.push(isOther ? { kind: 'replaced', file: state.file, size: state.size } : state);
  }
  return told;
}

async function isSame(
  folder: ArchiveFolder,
  catalog: RecoveryCatalog,
  { file, kind, size }: FileState & { readonly size: number },
  isLastWritten: boolean,
): Promise<boolean> {
  let isKnown = false;
  for await (const { offset, length, recordId } of catalog.recordsIn(file)) {
    isKnown = true;
    if (offset + length > size) continue;
    for await (const record of readRecords(await localFile(folder, file), { from: offset }))
      return record.offset === offset && record.length === length && record.id === recordId;
    return false;
  }
  // All that the catalog knows lay past the end of what is left. If it knows nothing, no record of the file could be
  // read: a smaller file under its name is not part of it, unless a power cut came before the first capture.
  return isKnown || kind === 'longer' || isLastWritten;
}

export interface FoundAgain {
  /** Captures of the file that the catalog knew. */
  readonly known: number;
  /** Ids of those that are no longer in it. */
  readonly missing: readonly string[];
  /** Those that are in it but cannot be read, because records share a gzip member. */
  readonly shared: number;
}

/** Which of the captures that the catalog knew are in a replaced file. */
export async function foundAgain(
  folder: ArchiveFolder,
  catalog: RecoveryCatalog,
  file: string,
): Promise<FoundAgain> {
  const here = new Map<string, boolean>();
  for await (const { id, shared = false } of readRecords(await localFile(folder, file))) here.set(id, shared);
  const missing: string[] = [];
  let [known, shared] = [0, 0];
  for await (const { recordId } of catalog.recordsIn(file)) {
    known++;
    if (here.get(recordId) === true) shared++;
    if (!here.has(recordId)) missing.push(recordId);
  }
  return { known, missing, shared };
}

export function replacedText(file: string, { known, missing, shared }: FoundAgain): string {
  const read = `${known - missing.length - shared} of ${known} captures that were known are in it`;
  const unread =
    shared === 0 ? '' : `, ${shared} more are but cannot be read, since records share one gzip member`;
  return `${file}: packed anew or replaced; ${read}${unread}, and nothing was set aside`;
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
