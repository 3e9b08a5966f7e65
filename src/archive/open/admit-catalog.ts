import { stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { isPostgres } from '../../catalog/open.ts';
import {
  type ArchiveIdentity,
  archiveText,
  type CatalogOwner,
  type LastWriter,
} from '../../model/archive-identity.ts';
import type { ArchiveFolder } from '../../storage/archive-folder.ts';
import { type IdentityFile, readIdentity } from '../../storage/identity-file.ts';
import { UserError } from '../user-error.ts';

/** The catalog says that it belongs to another archive. */
export class ForeignCatalog extends UserError {}

export interface CatalogCandidate {
  readonly folder: ArchiveFolder;
  readonly identity: IdentityFile;
  /** See catalog-name.ts. */
  readonly catalog: string;
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
 *   an empty catalog, and another wrote last  refused: it would be filled from the records, and lock out the one that has them.
 *                                             One that is gone from its place is made anew, if nobody else can have it
 *
 * Returns whether the catalog may be believed; one that may not is rebuilt from the records alone.
 */
export async function admitCatalog(
  owner: CatalogOwner | undefined,
  candidate: CatalogCandidate,
): Promise<boolean> {
  const { identity, rebuild, takeOver, isShared, folder } = candidate;
  if (!owner) {
    if (!rebuild && othersWroteLast(candidate)) throw empty(candidate);
    return true;
  }
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
  if (!rebuild) throw outdated(owner, candidate);
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

function othersWroteLast({ identity, catalog, isShared, folder }: CatalogCandidate): boolean {
  const { opening, lastWriter } = identity;
  if (opening === undefined) return false;
  if (isShared) return true;
  // Of a folder that has its own records the catalog in it is the only one, unless a database was named.
  if (!folder.remote) return lastWriter !== undefined && isPostgres(lastWriter.catalog);
  return lastWriter?.catalog !== catalog || lastWriter.host !== hostname();
}

const foreign = (owner: CatalogOwner, identity: ArchiveIdentity): ForeignCatalog =>
  new ForeignCatalog(
    `this catalog belongs to another archive: it is of ${archiveText(owner)}, last opened from ${placeOf(owner)}; ` +
      `this folder is ${archiveText(identity)}. Check --archive and --database (several archives share a database when ` +
      "?schema= is left out). A catalog file that was copied here by mistake is put away by 'daguerre reindex'",
  );

const REBUILT = "'daguerre reindex', which rebuilds it from the records; nothing was changed";

function empty({ identity, catalog }: CatalogCandidate): UserError {
  const { lastWriter: last } = identity;
  const which = `the catalog ${catalog} is empty, and archive ${archiveText(identity)} was last written with`;
  if (last?.catalog === catalog)
    return new UserError(
      `${which} it, from ${placeOf(last)}: it was lost, or another one is in its place. Put the right one back, or run ${REBUILT}`,
    );
  return new UserError(
    `${which} ${last ? `${last.catalog}, from ${placeOf(last)}` : 'another one'}. ${wayTo(last)}; or, if that one is lost, run ${REBUILT}`,
  );
}

function outdated(owner: CatalogOwner, { identity, catalog }: CatalogCandidate): UserError {
  const { lastWriter: last } = identity;
  const which = `the catalog ${catalog} of archive ${archiveText(identity)}, last opened from ${placeOf(owner)},`;
  if (last && last.catalog !== catalog)
    return new UserError(
      `${which} is not the one that wrote last: that is ${last.catalog}, from ${placeOf(last)}. ${wayTo(last)}; or, if that one was ` +
        `given by mistake or is lost, run ${REBUILT}`,
    );
  const since = last
    ? `the archive was last written with it from ${placeOf(last)}`
    : 'the archive was written since';
  return new UserError(
    `${which} is an old copy${last ? '' : ', or not the one that wrote last'}: ${since}. Put the right one back, or run ${REBUILT}`,
  );
}

const wayTo = (last: LastWriter | undefined): string => {
  if (!last) return 'Give that one (--database, or DAGUERRE_DATABASE)';
  if (isPostgres(last.catalog)) return 'Give that one with --database, or DAGUERRE_DATABASE';
  return 'Go on there, without --database';
};

const copied = (owner: CatalogOwner, identity: ArchiveIdentity, folder: ArchiveFolder): UserError =>
  new UserError(
    `${folder.root} is a copy of archive ${archiveText(identity)}, whose catalog is written from ${placeOf(owner)}. ` +
      "Go on there; or make this folder an archive of its own: 'daguerre reindex --new-identity'; or, when the other " +
      "folder is not used any more, remove its archive.json or run 'daguerre reindex --take-over' here",
  );

const placeOf = ({ folder, host, openedAt }: Omit<LastWriter, 'catalog'>): string =>
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
