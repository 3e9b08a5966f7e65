import { basename } from 'node:path';
import type { OpenArchive } from '../open/open-archive.ts';
import { importSiteDelta } from '../site-delta/import-site-delta.ts';
import type { Imported, ImportProblem } from './import-file.ts';

/** A site-delta: its contents are counted, its problems reported by line and column. */
export async function importHistory(
  archive: OpenArchive,
  path: string,
  sha256: string,
  onProgress: (file: string, done: number, size: number) => void,
): Promise<Partial<Imported>> {
  const { isKnown, history, problems } = await importSiteDelta(archive, path, sha256, onProgress);
  const file = basename(path);
  if (isKnown) return { already: [file] };
  const placed = (reason: string): ImportProblem => ({ file, offset: 0, reason });
  const more = problems.more > 0 ? [placed(`${problems.more} more problems of this kind`)] : [];
  const errors = problems.errors.map(placed);
  const notes = problems.notes.map(placed);
  return errors.length > 0
    ? { history, errors: [...errors, ...more], notes }
    : { history, notes: [...notes, ...more] };
}
