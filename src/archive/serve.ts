import { type RunningServer, type ServerOptions, startServer } from '../server/start-server.ts';
import { followArchive } from './open/followed-archive.ts';
import type { ArchiveLocation } from './open/open-archive.ts';

/** The web page and the replay of an archive; closing the server closes the archive. */
export async function serveArchive(
  location: ArchiveLocation,
  options: Omit<ServerOptions, 'archive'>,
): Promise<RunningServer & { readonly root: string }> {
  const followed = await followArchive(location);
  try {
    const server = await startServer({ ...options, archive: followed.current });
    return {
      ...server,
      root: followed.root,
      async close() {
        await server.close();
        await followed.close();
      },
    };
  } catch (error) {
    await followed.close();
    throw error;
  }
}
