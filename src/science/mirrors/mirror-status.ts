/**
 * Of two sites that mirror each other in a part: which is the origin, and how far the other is behind.
 *
 * The mirror is behind by the pages of which it shows an earlier version of the origin's, and by those that it lacks. The
 * origin is the one that is less behind; on a tie the one with more pages; then the one seen first; then by name. A person may
 * decide otherwise.
 */
import type { Millis } from '../../model/time.ts';

/** A page of a site as known: its last bytes, earlier ones, and since when each has been known. Oldest first. */
export interface KnownVersions {
  readonly versions: readonly { readonly since: Millis; readonly digest: string }[];
}

export interface MirrorSide {
  readonly site: string;
  /** Number of pages in the part. */
  readonly pages: number;
  readonly firstSeen: Millis;
}

export interface PairedPage {
  readonly path: string;
  /** Undefined where the side lacks the page. */
  readonly a: KnownVersions | undefined;
  readonly b: KnownVersions | undefined;
  /** Whether they agree now. */
  readonly agrees: boolean;
}

export interface Behind {
  readonly pages: number;
  /** When the first of the newer versions came. */
  readonly since?: Millis;
}

export interface MirrorRoles {
  readonly origin: string;
  readonly mirror: string;
  readonly behind: Behind;
}

/** @param knownOrigin for a pair whose direction is known: it stays */
export function mirrorRoles(
  a: MirrorSide,
  b: MirrorSide,
  pages: readonly PairedPage[],
  knownOrigin?: string,
): MirrorRoles {
  const behindOfB = behindBy(pages.map((page) => ({ agrees: page.agrees, origin: page.a, mirror: page.b })));
  const behindOfA = behindBy(pages.map((page) => ({ agrees: page.agrees, origin: page.b, mirror: page.a })));
  const order =
    behindOfB.pages - behindOfA.pages ||
    a.pages - b.pages ||
    b.firstSeen - a.firstSeen ||
    (a.site < b.site ? 1 : -1);
  return (knownOrigin === undefined ? order >= 0 : knownOrigin === a.site)
    ? { origin: a.site, mirror: b.site, behind: behindOfB }
    : { origin: b.site, mirror: a.site, behind: behindOfA };
}

interface OneWay {
  readonly agrees: boolean;
  readonly origin: KnownVersions | undefined;
  readonly mirror: KnownVersions | undefined;
}

function behindBy(pages: readonly OneWay[]): Behind {
  const times: Millis[] = [];
  for (const { agrees, origin, mirror } of pages) {
    if (agrees || !origin) continue;
    const now = origin.versions.at(-1);
    const shown = mirror?.versions.at(-1)?.digest;
    const isOlder =
      shown !== undefined && origin.versions.slice(0, -1).some(({ digest }) => digest === shown);
    if (now && (mirror === undefined || isOlder)) times.push(now.since);
  }
  const since = times.reduce((least, at) => Math.min(least, at), Number.POSITIVE_INFINITY);
  return { pages: times.length, ...(times.length > 0 && { since }) };
}
