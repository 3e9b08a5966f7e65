import { append } from '../append.ts';
import type { Overlap } from './block-overlap.ts';
import type { LeafPairs } from './leaf-pairs.ts';

/**
 * Leaves where one became several, or several one: the one is covered by the several, and each of them by it. The paper
 * leaves changes of structure to later work (IWAW 2009 §8); this is ours. A merge is a split seen from the other side.
 */

/** How much of the whole its parts must hold, and how much of each part the whole must hold. */
const COVERED = 0.8;
/** A part this large is the whole itself, with an edit. */
const NEARLY_WHOLE = 0.9;

/** The layout that holds the wholes, and the one that holds their parts. */
interface Coverage {
  readonly wholes: readonly number[];
  readonly massOfWhole: Float64Array;
  readonly massOfPart: Float64Array;
  /** Parts that share content with a whole. */
  readonly sharers: ReadonlyMap<number, readonly number[]>;
  readonly shared: (whole: number, part: number) => number;
  /** Leaves already in a split or merge. */
  readonly takenWholes: Set<number>;
  readonly takenParts: Set<number>;
}

export function findSplitsAndMerges(pairs: LeafPairs, { shared, massOfOld, massOfNew }: Overlap): void {
  const newsOf = new Map<number, number[]>();
  const oldsOf = new Map<number, number[]>();
  shared.forEach((o, n) => {
    append(newsOf, o, n);
    append(oldsOf, n, o);
  });
  const takenOld = new Set<number>();
  const takenNew = new Set<number>();
  const splits: Coverage = {
    wholes: pairs.openOld(),
    massOfWhole: massOfOld,
    massOfPart: massOfNew,
    sharers: newsOf,
    shared: (o, n) => shared.get(o, n) ?? 0,
    takenWholes: takenOld,
    takenParts: takenNew,
  };
  const merges: Coverage = {
    wholes: pairs.openNew(),
    massOfWhole: massOfNew,
    massOfPart: massOfOld,
    sharers: oldsOf,
    shared: (n, o) => shared.get(o, n) ?? 0,
    takenWholes: takenNew,
    takenParts: takenOld,
  };
  eachWhole(splits, (whole, parts, heir) => {
    pairs.part('split', [whole], parts);
    pairs.join(whole, heir);
  });
  eachWhole(merges, (whole, parts, heir) => {
    pairs.part('merge', parts, [whole]);
    pairs.join(heir, whole);
  });
}

/** `heir` is the part that shares most with its whole. Parts come in reading order. */
function eachWhole(
  coverage: Coverage,
  found: (whole: number, parts: readonly number[], heir: number) => void,
): void {
  const { shared, takenWholes, takenParts } = coverage;
  for (const whole of coverage.wholes) {
    if (takenWholes.has(whole) || (coverage.sharers.get(whole)?.length ?? 0) < 2) continue;
    const parts = partsOf(whole, coverage);
    if (!parts) continue;
    takenWholes.add(whole);
    for (const part of parts) takenParts.add(part);
    const heir = parts.reduce((best, part) => (shared(whole, part) > shared(whole, best) ? part : best));
    found(whole, parts, heir);
  }
}

function partsOf(whole: number, coverage: Coverage): number[] | undefined {
  const { massOfPart, shared, takenParts } = coverage;
  const mass = coverage.massOfWhole[whole] as number;
  if (mass === 0) return undefined;
  const candidates = (coverage.sharers.get(whole) ?? [])
    .filter((part) => !takenParts.has(part) && shared(whole, part) >= COVERED * (massOfPart[part] as number))
    .sort((a, b) => shared(whole, b) - shared(whole, a) || a - b);
  const parts: number[] = [];
  let room = mass / COVERED;
  let covered = 0;
  for (const part of candidates) {
    // Content that several candidates repeat can be in only one of them.
    if ((massOfPart[part] as number) > room) continue;
    room -= massOfPart[part] as number;
    covered += shared(whole, part);
    parts.push(part);
  }
  const [largest] = parts;
  if (largest === undefined || parts.length < 2 || covered < COVERED * mass) return undefined;
  if (shared(whole, largest) > NEARLY_WHOLE * mass) return undefined;
  return parts.sort((a, b) => a - b);
}
