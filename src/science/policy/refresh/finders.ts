/**
 * Pages that reveal other, unknown pages: a front page is read for its links more than for itself.
 *
 *   ν   pages that a visit finds, per hour since the last one
 *   u   what a found page is worth when it is found at once, less the price of its first visit
 *   μ   chance per hour that what it shows first is overwritten
 *
 * A page that is found s hours late still shows its first version with chance e^{−μs}, so a visit after τ hours finds
 * F(τ) = νu·(1 − e^{−μτ})/μ, and is worth F − τF' = (νu/μ)·(1 − (1 + μτ)·e^{−μτ}) in a steady rhythm: the closed form of
 * expected-gain.ts for a page of value νu/μ and rate μ.
 *
 * A page is found once, and credited to whichever page showed it first. So of two pages with the same links the one that is
 * read more often ends up with the finds, and the other with none.
 */
export interface FinderTally {
  /** Pages found, Σ of their worth, Σ of their μ; in this many hours between visits. */
  finds: number;
  worth: number;
  haste: number;
  hours: number;
}

export interface Finders {
  readonly byPage: Map<number, FinderTally>;
  /** Per request: what a first visit costs. */
  price: number;
}

export const newFinders = (): Finders => ({ byPage: new Map(), price: 0 });

/** Hours without a find that every page starts with; and how many finds are remembered. */
const FINDING = { hours: 12, memory: 60 } as const;

export interface FoundPages {
  readonly hours: number;
  /** Worth and μ of each page found. */
  readonly found: readonly { readonly worth: number; readonly haste: number }[];
}

/** Takes in a visit this many hours after the last: pages that never found any are not recorded. */
export function noteFinds({ byPage }: Finders, page: number, { hours, found }: FoundPages): void {
  const known = byPage.get(page);
  if (!(hours > 0) || (!known && found.length === 0)) return;
  const tally = known ?? { finds: 0, worth: 0, haste: 0, hours: FINDING.hours };
  byPage.set(page, tally);
  tally.hours += hours;
  for (const { worth, haste } of found) {
    tally.finds += 1;
    tally.worth += worth;
    tally.haste += haste;
  }
  const keep = FINDING.memory / tally.finds;
  if (!(keep < 1)) return;
  for (const name of ['finds', 'worth', 'haste', 'hours'] as const) tally[name] *= keep;
}

/** What its finds are worth now, after this many hours. */
export function findingWorth({ byPage, price }: Finders, page: number, hours: number): number {
  const tally = byPage.get(page);
  if (!tally || !(tally.finds > 0)) return 0;
  const each = tally.worth - tally.finds * price;
  if (!(each > 0)) return 0;
  const haste = tally.haste / tally.finds;
  const pace = each / tally.hours;
  const late = haste * hours;
  // Below 0.01 the closed form loses its digits to cancellation; its series is x²/2.
  if (late < 0.01) return (pace * haste * hours * hours) / 2;
  return (pace / haste) * (1 - (1 + late) * Math.exp(-late));
}
