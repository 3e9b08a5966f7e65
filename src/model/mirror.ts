import type { Millis } from './time.ts';

/** URI of the record that says that a site mirrors another: `urn:mirror:<mirroring site>`. */
export const MIRROR = 'urn:mirror:';

/**
 * What is believed about a mirror:
 *   suspected   found, and below the bound: it is crawled like any site
 *   automatic   found, and above the bound
 *   confirmed   a person says so
 *   rejected    a person says that it is not one
 *   ended       a sample of it disagreed
 */
export const MIRROR_STANDINGS = ['suspected', 'automatic', 'confirmed', 'rejected', 'ended'] as const;
export type MirrorStanding = (typeof MIRROR_STANDINGS)[number];

/** A site of which a part shows what another site shows. */
export interface MirrorFact {
  readonly mirror: string;
  readonly origin: string;
  /** The mirrored directory, with everything below it but the exclusions. */
  readonly path: string;
  readonly exclusions: readonly string[];
  /** Pages of that part that both sites have, and how many of them agree. */
  readonly pages: number;
  readonly agreeing: number;
  /** Pages whose latest version at the origin the mirror lacks, and since when the first of these versions has been known. */
  readonly behind: number;
  readonly since?: Millis;
  readonly standing: MirrorStanding;
  readonly checkedAt: Millis;
}

/** What a crawl needs to know of it. */
export type MirroredSite = Pick<MirrorFact, 'mirror' | 'origin' | 'path' | 'exclusions'>;

/** With this many agreeing pages, and this share of them, a mirror is accepted without a person's confirmation. */
export const AUTOMATIC = { pages: 20, share: 0.95 } as const;

/** Whether the site is not crawled page by page. */
export const isSpared = ({ standing }: MirrorFact): boolean =>
  standing === 'automatic' || standing === 'confirmed';
