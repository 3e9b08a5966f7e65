import type { CaptureFact } from '../model/capture.ts';
import type { CaptureQuery, Catalog } from '../ports/catalog.ts';

/** Against the capture before it: `same` holds the same payload, `first` has none before it. */
export type Change = 'first' | 'changed' | 'same';

export interface HistoryEntry {
  readonly fact: CaptureFact;
  readonly change: Change;
}

/** The captures of one URL, oldest first, each compared with the one before. */
export async function* captureHistory(
  catalog: Pick<Catalog, 'captures'>,
  query: CaptureQuery & { readonly url: string },
): AsyncIterable<HistoryEntry> {
  let before: CaptureFact | undefined;
  for await (const fact of catalog.captures(query)) {
    yield { fact, change: changeSince(before, fact) };
    // A 304 shows nothing of its own: the next capture is compared with what stood before it.
    if (!before || fact.refersTo?.profile !== 'server-not-modified') before = fact;
  }
}

function changeSince(before: CaptureFact | undefined, fact: CaptureFact): Change {
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
