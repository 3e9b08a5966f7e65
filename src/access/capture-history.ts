import type { CaptureFact } from '../model/capture.ts';
import type { Comparison } from '../model/comparison.ts';
import type { Visit } from '../model/crawl.ts';
import { looksOf } from '../model/shown-versions.ts';
import type { Millis } from '../model/time.ts';
import type {
  AnalysisCatalog,
  CaptureCatalog,
  CaptureQuery,
  ChangeCatalog,
  ResultCatalog,
  StoredVersion,
} from '../ports/catalog.ts';
import { type ComparedCapture, compareCaptures, type StoredLooks } from './compare-captures.ts';
import { impairedVersions } from './impaired-versions.ts';

export interface HistoryEntry {
  readonly fact: CaptureFact;
  /** With the capture before it. */
  readonly comparison: Comparison;
  /** The one that the next capture is compared with. */
  readonly before: ComparedCapture;
  /** What was wrong with the visit that made it. */
  readonly impaired?: NonNullable<Visit['fault']>;
  /** Its delta covers only a part of the page. */
  readonly partialChange?: true;
}

type HistoryCatalog = CaptureCatalog & ChangeCatalog & ResultCatalog & AnalysisCatalog;

/** The captures of one URL, oldest first, each compared with the one before; the first with the one given, where there is one. */
export async function* captureHistory(
  catalog: HistoryCatalog,
  query: CaptureQuery & { readonly url: string },
  lead?: ComparedCapture,
): AsyncIterable<HistoryEntry> {
  const { url } = query;
  const impairment = await impairedVersions(catalog, url);
  const looks = await storedLooks(catalog, url);
  let before = lead;
  for await (const fact of catalog.captures(query)) {
    const impaired = impairment(url, fact.at);
    const comparison = compareCaptures(before, fact, looks);
    // A 304 shows nothing of its own: the next capture is compared with what stood before it.
    if (!before || fact.refersTo?.profile !== 'server-not-modified') before = fact;
    yield {
      fact,
      comparison,
      before,
      ...(impaired && { impaired }),
      ...(looks.deltas.get(fact.at)?.partial && { partialChange: true as const }),
    };
  }
}

/** What is stored of the layouts of a page and the deltas between them. */
export async function storedLooks(
  catalog: Pick<ChangeCatalog, 'changes'> & AnalysisCatalog,
  url: string,
): Promise<StoredLooks> {
  const changes = await catalog.changes({ url, sort: 'time', operationLimit: 0 });
  const layouts = new Map<Millis, Millis>();
  for await (const { versions } of catalog.storedVersions({ url, withPrivate: true }))
    looksOf(versions).forEach((look, i) => {
      const { at } = versions[i] as StoredVersion;
      if (look?.layoutAt !== undefined) layouts.set(at, look.layoutAt);
    });
  return { layouts, deltas: new Map(changes.map((change) => [change.to, change])) };
}
