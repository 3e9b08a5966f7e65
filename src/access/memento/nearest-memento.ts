import type { CaptureFact } from '../../model/capture.ts';
import type { Millis } from '../../model/time.ts';
import type { CaptureCatalog } from '../../ports/catalog.ts';
import { urlVariants } from '../url-variants.ts';

/** The capture of a URL nearest in time, as the index knows it: no record is read. The earlier of two as near. */
export async function nearestMemento(
  catalog: Pick<CaptureCatalog, 'neighbours'>,
  url: string,
  at: Millis,
): Promise<CaptureFact | undefined> {
  for (const variant of urlVariants(url)) {
    const { before, after } = await catalog.neighbours(variant, at);
    if (before && after) return at - before.at <= after.at - at ? before : after;
    const only = before ?? after;
    if (only) return only;
  }
  return undefined;
}
