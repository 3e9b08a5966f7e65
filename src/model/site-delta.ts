import { INFERENCE_REASONS, type InferenceReason, isByRule } from './inference.ts';
import type { Millis } from './time.ts';

/**
 * What an access to a page came to:
 *   new        the page is there, and was not known, or had been gone
 *   updated    other bytes than at the last access that showed it
 *   unchanged  the same bytes
 *   error      no page: another status, or no answer at all
 *   deleted    it was there before, and the server says that it no longer is
 *   mirror     not requested: its site mirrors another, which a sample has confirmed
 *   skipped    not requested: a rule takes it for unchanged
 */
export const DOCUMENT_STATUSES = [
  ...(['new', 'updated', 'unchanged', 'error', 'deleted'] as const),
  ...(['mirror', 'skipped'] as const),
] as const;
export type DocumentStatus = (typeof DOCUMENT_STATUSES)[number];

/** Whether the access showed the page. For mirrors and skips nothing was requested, and nothing is proven. */
export const isShown = (status: DocumentStatus): boolean =>
  status === 'new' || status === 'updated' || status === 'unchanged';

/** Where the record of a document is stored. */
export interface RecordPlace {
  readonly record?: string;
  readonly file?: string;
  readonly offset?: number;
}

/** One access to a page, as the catalog gives it: its place in the page's history follows from those before. */
export type PageAccess = { readonly at: Millis } & (
  | ({ readonly kind: 'answer'; readonly http: number; readonly sameAs?: string } & SeenBytes & RecordPlace)
  /** Seen, and left out by `store: important`. */
  | ({ readonly kind: 'dropped' } & SeenBytes)
  | { readonly kind: 'fault'; readonly fault: string; readonly http?: number }
  | { readonly kind: 'inferred'; readonly reason: InferenceReason }
  | ({
      readonly kind: 'virtual';
      readonly reason: InferenceReason;
      readonly heldBy: string;
    } & RecordPlace)
  | { readonly kind: 'mirrored'; readonly of: string }
);

interface SeenBytes {
  /** Of the payload; '' where unknown. */
  readonly sha256: string;
  /** Of the payload, in bytes. */
  readonly size?: number;
  readonly look?: string;
  readonly importance?: number;
}

/** One access to a page with its place in the page's history; identified by (archive, URL, time). */
export interface DeltaDocument extends RecordPlace {
  readonly at: Millis;
  readonly status: DocumentStatus;
  /** Id of the archive that made it. */
  readonly archive: string;
  readonly sha256?: string;
  readonly size?: number;
  readonly look?: string;
  readonly importance?: number;
  /** The URL whose capture holds the payload, where that is another: a payload is stored once. */
  readonly sameAs?: string;
  /** For an error or a deletion: status of the answer. */
  readonly http?: number;
  /** For an error without an answer. */
  readonly fault?: string;
  /** For a skip: why it is taken for unchanged. */
  readonly inferred?: InferenceReason;
  /** The archive that holds the record, where it is not the one that made the access. */
  readonly heldBy?: string;
  /** For a mirror: the URL that it mirrors. */
  readonly of?: string;
}

export interface DeltaPage {
  readonly url: string;
  /** Oldest first. */
  readonly documents: readonly DeltaDocument[];
}

/** A crawl of the site: what it accessed makes up one version of the site. */
export interface DeltaCrawl {
  readonly archive: string;
  readonly from: Millis;
  /** Absent where it did not finish. */
  readonly to?: Millis;
}

/** A site that mirrors this one, or a part of it. */
export interface DeltaMirror {
  readonly archive: string;
  /** The mirroring site. */
  readonly url: string;
  /** The directory it mirrors, with everything below. */
  readonly path: string;
  /** Directories below it that are not mirrored. */
  readonly exclusions: readonly string[];
  readonly checkedAt: Millis;
  /** Pages whose latest version it lacks. */
  readonly behind: number;
  /** Since when the first of those versions has been out. */
  readonly since?: Millis;
}

/** The history of a site as other archives report it, besides its pages. */
export interface SiteHistory {
  readonly site: string;
  readonly crawls: readonly DeltaCrawl[];
  readonly mirrors: readonly DeltaMirror[];
}

/** For skips by a rule: mirrors have a status of their own. */
export const isInferenceReason = (text: string): text is InferenceReason =>
  INFERENCE_REASONS.some((reason) => reason === text && isByRule(reason));

/** URI of the record of an imported site-delta; the digest of the file follows. */
export const SITE_DELTA = 'urn:site-delta:';

/** Stands for an archive that does not give its id. */
export const UNNAMED = 'unnamed';
