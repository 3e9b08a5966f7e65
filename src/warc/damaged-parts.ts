import { basename } from 'node:path';
import { FileWindow } from './file-window.ts';
import type { ProblemPlace, ReadProblem } from './read-options.ts';
import { isGzip, readRecords } from './read-records.ts';
import { checkRecord } from './verify/check-record.ts';

/** The leading part of a record file. */
export interface RecordFilePart {
  readonly path: string;
  readonly length: number;
}

/**
 * The parts of record files that cannot be read. The checksum of a gzip member is verified by reading it, and vouches for
 * its record: the digests, which take three times as long, are checked only in plain files. Everything else is left to
 * `verify`.
 *
 * @param here makes sure that a file is present: copies of remote files may be removed again
 */
export async function damagedParts(
  files: readonly RecordFilePart[],
  here?: (path: string) => Promise<unknown>,
): Promise<readonly ProblemPlace[]> {
  const damaged: ProblemPlace[] = [];
  for (const { path, length } of files) {
    await here?.(path);
    const file = basename(path);
    const onProblem = ({ offset, reason, severity = 'error' }: ReadProblem): void => {
      if (severity === 'error' && offset < length) damaged.push({ file, offset, reason });
    };
    const isChecked = !(await isGzipped(path));
    for await (const record of readRecords(path, { to: length, onProblem })) {
      if (!isChecked) continue;
      const { faults } = await checkRecord(record);
      for (const { severity, reason } of faults) onProblem({ ...record, severity, reason });
    }
  }
  return damaged;
}

async function isGzipped(path: string): Promise<boolean> {
  const window = await FileWindow.open(path);
  try {
    return await isGzip(window);
  } finally {
    await window.close();
  }
}
