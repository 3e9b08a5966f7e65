import type { CatalogOwner } from '../../model/archive-identity.ts';

/** Whom the catalog belongs to: read and written when an archive is opened. */
export interface OwnerCatalog {
  /** Undefined in a new catalog. */
  owner(): Promise<CatalogOwner | undefined>;
  /** Notes whom the catalog belongs to, and who writes to it from now on. On disk when it resolves. */
  claim(owner: CatalogOwner): Promise<void>;
  /** Whether this user of the database may write: a reader's connection may not in any case. */
  mayWrite(): Promise<boolean>;
  close(): Promise<void>;
}
