import type { ElementKind } from '../../../model/delta.ts';
import type { Block, Layout } from '../../../model/layout.ts';
import { leavesIn } from '../../layout/segment-leaves.ts';
import { readTypeSizes } from '../../layout/type-sizes.ts';
import { listOf } from '../vi-diff/element-outcome.ts';
import { wordsOf } from '../vi-diff/text-distance.ts';

/**
 * Where on a page readers look: the inputs of attention. Everything is measured in pixels and relative to the page, nothing
 * by the number of blocks: the first story of a long page gets as many looks as that of a short one.
 */
export interface Look {
  /** Screens below the lead; 0 for the lead and everything above it. */
  readonly depth: number;
  /** Type size relative to that of most of the page's text. */
  readonly type: number;
  /** What a look at the block is worth by its role, relative to the page's best: I(B) without its size. */
  readonly level: number;
  /** Whether it is part of the lead story. */
  readonly isLead: boolean;
  /** Whether it is the lead's headline itself. */
  readonly isLeadHeadline?: true;
}

interface LeafView {
  readonly block: Block;
  readonly sizes: readonly number[];
  readonly level: number;
}

/** The headline of the lead story, and how far down its story goes. */
interface Lead {
  readonly ref: string;
  readonly kind: 'link' | 'text';
  readonly index: number;
  /** In page pixels. */
  readonly top: number;
  readonly end: number;
}

/** Fewest words in a headline: the name of a section or of the site has fewer. */
const HEADLINE_WORDS = 3;
/** The lead may be lower on the page if its type is larger: this many screens outweigh a doubling of the type. */
const SCREENS_PER_DOUBLING = 4;
/** Parts of the lead story are this near its headline, in screens, and above the next headline. */
const LEAD_REACH = 0.5;
/** Leaves with a smaller share of the page are ignored for its best level: their size is mostly rounding. */
const SMALLEST_SHARE = 0.002;
const USUAL_TYPE = 16;

/** One version of a page, as a reader's eye moves over it. */
export class ReaderView {
  readonly #leaves = new Map<string, LeafView>();
  readonly #screen: number;
  readonly #typeSize: number;
  #lead: Lead = { ref: '', kind: 'text', index: 0, top: 0, end: 0 };

  constructor({ root, viewport }: Layout) {
    this.#screen = Math.max(1, viewport.height);
    const leaves = leavesIn(root, ({ blocks }) => blocks);
    const levels = levelsOf(leaves);
    leaves.forEach((block, i) => {
      this.#leaves.set(block.ref, {
        block,
        sizes: readTypeSizes(block.typeSizes),
        level: levels[i] as number,
      });
    });
    this.#typeSize = this.#usualType();
    this.#findLead();
  }

  look(ref: string, kind: ElementKind, index: number): Look {
    const leaf = this.#leaves.get(ref);
    if (!leaf) return { depth: 0, type: 1, level: 0, isLead: false };
    const top = topOf(leaf.block, kind, index);
    const below = (top - this.#lead.top) / this.#screen;
    return {
      depth: Math.max(0, below),
      type: this.#typeOf(leaf, kind, index),
      level: leaf.level,
      isLead: ref === this.#lead.ref && this.#isOfLead(kind, index, top),
      ...(this.#isHeadline(ref, kind, index) && { isLeadHeadline: true as const }),
    };
  }

  #isHeadline(ref: string, kind: ElementKind, index: number): boolean {
    const lead = this.#lead;
    return ref === lead.ref && kind === lead.kind && index === lead.index;
  }

  #isOfLead(kind: ElementKind, index: number, top: number): boolean {
    const { kind: of, index: at, top: begins, end } = this.#lead;
    return kind === of
      ? index === at || (top > begins && top < end)
      : top >= begins - this.#screen / 10 && top < end;
  }

  #typeOf({ block, sizes }: LeafView, kind: ElementKind, index: number): number {
    if (kind === 'image') return 1;
    const size = sizes[kind === 'link' ? index : block.links.length + index];
    return size === undefined || size === 0 ? 1 : size / this.#typeSize;
  }

  /** The type size that most characters are set in. */
  #usualType(): number {
    const characters = new Map<number, number>();
    for (const { block, sizes } of this.#leaves.values()) {
      const lengths = [
        ...block.links.map(({ name }) => name.length),
        ...block.texts.map(({ text }) => text.length),
      ];
      sizes.forEach((size, i) => {
        if (size > 0) characters.set(size, (characters.get(size) ?? 0) + (lengths[i] ?? 0));
      });
    }
    let [usual, most] = [USUAL_TYPE, 0];
    for (const [size, count] of characters) if (count > most) [usual, most] = [size, count];
    return usual;
  }

  /** The largest headline near the top; among equals, the first. */
  #findLead(): void {
    let best = Number.NEGATIVE_INFINITY;
    for (const leaf of this.#leaves.values()) {
      for (const kind of ['link', 'text'] as const) {
        listOf(leaf.block, kind).forEach((value, index) => {
          const words = wordsOf('text' in value ? value.text : value.name).length;
          if (words < HEADLINE_WORDS) return;
          const top = topOf(leaf.block, kind, index);
          const score = scoreOf(this.#typeOf(leaf, kind, index), leaf.level, top / this.#screen);
          if (score <= best) return;
          best = score;
          this.#lead = { ref: leaf.block.ref, kind, index, top, end: 0 };
        });
      }
    }
    this.#lead = { ...this.#lead, end: this.#endOfLead() };
  }

  /** Where the next headline of the same leaf begins. */
  #endOfLead(): number {
    const { ref, kind, index, top } = this.#lead;
    const leaf = this.#leaves.get(ref);
    const end = top + LEAD_REACH * this.#screen;
    if (!leaf) return end;
    const own = this.#typeOf(leaf, kind, index);
    const list = listOf(leaf.block, kind);
    const address = addressOf(list[index]);
    for (let i = index + 1; i < list.length; i++) {
      const value = list[i] as (typeof list)[number];
      const isHeadline =
        wordsOf('text' in value ? value.text : value.name).length >= HEADLINE_WORDS &&
        (kind === 'link' ? addressOf(value) !== address : this.#typeOf(leaf, kind, i) >= own && own > 1);
      if (isHeadline) return Math.min(end, topOf(leaf.block, kind, i));
    }
    return end;
  }
}

/** How much a headline stands out, by size, place and role: what the lead has most of. */
export const prominenceOf = ({ type, level, depth, isLeadHeadline }: Look): number =>
  isLeadHeadline ? Number.POSITIVE_INFINITY : scoreOf(type, level, depth);

const scoreOf = (type: number, level: number, screens: number): number =>
  Math.log2(type) + Math.log2(Math.max(0.01, level)) / 2 - screens / SCREENS_PER_DOUBLING;

const addressOf = (value: object | undefined): unknown =>
  value && 'address' in value ? value.address : undefined;

/** Layouts know where blocks are; elements are assumed to be spread over their block in order. */
function topOf(block: Block, kind: ElementKind, index: number): number {
  const count = Math.max(1, listOf(block, kind).length);
  return block.box[1] + (block.box[3] * Math.min(index, count - 1)) / count;
}

/**
 * I(B) is the worth of a look times the block's share of area and text (block-importance.ts): this divides by the share
 * again.
 */
function levelsOf(leaves: readonly Block[]): number[] {
  const areas = leaves.map(({ box }) => Math.max(0, box[2]) * Math.max(0, box[3]));
  const lengths = leaves.map(
    ({ links, texts }) =>
      links.reduce((sum, { name }) => sum + name.length, 0) +
      texts.reduce((sum, { text }) => sum + text.length, 0),
  );
  const total = (list: readonly number[]): number => list.reduce((a, b) => a + b, 0) || 1;
  const [area, length] = [total(areas), total(lengths)];
  const shares = leaves.map((_, i) => (areas[i] as number) / area / 2 + (lengths[i] as number) / length / 2);
  const worths = leaves.map(({ importance }, i) => {
    const share = shares[i] as number;
    return share > 0 ? importance / share : 0;
  });
  const best = worths.reduce(
    (most, worth, i) => ((shares[i] as number) < SMALLEST_SHARE ? most : Math.max(most, worth)),
    0,
  );
  return worths.map((worth) => (best > 0 ? Math.min(1, worth / best) : 1));
}
