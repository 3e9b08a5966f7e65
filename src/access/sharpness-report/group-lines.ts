import type { CertificateStatement, CertifiedGroup } from '../../model/certificate.ts';
import type { GroupKind } from '../../model/page-group.ts';
import { momentText } from './times.ts';

/** What is said of one group of pages that must agree. */
export interface GroupLine {
  /** `index of 12 pages`. */
  readonly what: string;
  readonly url: string;
  /** Sharp together or not, and over which interval. */
  readonly verdict: string;
}

const KINDS: Readonly<Record<GroupKind, string>> = {
  index: 'index',
  list: 'list',
  'shared-text': 'shared text',
};

/** The first so many groups. */
export function groupLines({ groups = [] }: CertificateStatement, most: number): readonly GroupLine[] {
  return groups.slice(0, most).map((group) => ({
    what: `${KINDS[group.kind]} of ${group.pages.length} pages`,
    url: group.pages[0] ?? '',
    verdict: verdictOf(group),
  }));
}

function verdictOf({ strict, visible, pages }: CertifiedGroup): string {
  // What a reader sees counts where bytes alone prove less.
  const [best, seen] =
    visible && visible.proven > (strict?.proven ?? 0) ? [visible, ', as far as a reader sees'] : [strict, ''];
  if (!best) return 'not sharp together: none of them is proven';
  const span = `from ${momentText(best.from)} to ${momentText(best.to)}`;
  return best.wholeGroup
    ? `sharp together ${span}${seen}`
    : `not sharp together: at most ${best.proven} of ${pages.length} at once, ${span}${seen}`;
}
