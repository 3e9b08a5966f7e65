import { readdir, readFile } from 'node:fs/promises';
import { type ArchiveFolder, indexPath, recordFiles } from '../../storage/archive-folder.ts';
import type { FileState } from '../../storage/set-aside.ts';
import { openJournal, writeDown } from '../journal.ts';
import { UserError } from '../user-error.ts';

/** URI of a record that says that records are gone: `urn:loss:<name of the file>`. */
export const LOSS = 'urn:loss:';

/** A record file that the catalog knows and that is missing from disk, in whole or at its end. */
export type GoneFile = Extract<FileState, { readonly kind: 'missing' | 'shorter' }>;

/** What was lost with a record file, as stored in a record of its own. */
export interface LostRecords {
  readonly file: string;
  /** Bytes that are gone; 0 where unknown. */
  readonly bytes: number;
  /** Bytes of the file that are left. */
  readonly left: number;
  /** Lost captures that its index names; absent without an index. */
  readonly captures?: number;
  /** Ids of the lost captures, where the catalog knew them: once all are in the archive again, nothing is lost. */
  readonly records?: readonly string[];
}

/** Why nothing is written while records are gone. */
export function goneFiles({ warc }: ArchiveFolder, gone: readonly GoneFile[]): UserError {
  const missing = gone.filter(({ kind }) => kind === 'missing');
  const named = gone.slice(0, 3).map((state) => {
    if (state.kind === 'missing') return `${state.file} is not there`;
    return `${state.file} has ${state.size} of ${state.known} bytes`;
  });
  const more = gone.length > named.length ? `, and ${gone.length - named.length} more` : '';
  const ask = missing.length > 0 ? 'Is its disk mounted? Put them back' : 'Put them back from a copy';
  return new UserError(
    `${warc}: record files of this archive are gone or cut: ${named.join('; ')}${more}. Nothing was changed. ${ask}; or ` +
      "go on without them by 'daguerre reindex', which keeps the loss as a record",
    missing.length > 0 ? 'unreachable' : 'damaged',
  );
}

/** With the captures that its index names beyond what is left. */
export async function describeLoss(folder: ArchiveFolder, file: string, bytes: number, left: number) {
  const index = await readFile(indexPath(folder, file), 'utf8').catch(() => undefined);
  const captures = index?.split('\n').filter((line) => {
    const offset = /"offset":\s*"?(\d+)/.exec(line)?.[1];
    return offset !== undefined && Number(offset) >= left;
  }).length;
  return { file, bytes, left, ...(captures !== undefined && { captures }) };
}

/** Record files known only from their index: the catalog may be new, or untrustworthy. */
export async function indexedAndGone(folder: ArchiveFolder): Promise<readonly string[]> {
  const here = new Set((await recordFiles(folder)).map(({ file }) => file));
  // The whole file was set aside, and a crash came before its index was.
  for (const name of await readdir(folder.setAside).catch(() => []))
    if (name.endsWith('.from-0')) here.add(name.slice(0, -'.from-0'.length));
  const indexes = await readdir(folder.indexes).catch(() => []);
  return indexes
    .filter((name) => /\.w?arc(\.gz)?\.cdxj$/i.test(name))
    .map((name) => name.slice(0, -'.cdxj'.length))
    .filter((file) => !here.has(file));
}

/** Keeps losses as records: `verify` reports them from then on, whatever becomes of the catalog. */
export async function writeLosses(folder: ArchiveFolder, lost: readonly LostRecords[]): Promise<void> {
  if (lost.length === 0) return;
  const store = await openJournal(folder, 'loss');
  try {
    for (const loss of lost) await writeDown(store, `${LOSS}${encodeURIComponent(loss.file)}`, loss);
    await store.sync();
  } finally {
    await store.close();
  }
}

/** A loss in words. */
export function lossText({ bytes, left, captures }: LostRecords): string {
  const what = captures === undefined ? '' : `, with ${captures} records that its index names`;
  if (left > 0 && bytes === 0)
    return `${captures ?? 'some'} records of the file are lost: it was replaced by one without them`;
  if (left > 0) return `${bytes} bytes at the end of the file are lost${what}`;
  return `the file is lost${bytes > 0 ? ` (${bytes} bytes)` : ''}${what}`;
}
