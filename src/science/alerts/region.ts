import type { ChangeOperation } from '../../model/change.ts';
import { type Selector, select } from '../../model/css-selector.ts';
import type { PageSnapshot } from '../../model/page-snapshot.ts';
import { BLOCK_TEXTS } from '../delta/change-of.ts';
import { plain } from './words.ts';

/** What a region of a page shows: its runs of text, in order, and the addresses of its links and pictures. */
export interface Region {
  readonly texts: readonly string[];
  readonly addresses: ReadonlySet<string>;
}

/** The same region of two versions; a side is absent where nobody looked. */
export interface RegionPair {
  readonly old?: Region;
  readonly new?: Region;
}

/** Number of characters from which on a run found within a text is no accident. */
const TELLING = 12;

export function regionOf(snapshot: PageSnapshot, selector: Selector): Region {
  const { nodes } = snapshot;
  const chosen = new Set(select(snapshot, selector));
  const texts: string[] = [];
  const addresses = new Set<string>();
  // Parents come before their children: what is inside is known when a node is reached.
  nodes.forEach((node, index) => {
    if (!chosen.has(index) && !chosen.has(node.parent)) return;
    chosen.add(index);
    if (node.kind === 'text') texts.push(plain(node.text));
    else for (const name of ['href', 'src']) if (node.attributes[name]) addresses.add(node.attributes[name]);
  });
  return { texts, addresses };
}

/** All its text, as one string. */
export const regionText = ({ texts }: Region): string => texts.join(' ');

/**
 * Whether an operation touches the region, on either side. Operations know their block, which may be larger or smaller than the
 * region, so their texts decide. The text of a paragraph omits the names of its links, so a run of the region may be part of it, or
 * it part of one of the region's.
 */
export function isInRegion(operation: ChangeOperation, { old, new: now }: RegionPair): boolean {
  return (
    (now !== undefined && isShown(operation.new, operation.newAddress, now)) ||
    (old !== undefined && isShown(operation.old, operation.oldAddress, old))
  );
}

function isShown(text: string | undefined, address: string | undefined, region: Region): boolean {
  if (address !== undefined) return region.addresses.has(address);
  return (text ?? '').split(BLOCK_TEXTS).some((part) => {
    const said = plain(part).replace(/…$/u, '');
    if (said === '') return false;
    return region.texts.some(
      (run) =>
        run === said ||
        (said.length >= TELLING && run.includes(said)) ||
        (run.length >= TELLING && said.includes(run)) ||
        // A short run that makes up most of a short text.
        (said.includes(run) && run.length * 2 > said.length),
    );
  });
}
