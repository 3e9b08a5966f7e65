import type { Catalog } from '../../ports/catalog.ts';
import { type ArchiveFolder, recordFiles } from '../../storage/archive-folder.ts';
import { isMergedFile } from '../../storage/merged-files.ts';
import { localFile, removeFile } from '../../storage/record-copies.ts';
import { mergedFrom } from '../../warc/merge-warcs.ts';
import { checkTail } from '../../warc/tail.ts';
import { systemClock } from '../system-clock.ts';

type SettledCatalog = Pick<
  Catalog,
  'warcFiles' | 'filesToIndex' | 'replacedFiles' | 'addReplaced' | 'forgetReplaced'
>;

interface Merged {
  /** Of the files that it was made of, those that are there. */
  readonly here: readonly string[];
  readonly hasAll: boolean;
  /** Whether the catalog knows some of them: then the merge was never committed. */
  readonly isUndone: boolean;
}

/**
 * Merged files beside files that they were made of, for who has the archive alone: only one of both may count. It is the side that
 * the catalog knows, since a merge is one transaction. A catalog that knows neither was made anew: then it is the merged file.
 *
 * What a merge that was interrupted had placed is deleted. All else that does not count is listed as replaced, as if the merge had
 * just been done: nothing that another catalog may count on is deleted at once, and whoever is killed in between finds the same again.
 */
export async function settleMerges(
  folder: ArchiveFolder,
  catalog: SettledCatalog,
  { rebuild }: { readonly rebuild: boolean },
): Promise<readonly string[]> {
  const listed = new Set((await catalog.replacedFiles()).map(({ file }) => file));
  if (!folder.remote) {
    if (rebuild) await catalog.forgetReplaced([...listed]);
    return [];
  }
  const there = new Set((await recordFiles(folder)).map(({ file }) => file));
  const known = new Set((await catalog.warcFiles()).map(({ file }) => file));
  for (const file of await catalog.filesToIndex()) known.add(file);
  const outlived = new Set<string>();
  let undone = 0;
  // A rebuild also asks those that the catalog knows: it may not have been told of all that is in them.
  for (const file of [...there].filter((name) => isMergedFile(name) && (rebuild || !known.has(name)))) {
    const merged = await mergedOf(folder, file, { there, known });
    if (!merged) continue;
    if (merged.isUndone || (!rebuild && (await isMergedTwice(folder, file, { there, known })))) {
      if (rebuild && merged.hasAll) outlived.add(file);
      else if (merged.hasAll) {
        await removeFile(folder, file);
        undone++;
      }
    } else if (await isWhole(folder, file))
      for (const one of merged.here) if (!known.has(one)) outlived.add(one);
  }
  if (rebuild) await catalog.forgetReplaced([...listed].filter((file) => !outlived.has(file)));
  await catalog.addReplaced(
    [...outlived].filter((file) => !listed.has(file)),
    systemClock.now(),
  );
  return undone === 0
    ? []
    : [
        `${undone} record files of merges that had been interrupted were deleted: their records stand in others`,
      ];
}

interface Names {
  readonly there: ReadonlySet<string>;
  readonly known: ReadonlySet<string>;
}

async function mergedOf(
  folder: ArchiveFolder,
  file: string,
  { there, known }: Names,
): Promise<Merged | undefined> {
  const from = await madeOf(folder, file);
  const here = from.filter((one) => there.has(one));
  if (here.length === 0) return undefined;
  const isUndone = !known.has(file) && here.some((one) => known.has(one));
  return { here, hasAll: here.length === from.length, isUndone };
}

/** Whether all that it was made of stands in merged files that the catalog knows: somebody else merged it meanwhile. */
async function isMergedTwice(folder: ArchiveFolder, file: string, { there, known }: Names): Promise<boolean> {
  const left = new Set(await madeOf(folder, file));
  for (const other of [...known].filter((name) => name !== file && isMergedFile(name) && there.has(name)))
    for (const one of await madeOf(folder, other)) left.delete(one);
  return left.size === 0;
}

const madeOf = async (folder: ArchiveFolder, file: string): Promise<readonly string[]> =>
  (await mergedFrom(await localFile(folder, file)).catch(() => undefined)) ?? [];

/** A copy of a bucket may have broken off. */
async function isWhole(folder: ArchiveFolder, file: string): Promise<boolean> {
  const { problem, eventEnd, size } = await checkTail(await localFile(folder, file), 0);
  return !problem && eventEnd === size;
}
