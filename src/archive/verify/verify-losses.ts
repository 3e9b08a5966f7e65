import { z } from 'zod';
import { recordFiles } from '../../storage/archive-folder.ts';
import { isMergedFile } from '../../storage/merged-files.ts';
import type { ProblemPlace } from '../../warc/read-options.ts';
import { writtenDown } from '../journal.ts';
import { LOSS, lossText } from '../open/lost-records.ts';
import type { OpenArchive } from '../open/open-archive.ts';

const LOST_RECORDS = z.object({
  file: z.string(),
  bytes: z.number(),
  left: z.number(),
  captures: z.number().optional(),
  records: z.array(z.string()).optional(),
});

/** Records that the archive once held, went on without, and did not get back. */
export async function verifyLosses(archive: OpenArchive): Promise<readonly ProblemPlace[]> {
  const sizes = new Map((await recordFiles(archive.folder)).map(({ file, size }) => [file, size]));
  // The same file may have been recorded more than once.
  const found = new Map<string, ProblemPlace>();
  for await (const { capture, ...told } of writtenDown(archive, LOSS, LOST_RECORDS, { withoutGone: true })) {
    const { file, offset, at } = capture;
    if ('problem' in told) {
      found.set(capture.recordId, {
        file,
        offset,
        reason: `${capture.url} cannot be understood: ${told.problem}`,
      });
      continue;
    }
    const { captures, records, ...loss } = told.fact;
    const size = sizes.get(loss.file);
    // A file that was replaced may have been larger than the one that came back: only the records can tell.
    const isBack = size !== undefined && size >= loss.left + loss.bytes && size > loss.left;
    if (isBack && !(loss.bytes === 0 && loss.left > 0 && records)) continue;
    const missing = records ? await unknownOf(archive.catalog, records) : undefined;
    // Of a file that others were merged into, the record that says so is no loss.
    if (missing !== undefined && missing <= (isMergedFile(loss.file) ? 1 : 0)) continue;
    const text = lossText({ ...loss, ...(captures !== undefined && { captures }) });
    const day = new Date(at).toISOString().slice(0, 10);
    found.set(loss.file, { file: loss.file, offset: loss.left, reason: `${text}, found on ${day}` });
  }
  return [...found.values()];
}

/** How many of the records the catalog does not know; undefined where none were written down. */
async function unknownOf(
  catalog: Pick<OpenArchive['catalog'], 'captureByRecordId'>,
  records: readonly string[],
): Promise<number | undefined> {
  let missing = 0;
  for (const record of records) if (!(await catalog.captureByRecordId(record))) missing++;
  return records.length > 0 ? missing : undefined;
}
