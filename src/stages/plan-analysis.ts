import type { Millis } from '../model/time.ts';
import type { StoredVersion, VersionLook } from '../ports/catalog.ts';

/**
 * Why a stored version is analysed:
 *   new        it never has been
 *   again      it was by another analyser, and a new analysis is requested
 *   failed     the analysis failed, and another try is requested
 *   successor  what it was compared with is no longer the version before it; or, of what crawls have left, a version
 *              before it was analysed later than it, and its weights follow from that one as well
 */
export type AnalysisTask = 'new' | 'again' | 'failed' | 'successor';

export interface AnalysisWish {
  readonly from?: Millis | undefined;
  readonly to?: Millis | undefined;
  readonly again?: boolean;
  readonly retry?: boolean;
  /**
   * Only what crawls have left to be analysed later, with archived snapshots; the result is as if each version had been analysed when
   * it was captured, in whatever order they came.
   */
  readonly left?: boolean;
}

/** What precedes a version, as far as its page has been processed. */
export interface Before {
  /** Of the capture directly before it; `isKnown` if that was analysed, or will be. */
  readonly payload?: string;
  readonly isKnown: boolean;
  /** The last version with a layout of its own. */
  readonly layout?: { readonly at: Millis; readonly madeAt: Millis; readonly recut: boolean };
  /** When any of them was last analysed. */
  readonly newest?: Millis;
}

export const NOTHING_BEFORE: Before = { isKnown: false };

/**
 * Stage: which versions of a page are to be analysed, processed in the order of time. Decided from stored data alone, so that a run
 * that was killed resumes where it was, whatever its purpose.
 *
 * A version with exactly the bytes of the one before it is that one: it is not analysed.
 */
export function taskFor(
  version: StoredVersion,
  before: Before,
  wish: AnalysisWish,
  isCurrent: (version: StoredVersion) => boolean,
): AnalysisTask | undefined {
  const { look, at } = version;
  const isAsked =
    at >= (wish.from ?? Number.NEGATIVE_INFINITY) && at <= (wish.to ?? Number.POSITIVE_INFINITY);
  if (!look) return isAsked && isNew(version, before, wish) ? 'new' : undefined;
  if (look.layoutAt === undefined) return isAsked && wish.retry ? 'failed' : undefined;
  if (isAsked && wish.again && !isCurrent(version)) return 'again';
  const isLate = wish.left && look.layoutAt === at && look.madeAt < (before.newest ?? look.madeAt);
  return isLate || isOutOfDate(look, at, before.layout) ? 'successor' : undefined;
}

/** What a crawl has seen is analysed even if its bytes equal the version before: scripts and pictures may show another page. */
const isNew = (version: StoredVersion, before: Before, { left }: AnalysisWish): boolean =>
  version.isSeen === true || (!left && !isRepeated(version, before));

export const isRepeated = (version: StoredVersion, { payload, isKnown }: Before): boolean =>
  isKnown && version.payload !== '' && version.payload === payload;

function isOutOfDate(look: VersionLook, at: Millis, layout: Before['layout']): boolean {
  // Without one before it, a crawl may have compared it with the page under another scheme.
  if (!layout) return false;
  if (look.comparedAt !== layout.at) return true;
  // A version that looked the same follows that one's layout, whichever it is now.
  return look.layoutAt === at && layout.recut && look.madeAt < layout.madeAt;
}

/** Called once a version has been passed or analysed. */
export function after(version: StoredVersion, look: VersionLook | undefined, before: Before): Before {
  const isKnown = look !== undefined || isRepeated(version, before);
  const isOwn = look?.layoutAt === version.at;
  const layout = isOwn ? { at: version.at, madeAt: look.madeAt, recut: look.recut } : before.layout;
  const newest = Math.max(
    look?.madeAt ?? Number.NEGATIVE_INFINITY,
    before.newest ?? Number.NEGATIVE_INFINITY,
  );
  return {
    payload: version.payload,
    isKnown,
    ...(layout && { layout }),
    ...(Number.isFinite(newest) && { newest }),
  };
}
