import { randomInt } from 'node:crypto';
import { rename } from 'node:fs/promises';
import { basename } from 'node:path';
import {
  type ArchiveIdentity,
  archiveText,
  isArchiveId,
  newArchiveId,
} from '../../model/archive-identity.ts';
import type { Millis } from '../../model/time.ts';
import type { RemoteRecords } from '../../ports/remote-records.ts';
import { type ArchiveFolder, recordFiles } from '../../storage/archive-folder.ts';
import {
  archiveIdentity,
  cleanName,
  type IdentityFile,
  IdentityFileFault,
  identityPath,
  readIdentity,
  storeIdentity,
} from '../../storage/identity-file.ts';
import { localFile } from '../../storage/record-copies.ts';
import { archiveOfFile, type FileOrigin } from '../../warc/archive-of-file.ts';
import { UserError } from '../user-error.ts';

export interface SettledIdentity {
  readonly identity: IdentityFile;
  /** file: from the folder's file. records: the file was lost, and `warcinfo` supplied it. new: created now. */
  readonly from: 'file' | 'records' | 'new';
  /** What had to be mended, in sentences. */
  readonly mended: readonly string[];
}

/**
 * Establishes which archive this folder is, and records it in the folder's file. A folder of an earlier Daguerre
 * gets an identity; one that lost its file takes it from the newest `warcinfo` that names an archive.
 */
export async function settleIdentity(
  folder: ArchiveFolder,
  now: Millis,
  options: { readonly rebuild: boolean; readonly newIdentity: boolean },
): Promise<SettledIdentity> {
  const mended: string[] = [];
  const stored = await (options.rebuild ? readOrMoveAway(folder, mended) : archiveIdentity(folder));
  // Records that were in the folder until now take its identity along to the object store.
  if (!stored && folder.remote) await refuseNested(folder.remote);
  const known = stored ?? (folder.remote && (await readIdentity(folder.root).catch(() => undefined)));
  if (known && !options.newIdentity) {
    if (!stored) await storeIdentity(folder, known, { isNew: true });
    return { identity: known, from: 'file', mended };
  }
  const name = cleanName(basename(folder.root));
  const origin = options.newIdentity ? undefined : await newestOrigin(folder, mended);
  const identity: IdentityFile = origin
    ? { id: origin.id, name: origin.name === '' ? name : cleanName(origin.name), madeAt: now }
    : { id: newArchiveId((below) => randomInt(below)), name, madeAt: now };
  if (known)
    mended.push(`this folder was archive ${archiveText(known)}, and is ${archiveText(identity)} from now on`);
  if (origin)
    mended.push(`archive.json was missing: the records say that this is archive ${archiveText(identity)}`);
  await storeIdentity(folder, identity, { isNew: !stored });
  return { identity, from: origin ? 'records' : 'new', mended };
}

/** A prefix that was mistyped must not become an archive within another, nor one around it. */
async function refuseNested(remote: RemoteRecords): Promise<void> {
  for (const { url, text } of await remote.notesAround('archive.json')) {
    const other = identityIn(text);
    if (other)
      throw new UserError(
        `${remote.url} holds no archive, and ${url} holds archive ${archiveText(other)}: one within the other would mix their files. ` +
          'Give that place with --storage, or one beside it; nothing was changed',
      );
  }
}

/** Undefined of files of others that have the same name. */
function identityIn(text: string): ArchiveIdentity | undefined {
  try {
    const { id, name } = JSON.parse(text) as Partial<Record<'id' | 'name', unknown>>;
    return isArchiveId(id) ? { id, name: cleanName(String(name ?? '')) } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Whether the files in `warc/` are the records, which move when the folder is first opened with an object store, and not copies of
 * what is there. A machine that only joined others has copies and no file of its own: some may have been deleted there since.
 */
export async function areOwnRecords(folder: ArchiveFolder): Promise<boolean> {
  const here = await readIdentity(folder.root).catch(() => undefined);
  if (here) return here.storage === undefined;
  return archiveIdentity(folder).then(
    (there) => there === undefined,
    () => false,
  );
}

async function readOrMoveAway(folder: ArchiveFolder, mended: string[]): Promise<IdentityFile | undefined> {
  try {
    return await archiveIdentity(folder);
  } catch (error) {
    if (!(error instanceof IdentityFileFault) || error.kind === 'newer') throw error;
    const { remote } = folder;
    if (remote) {
      await remote.writeNote('archive.json.damaged', (await remote.readNote('archive.json')) ?? '');
      await remote.removeNote('archive.json');
      mended.push(`${remote.url}/archive.json could not be read: moved to archive.json.damaged`);
      return undefined;
    }
    const path = identityPath(folder.root);
    await rename(path, `${path}.damaged`);
    mended.push(`${path} could not be read: moved to ${path}.damaged`);
    return undefined;
  }
}

/** Imported files may name other archives: the newest one is taken, and the choice is reported. */
async function newestOrigin(folder: ArchiveFolder, mended: string[]): Promise<FileOrigin | undefined> {
  let newest: FileOrigin | undefined;
  const ids = new Set<string>();
  for (const { file } of await recordFiles(folder)) {
    const origin = await archiveOfFile(await localFile(folder, file));
    if (!origin) continue;
    ids.add(origin.id);
    if (!newest || origin.at >= newest.at) newest = origin;
  }
  if (ids.size > 1 && newest) {
    mended.push(
      `the records name ${ids.size} archives (${[...ids].join(', ')}); the newest is taken. If that is an imported ` +
        `one, put the right id into ${identityPath(folder.root)}`,
    );
  }
  return newest;
}
