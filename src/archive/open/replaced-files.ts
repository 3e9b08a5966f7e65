import type { RecoveryCatalog } from '../../ports/catalog.ts';
import type { ArchiveFolder } from '../../storage/archive-folder.ts';
import { localFile } from '../../storage/record-copies.ts';
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
  // All that the catalog knows lay past the end of what is left. If it knows nothing, no record of the file could be read:
  // a smaller one under its name is no part of it, unless a power cut came before the first capture.
  return isKnown || kind === 'longer' || isLastWritten;
}

export interface FoundAgain {
  /** Captures that the catalog knew of the file. */
  readonly known: number;
  /** Ids of those that are not in it any more. */
  readonly missing: readonly string[];
  /** Those that are in it and cannot be read, because records share a gzip member. */
  readonly shared: number;
}

/** What is in a replaced file of the captures that the catalog knew of it. */
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
