/** Who visits: each page a first-time visitor, or each site one visitor from the beginning of the crawl to its end. */
export const SESSION_MODES = ['page', 'crawl'] as const;
export type SessionMode = (typeof SESSION_MODES)[number];

/** What is answered to banners that ask for consent. */
export const CONSENT_ANSWERS = ['none', 'accept', 'reject'] as const;
export type ConsentAnswer = (typeof CONSENT_ANSWERS)[number];

/** A way out, as it may be told: without credentials. */
export interface WayFact {
  /** `*` for all. */
  readonly hosts: string;
  /** `direct` for none. */
  readonly proxy: string;
}
