/** Leaves of which one became several, or several one (Vi-DIFF leaves structure to later work; ours). */
export interface SplitOrMerge {
  readonly structure: 'split' | 'merge';
  /** The one leaf, on its side. */
  readonly whole: number;
  /** The several, on the other side, in reading order. */
  readonly parts: readonly number[];
}

/** How much of the whole its parts must hold, and of each part the whole. */
const COVERED = 0.8;
/** A part this large is the whole itself, with an edit. */
const NEARLY_WHOLE = 0.9;

export interface Coverage {
  readonly wholes: readonly number[];
  readonly parts: readonly number[];
  /** Mass of content. */
  massOfWhole(whole: number): number;
  massOfPart(part: number): number;
  /** Parts that share content with a whole. */
  sharers(whole: number): readonly number[];
  shared(whole: number, part: number): number;
}

export function findParts(
  structure: 'split' | 'merge',
  coverage: Coverage,
  taken: { readonly whole: Set<number>; readonly part: Set<number> },
): SplitOrMerge[] {
  const found: SplitOrMerge[] = [];
  for (const whole of coverage.wholes) {
    if (taken.whole.has(whole)) continue;
    const mass = coverage.massOfWhole(whole);
    if (mass === 0) continue;
    const candidates = coverage
      .sharers(whole)
      .filter(
        (part) =>
          !taken.part.has(part) && coverage.shared(whole, part) >= COVERED * coverage.massOfPart(part),
      )
      .sort((a, b) => coverage.shared(whole, b) - coverage.shared(whole, a) || a - b);
    const parts: number[] = [];
    let room = mass / COVERED;
    let covered = 0;
    for (const part of candidates) {
      // Content that several candidates repeat can be in one of them only.
      if (coverage.massOfPart(part) > room) continue;
      room -= coverage.massOfPart(part);
      covered += coverage.shared(whole, part);
      parts.push(part);
    }
    const [largest] = parts;
    if (largest === undefined || parts.length < 2 || covered < COVERED * mass) continue;
    if (coverage.shared(whole, largest) > NEARLY_WHOLE * mass) continue;
    taken.whole.add(whole);
    for (const part of parts) taken.part.add(part);
    found.push({ structure, whole, parts: parts.sort((a, b) => a - b) });
  }
  return found;
}
