import { type RunningServer, type ServerOptions, startServer } from '../server/start-server.ts';
import type { Ask } from '../server/write-routes.ts';
import { decide } from './decisions/decide.ts';
import type { DecisionDraft } from './decisions/decision-schema.ts';
import { followArchive } from './open/followed-archive.ts';
import type { ArchiveLocation } from './open/open-archive.ts';
import { UserError } from './user-error.ts';
import { askWriter } from './writer/ask-writer.ts';
import { isRequest, REQUESTS, type RequestName } from './writer/requests.ts';

/** The web page and the replay of an archive; closing the server closes the archive. */
export async function serveArchive(
  location: ArchiveLocation,
  options: Omit<ServerOptions, 'archive' | 'ask'>,
): Promise<RunningServer & { readonly root: string }> {
  const followed = await followArchive(location);
  try {
    const server = await startServer({ ...options, archive: followed.current, ask: askFromWeb(location) });
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

/** What the web page may ask of whoever writes to the archive. */
function askFromWeb(location: ArchiveLocation): Ask {
  return async (name, input) => {
    const request = isRequest(name) ? REQUESTS[name] : undefined;
    if (!request?.isForWeb) return { kind: 'unknown' };
    const given = request.input.safeParse(input);
    if (!given.success) return { kind: 'invalid', why: given.error.issues[0]?.message ?? '' };
    try {
      // A decision needs nobody who writes already: it takes the lock for a moment.
      if (name === 'decide') {
        const decisions = await decide(location, given.data as DecisionDraft);
        return { kind: 'done', result: { decisions } };
      }
      const result = await askWriter(location, name as RequestName, given.data as never);
      return result === undefined ? { kind: 'nobody' } : { kind: 'done', result };
    } catch (error) {
      if (error instanceof UserError && error.kind === 'usage')
        return { kind: 'invalid', why: error.message };
      throw error;
    }
  };
}
