import { mayCome } from '../catalog/engines/postgres-faults.ts';
import { type Patience, ServerWait } from '../catalog/engines/server-wait.ts';
import { CatalogFault } from '../catalog/faults.ts';
import type { ArchiveLocation } from './open/open-archive.ts';

/** How long somebody who waits for an answer waits for the database, in milliseconds. */
export const SHORT_WAIT = 10_000;

/** For what is done in a moment, and says nothing meanwhile. */
export const briefly = (location: ArchiveLocation): ArchiveLocation => ({
  ...location,
  databaseWait: Math.min(location.databaseWait ?? 0, SHORT_WAIT),
});

/** Opens again while the database is not there: whoever only reads is not made to wait otherwise. */
export async function onceDatabaseIsThere<T>(open: () => Promise<T>, patience: Patience): Promise<T> {
  let wait: ServerWait | undefined;
  for (;;) {
    try {
      const opened = await open();
      wait?.over();
      return opened;
    } catch (error) {
      if (!(error instanceof CatalogFault) || !mayCome(error.cause)) throw error;
      wait ??= new ServerWait(error.location, patience);
      if (!(await wait.again(error.cause))) throw error;
    }
  }
}
