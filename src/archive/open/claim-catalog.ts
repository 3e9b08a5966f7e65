import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { OwnerCatalog } from '../../ports/catalog.ts';
import type { ArchiveFolder } from '../../storage/archive-folder.ts';
import { type IdentityFile, storeIdentity } from '../../storage/identity-file.ts';
import { systemClock } from '../system-clock.ts';

/**
 * In three steps, see identity-file.ts: after a crash between any two, folder and catalog still know each other. `place`: the
 * catalog's, see catalog-name.ts.
 */
export async function claimCatalog(
  folder: ArchiveFolder,
  catalog: OwnerCatalog,
  { identity, place }: { readonly identity: IdentityFile; readonly place: string },
): Promise<IdentityFile> {
  const before = (await catalog.owner())?.opening;
  const opening = randomUUID();
  const { opening: _o, nextOpening: _n, ...rest } = identity;
  await storeIdentity(folder, {
    ...rest,
    ...(before !== undefined && { opening: before }),
    nextOpening: opening,
  });
  const { id, name } = identity;
  const from = { folder: folder.root, host: hostname(), openedAt: systemClock.now() };
  await catalog.claim({ id, name, opening, ...from });
  const next = { ...rest, opening, lastWriter: { catalog: place, ...from } };
  await storeIdentity(folder, next);
  return next;
}
