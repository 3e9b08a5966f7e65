import { textOf } from '../model/body.ts';
import { deltaUri, layoutUri, pageOfUri } from '../model/derived-uris.ts';
import type { Millis } from '../model/time.ts';
import type { CaptureCatalog, SiteCatalog } from '../ports/catalog.ts';
import type { RecordReader } from '../ports/record-store.ts';

export const DOCUMENT_KINDS = ['deltas', 'layouts'] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

const URIS = { deltas: deltaUri, layouts: layoutUri } as const;

export interface DocumentFilter {
  readonly kind: DocumentKind;
  readonly url?: string;
  readonly site?: string;
  readonly since?: Millis;
  readonly until?: Millis;
}

/** A Vi-Delta or Vi-XML document of the archive. */
export interface StoredDocument {
  /** Of the page. */
  readonly url: string;
  readonly at: Millis;
  readonly xml: string;
}

/** Page by page, each in the order of time; one is in memory at a time. A record that cannot be read is reported. */
export async function* storedDocuments(
  { kind, url, site, since, until }: DocumentFilter,
  {
    catalog,
    reader,
  }: {
    readonly catalog: CaptureCatalog & Pick<SiteCatalog, 'siteBounds'>;
    readonly reader: RecordReader;
  },
  onProblem: (problem: string) => void,
): AsyncIterable<StoredDocument> {
  const { siteOf } = catalog.siteBounds();
  const facts = catalog.captures({
    ...(url === undefined ? { urlPrefix: URIS[kind]('') } : { url: URIS[kind](url) }),
    ...(since !== undefined && { from: since }),
    ...(until !== undefined && { to: until }),
  });
  for await (const fact of facts) {
    const page = pageOfUri(fact.url);
    if (page === undefined || (site !== undefined && siteOf(page) !== site)) continue;
    let xml: string;
    try {
      xml = await textOf((await reader.read(fact)).payload);
    } catch (error) {
      onProblem(error instanceof Error ? error.message : String(error));
      continue;
    }
    yield { url: page, at: fact.at, xml };
  }
}
