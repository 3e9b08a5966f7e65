import type { Crawl } from '../../model/crawl.ts';
import type { KnownFile } from '../../ports/catalog.ts';
import { ownName } from '../../storage/merged-files.ts';

export interface MergeSizes {
  /** Size above which a file is no longer an ordinary one, in bytes: no merged file grows larger. */
  readonly most: number;
  /** Files of at least this size stay as they are. */
  readonly small: number;
  /** Fewer files than this are not worth a merge. */
  readonly least: number;
  /** Merge only files of similar size, so that no byte is copied more than a few times in its life. */
  readonly bySize: boolean;
}

const [MOST, SMALL] = [1_000_000_000, 100_000_000];

/** For merges that run by themselves; and for one that somebody asks for, which takes everything. */
export const BACKGROUND: MergeSizes = { most: MOST, small: SMALL, least: 20, bySize: true };
export const ALL: MergeSizes = { most: MOST, small: SMALL, least: 2, bySize: false };

/** Two commits may name the same segment (committer.ts): the two that a crawl was last known to write are left alone. */
const MAY_BE_OPEN = 2;

/**
 * Groups of files to merge, each in the order of their times: what was merged before was told late, and begins early. `files` are in
 * the order they were told. Never one that a crawl which has not ended may still commit to.
 */
export function filesToMerge(
  files: readonly KnownFile[],
  unfinished: readonly Pick<Crawl, 'id'>[],
  sizes: MergeSizes,
): readonly (readonly KnownFile[])[] {
  const open = new Set(
    unfinished.flatMap(({ id }) => files.filter(({ crawlId }) => crawlId === id).slice(-MAY_BE_OPEN)),
  );
  const alike = new Map<string, KnownFile[]>();
  const named = files.flatMap((known) => {
    const name = ownName(known.file);
    return name ? [{ known, ...name }] : [];
  });
  for (const { known, kind } of named.toSorted((a, b) => Number(a.time) - Number(b.time))) {
    if (known.length === 0 || known.length >= sizes.small || open.has(known)) continue;
    const size = sizes.bySize ? Math.floor(Math.log10(known.length)) : '';
    const key = `${kind} ${size}`;
    const some = alike.get(key);
    if (some) some.push(known);
    else alike.set(key, [known]);
  }
  return [...alike.values()].flatMap((some) => grouped(some, sizes));
}

function grouped(files: readonly KnownFile[], { most, least }: MergeSizes): (readonly KnownFile[])[] {
  const groups: KnownFile[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const file of files) {
    if (bytes + file.length > most) {
      groups.push([]);
      bytes = 0;
    }
    groups.at(-1)?.push(file);
    bytes += file.length;
  }
  return groups.filter((group) => group.length >= least);
}
