/**
 * The two numbers of 64 URLs with consecutive ids, as a catalog keeps them: pages of a site are found together, so
 * what a visit changes lies in few parts. A row per URL would cost a statement for every link of every page.
 *
 * Layout, little-endian (every platform that Node runs on):
 *
 * | bytes | holds |
 * | --- | --- |
 * | 8 | number of releases that its unread pages have taken part in |
 * | 64 × 8 | cash, less what the virtual page has paid (see cash-book.ts); for a merged page, the id of the one it leads to |
 * | 64 × 8 | history, in weighted money |
 * | 64 | what the page is: see `PageKind` |
 * | 64 × 4 | relevance; absent where it is 1 for all |
 */
export const PART_PAGES = 64;

export const PageKind = {
  /** Unknown, or not a page. */
  none: 0,
  /** Linked to, never read. */
  unread: 1,
  read: 2,
  /** Redirects to another. */
  merged: 3,
} as const;

export interface BookPart {
  releases: number;
  readonly cash: Float64Array;
  readonly history: Float64Array;
  readonly kinds: Uint8Array;
  relevance: Float32Array | undefined;
  /** The visit that last reached each page, by its number in this process: never stored. */
  readonly reachedBy: Float64Array;
}

const NUMBERS_AT = 8;
const HISTORY_AT = NUMBERS_AT + PART_PAGES * 8;
const KINDS_AT = HISTORY_AT + PART_PAGES * 8;
const RELEVANCE_AT = KINDS_AT + PART_PAGES;
const WHOLE = RELEVANCE_AT + PART_PAGES * 4;

export function newPart(releases: number): BookPart {
  return {
    releases,
    cash: new Float64Array(PART_PAGES),
    history: new Float64Array(PART_PAGES),
    kinds: new Uint8Array(PART_PAGES),
    relevance: undefined,
    reachedBy: new Float64Array(PART_PAGES),
  };
}

export function readPart(stored: Uint8Array): BookPart {
  if (stored.length !== RELEVANCE_AT && stored.length !== WHOLE)
    throw new RangeError(`a part of ${stored.length} bytes holds no importance`);
  // A copy: drivers return views of larger buffers, at any offset.
  const { buffer } = new Uint8Array(stored);
  return {
    releases: new Float64Array(buffer, 0, 1)[0] as number,
    cash: new Float64Array(buffer, NUMBERS_AT, PART_PAGES),
    history: new Float64Array(buffer, HISTORY_AT, PART_PAGES),
    kinds: new Uint8Array(buffer, KINDS_AT, PART_PAGES),
    relevance: stored.length === WHOLE ? new Float32Array(buffer, RELEVANCE_AT, PART_PAGES) : undefined,
    reachedBy: new Float64Array(PART_PAGES),
  };
}

export function writePart({ releases, cash, history, kinds, relevance }: BookPart): Uint8Array {
  const bytes = new Uint8Array(relevance ? WHOLE : RELEVANCE_AT);
  new Float64Array(bytes.buffer, 0, 1)[0] = releases;
  new Float64Array(bytes.buffer, NUMBERS_AT, PART_PAGES).set(cash);
  new Float64Array(bytes.buffer, HISTORY_AT, PART_PAGES).set(history);
  bytes.set(kinds, KINDS_AT);
  if (relevance) new Float32Array(bytes.buffer, RELEVANCE_AT, PART_PAGES).set(relevance);
  return bytes;
}

export const partOf = (page: number): number => Math.floor(page / PART_PAGES);

export const relevanceAt = ({ relevance }: BookPart, slot: number): number =>
  relevance ? (relevance[slot] as number) : 1;
