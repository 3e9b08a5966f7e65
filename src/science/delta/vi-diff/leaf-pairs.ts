import type { Block } from '../../../model/layout.ts';

/** One block as readers see it: a leaf and what became of it. */
export interface LeafGroup {
  /** Indices among the leaves; empty for a new block. */
  readonly old: readonly number[];
  readonly new: readonly number[];
  readonly structure?: 'split' | 'merge';
  /** Whether the ids are equal. */
  readonly equal: boolean;
}

/** The leaves of two layouts in reading order, and which corresponds to which, as far as is known. */
export class LeafPairs {
  readonly olds: readonly Block[];
  readonly news: readonly Block[];
  /** The leaf that carries on: for each old one its new one, -1 for none. In a split, the part that keeps most. */
  readonly partnerOfOld: Int32Array;
  readonly partnerOfNew: Int32Array;
  /** 1 for old leaves whose partner has the same id. */
  readonly equal: Uint8Array;
  /** Leaves where one became several, or several one. */
  parted: LeafGroup[] = [];
  readonly #partedOld = new Set<number>();
  readonly #partedNew = new Set<number>();

  constructor(olds: readonly Block[], news: readonly Block[]) {
    this.olds = olds;
    this.news = news;
    this.partnerOfOld = new Int32Array(olds.length).fill(-1);
    this.partnerOfNew = new Int32Array(news.length).fill(-1);
    this.equal = new Uint8Array(olds.length);
  }

  join(old: number, now: number): void {
    this.partnerOfOld[old] = now;
    this.partnerOfNew[now] = old;
  }

  joinEqual(old: number, now: number): void {
    this.join(old, now);
    this.equal[old] = 1;
  }

  /** Records a split or merge; the heirs are joined separately. */
  part(structure: 'split' | 'merge', old: readonly number[], now: readonly number[]): void {
    this.parted.push({ old, new: now, structure, equal: false });
    for (const o of old) this.#partedOld.add(o);
    for (const n of now) this.#partedNew.add(n);
  }

  /** Old leaves about which nothing is known yet. */
  openOld(): number[] {
    return open(this.partnerOfOld, this.#partedOld);
  }

  openNew(): number[] {
    return open(this.partnerOfNew, this.#partedNew);
  }
}

function open(partners: Int32Array, parted: ReadonlySet<number>): number[] {
  const rest: number[] = [];
  for (let i = 0; i < partners.length; i++) if (partners[i] === -1 && !parted.has(i)) rest.push(i);
  return rest;
}

export function positionsByRef(blocks: readonly Block[], wanted: readonly number[]): Map<string, number> {
  const byRef = new Map<string, number>();
  for (const at of wanted) byRef.set((blocks[at] as Block).ref, at);
  return byRef;
}

export const sizeOf = (block: Block): number => block.links.length + block.images.length + block.texts.length;
