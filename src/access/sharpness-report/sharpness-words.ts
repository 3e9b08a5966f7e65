/** What a reader of the report wants to know of sharpness: do the pages belong to one moment? */
export interface SharpnessFigures {
  /** Expected changes, summed over the pages. */
  readonly blur: number;
  readonly sharp: { readonly strict: number; readonly visible: number; readonly pages: number };
  /** Whether pages were visited a second time: only that proves anything. */
  readonly revisited: boolean;
  /** Groups of pages that must agree, and how many are proven to. */
  readonly groups?: { readonly found: number; readonly strict: number; readonly visible: number };
}

/** Below this many expected changes a reader need not think of them. */
const HARDLY_ANY = 0.05;
/** Share of the pages, by expected changes each, from which the capture is a mix of times. */
const MANY = 0.5;

/** Of the groups of pages that must agree; undefined where there are none. */
export function groupWords({ groups }: Pick<SharpnessFigures, 'groups'>): string | undefined {
  if (!groups || groups.found === 0) return undefined;
  const { found, strict, visible } = groups;
  const eye = visible > strict ? `, ${visible} as far as a reader sees` : '';
  return `${strict} of ${found} groups of pages that must agree (an index and its articles, parts of a list, shared numbers) are proven to, all pages of each at one moment${eye}`;
}

/** In words, without a number that needs explaining: the figures are in `report` and `--json`. */
export function sharpnessWords({ blur, sharp, revisited }: SharpnessFigures): string {
  const { pages, strict, visible } = sharp;
  if (pages === 0) return 'no page was captured, so there is nothing to say';
  if (revisited) {
    if (strict === pages) return 'proven: every page stayed the same from its first visit to its second';
    const eye = visible > strict ? `, ${visible} as far as a reader sees` : '';
    return `proven for ${strict} of ${pages} pages, which stayed the same from their first visit to their second${eye}`;
  }
  if (pages === 1) return 'one page, captured at one moment';
  if (blur < HARDLY_ANY)
    return 'very likely: as often as these pages are believed to change, hardly any did while the others were fetched';
  if (blur < 1) return 'probably: at most a page or so may have changed while the others were fetched';
  if (blur < MANY * pages) {
    const about = Math.round(blur);
    return `mostly: expect about ${about} change${about === 1 ? '' : 's'} on ${pages} pages while they were fetched`;
  }
  return 'hardly: many pages are believed to have changed while the others were fetched';
}
