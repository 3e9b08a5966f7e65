import { archiveText } from '../../model/archive-identity.ts';
import type { RecordReader } from '../../ports/record-store.ts';
import { type RemoteRecords, StorageFault } from '../../ports/remote-records.ts';
import { type ArchiveFolder, archiveFolder } from '../../storage/archive-folder.ts';
import { archiveIdentity, type IdentityFile, readIdentity } from '../../storage/identity-file.ts';
import { localFile } from '../../storage/record-copies.ts';
import { s3Place } from '../../storage/s3/s3-place.ts';
import { openRecordReader } from '../../warc/record-reader.ts';
import { UserError } from '../user-error.ts';
import type { ArchiveLocation, WritingOptions } from './open-archive.ts';
import { STORAGE_CACHE } from './storage-place.ts';

/** The folder of an archive, and where one is given the object store that keeps its records, which must be this archive's. */
export async function openFolder(
  location: ArchiveLocation,
  { signal, onWait }: Pick<WritingOptions, 'signal' | 'onWait'> = {},
): Promise<ArchiveFolder> {
  const { archive, storage, storageWait = 0, storageCache: cacheSize = STORAGE_CACHE } = location;
  const plain = archiveFolder(archive);
  const here = await readIdentity(plain.root).catch(() => undefined);
  if (storage === undefined) {
    if (here?.storage !== undefined) throw elsewhere(plain, here.storage);
    return plain;
  }
  const place = s3Place(storage);
  if (!place)
    throw new UserError(
      `--storage ${storage} is no place in an object store: write s3://bucket/prefix, where a bucket has 3 to 63 small letters, digits, dots and hyphens`,
    );
  // Loaded when it is needed: most archives lie in a folder.
  const { openS3Records } = await import('../../storage/s3/s3-records.ts');
  const patience = {
    wait: storageWait,
    tell: (sentence: string) => onWait?.(sentence),
    ...(signal && { signal }),
  };
  const folder = archiveFolder(archive, await openS3Records({ place, patience, cacheSize }));
  try {
    await refuseForeign(folder, here);
    return folder;
  } catch (error) {
    folder.remote?.close();
    throw error;
  }
}

async function refuseForeign(folder: ArchiveFolder, here: IdentityFile | undefined): Promise<void> {
  const { root, remote } = folder;
  if (!here || !remote) return;
  // A damaged identity is reported where it is needed.
  const there = await archiveIdentity(folder).catch((error: unknown) => {
    if (error instanceof StorageFault) throw error;
    return here;
  });
  if (there && there.id !== here.id)
    throw new UserError(
      `${remote.url} belongs to another archive: ${archiveText(there)}; the folder ${root} is ${archiveText(here)}. ` +
        'Check --storage and --archive; nothing was changed',
    );
  if (!there && here.storage !== undefined && here.storage !== remote.url)
    throw new UserError(
      `the records of ${archiveText(here)} lie in ${here.storage}, and ${remote.url} holds no archive. Check --storage; to ` +
        'move the records, copy all objects there first, archive.json last',
    );
}

export const noArchiveIn = (url: string): UserError =>
  new UserError(
    `there is no archive in ${url}: 'daguerre archive <url> --storage ${url}' makes one, or moves the records of the folder there`,
  );

const elsewhere = ({ root }: ArchiveFolder, storage: string): UserError =>
  new UserError(
    `the records of the archive ${root} lie in ${storage}: add --storage ${storage}, or set DAGUERRE_STORAGE`,
  );

/** Reads single records: from the folder where it has them, otherwise by ranges from the object store. */
export function openFolderReader(folder: ArchiveFolder): RecordReader {
  const { remote, warc } = folder;
  return openRecordReader(warc, remote && remoteSource(folder, remote));
}

const remoteSource = (folder: ArchiveFolder, remote: RemoteRecords) => ({
  range: (file: string, offset: number, length: number) => remote.range(file, offset, length),
  whole: (file: string) => localFile(folder, file),
});
