import type { RecordPosition } from '../../model/capture.ts';
import type { CaptureCatalog } from '../../ports/catalog.ts';
import type { RecordReader } from '../../ports/record-store.ts';
import { isSystemError } from '../../ports/system-error.ts';

/**
 * Reads a record where it lies now. Between looking up a record's place and reading it, `thin` may have replaced the
 * file; by then the catalog knows the new one.
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
