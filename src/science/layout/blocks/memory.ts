/**
 * What a layout remembers of how its page was cut: each part that the cut reached, identified by its name in the markup
 * and its size, with what was decided about it. Stored with the layout, so that the next version can be cut along it
 * without rendering or segmenting this one again.
 *
 * Written as one short text, about 16 characters per part: key, anchor, decisions, degree of coherence, width and height;
 * for a split part, also its parts in brackets.
 */
import { ANCHOR_LENGTH, KEY_LENGTH, partAnchor, partKey, sizeOfPart } from './part-keys.ts';
import type { VisualPart, VisualTree } from './visual-tree.ts';

/** Decisions about the parts of a page; zero for parts that the cut does not reach. */
export interface CutDecisions {
  /** Whether it is split in the coarse cut, and in the fine one, which divides the coarse blocks. */
  readonly coarse: Uint8Array;
  readonly split: Uint8Array;
  /** Whether it continues the part before it, and forms one block with it. */
  readonly joined: Uint8Array;
  /** Degree of coherence, 1 to 11. */
  readonly doc: Float64Array;
}

export interface RememberedPart {
  readonly key: string;
  /** Hash of what it begins with. */
  readonly anchor: string;
  /** A combination of COARSE, SPLIT, JOINED and DIVISIBLE. */
  readonly flags: number;
  readonly doc: number;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** Empty unless the part was split. */
  readonly parts: readonly RememberedPart[];
}

export const COARSE = 1;
export const SPLIT = 2;
export const JOINED = 4;
/** It had parts, so that keeping it whole was a decision. */
export const DIVISIBLE = 8;

/** The page first, then its overlays. */
export type Memory = readonly RememberedPart[];

/** Writes the decisions to be remembered. */
export function remember(tree: VisualTree, decisions: CutDecisions): string {
  const { parts } = tree;
  const { coarse, split, joined, doc } = decisions;
  const out: string[] = [];
  const open: (number | ')')[] = [];
  for (let index = parts.length - 1; index >= 0; index--) {
    if ((parts[index] as VisualPart).parent < 0) open.push(index);
  }
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next === ')') {
      out.push(')');
      continue;
    }
    const part = parts[next] as VisualPart;
    const flags =
      (coarse[next] as number) * COARSE +
      (split[next] as number) * SPLIT +
      (joined[next] as number) * JOINED +
      (part.children.length > 0 ? DIVISIBLE : 0);
    const [width, height] = sizeOfPart(tree, part);
    out.push(
      partKey(tree, part),
      partAnchor(tree, part),
      flags.toString(36),
      (doc[next] as number).toString(36),
      width.toString(36),
      '.',
      height.toString(36),
    );
    if (split[next] !== 1) {
      out.push(' ');
      continue;
    }
    out.push('(');
    open.push(')');
    for (let i = part.children.length - 1; i >= 0; i--) open.push(part.children[i] as number);
  }
  return out.join('').replaceAll(' )', ')').trimEnd();
}

const ENTRY = new RegExp(
  String.raw`([0-9a-z]{${KEY_LENGTH}})([0-9a-z]{${ANCHOR_LENGTH}})([0-9a-f])([0-9a-b])([0-9a-z]+)\.([0-9a-z]+)(\()?|(\))| `,
  'uy',
);

/** Undefined where the text is malformed: the page is then cut as if it were the first version. */
export function recollect(text: string): Memory | undefined {
  const top: RememberedPart[] = [];
  const open: RememberedPart[][] = [top];
  ENTRY.lastIndex = 0;
  while (ENTRY.lastIndex < text.length) {
    const found = ENTRY.exec(text);
    if (!found) return undefined;
    const [, key, anchor, flags, doc, width, height, opens, closes] = found;
    if (closes) {
      open.pop();
      if (open.length === 0) return undefined;
    }
    if (key === undefined) continue;
    const parts: RememberedPart[] = [];
    open.at(-1)?.push({
      key,
      anchor: anchor as string,
      flags: Number.parseInt(flags as string, 36),
      doc: Number.parseInt(doc as string, 36),
      width: Number.parseInt(width as string, 36),
      height: Number.parseInt(height as string, 36),
      parts,
    });
    if (opens) open.push(parts);
  }
  return open.length === 1 && top.length > 0 ? top : undefined;
}
