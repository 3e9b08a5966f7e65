import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { memoryBody } from '../../model/body.ts';
import type { CaptureEvent } from '../../model/capture.ts';
import { MERGED } from '../../model/derived-uris.ts';
import type { Millis } from '../../model/time.ts';
import type { KnownFile } from '../../ports/catalog.ts';
import { isSystemError } from '../../ports/system-error.ts';
import { mergedName, type OwnName, ownName } from '../../storage/merged-files.ts';
import { archiveOfFile } from '../../warc/archive-of-file.ts';
import { mergeWarcs } from '../../warc/merge-warcs.ts';
import { segmentChance } from '../../warc/segments.ts';
import { checkTail } from '../../warc/tail.ts';
import { warcinfoDraft } from '../../warc/warcinfo-record.ts';
import { isJournal } from '../journal.ts';
import type { OpenArchive } from '../open/open-archive.ts';
import { userAgent } from '../user-agent.ts';
import { VERSION } from '../version.ts';
import { filesToMerge, type MergeSizes } from './choose-files.ts';
import { deleteReplaced } from './replaced-files.ts';

/**
 * Steps of a merge, in order. If it is killed before `committed`, the old files count; from then on, the new one does.
 *
 *   staged      the new file lies whole on this machine's disk
 *   placed      it is in the store; the catalog does not know it. Whoever opens the archive next deletes it (settle-merges.ts)
 *   committed   the catalog knows it in place of the old ones, in one transaction, and lists those as replaced
 *
 * Replaced files are deleted later (replaced-files.ts), by whichever process comes along then.
 */
export type MergeStep = 'staged' | 'placed' | 'committed';

export interface MergeOptions {
  readonly now: () => Millis;
  readonly sizes: MergeSizes;
  /** How long old files stay for those who are reading them, in milliseconds. */
  readonly grace: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (what: string, done: number, of: number) => void;
  /** After each step of each merge; tests stop here. */
  readonly onStep?: (step: MergeStep) => void;
}

/** See docs/json.md. */
export interface MergeReport {
  /** Files that were merged, the files they became, and their bytes. */
  readonly files: number;
  readonly into: number;
  readonly bytes: number;
  /** Small files left as they are, because they are damaged or not of this archive. */
  readonly left: readonly string[];
  /** Files of earlier merges that were deleted now, and those kept until nobody reads them any longer. */
  readonly deleted: number;
  readonly waiting: number;
}

/**
 * In milliseconds. A reader that finds a file gone asks the catalog again; the grace period is for readers of whole
 * files, which would have to start over.
 */
export const GRACE = 3_600_000;

/** Merges small record files of an object store into large ones, while others read and write. */
export async function mergeArchive(archive: OpenArchive, options: MergeOptions): Promise<MergeReport> {
  const { catalog, folder } = archive;
  const { signal, sizes, onProgress = () => {} } = options;
  const counts = { files: 0, into: 0, bytes: 0 };
  const left: string[] = [];
  if (folder.remote) {
    const unfinished = (await catalog.crawls()).filter(({ state }) => state !== 'finished');
    const groups = filesToMerge(await catalog.filesAsTold(), unfinished, sizes);
    for (const [i, group] of groups.entries()) {
      if (signal?.aborted) break;
      onProgress(`merging ${group.length} record files`, i, groups.length);
      const merged = await mergeGroup(archive, group, options);
      left.push(...merged.left);
      if (merged.files === 0) continue;
      counts.files += merged.files;
      counts.into++;
      counts.bytes += merged.bytes;
    }
  }
  return { ...counts, left, ...(await deleteReplaced(archive, options.now() - options.grace)) };
}

interface MergedGroup {
  readonly files: number;
  readonly bytes: number;
  readonly left: readonly string[];
}

async function mergeGroup(
  archive: OpenArchive,
  group: readonly KnownFile[],
  options: MergeOptions,
): Promise<MergedGroup> {
  const { folder, catalog } = archive;
  const { onStep = () => {}, now } = options;
  const at = now();
  const staging = await mkdtemp(join(folder.tmp, 'merge-'));
  try {
    const usable: KnownFile[] = [];
    const left: string[] = [];
    // Read from the store, not from a copy that may be damaged: what is copied now is all that remains.
    for (const known of group) {
      // A process that is leaving has no time for the rest of many files.
      if (options.signal?.aborted) return { files: 0, bytes: 0, left };
      (await fetchWhole(archive, known, join(staging, known.file)))
        ? usable.push(known)
        : left.push(known.file);
    }
    if (usable.length < 2) return { files: 0, bytes: 0, left };
    const files = usable.map(({ file }) => file);
    const names = files.map(ownName).filter((name) => name !== undefined);
    const to = mergedName(names, segmentChance());
    const target = join(staging, to);
    const merged = await mergeWarcs({
      ...{ target, name: to, head: headOf(to, files, at), warcinfo: infoOf(archive, names, to, at) },
      sources: staged(staging, files),
      spool: () => join(staging, randomUUID()),
    });
    onStep('staged');
    await folder.remote?.put(to, target);
    onStep('placed');
    const isDone = await taken(archive, to, () => catalog.mergeFiles({ to, at, ...merged }));
    if (!isDone) return { files: 0, bytes: 0, left };
    onStep('committed');
    return { files: files.length, bytes: merged.length, left };
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/**
 * Whether the catalog took the new file; one that it did not take is removed. A connection may be lost after the
 * commit, so the catalog is asked.
 */
async function taken({ folder, catalog }: OpenArchive, to: string, commit: () => Promise<boolean>) {
  try {
    if (await commit()) return true;
  } catch (error) {
    const isKnown = (await catalog.warcFiles()).some(({ file }) => file === to);
    if (!isKnown) await folder.remote?.remove(to);
    throw error;
  }
  await folder.remote?.remove(to);
  return false;
}

/** False for what must stay as it is: damaged, of another archive, or not as the catalog knows it. */
async function fetchWhole(
  { folder, identity }: OpenArchive,
  { file, length }: KnownFile,
  path: string,
): Promise<boolean> {
  try {
    await folder.remote?.copyTo(file, path);
  } catch (error) {
    // Somebody else has merged it.
    if (isSystemError(error) && error.code === 'ENOENT') return false;
    throw error;
  }
  const { size } = await stat(path);
  if (size !== length) return false;
  const { problem, eventEnd } = await checkTail(path, 0);
  if (problem || eventEnd !== size) return false;
  return isJournal(file) || (await archiveOfFile(path))?.id === identity?.id;
}

async function* staged(
  staging: string,
  files: readonly string[],
): AsyncGenerator<{ readonly file: string; readonly path: string }> {
  for (const file of files) {
    const path = join(staging, file);
    yield { file, path };
    await rm(path);
  }
}

const infoOf = ({ folder, identity }: OpenArchive, names: readonly OwnName[], to: string, at: Millis) =>
  warcinfoDraft(
    {
      archive: folder.root,
      collection: names[0]?.kind ?? '',
      crawlId: 0,
      clock: { now: () => at, sleep: () => Promise.resolve() },
      software: `Daguerre/${VERSION}`,
      ...(identity && { identity }),
      userAgent: userAgent(),
      robots: 'none',
      isPrivate: to.startsWith('private~'),
    },
    { name: to, at },
  );

function headOf(to: string, from: readonly string[], at: Millis): CaptureEvent {
  const uri = `${MERGED}${encodeURIComponent(to)}`;
  const body = memoryBody(Buffer.from(JSON.stringify({ at, from })));
  return {
    ...{ id: randomUUID(), url: uri, at, exchanges: [] },
    derived: [{ uri, contentType: 'application/json', body }],
  };
}
