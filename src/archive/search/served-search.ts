import type { ArchiveLocation } from '../open/open-archive.ts';
import {
  type ArchiveSearch,
  openSearch,
  type SearchedArchive,
  type SearchHit,
  type SearchWish,
} from './search-archive.ts';

export interface ServedSearch {
  find(wish: SearchWish): Promise<readonly SearchHit[]>;
  unsearched: ArchiveSearch['unsearched'];
  close(): Promise<void>;
}

/** How long a reader waits for an index that is behind, in milliseconds; after that it answers as it is. */
const PATIENCE = 3_000;

/** The search of an archive that is being served: opened with the first question, brought in line while it answers. */
export function servedSearch(
  current: () => Promise<SearchedArchive>,
  location: ArchiveLocation,
): ServedSearch {
  let opened: { readonly catalog: unknown; readonly search: Promise<ArchiveSearch> } | undefined;
  let updating: Promise<unknown> | undefined;
  const stop = new AbortController();

  async function open(): Promise<ArchiveSearch> {
    const archive = await current();
    // A new catalog has replaced the one that the open search reads from.
    if (opened?.catalog !== archive.catalog) {
      const before = opened;
      opened = { catalog: archive.catalog, search: openSearch(archive, location) };
      await updating?.catch(() => {});
      await before?.search.then((search) => search.close()).catch(() => {});
    }
    return opened.search.catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
  }

  return {
    async find(wish) {
      const search = await open();
      if (await search.isBehind()) {
        updating ??= search.update({ signal: stop.signal }).finally(() => {
          updating = undefined;
        });
        const waited = new Promise((done) => setTimeout(done, PATIENCE).unref());
        // A failed update does not keep the index from answering.
        await Promise.race([updating.catch(() => {}), waited]);
      }
      return search.find(wish);
    },
    unsearched: async () => (await open()).unsearched(),
    async close() {
      stop.abort();
      await updating?.catch(() => {});
      await opened?.search.then((search) => search.close()).catch(() => {});
    },
  };
}
