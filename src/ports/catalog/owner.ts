import type { CatalogOwner } from '../../model/archive-identity.ts';

/** Whose catalog it is: asked and told when an archive is opened. */
export interface OwnerCatalog {
  /** Undefined in a new one. */
  owner(): Promise<CatalogOwner | undefined>;
  /** Notes whom the catalog belongs to, and who writes to it from now on. On disk when it resolves. */
  claim(owner: CatalogOwner): Promise<void>;
  close(): Promise<void>;
}
