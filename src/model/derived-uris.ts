/** Target URIs of the records that are derived from a page; the kind stands between `urn:` and the page's URL. */
export const snapshotUri = (url: string): string => `urn:snapshot:${url}`;
export const layoutUri = (url: string): string => `urn:layout:${url}`;
export const deltaUri = (url: string): string => `urn:delta:${url}`;
/** What became of a layout by template: see docs/templates.md. */
export const templateUri = (url: string): string => `urn:template:${url}`;
export const pageInfoUri = (url: string): string => `urn:pageinfo:${url}`;

/** The log of a crawl: its key follows. */
export const CRAWL_LOG = 'urn:crawl:';

/** The page a derived record belongs to; undefined for any other URI. */
export function pageOfUri(uri: string): string | undefined {
  return /^urn:(?:snapshot|layout|delta|template|pageinfo|view|thumbnail|text):(.+)$/su.exec(uri)?.[1];
}
