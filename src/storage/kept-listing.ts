import { stat } from 'node:fs/promises';
import type { RemoteRecords } from '../ports/remote-records.ts';
import type { ArchiveFolder } from './archive-folder.ts';

/**
 * The folder with a store that is asked once what it holds; what is put and removed by way of it is added and taken away. For who has
 * the archive alone: files that others bring meanwhile are not seen.
 */
export function keepListing(folder: ArchiveFolder): ArchiveFolder {
  const { remote } = folder;
  if (!remote) return folder;
  let listing: Promise<Map<string, number>> | undefined;
  const sizes = (): Promise<Map<string, number>> => {
    listing ??= remote.list().then(
      (files) => new Map(files.map(({ file, size }) => [file, size])),
      (error: unknown) => {
        listing = undefined;
        throw error;
      },
    );
    return listing;
  };
  /** What failed may have been done all the same: the store is asked again. */
  const forget = (): void => {
    listing = undefined;
  };
  const kept: RemoteRecords = {
    url: remote.url,
    cacheSize: remote.cacheSize,
    list: async () =>
      [...(await sizes())].map(([file, size]) => ({ file, size })).sort((a, b) => (a.file < b.file ? -1 : 1)),
    has: async (file) => (await sizes()).has(file),
    async put(file, path, options) {
      try {
        await remote.put(file, path, options);
        const { size } = await stat(path);
        await listing?.then(
          (known) => known.set(file, size),
          () => {},
        );
      } catch (error) {
        forget();
        throw error;
      }
    },
    async remove(file) {
      try {
        await remote.remove(file);
        await listing?.then(
          (known) => known.delete(file),
          () => {},
        );
      } catch (error) {
        forget();
        throw error;
      }
    },
    range: (file, offset, length) => remote.range(file, offset, length),
    copyTo: (file, path) => remote.copyTo(file, path),
    readNote: (name) => remote.readNote(name),
    writeNote: (name, text, options) => remote.writeNote(name, text, options),
    removeNote: (name) => remote.removeNote(name),
    listNotes: (name) => remote.listNotes(name),
    notesAround: (name) => remote.notesAround(name),
    close: () => remote.close(),
  };
  return { ...folder, remote: kept };
}
