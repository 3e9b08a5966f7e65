import type { ArchiveLocation } from '../open/open-archive.ts';
import { requireArchive } from '../open/require-archive.ts';
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
  await requireArchive(location);
  return writeOrAsk(location, {
    ask: 'analyse',
    input: () => input,
    write: (archive) => analyseInto(archive, input, options),
    ...options,
  });
}
