import { noLists, openRecogniser } from '../../capture/ads/index.ts';
import type { AdRecogniser } from '../../ports/ad-recogniser.ts';

export interface Advertisements {
  readonly recogniser: AdRecogniser;
  /** What degrades the layouts: filter lists that are missing or cannot be read. */
  readonly note?: string;
}

/** A cache that cannot be written, or a list that cannot be read, must not cost the layouts. */
export function advertisements(
  { cacheFolder }: { readonly cacheFolder: string },
  open: typeof openRecogniser = openRecogniser,
): Advertisements {
  let why = '';
  for (const options of [{ cacheFolder }, {}]) {
    try {
      const { recogniser, fact } = open(options);
      return recogniser === noLists ? { recogniser, note: fact } : { recogniser };
    } catch (error) {
      why = error instanceof Error ? error.message : String(error);
    }
  }
  const note = `the filter lists cannot be read, advertisements are told by labels, targets and sizes alone: ${why}`;
  return { recogniser: noLists, note };
}
