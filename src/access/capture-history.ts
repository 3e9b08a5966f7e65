import type { CaptureFact } from '../model/capture.ts';
import type { Visit } from '../model/crawl.ts';
import type { CaptureCatalog, CaptureQuery, ChangeCatalog, ResultCatalog } from '../ports/catalog.ts';
import { impairedVersions } from './impaired-versions.ts';

/** Against the capture before it: `same` holds the same payload, `first` has none before it. */
export type PayloadComparison = 'first' | 'changed' | 'same';

export interface HistoryEntry {
  readonly fact: CaptureFact;
  readonly change: PayloadComparison;
  /** What was wrong with the visit that made it. */
  readonly impaired?: NonNullable<Visit['fault']>;
  /** The delta of its layout tells of a part of the page alone. */
  readonly partialChange?: true;
}

/** The captures of one URL, oldest first, each compared with the one before. */
export async function* captureHistory(
  catalog: CaptureCatalog & ChangeCatalog & ResultCatalog,
  query: CaptureQuery & { readonly url: string },
): AsyncIterable<HistoryEntry> {
  const { url } = query;
  const impairment = await impairedVersions(catalog, url);
  const changes = await catalog.changes({ url, sort: 'time', operationLimit: 0 });
  const partial = new Set(changes.flatMap((change) => (change.partial ? [change.to] : [])));
  let before: CaptureFact | undefined;
  for await (const fact of catalog.captures(query)) {
    const impaired = impairment(url, fact.at);
    yield {
      fact,
      change: comparedWith(before, fact),
      ...(impaired && { impaired }),
      ...(partial.has(fact.at) && { partialChange: true as const }),
    };
    // A 304 shows nothing of its own: the next capture is compared with what stood before it.
    if (!before || fact.refersTo?.profile !== 'server-not-modified') before = fact;
  }
}

function comparedWith(before: CaptureFact | undefined, fact: CaptureFact): PayloadComparison {
  if (!before) return 'first';
  // 304: the server itself said so, whatever a foreign record knows of digests.
  if (fact.refersTo?.profile === 'server-not-modified') return 'same';
  // A redirect or an error with an empty body has the digest of every other empty body.
  if (fact.status !== before.status) return 'changed';
  const { sha256, sha1 } = fact.digest;
  const same =
    sha256 !== '' && before.digest.sha256 !== ''
      ? sha256 === before.digest.sha256
      : sha1 === before.digest.sha1;
  return same ? 'same' : 'changed';
}
