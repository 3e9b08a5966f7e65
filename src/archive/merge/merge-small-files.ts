import { existsSync } from 'node:fs';
import { archiveFolder } from '../../storage/archive-folder.ts';
import { readIdentity } from '../../storage/identity-file.ts';
import { type ArchiveLocation, noArchive, openForWriting } from '../open/open-archive.ts';
import { requireArchive } from '../open/require-archive.ts';
import { systemClock } from '../system-clock.ts';
import { UserError } from '../user-error.ts';
import { ALL } from './choose-files.ts';
import { GRACE, type MergeOptions, type MergeReport, mergeArchive } from './merge-archive.ts';

export interface MergeGiven extends Pick<MergeOptions, 'signal' | 'onProgress'> {
  /** Receives what opening the archive had to mend. */
  readonly onMended: (sentence: string) => void;
}

/** Merges all small record files of an archive. */
export async function mergeSmallFiles(location: ArchiveLocation, given: MergeGiven): Promise<MergeReport> {
  const { root } = archiveFolder(location.archive);
  if (location.storage === undefined) {
    if (!existsSync(root)) throw new UserError(noArchive(root));
    const { storage } = (await readIdentity(root).catch(() => undefined)) ?? {};
    throw new UserError(
      storage === undefined
        ? 'the record files of this archive lie in its folder, where they are not merged: small ones are no burden there'
        : `the records of this archive lie in ${storage}: add --storage ${storage}, or set DAGUERRE_STORAGE`,
    );
  }
  await requireArchive(location);
  const { onMended, ...rest } = given;
  const archive = await openForWriting(location, 'merge', { onWait: onMended });
  try {
    for (const sentence of archive.mended) onMended(sentence);
    return await mergeArchive(archive, { ...rest, now: () => systemClock.now(), sizes: ALL, grace: GRACE });
  } finally {
    await archive.close();
  }
}
