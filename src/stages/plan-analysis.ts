import type { Millis } from '../model/time.ts';
import type { StoredVersion, VersionLook } from '../ports/catalog.ts';

/**
 * Why a stored version is looked at:
 *   new        nobody has yet
 *   again      it was by another analyser, and that is asked for
 *   failed     it came to nothing, and another try is asked for
 *   successor  what it was compared with is not the version before it any more
 */
export type AnalysisTask = 'new' | 'again' | 'failed' | 'successor';

export interface AnalysisWish {
  readonly from?: Millis | undefined;
  readonly to?: Millis | undefined;
  readonly again?: boolean;
  readonly retry?: boolean;
}

/** What stands before a version, as far as its page has been gone through. */
export interface Before {
  /** Of the capture directly before it; `isKnown` where that was looked at, or is to be. */
  readonly payload?: string;
  readonly isKnown: boolean;
  /** The last version with a layout of its own. */
  readonly layout?: { readonly at: Millis; readonly madeAt: Millis; readonly recut: boolean };
}

export const NOTHING_BEFORE: Before = { isKnown: false };

/**
 * Stage: which versions of a page are to be looked at, gone through in the order of time. It is told from what is stored alone,
 * so that a run that was killed goes on where it was, whatever it was about.
 *
 * A version with the very bytes of the one before it is that one: nobody looks at it.
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
  if (!look) return isAsked && !isRepeated(version, before) ? 'new' : undefined;
  if (look.layoutAt === undefined) return isAsked && wish.retry ? 'failed' : undefined;
  if (isAsked && wish.again && !isCurrent(version)) return 'again';
  return isOutOfDate(look, at, before.layout) ? 'successor' : undefined;
}

export const isRepeated = (version: StoredVersion, { payload, isKnown }: Before): boolean =>
  isKnown && version.payload !== '' && version.payload === payload;

function isOutOfDate(look: VersionLook, at: Millis, layout: Before['layout']): boolean {
  // Without one before it, a crawl may have compared it with the page under another scheme.
  if (!layout) return false;
  if (look.comparedAt !== layout.at) return true;
  // One that looked the same goes by the layout of that one, whichever it is now.
  return look.layoutAt === at && layout.recut && look.madeAt < layout.madeAt;
}

/** Once a version has been passed or looked at. */
export function after(version: StoredVersion, look: VersionLook | undefined, before: Before): Before {
  const isKnown = look !== undefined || isRepeated(version, before);
  const isOwn = look?.layoutAt === version.at;
  const layout = isOwn ? { at: version.at, madeAt: look.madeAt, recut: look.recut } : before.layout;
  return { payload: version.payload, isKnown, ...(layout && { layout }) };
}
