import { decide } from '../archive/decisions/decide.ts';
import { openDecisionBook } from '../archive/decisions/decision-book.ts';
import type { DecisionDraft } from '../archive/decisions/decision-schema.ts';
import { ArchiveLocked, CatalogFault, WriterGone } from '../archive/faults.ts';
import { keptMirrors } from '../archive/mirrors/mirror-journal.ts';
import { missWords } from '../archive/miss-words.ts';
import { followArchive } from '../archive/open/followed-archive.ts';
import type { ArchiveLocation } from '../archive/open/open-archive.ts';
import { servedSearch } from '../archive/search/served-search.ts';
import { NO_ACCESS } from '../archive/serve/server-settings.ts';
import { openServerWork } from '../archive/serve/server-work.ts';
import { systemClock } from '../archive/system-clock.ts';
import { UserError } from '../archive/user-error.ts';
import { askAnywhere } from '../archive/writer/ask-anywhere.ts';
import { askWriter } from '../archive/writer/ask-writer.ts';
import { isRequest, REQUESTS, type RequestName } from '../archive/writer/requests.ts';
import type { ArchiveParts } from './served-archive.ts';
import type { RoundAhead, ServerWork } from './server-work.ts';
import { type RunningServer, type ServerOptions, startServer } from './start-server.ts';
import type { Ask } from './write-routes.ts';

export interface ServeOptions extends Omit<ServerOptions, 'archive' | 'pageReader' | 'work'> {
  /** What runs Daguerre: a program and its first arguments. */
  readonly command?: readonly string[];
  /** Of a watch that runs in this process. */
  readonly plan?: ServerWork['plan'];
}

/** The web page and the replay of an archive; closing the server closes the archive. */
export async function serveArchive(
  location: ArchiveLocation,
  options: ServeOptions,
): Promise<RunningServer & { readonly root: string }> {
  const followed = await followArchive(location);
  const search = servedSearch(() => followed.current(), location);
  const { command = [process.execPath, ...process.argv.slice(1, 2)], settings = NO_ACCESS } = options;
  const catalog = async () => (await followed.current()).catalog;
  const work = openServerWork({ location, settings, command, catalog });
  const close = async (): Promise<void> => {
    await work.close();
    await search.close();
    await followed.close();
  };
  try {
    const why = missWords({
      archive: async () => {
        const archive = await followed.current();
        return { ...archive, decisions: () => openDecisionBook(archive) };
      },
      now: () => systemClock.now(),
      nextVisit: options.process?.nextVisit,
    });
    const current = async (): Promise<ArchiveParts> => {
      const archive = await followed.current();
      const book = () => openDecisionBook(archive);
      return {
        ...archive,
        search,
        told: {
          decisions: async () => (await book()).held,
          made: async () => (await book()).made,
          mirrors: () => keptMirrors(archive),
          why,
        },
      };
    };
    const server = await startServer({
      ...options,
      archive: current,
      pageReader: followed.pageReader,
      work: {
        ...work,
        plans: options.plan !== undefined || settings.watch !== undefined,
        plan: options.plan ?? (work.plan as (hours: number) => Promise<readonly RoundAhead[] | undefined>),
        ask: askFromWeb(location),
        watches: async () => {
          const near = await askWriter(location, 'watching', {}).catch(() => undefined);
          return near?.watching === true || (await (await catalog()).tickHolder()) !== undefined;
        },
        // A writer that ends, or is of another version, shows nothing.
        look: (url, picture) =>
          askWriter(location, 'look', { ...(url !== undefined && { url }), picture }).catch(() => undefined),
      },
    });
    return {
      ...server,
      root: followed.root,
      async close() {
        await server.close();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

const READ_ONLY =
  'the database user of this server may only read the catalog, and so may whoever uses the server: decide and ping on a machine whose --database names a user that may write';

/** What the web page may ask of whoever writes to the archive. */
function askFromWeb(location: ArchiveLocation): Ask {
  return async (name, input) => {
    const request = isRequest(name) ? REQUESTS[name] : undefined;
    if (!request?.isForWeb) return { kind: 'unknown' };
    const given = request.input.safeParse(input);
    if (!given.success) return { kind: 'invalid', why: given.error.issues[0]?.message ?? '' };
    try {
      // A decision does not need a running writer: without one it takes the lock for a moment.
      if (name === 'decide') {
        const decisions = await decide(location, given.data as DecisionDraft);
        return { kind: 'done', result: { decisions } };
      }
      const result = await askAnywhere(location, name as RequestName, given.data as never);
      return result === undefined ? { kind: 'nobody' } : { kind: 'done', result };
    } catch (error) {
      if (error instanceof ArchiveLocked || error instanceof WriterGone)
        return { kind: 'busy', why: error.message };
      if (error instanceof CatalogFault && error.kind === 'busy') return { kind: 'busy', why: error.message };
      if (error instanceof CatalogFault && error.kind === 'read-only')
        return { kind: 'forbidden', why: READ_ONLY };
      if (!(error instanceof UserError)) throw error;
      if (error.kind === 'usage') return { kind: 'invalid', why: error.message };
      if (error.kind === 'conflict') return { kind: 'conflict', why: error.message };
      throw error;
    }
  };
}
