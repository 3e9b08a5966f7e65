/**
 * Which part of a site another one mirrors: the directory, with everything below except directories that differ, in which the two
 * agree on all but a few pages.
 *
 * Per directory, the pages that both sites have are counted: those that agree and those that do not. From the leaves up, a
 * subtree that disagrees on more than the tolerance becomes an exclusion of the directory above. The part is the directory that
 * then holds the most agreeing pages; on a tie the deepest: a mirror of `/doc/` alone is not one of `/` with all else excluded.
 * A page that one of the two lacks says nothing here: crawls are not complete. See mirror-status.ts for what it lacks.
 */
import { parentOf, sitePath } from '../evolution/site-path.ts';

export interface MirroredPart {
  /** `/a/`: with everything below. */
  readonly path: string;
  /** Directories below that are not mirrored, none inside another. */
  readonly exclusions: readonly string[];
  /** Number of pages in the part that both have, and how many of them agree. */
  readonly pages: number;
  readonly agreeing: number;
}

/** Share of the pages of a part that may differ: pages that show the date or a counter, or changed between the two captures. */
export const TOLERANCE = 0.1;
/** Fewer agreeing pages are no evidence: every site has a robots page or an imprint like those of others. */
export const LEAST_PAGES = 5;

interface Directory {
  readonly path: string;
  readonly children: Directory[];
  pages: number;
  agreeing: number;
}

interface Part extends MirroredPart {
  readonly depth: number;
}

/** `pages`: paths that both sites have, and whether they agree there. Undefined where no part is mirrored. */
export function mirroredPart(
  pages: Iterable<readonly [path: string, agrees: boolean]>,
  tolerance = TOLERANCE,
): MirroredPart | undefined {
  const directories = new Map<string, Directory>();
  const directoryAt = (path: string): Directory => {
    const known = directories.get(path);
    if (known) return known;
    const made: Directory = { path, children: [], pages: 0, agreeing: 0 };
    directories.set(path, made);
    const parent = parentOf(path);
    if (parent !== undefined) directoryAt(parent).children.push(made);
    return made;
  };
  directoryAt('/');
  for (const [path, agrees] of pages) {
    const directory = directoryAt(sitePath(path).directory);
    directory.pages++;
    if (agrees) directory.agreeing++;
  }
  let best: Part | undefined;
  // Deepest first, so that children are settled before their parents; no recursion, since paths may be deep.
  const inOrder = [...directories.values()].sort((a, b) => b.path.length - a.path.length);
  const settled = new Map<Directory, Part>();
  for (const directory of inOrder) {
    const part = settle(directory, settled, tolerance);
    settled.set(directory, part);
    if (agreesEnough(part, tolerance) && isBetter(part, best)) best = part;
  }
  if (!best || best.agreeing < LEAST_PAGES) return undefined;
  const { path, exclusions, pages: total, agreeing } = best;
  return { path, exclusions: exclusions.toSorted(), pages: total, agreeing };
}

function settle(directory: Directory, settled: ReadonlyMap<Directory, Part>, tolerance: number): Part {
  let { pages, agreeing } = directory;
  const exclusions: string[] = [];
  for (const child of directory.children) {
    const part = settled.get(child);
    if (!part) continue;
    if (part.pages > 0 && !agreesEnough(part, tolerance)) exclusions.push(child.path);
    else {
      pages += part.pages;
      agreeing += part.agreeing;
      exclusions.push(...part.exclusions);
    }
  }
  return { path: directory.path, exclusions, pages, agreeing, depth: directory.path.split('/').length };
}

const agreesEnough = ({ pages, agreeing }: Part, tolerance: number): boolean =>
  pages > 0 && agreeing >= (1 - tolerance) * pages;

const isBetter = (part: Part, best: Part | undefined): boolean =>
  !best || part.agreeing > best.agreeing || (part.agreeing === best.agreeing && part.depth > best.depth);

/** Whether a path, or the path of a URL, lies in the part. */
export function isInPart(path: string, part: Pick<MirroredPart, 'path' | 'exclusions'>): boolean {
  const { directory } = sitePath(path);
  return directory.startsWith(part.path) && !part.exclusions.some((one) => directory.startsWith(one));
}
