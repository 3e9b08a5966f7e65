import { existsSync } from 'node:fs';
import { learnAll } from '../stages/learn-patterns.ts';
import { settleImportance } from '../stages/settle-importance.ts';
import { archiveFolder } from '../storage/archive-folder.ts';
import { knownKeys } from '../storage/archive-key.ts';
import { keysOfArchive } from '../storage/shared-keys.ts';
import type { ProblemPlace } from '../warc/read-options.ts';
import { noteKeys } from './certificate-files.ts';
import { holidays } from './holidays.ts';
import { filesNotReplaced } from './merge/replaced-files.ts';
import { bySeverity, indexFiles } from './open/index-files.ts';
import { lossText } from './open/lost-records.ts';
import { type ArchiveLocation, openForWriting, type WritingOptions } from './open/open-archive.ts';
import { UserError } from './user-error.ts';

export interface ReindexReport {
  readonly files: number;
  readonly captures: number;
  readonly pages: number;
  readonly errors: readonly ProblemPlace[];
  readonly warnings: readonly ProblemPlace[];
  readonly notes: readonly ProblemPlace[];
}

export interface ReindexOptions extends Pick<WritingOptions, 'newIdentity' | 'takeOver' | 'onWait'> {
  /** Receives what opening the archive had to mend. */
  readonly onMended: (sentence: string) => void;
  readonly onProgress: (file: string, done: number, size: number) => void;
}

/** Rebuilds everything that can be derived from the record files. */
export async function reindex(
  location: ArchiveLocation,
  { onMended, onProgress, ...options }: ReindexOptions,
): Promise<ReindexReport> {
  const { root, warc } = archiveFolder(location.archive);
  // With an object store the folder may be new: opening says whether the store holds an archive.
  if (location.storage === undefined && !existsSync(warc))
    throw new UserError(`there is no archive at ${root}: it has no folder 'warc'`);
  // A damaged list is reported before anything is changed.
  await knownKeys(root);
  const archive = await openForWriting(location, 'reindex', { ...options, rebuild: true });
  const { folder, catalog } = archive;
  try {
    for (const sentence of archive.mended) onMended(sentence);
    await catalog.clearDerived();
    // Not those whose records stand in a merged one: they would be told of twice.
    const files = (await filesNotReplaced(folder, catalog)).map(({ file }) => file);
    const { captures, pages, problems } = await indexFiles(folder, catalog, files, onProgress);
    await learnAll({ catalog, holidays });
    await settleImportance(catalog);
    // Bare record files, copied into an empty folder: their keys are those of whoever wrote them.
    if ((await keysOfArchive(folder)).length === 0) await noteKeys(folder, catalog, files);
    await catalog.endRebuild();
    const { errors, ...rest } = bySeverity(problems);
    const lost = archive.lost.map((loss) => ({ file: loss.file, offset: loss.left, reason: lossText(loss) }));
    return { files: files.length, captures, pages, errors: [...lost, ...errors], ...rest };
  } finally {
    await archive.close();
  }
}
