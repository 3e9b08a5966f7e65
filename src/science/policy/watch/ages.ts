/**
 * How fast pages change as they grow older: an article is revised in its first hours and hardly ever in its second week. A
 * page's own rate does not show that before it is over, but earlier articles do.
 *
 *   h_b   changes per hour at an age in span b
 *
 * Changes over hours by age, per directory; a gap that saw a change spreads it over the ages that it covers, each by what was
 * expected there (one step of EM). A directory starts out as its site, a site as a first guess: as many changes while the age
 * grows by half as while it did so before, which is to say that h falls as 1 / age.
 */
/** Ages in hours at which the spans begin. */
const SPANS = [0, 1, 3, 9, 27, 81, 243] as const;
/** Hours that the first guess adds to an age: h = 1 / (age + YOUNGEST). */
const YOUNGEST = 3;
/** Changes that the level above counts as; and changes that are remembered per span. */
const STRENGTH = { above: 1, memory: 100 } as const;
/** Hours after which age no longer matters: a page's rate is then its own. */
export const GROWN_UP = 720;

export interface AgeTally {
  readonly changes: number[];
  readonly hours: number[];
}

/** By directory, and by site: `siteKey`. */
export type Ages = Map<string, AgeTally>;

export interface Kin {
  readonly site: string;
  readonly directory: string;
}

/** Differs from every directory: those all begin with their site and a space. */
const siteKey = (site: string): string => `${site}\n`;

const guessed = SPANS.map((from, span) => {
  const to = SPANS[span + 1] ?? GROWN_UP;
  return Math.log((to + YOUNGEST) / (from + YOUNGEST)) / (to - from);
});

/** By span. */
export function hazards(ages: Ages, { site, directory }: Kin): readonly number[] {
  let above: readonly number[] = guessed;
  for (const key of [siteKey(site), directory]) {
    const tally = ages.get(key);
    if (!tally) continue;
    const below = above;
    above = below.map(
      (hazard, span) =>
        ((tally.changes[span] as number) + STRENGTH.above) /
        ((tally.hours[span] as number) + STRENGTH.above / hazard),
    );
  }
  return above;
}

export function hazardAt(byAge: readonly number[], age: number): number {
  let span = 0;
  while (span + 1 < SPANS.length && age >= (SPANS[span + 1] as number)) span++;
  return byAge[span] as number;
}

/** Changes expected from one age to another. */
export function changesBetween(byAge: readonly number[], from: number, to: number): number {
  return byAge.reduce((sum, hazard, span) => sum + hazard * overlap(span, from, to), 0);
}

function overlap(span: number, from: number, to: number): number {
  const start = Math.max(from, SPANS[span] as number);
  return Math.max(0, Math.min(to, SPANS[span + 1] ?? Infinity) - start);
}

export interface SeenAges {
  /** Ages in hours, between two visits. */
  readonly from: number;
  readonly to: number;
  /** Versions expected in it; 0 where nothing changed. */
  readonly changes: number;
}

export function noteAges(ages: Ages, kin: Kin, { from, to, changes }: SeenAges): void {
  if (!(to > from)) return;
  const byAge = hazards(ages, kin);
  const expected = changesBetween(byAge, from, to);
  for (const key of [siteKey(kin.site), kin.directory]) {
    const tally = ages.get(key) ?? { changes: SPANS.map(() => 0), hours: SPANS.map(() => 0) };
    ages.set(key, tally);
    byAge.forEach((hazard, span) => {
      const hours = overlap(span, from, to);
      if (!(hours > 0)) return;
      const seen = (tally.changes[span] as number) + (changes * hazard * hours) / expected;
      const keep = Math.min(1, STRENGTH.memory / Math.max(1e-9, seen));
      tally.changes[span] = seen * keep;
      tally.hours[span] = ((tally.hours[span] as number) + hours) * keep;
    });
  }
}
