import type { Truncation } from './exchange.ts';
import type { InferenceReason } from './inference.ts';
import type { PageGroup } from './page-group.ts';
import type { RevisitMode, RevisitOutcome } from './site-capture.ts';

/** Target URI of a certificate's record; the key of its crawl follows. */
export const CERTIFICATE = 'urn:certificate:';
export const certificateUri = (crawlKey: string): string => `${CERTIFICATE}${crawlKey}`;

/**
 * What a certificate states about one site capture. Times are ISO 8601, UTC, with milliseconds. Everything but the rates,
 * the clock and the software follows from the records it names: see docs/certificate.md and
 * schemas/certificate.schema.json.
 */
export interface CertificateStatement {
  readonly type: 'daguerre-certificate';
  /**
   * Version 1 does not say which answers were cut short, and may count them as sharp; 1 and 2 do not say what was left out;
   * up to 3, nothing on what was left out of mirrors; up to 4, no observation; up to 5, no groups.
   */
  readonly version: 1 | 2 | 3 | 4 | 5 | 6;
  /** What wrote it. */
  readonly software: string;
  /** Where the time came from. */
  readonly clock: string;
  readonly crawl: {
    readonly key: string;
    readonly seeds: readonly string[];
    readonly order: string;
    readonly revisit: RevisitMode;
    readonly startedAt: string;
    readonly finishedAt: string;
  };
  /** From the first request for a page to the last; null when no page was captured. */
  readonly interval: { readonly start: string; readonly end: string } | null;
  readonly sharp: {
    readonly pages: number;
    /** Pages whose second visit was answered. */
    readonly revisited: number;
    /** Same payload at visit and revisit. */
    readonly strict: number;
    /** Nothing that a reader sees changed: the strict ones, and those whose layout stayed the same. */
    readonly visible: number;
    /** Pages whose payload changed, where it is unknown whether a reader would see it. */
    readonly visibleUnknown: number;
  };
  readonly date: { readonly strict: CertifiedDate | null; readonly visible: CertifiedDate | null };
  readonly blur: {
    /** Expected number of changes between a page's version and the moment a reader asks for, summed over pages. */
    readonly expected: number;
    /** The same, from the times at which pages did change; only when all of them are stated. */
    readonly exact?: number;
    /** Expected blur, had the same requests been made in breadth-first order. */
    readonly breadthFirst: number;
    /** expected / breadthFirst; null when both are 0. */
    readonly ratio: number | null;
  };
  /** Blur over all times that are mapped to this capture; null when no page was captured. Since version 5. */
  readonly observation?: CertifiedObservation | null;
  /** Pages that must agree; for captures with revisits, since version 6. */
  readonly groups?: readonly CertifiedGroup[];
  /** How many pages are known in which way. Since version 3. */
  readonly coverage?: {
    /** Visited: those in `pages`. */
    readonly proven: number;
    /** Not visited, and taken for unchanged: those in `inferred`. */
    readonly inferred: number;
    /** URLs of every kind that other rules left out. */
    readonly skipped: number;
    /** Inferred pages that are expected to have changed after all. */
    readonly expectedMissed: number;
  };
  /** By site and directory. Since version 3. */
  readonly inferred?: readonly CertifiedInference[];
  /** In visit order. */
  readonly pages: readonly CertifiedPage[];
}

/**
 * The times for which this capture is the nearest: from the midpoint between the previous capture and this one. It ends with
 * the capture, since the next one was not known when this was written; a report knows both neighbours.
 */
export interface CertifiedObservation {
  readonly start: string;
  readonly end: string;
  /** When the previous capture ended; null where there was none of the same seeds. */
  readonly previousEnd: string | null;
  /** Expected, like `blur.expected` over the capture's own span. */
  readonly blur: number;
}

/** Whether pages that must agree do: which pages those are is the signer's claim, the rest follows from the records. */
export interface CertifiedGroup extends PageGroup {
  /** By their bytes; null where none of them is sharp. */
  readonly strict: CertifiedTogether | null;
  /** By what a reader sees. */
  readonly visible: CertifiedTogether | null;
}

/** From `from` to `to` this many pages of a group are known to have been as archived, all at once. */
export interface CertifiedTogether {
  readonly from: string;
  readonly to: string;
  readonly proven: number;
  /** Whether that is every page of the group. */
  readonly wholeGroup: boolean;
}

/** A directory whose pages keep their archived version: why, how certain that is, and which version. */
export interface CertifiedInference {
  readonly site: string;
  readonly directory: string;
  readonly reason: InferenceReason;
  /** In words. */
  readonly rule: string;
  /** Chance that nothing changed there. */
  readonly confidence: number;
  /** Pages expected to have changed there. */
  readonly expectedMissed: number;
  readonly lastSeen: string;
  /** By URL; each with the record that last showed it. */
  readonly pages: readonly (CertifiedVisit & { readonly url: string })[];
  /** Of a mirror: URLs of its origin that were never seen at the mirror. Since version 4. */
  readonly unseen?: readonly string[];
}

/** t*: a moment at which `proven` pages are known to have been as archived. */
export interface CertifiedDate {
  readonly time: string;
  /** Every time in [from, to] proves as much. */
  readonly from: string;
  readonly to: string;
  readonly proven: number;
  /** Whether that is every page of the capture. */
  readonly wholeSite: boolean;
}

export interface CertifiedPage {
  readonly url: string;
  /** Changes per second, as the schedule assumed. */
  readonly rate: number;
  /** Position in a breadth-first crawl of the same pages, from 0. */
  readonly breadthFirst: number;
  readonly visit: CertifiedVisit;
  readonly revisit?: CertifiedVisit & { readonly outcome: RevisitOutcome };
  readonly visiblyUnchanged?: boolean;
  /** Times at which the page did change, where they became known. */
  readonly changes?: readonly string[];
}

export interface CertifiedVisit {
  /** WARC-Record-ID of the response or revisit record. */
  readonly record: string;
  /** When the request was sent; the record's WARC-Date. */
  readonly time: string;
  /** Of the payload, lower-case hex. */
  readonly sha256: string;
  readonly status: number;
  /** Why the answer is incomplete; the record's WARC-Truncated. Since version 2. */
  readonly truncated?: Truncation;
}

/** The record's content: the statement, and a signature over its canonical JSON. */
export interface SignedCertificate {
  readonly algorithm: 'Ed25519';
  /** SubjectPublicKeyInfo, DER, base64: the inner lines of a PEM file. */
  readonly publicKey: string;
  /** 64 bytes, base64. */
  readonly signature: string;
  readonly statement: CertificateStatement;
}
