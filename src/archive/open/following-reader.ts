import type { RecordPosition } from '../../model/capture.ts';
import type { CaptureCatalog } from '../../ports/catalog.ts';
import type { RecordReader } from '../../ports/record-store.ts';
import { isSystemError } from '../../ports/system-error.ts';

/**
 * Reads a record where it lies now. Between the question where a record lies and the reading of it, `thin` may have put another
 * file in the place of the one that was named; the catalog knows by then.
 */
export function followingReader(
  reader: RecordReader,
  catalog: Pick<CaptureCatalog, 'captureByRecordId'>,
): RecordReader {
  return {
    async read(position) {
      try {
        return await reader.read(position);
      } catch (error) {
        if (!isSystemError(error) || error.code !== 'ENOENT') throw error;
        const now = await placeNow(position, catalog);
        if (!now || now.file === position.file) throw error;
        return reader.read(now);
      }
    },
    close: () => reader.close(),
  };
}

async function placeNow(
  position: RecordPosition & { readonly recordId?: unknown },
  catalog: Pick<CaptureCatalog, 'captureByRecordId'>,
): Promise<RecordPosition | undefined> {
  return typeof position.recordId === 'string' ? catalog.captureByRecordId(position.recordId) : undefined;
}
