/**
 * Cuts a page along the cut of its last version. A part that still exists is decided as it was then; a new part is
 * decided like the remembered part with its name that is nearest in size; where no such name is remembered, the models
 * decide. So nothing is split or joined merely because a number crossed a threshold.
 */
import { alignParts, likest, type SizedPart, sizesApart } from './align-parts.ts';
import { joinsBy } from './joins.ts';
import { COARSE, DIVISIBLE, JOINED, type Memory, type RememberedPart, SPLIT } from './memory.ts';
import { type PartFacts, share } from './part-facts.ts';
import { partAnchor, partKey, sizeOfPart } from './part-keys.ts';
import type { PartOdds, PreparedPage } from './prepared-page.ts';
import type { VisualPart } from './visual-tree.ts';

export interface Recall {
  readonly coarse: Uint8Array;
  readonly split: Uint8Array;
  readonly joined: Uint8Array;
  /** Remembered degree of coherence; 0 where it is not known. */
  readonly doc: Float64Array;
  /**
   * How much more likely the models find their own decisions, summed over the parts that memory decided otherwise:
   * log-odds, each weighted by the root of the part's share of the page's text, as in training.
   */
  readonly regret: number;
  /** Every part is still there, about as wide as it was, and none is new: only words can have changed. */
  readonly sameParts: boolean;
  /** Per part: 1 where memory decided it. */
  readonly remembered: Uint8Array;
}

/** A remembered part that stands for one on the page, and whether it is that very part or merely similar. */
interface Model {
  readonly part: RememberedPart;
  readonly own: boolean;
}

export function recall(page: PreparedPage, odds: PartOdds, memory: Memory): Recall {
  const { tree, facts } = page;
  const { parts, overlays } = tree;
  const n = parts.length;
  const result = {
    coarse: new Uint8Array(n),
    split: new Uint8Array(n),
    joined: new Uint8Array(n),
    doc: new Float64Array(n),
    remembered: new Uint8Array(n),
  };
  const { coarse, split, joined, doc, remembered } = result;
  const models: (Model | undefined)[] = new Array(n);
  const isOverlay = new Set(overlays);
  const characters = facts[0]?.characters ?? 0;
  let regret = 0;
  let sameParts = true;
  /** For a split part, by index: its remembered parts that were not found again. */
  const left: (readonly RememberedPart[] | undefined)[] = new Array(n);

  const meet = (indices: readonly number[], before: readonly RememberedPart[]): void => {
    const now = indices.map((index) => sizeOf(page, index));
    const places = alignParts(now, before);
    if (now.length !== before.length) sameParts = false;
    indices.forEach((index, i) => {
      const own = before[places[i] as number];
      const size = now[i] as SizedPart;
      if (!own || isReshaped(own.width, size.width)) sameParts = false;
      if (own) models[index] = { part: own, own: true };
    });
    if (places.includes(-1)) meetOthers(indices, now, leftOf(before, places));
    readOn(indices, places, before);
    const parent = parts[indices[0] as number]?.parent ?? -1;
    if (parent >= 0) left[parent] = leftOf(before, places);
    indices.forEach((index, i) => {
      const part = models[index] ? undefined : likest(now[i] as SizedPart, before);
      if (part) models[index] = { part, own: false };
    });
  };

  /** Matches parts that stood one level lower, in a part that is gone: the markup around them was removed. */
  const meetOthers = (
    indices: readonly number[],
    now: readonly SizedPart[],
    gone: readonly RememberedPart[],
  ): void => {
    const open = indices.flatMap((index, i) => (models[index] ? [] : [i]));
    const inside = gone.flatMap((part) => part.parts);
    const places = alignParts(
      open.map((i) => now[i] as SizedPart),
      inside,
    );
    open.forEach((i, k) => {
      const part = inside[places[k] as number];
      if (part) models[indices[i] as number] = { part, own: false };
    });
  };

  /** Whether neighbours formed one block. If both were matched: as then; otherwise as neighbours with those names did. */
  const readOn = (
    indices: readonly number[],
    places: Int32Array,
    before: readonly RememberedPart[],
  ): void => {
    const run = new Int32Array(before.length);
    before.forEach(({ flags }, j) => {
      run[j] = j > 0 && flags & JOINED ? (run[j - 1] as number) : j;
    });
    for (let i = 1; i < indices.length; i++) {
      const index = indices[i] as number;
      const [a, b] = [places[i - 1] as number, places[i] as number];
      const known =
        a >= 0 && b >= 0 ? run[a] === run[b] : likeNeighbours(indices[i - 1] as number, index, before);
      joined[index] = known === undefined ? UNKNOWN : known ? 1 : 0;
    }
  };

  /** A list that was split and that the models would keep whole: decided afresh when its entries come and go. */
  const isOverdue = (
    { children }: VisualPart,
    { flags, parts: before }: RememberedPart,
    fineOdds: number,
  ): boolean =>
    (flags & (COARSE | SPLIT)) === SPLIT &&
    fineOdds < -OVERDUE &&
    (children.length !== before.length ||
      alignParts(
        children.map((index) => sizeOf(page, index)),
        before,
      ).includes(-1));

  const likeNeighbours = (
    left: number,
    right: number,
    before: readonly RememberedPart[],
  ): boolean | undefined => {
    const [a, b] = [models[left]?.part.key, models[right]?.part.key];
    let votes = 0;
    let seen = false;
    for (let j = 1; j < before.length && a !== undefined && b !== undefined; j++) {
      if (before[j - 1]?.key !== a || before[j]?.key !== b) continue;
      seen = true;
      votes += (before[j] as RememberedPart).flags & JOINED ? 1 : -1;
    }
    return seen ? votes > 0 : undefined;
  };

  const weigh = (index: number, logOdds: number): void => {
    regret += Math.sqrt(share((facts[index] as PartFacts).characters, characters)) * Math.abs(logOdds);
  };

  meet(
    parts.flatMap(({ parent }, index) => (parent < 0 && !isOverlay.has(index) ? [index] : [])),
    memory.slice(0, 1),
  );
  meet(overlays, memory.slice(1));
  for (let index = 0; index < n; index++) {
    const part = parts[index] as VisualPart;
    if (part.parent >= 0 && split[part.parent] !== 1) continue;
    if (part.children.length === 0) {
      const own = models[index];
      if (own && !(own.part.flags & DIVISIBLE)) doc[index] = own.part.doc;
      continue;
    }
    const mayCoarse = part.parent < 0 ? !isOverlay.has(index) : coarse[part.parent] === 1;
    const model = models[index];
    const known = model && model.part.flags & DIVISIBLE && !isOutgrown(page, index, model.part);
    const coarseOdds = mayCoarse ? (odds.coarse[index] as number) : Number.NEGATIVE_INFINITY;
    const fineOdds = odds.fine[index] as number;
    const flags = known && !isOverdue(part, model.part, fineOdds) ? model.part.flags : undefined;
    if (flags === undefined) {
      coarse[index] = coarseOdds > 0 ? 1 : 0;
      split[index] = coarse[index] === 1 || fineOdds > 0 ? 1 : 0;
    } else {
      remembered[index] = 1;
      coarse[index] = mayCoarse && flags & COARSE ? 1 : 0;
      split[index] = flags & (COARSE | SPLIT) ? 1 : 0;
      if (model?.own) doc[index] = model.part.doc;
      if (mayCoarse && (coarse[index] === 1) !== coarseOdds > 0) weigh(index, coarseOdds);
      else if (coarse[index] === 0 && (split[index] === 1) !== fineOdds > 0) weigh(index, fineOdds);
    }
    if (split[index] !== 1) continue;
    // It was not split before: its parts may have stood beside it, before markup was put around them.
    const inside = model?.part.parts ?? [];
    meet(part.children, inside.length > 0 ? inside : (left[part.parent] ?? []));
  }
  joinsBy(page, split, joined, (index) => (joined[index] === UNKNOWN ? undefined : joined[index] === 1));
  return { ...result, regret, sameParts };
}

const UNKNOWN = 2;

/**
 * Log-odds. A list that was long in one version must not stay split for years: which of its entries are joined would
 * then follow from entries that have gone, and their number would drift. Chosen by site: decisions/0046.
 */
const OVERDUE = 1;

function sizeOf({ tree }: PreparedPage, index: number): SizedPart {
  const part = tree.parts[index] as VisualPart;
  const [width, height] = sizeOfPart(tree, part);
  return { key: partKey(tree, part), anchor: partAnchor(tree, part), width, height };
}

/** Factor by which a column becomes wider or narrower: more than words cause, less than a new design. */
const RESHAPED = 1.5;
/** In pixels; the width of anything narrower depends on its words. */
const NARROW = 100;

function isReshaped(a: number, b: number): boolean {
  const [narrow, wide] = [Math.min(a, b), Math.max(a, b)];
  return wide > NARROW && wide > RESHAPED * narrow;
}

/** In pixels of height, and as a factor: a whole part that grew by this much is no longer the same thing. */
const OUTGROWN = { height: 200, times: 4 };

function isOutgrown(page: PreparedPage, index: number, part: RememberedPart): boolean {
  if (part.flags & SPLIT) return false;
  const { height, width } = sizeOf(page, index);
  return (
    height > part.height + OUTGROWN.height && sizesApart({ height, width }, part) > Math.log(OUTGROWN.times)
  );
}

const leftOf = (before: readonly RememberedPart[], places: Int32Array): readonly RememberedPart[] => {
  const taken = new Set(places);
  return before.filter((_, j) => !taken.has(j));
};
