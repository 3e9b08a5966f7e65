import { INFERENCE_REASONS, type InferenceReason, isByRule } from './inference.ts';
import type { Millis } from './time.ts';

/**
 * What an access to a page came to:
 *   new        the page is there, and was not known, or had been gone
 *   updated    other bytes than at the last access that showed it
 *   unchanged  the same bytes
 *   error      no page: another status, or no answer at all
 *   deleted    it was there before, and the server says that it no longer is
 *   mirror     not asked for: its site mirrors another, which a sample has confirmed
 *   skipped    not asked for: a rule takes it for unchanged
 */
export const DOCUMENT_STATUSES = [
  ...(['new', 'updated', 'unchanged', 'error', 'deleted'] as const),
  ...(['mirror', 'skipped'] as const),
] as const;
export type DocumentStatus = (typeof DOCUMENT_STATUSES)[number];

/** Whether the access showed the page. Of a mirror and of what was skipped nothing was asked, and nothing is proven. */
export const isShown = (status: DocumentStatus): boolean =>
  status === 'new' || status === 'updated' || status === 'unchanged';

/** Where the record of a document lies. */
export interface RecordPlace {
  readonly record?: string;
  readonly file?: string;
  readonly offset?: number;
}

/** One access to a page, as the catalog tells it: what it is in the page's history follows from those before. */
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
  /** Of the payload; '' where nobody knows. */
  readonly sha256: string;
  /** Of the payload, in bytes. */
  readonly size?: number;
  readonly look?: string;
  readonly importance?: number;
}

/** One access to a page with its place in the page's history; (archive, URL, time) names it. */
export interface DeltaDocument extends RecordPlace {
  readonly at: Millis;
  readonly status: DocumentStatus;
  /** Id of the archive that made it. */
  readonly archive: string;
  readonly sha256?: string;
  readonly size?: number;
  readonly look?: string;
  readonly importance?: number;
  /** The URL whose capture holds the payload, where that is another: it is stored once. */
  readonly sameAs?: string;
  /** Of an error or a deletion: status of the answer. */
  readonly http?: number;
  /** Of an error without an answer. */
  readonly fault?: string;
  /** Of what was skipped: why it is taken for unchanged. */
  readonly inferred?: InferenceReason;
  /** The archive that holds the record, where the one that made the access does not. */
  readonly heldBy?: string;
  /** Of a mirror: the URL that it mirrors. */
  readonly of?: string;
}

export interface DeltaPage {
  readonly url: string;
  /** Oldest first. */
  readonly documents: readonly DeltaDocument[];
}

/** A crawl of the site: what it accessed makes one version of it. */
export interface DeltaCrawl {
  readonly archive: string;
  readonly from: Millis;
  /** Absent where it was not finished. */
  readonly to?: Millis;
}

/** A site that mirrors this one, or a part of it. */
export interface DeltaMirror {
  readonly archive: string;
  /** The mirroring site. */
  readonly url: string;
  /** The directory that it mirrors, with all below. */
  readonly path: string;
  /** Directories below that it does not mirror. */
  readonly exclusions: readonly string[];
  readonly checkedAt: Millis;
  /** Pages of which it lacks the last version. */
  readonly behind: number;
  /** Since when the first of them is out. */
  readonly since?: Millis;
}

/** The history of a site as other archives tell it, beside its pages. */
export interface SiteHistory {
  readonly site: string;
  readonly crawls: readonly DeltaCrawl[];
  readonly mirrors: readonly DeltaMirror[];
}

/** Of what was skipped by a rule: what mirrors another has a status of its own. */
export const isInferenceReason = (text: string): text is InferenceReason =>
  INFERENCE_REASONS.some((reason) => reason === text && isByRule(reason));

/** The record of an imported site-delta: the digest of the file follows. */
export const SITE_DELTA = 'urn:site-delta:';

/** The archive of those who do not say. */
export const UNNAMED = 'unnamed';
