import { type BookPart, PageKind, readPart, relevanceAt, writePart } from './book-part.ts';
import type { BookTotals } from './book-totals.ts';

/** One event at which all pages that were never read handed their cash to the virtual page. */
export interface Release {
  /** `paid` and `weight` at that time. */
  readonly paid: number;
  readonly weight: number;
  /** Σ over all releases of weight × what was paid since the previous one. */
  readonly sum: number;
}

/**
 * Makes up for releases that a part missed: the first took the cash its unread pages held, each later one what the virtual page
 * had paid in between.
 */
export function catchUp(part: BookPart, releases: readonly Release[]): void {
  const first = releases[part.releases];
  const last = releases.at(-1);
  if (!first || !last) return;
  part.kinds.forEach((kind, slot) => {
    if (kind !== PageKind.unread) return;
    const relevance = relevanceAt(part, slot);
    const held = (part.cash[slot] as number) + relevance * first.paid;
    part.history[slot] =
      (part.history[slot] as number) + first.weight * held + relevance * (last.sum - first.sum);
    part.cash[slot] = -relevance * last.paid;
  });
  part.releases = releases.length;
}

/** A part up to date with all releases: actual cash, history in today's money. Adds what it holds to `held`. */
export function sweptPart(
  stored: Uint8Array,
  { weight, paid }: Pick<BookTotals, 'weight' | 'paid'>,
  releases: readonly Release[],
  held: { read: number; unread: number },
): Uint8Array {
  const part = readPart(stored);
  catchUp(part, releases);
  part.releases = 0;
  part.kinds.forEach((kind, slot) => {
    if (kind !== PageKind.read && kind !== PageKind.unread) return;
    const cash = (part.cash[slot] as number) + relevanceAt(part, slot) * paid;
    part.history[slot] = (part.history[slot] as number) / weight;
    part.cash[slot] = cash;
    held[kind === PageKind.read ? 'read' : 'unread'] += cash;
  });
  return writePart(part);
}
