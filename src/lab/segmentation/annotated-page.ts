/**
 * A page whose blocks people marked: elements with `data-block="1|2"` (level) as in R. Kreuzer's sets. A node inside
 * several marks of one level belongs to the outermost.
 */
import type { PageSnapshot, SnapshotNode } from '../../model/page-snapshot.ts';
import { NO_CLASS } from '../../science/quality/bcubed.ts';
import { type Atoms, atomsOf } from '../../science/quality/bcubed-atoms.ts';

export const LEVELS = [1, 2] as const;
export type Level = (typeof LEVELS)[number];

export interface AnnotatedPage {
  /** The site: pages of one site are never used for learning and measuring in one round. */
  readonly name: string;
  readonly snapshot: PageSnapshot;
  readonly atoms: Atoms;
  /** Per level, per atom: the marked element that it is in, or NO_CLASS. */
  readonly marks: Readonly<Record<Level, Int32Array>>;
}

export function annotatedPage(name: string, snapshot: PageSnapshot): AnnotatedPage {
  const atoms = atomsOf(snapshot);
  const marks = (level: Level): Int32Array => {
    const ofNode = marksOf(snapshot, level);
    return Int32Array.from(atoms.nodes, (node) => ofNode[node] as number);
  };
  return { name, snapshot, atoms, marks: { 1: marks(1), 2: marks(2) } };
}

/** For each snapshot node, the outermost marked element of that level around it. */
function marksOf({ nodes }: PageSnapshot, level: Level): Int32Array {
  const marks = new Int32Array(nodes.length).fill(NO_CLASS);
  for (let i = 0; i < nodes.length; i++) {
    const node = nodes[i] as SnapshotNode;
    const above = node.parent >= 0 ? (marks[node.parent] as number) : NO_CLASS;
    const own = node.kind === 'element' && node.attributes['data-block'] === String(level);
    marks[i] = own && above === NO_CLASS ? i : above;
  }
  return marks;
}
