import type { Millis } from './time.ts';

/** Where a record says that a site mirrors another: `urn:mirror:<mirroring site>`. */
export const MIRROR = 'urn:mirror:';

/**
 * What is held of a mirror:
 *   suspected   found, and below the bound: it is crawled as any site
 *   automatic   found, and above the bound
 *   confirmed   a person says so
 *   rejected    a person says that it is none
 *   ended       a sample of it disagreed
 */
export const MIRROR_STANDINGS = ['suspected', 'automatic', 'confirmed', 'rejected', 'ended'] as const;
export type MirrorStanding = (typeof MIRROR_STANDINGS)[number];

/** A site that shows what another shows, in a part of it. */
export interface MirrorFact {
  readonly mirror: string;
  readonly origin: string;
  /** The directory that is mirrored, with all below but the exclusions. */
  readonly path: string;
  readonly exclusions: readonly string[];
  /** Pages of the part that both have, and those of them that agree. */
  readonly pages: number;
  readonly agreeing: number;
  /** Pages of which the mirror lacks the origin's last version, and since when the first of these is known. */
  readonly behind: number;
  readonly since?: Millis;
  readonly standing: MirrorStanding;
  readonly checkedAt: Millis;
}

/** What a crawl must know of it. */
export type MirroredSite = Pick<MirrorFact, 'mirror' | 'origin' | 'path' | 'exclusions'>;

/** From so many agreeing pages, and such a share of them, a mirror is taken for one without a person. */
export const AUTOMATIC = { pages: 20, share: 0.95 } as const;

/** Whether the site is not crawled page by page. */
export const isSpared = ({ standing }: MirrorFact): boolean =>
  standing === 'automatic' || standing === 'confirmed';
