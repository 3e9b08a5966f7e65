import { existsSync } from 'node:fs';
import { archiveFolder } from '../../storage/archive-folder.ts';
import { type ArchiveLocation, noArchive } from '../open/open-archive.ts';
import { UserError } from '../user-error.ts';
import { writeOrAsk } from '../writer/write-or-ask.ts';
import {
  type AnalysisInput,
  type AnalysisReport,
  type AnalysisWork,
  analyseInto,
} from './analyse-archive.ts';

export interface AnalysisOptions extends AnalysisWork {
  /** Receives what opening the archive had to mend. */
  readonly onMended?: (sentence: string) => void;
  readonly onWait?: (sentence: string) => void;
}

/** Layouts and deltas for stored captures. Where another process writes to the archive, it is asked to make them. */
export async function analyseCaptures(
  location: ArchiveLocation,
  input: AnalysisInput,
  options: AnalysisOptions = {},
): Promise<AnalysisReport> {
  const { root } = archiveFolder(location.archive);
  if (!existsSync(root)) throw new UserError(noArchive(root));
  return writeOrAsk(location, {
    ask: 'analyse',
    input: () => input,
    write: (archive) => analyseInto(archive, input, options),
    ...options,
  });
}
