import type { CertifiedVisit } from './certificate.ts';

export const PROOF_CLAIMS = ['present', 'absent'] as const;
export type ProofClaim = (typeof PROOF_CLAIMS)[number];

export const PROOF_ANSWERS = ['proven', 'contradicted', 'unknown'] as const;
export type ProofAnswer = (typeof PROOF_ANSWERS)[number];

/**
 * What is to be proven: that a phrase stood, or did not stand, on pages throughout a time. Times are ISO 8601, UTC, with
 * milliseconds.
 */
export interface ProofQuery {
  readonly site: string;
  /** As it was given. */
  readonly phrase: string;
  readonly claim: ProofClaim;
  /** Equal for a single moment. */
  readonly from: string;
  readonly to: string;
  /** The only page asked about; the whole site where absent. */
  readonly page?: string;
}

/** Between its two visits the page was one version: see docs/prove.md. */
export interface ProofInterval {
  readonly visit: CertifiedVisit;
  readonly revisit: CertifiedVisit;
  /** Whether the text of its bytes holds the phrase; null where no text can be read from them. */
  readonly shows: boolean | null;
  /** What the browser showed at the visit, where that is stored. */
  readonly rendered?: { readonly record: string; readonly shows: boolean };
}

export interface ProofPage {
  readonly url: string;
  readonly answer: ProofAnswer;
  /** In words. */
  readonly why: string;
  /** Those overlapping the time asked about, by start. */
  readonly intervals: readonly ProofInterval[];
}

export interface ProofStatement {
  readonly type: 'daguerre-proof';
  readonly version: 1;
  readonly software: string;
  readonly clock: string;
  readonly madeAt: string;
  readonly query: ProofQuery;
  /** How text and phrase are compared. */
  readonly rule: string;
  readonly answers: Readonly<Record<ProofAnswer, number>>;
  /** By URL: every page of the site that a certificate of this archive names. */
  readonly pages: readonly ProofPage[];
}

/** The statement, and a signature over its canonical JSON. */
export interface SignedProof {
  readonly algorithm: 'Ed25519';
  readonly publicKey: string;
  readonly signature: string;
  readonly statement: ProofStatement;
}
