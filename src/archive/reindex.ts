import { existsSync } from 'node:fs';
import { learnAll } from '../stages/learn-patterns.ts';
import { settleImportance } from '../stages/settle-importance.ts';
import { archiveFolder, recordFiles } from '../storage/archive-folder.ts';
import { knownKeys } from '../storage/archive-key.ts';
import type { ProblemPlace } from '../warc/read-options.ts';
import { noteKeys } from './certificate-files.ts';
import { holidays } from './holidays.ts';
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
  /** Told what opening the archive had to mend. */
  readonly onMended: (sentence: string) => void;
  readonly onProgress: (file: string, done: number, size: number) => void;
}

/** Rebuilds everything that can be derived from the record files. */
export async function reindex(
  location: ArchiveLocation,
  { onMended, onProgress, ...options }: ReindexOptions,
): Promise<ReindexReport> {
  const { root, warc } = archiveFolder(location.archive);
  // Beside an object store the folder may be new: opening says whether the store holds an archive.
  if (location.storage === undefined && !existsSync(warc))
    throw new UserError(`there is no archive at ${root}: it has no folder 'warc'`);
  const keys = await knownKeys(root);
  const archive = await openForWriting(location, 'reindex', { ...options, rebuild: true });
  const { folder, catalog } = archive;
  try {
    for (const sentence of archive.mended) onMended(sentence);
    await catalog.clearDerived();
    const files = (await recordFiles(folder)).map(({ file }) => file);
    const { captures, pages, problems } = await indexFiles(folder, catalog, files, onProgress);
    await learnAll({ catalog, holidays });
    await settleImportance(catalog);
    // Record files alone, copied into an empty folder: their keys are those of whoever wrote them.
    if (keys.length === 0) await noteKeys(folder, catalog, files);
    await catalog.endRebuild();
    const { errors, ...rest } = bySeverity(problems);
    const lost = archive.lost.map((loss) => ({ file: loss.file, offset: loss.left, reason: lossText(loss) }));
    return { files: files.length, captures, pages, errors: [...lost, ...errors], ...rest };
  } finally {
    await archive.close();
  }
}
