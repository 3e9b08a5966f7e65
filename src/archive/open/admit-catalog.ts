import { stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { type ArchiveIdentity, archiveText, type CatalogOwner } from '../../model/archive-identity.ts';
import type { ArchiveFolder } from '../../storage/archive-folder.ts';
import { type IdentityFile, readIdentity } from '../../storage/identity-file.ts';
import { UserError } from '../user-error.ts';

/** The catalog says that it belongs to another archive. */
export class ForeignCatalog extends UserError {}

export interface CatalogCandidate {
  readonly folder: ArchiveFolder;
  readonly identity: IdentityFile;
  /** False for SQLite in the folder; true for a database that other archives may use too. */
  readonly isShared: boolean;
  readonly rebuild: boolean;
  readonly takeOver: boolean;
}

/**
 * A catalog and a folder belong together when both name the same archive and the same last opening for writing.
 *
 *   another archive's id                      refused: `--database`, `?schema=` or the folder is the wrong one
 *   same id, another opening                  refused: an old copy of the catalog, or a copy of the folder wrote to it.
 *                                             `reindex` makes it follow this folder's records
 *   same id, and a copy of the folder lives   refused, `reindex` too: the two would take turns in one catalog
 *
 * Returns whether the catalog may be believed; one that may not is rebuilt from the records alone.
 */
export async function admitCatalog(
  owner: CatalogOwner | undefined,
  candidate: CatalogCandidate,
): Promise<boolean> {
  const { identity, rebuild, takeOver, isShared, folder } = candidate;
  if (!owner) return true;
  if (owner.id !== identity.id) throw foreign(owner, identity);
  const known = [identity.opening, identity.nextOpening];
  const isCurrent = known.includes(owner.opening);
  const isHere = owner.host === hostname() && owner.folder === folder.root;
  // Where records lie in an object store, its note of the last opening decides, and any folder may be used with it.
  const isBound = isShared && !folder.remote;
  const copy = isBound && !isHere && (await livesOn(owner, folder));
  if (copy && !takeOver) throw copied(owner, identity, folder);
  if (isCurrent) return true;
  // The folder's file was lost and recreated, or never had an opening noted: then the location decides.
  if (identity.opening === undefined && (isHere || !isBound)) return true;
  if (!rebuild) throw outdated(owner, identity);
  if (isBound && owner.host !== hostname() && !takeOver) throw copied(owner, identity, folder);
  return false;
}

/** For readers, which may look at a copy of the folder together with its catalog. */
export function admitForReading(
  owner: CatalogOwner | undefined,
  identity: ArchiveIdentity | undefined,
): void {
  if (owner && identity && owner.id !== identity.id) throw foreign(owner, identity);
}

const OLD_COPY =
  'is not the one that this folder was last written with: it is an old copy, or the archive was written with another ' +
  "--database since. Put the right one back, or run 'daguerre reindex', which rebuilds it from the records";

const foreign = (owner: CatalogOwner, identity: ArchiveIdentity): ForeignCatalog =>
  new ForeignCatalog(
    `this catalog belongs to another archive: it is of ${archiveText(owner)}, last opened from ${placeOf(owner)}; ` +
      `this folder is ${archiveText(identity)}. Check --archive and --database (several archives share a database when ` +
      "?schema= is left out). A catalog file that was copied here by mistake is put away by 'daguerre reindex'",
  );

const outdated = (owner: CatalogOwner, identity: ArchiveIdentity): UserError =>
  new UserError(`the catalog of ${archiveText(identity)}, last opened from ${placeOf(owner)}, ${OLD_COPY}`);

const copied = (owner: CatalogOwner, identity: ArchiveIdentity, folder: ArchiveFolder): UserError =>
  new UserError(
    `${folder.root} is a copy of archive ${archiveText(identity)}, whose catalog is written from ${placeOf(owner)}. ` +
      "Go on there; or make this folder an archive of its own: 'daguerre reindex --new-identity'; or, when the other " +
      "folder is not used any more, remove its archive.json or run 'daguerre reindex --take-over' here",
  );

const placeOf = ({ folder, host, openedAt }: CatalogOwner): string =>
  `${folder} on ${host} at ${new Date(openedAt).toISOString()}`;

/** Whether the folder that wrote last still exists, and is not ours. */
async function livesOn(owner: CatalogOwner, { root }: ArchiveFolder): Promise<boolean> {
  if (owner.host !== hostname()) return false;
  const [there, here] = await Promise.all(
    [owner.folder, root].map((path) => stat(path).catch(() => undefined)),
  );
  if (!there || (here && there.dev === here.dev && there.ino === here.ino)) return false;
  const identity = await readIdentity(owner.folder).catch(() => undefined);
  return identity?.id === owner.id;
}
