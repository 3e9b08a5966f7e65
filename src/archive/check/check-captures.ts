import { existsSync } from 'node:fs';
import { archiveFolder } from '../../storage/archive-folder.ts';
import { type ArchiveLocation, noArchive } from '../open/open-archive.ts';
import { UserError } from '../user-error.ts';
import { writeOrAsk } from '../writer/write-or-ask.ts';
import { type CheckInput, type CheckReport, type CheckWork, checkInto } from './check-archive.ts';

export interface CheckOptions extends CheckWork {
  /** Receives what opening the archive had to mend. */
  readonly onMended?: (sentence: string) => void;
  readonly onWait?: (sentence: string) => void;
}

/** Checks stored captures. Where another process writes to the archive, it is asked to do so: verdicts are records. */
export async function checkCaptures(
  location: ArchiveLocation,
  input: CheckInput,
  options: CheckOptions = {},
): Promise<CheckReport> {
  const { sample = 1, workers = 1 } = input;
  if (sample < 1 || workers < 1) throw new UserError('--sample and --workers take a whole number from 1 on');
  const { root } = archiveFolder(location.archive);
  if (!existsSync(root)) throw new UserError(noArchive(root));
  return writeOrAsk(location, {
    ask: 'check',
    input: () => input,
    write: (archive) => checkInto(archive, input, options),
    ...options,
  });
}
