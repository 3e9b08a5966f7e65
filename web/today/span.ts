const DAY = 86_400_000;

export const SPANS = ['look', 'day', 'week', 'month', 'all'] as const;
export type Span = (typeof SPANS)[number];
const LENGTHS: Readonly<Record<Exclude<Span, 'look' | 'all'>, number>> = {
  day: DAY,
  week: 7 * DAY,
  month: 30 * DAY,
};
/** A look that was shorter ago is this one, with a reload or a way back between. */
const SAME_LOOK = 30 * 60_000;

/**
 * From when on things are told. Spans are counted back from the last thing that was written: an archive that has rested for a month
 * has news all the same.
 */
export function sinceOf(span: Span, lastWritten: number, lastLook: number | undefined): number {
  if (span === 'all') return 0;
  if (span === 'look') return lastLook ?? lastWritten - LENGTHS.week;
  return lastWritten - LENGTHS[span];
}

/** What a reader who did not choose is shown: since the last look where something was written since, else a week. */
export function spanOf(chosen: string | undefined, lastWritten: number, lastLook: number | undefined): Span {
  if ((SPANS as readonly string[]).includes(chosen ?? '')) return chosen as Span;
  return lastLook !== undefined && lastLook < lastWritten ? 'look' : 'week';
}

const KEPT = 'daguerre-looks';

interface Looks {
  /** The look before this one. */
  readonly before?: number;
  readonly last?: number;
}

/** Notes this look, and tells when the one before it was. */
export function lookedAt(now: number, store: Pick<Storage, 'getItem' | 'setItem'>): number | undefined {
  try {
    const held = JSON.parse(store.getItem(KEPT) ?? '{}') as Looks;
    const isSame = held.last !== undefined && now - held.last < SAME_LOOK;
    const before = isSame ? held.before : held.last;
    store.setItem(KEPT, JSON.stringify({ ...(before !== undefined && { before }), last: now }));
    return before;
  } catch {
    return undefined;
  }
}
