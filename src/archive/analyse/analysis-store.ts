import { memoryBody } from '../../model/body.ts';
import type { CaptureFact, DerivedRecord } from '../../model/capture.ts';
import type { Change } from '../../model/change.ts';
import { analysisUri } from '../../model/derived-uris.ts';
import type { VersionAnalysis } from '../../model/version-analysis.ts';
import type { OpenArchive } from '../open/open-archive.ts';
import { openDerivedStore } from './derived-store.ts';

export interface AnalysisStore {
  add(
    analysis: VersionAnalysis,
    records: readonly DerivedRecord[],
    change: Change | undefined,
  ): Promise<readonly CaptureFact[]>;
  close(end: { readonly isBrokenOff: boolean }): Promise<void>;
}

/** Analyses as records: layout and delta come first; the analysis itself closes its event. */
export function openAnalysisStore(archive: OpenArchive): AnalysisStore {
  const store = openDerivedStore(archive);
  return {
    add(analysis, records, change) {
      const { url, at } = analysis;
      const closing: DerivedRecord = {
        uri: analysisUri(url),
        contentType: 'application/json',
        body: memoryBody(Buffer.from(JSON.stringify(analysis))),
      };
      return store.add({ url, at, exchanges: [], derived: [...records, closing] }, (eventId) => ({
        analyses: [{ analysis, eventId, ...(change && { change }) }],
      }));
    },
    close: (end) => store.close(end),
  };
}
