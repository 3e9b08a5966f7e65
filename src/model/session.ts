/** Who visits: each page gets a first-time visitor, or each site one visitor from the beginning of the crawl to its end. */
export const SESSION_MODES = ['page', 'crawl'] as const;
export type SessionMode = (typeof SESSION_MODES)[number];

/** How consent banners are answered. */
export const CONSENT_ANSWERS = ['none', 'accept', 'reject'] as const;
export type ConsentAnswer = (typeof CONSENT_ANSWERS)[number];

/** A way out, as it may be shown: without credentials. */
export interface WayFact {
  /** `*` for all hosts. */
  readonly hosts: string;
  /** `direct` for no proxy. */
  readonly proxy: string;
}
