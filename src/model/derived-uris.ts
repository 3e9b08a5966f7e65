/** Target URIs of records derived from a page; the kind stands between `urn:` and the page's URL. */
export const snapshotUri = (url: string): string => `urn:snapshot:${url}`;
export const layoutUri = (url: string): string => `urn:layout:${url}`;
export const deltaUri = (url: string): string => `urn:delta:${url}`;
/** What became of filling a layout from a template: see docs/templates.md. */
export const templateUri = (url: string): string => `urn:template:${url}`;
/** What a later analysis of the capture found: see docs/changes.md. */
export const ANALYSIS = 'urn:analysis:';
export const analysisUri = (url: string): string => `${ANALYSIS}${url}`;
/** An answer that is not the page: how that was recognised, and the answer itself. It is no capture of the page. */
export const notThePageUri = (url: string): string => `urn:not-the-page:${url}`;
export const wallAnswerUri = (url: string): string => `urn:wall-answer:${url}`;
/** How well the archive replays the capture: see docs/check.md. */
export const checkUri = (url: string): string => `urn:check:${url}`;
/** The screenshot that a check took of the replayed page, dated like the check. */
export const replayedUri = (url: string): string => `urn:replayed:${url}`;
export const viewUri = (url: string): string => `urn:view:${url}`;
export const pageInfoUri = (url: string): string => `urn:pageinfo:${url}`;

/** Closes a record file that was rewritten with less in it; the name of the old file follows: see docs/thinning.md. */
export const DROPPED = 'urn:dropped:';

/** First record of a file that others were merged into, with their names; its own name follows: see docs/storage.md. */
export const MERGED = 'urn:merged:';

/** The log of a crawl: its key follows. */
export const CRAWL_LOG = 'urn:crawl:';

/** The page a derived record belongs to; undefined for any other URI. */
export function pageOfUri(uri: string): string | undefined {
  return /^urn:(?:snapshot|layout|delta|analysis|check|replayed|template|pageinfo|view|thumbnail|fullPage|text|not-the-page|wall-answer):(.+)$/su.exec(
    uri,
  )?.[1];
}
