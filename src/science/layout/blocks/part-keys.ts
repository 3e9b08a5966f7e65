/**
 * How a part is recognised in the next version of its page: by its name in the markup. Texts, addresses and the number
 * of parts before it do not count, nor do wrappers without a name.
 */
import type { SnapshotElement, SnapshotNode } from '../../../model/page-snapshot.ts';
import type { VisualPart, VisualTree } from './visual-tree.ts';

/** Elements whose tag means nothing. */
const PLAIN = new Set(['div', 'span']);
/** Names with digits mostly come from a build or count something: `css-1x2y3`, `story-17`. */
const isMade = (name: string): boolean => /\d/u.test(name);

/** Letters and digits: enough to tell siblings apart. */
export const KEY_LENGTH = 5;
export const ANCHOR_LENGTH = 3;

/** FNV-1a, folded to `length` letters and digits. */
function hashed(name: string, length: number): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  return ((hash >>> 0) % 36 ** length).toString(36).padStart(length, '0');
}

/** For consecutive texts and inline elements. */
const INLINE = hashed('~', KEY_LENGTH);
const NAMELESS = hashed('', KEY_LENGTH);

function nameOf({ tag, attributes }: SnapshotElement): string {
  const { id, role, class: classes } = attributes;
  let name = PLAIN.has(tag) ? '' : tag;
  if (id !== undefined && !isMade(id)) name += `#${id}`;
  if (role !== undefined) name += `@${role}`;
  if (classes === undefined) return name;
  const kept = classes.split(/\s+/u).filter((one) => one !== '' && !isMade(one));
  return kept.length === 0 ? name : `${name}.${kept.sort().join('.')}`;
}

/** The name of the outermost shell that has one. */
export function partKey({ snapshot }: VisualTree, { shells, inline }: VisualPart): string {
  for (const shell of shells) {
    const node = snapshot.nodes[shell];
    const name = node?.kind === 'element' ? nameOf(node) : '';
    if (name !== '') return hashed(name, KEY_LENGTH);
  }
  return inline ? INLINE : NAMELESS;
}

/** Most nodes searched for what a part begins with. */
const LOOK = 60;

/**
 * Hash of what a part begins with: the target of its first link, else its first text. A story keeps it wherever it
 * stands.
 */
export function partAnchor({ snapshot: { nodes } }: VisualTree, { nodes: members }: VisualPart): string {
  const first = members[0] as number;
  let found = '';
  for (let i = first; i < nodes.length && i < first + LOOK; i++) {
    const node = nodes[i] as SnapshotNode;
    if (i !== first && node.parent < first && !members.includes(i)) break;
    if (node.kind === 'text') {
      if (found === '') found = node.text;
    } else if (node.attributes.href !== undefined) {
      found = node.attributes.href;
      break;
    }
  }
  return hashed(found, ANCHOR_LENGTH);
}

/** Width and height in whole pixels: of its element, which its words hardly change, else of everything in it. */
export function sizeOfPart(
  { snapshot }: VisualTree,
  { shells, nodes }: VisualPart,
): readonly [number, number] {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const index of shells.length > 0 ? shells.slice(0, 1) : nodes) {
    const [x, y, width, height] = (snapshot.nodes[index] as SnapshotNode).box;
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x + width);
    bottom = Math.max(bottom, y + height);
  }
  return [Math.max(0, Math.round(right - left)), Math.max(0, Math.round(bottom - top))];
}
