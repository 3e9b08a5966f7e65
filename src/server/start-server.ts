import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { NO_ACCESS, type ServerSettings } from '../archive/serve/server-settings.ts';
import { UserError } from '../archive/user-error.ts';
import { isSeparated } from '../model/replay-host.ts';
import type { PageReader, SourceReader } from '../ports/page-reader.ts';
import { Access } from './guard/identity.ts';
import {
  isLoopbackName,
  type OriginOptions,
  type Origins,
  originsFor,
  replayHostCheck,
  uiHostCheck,
} from './origins.ts';
import { PortTaken } from './port-taken.ts';
import { RESERVED_NAMES, replayServer } from './replay-server.ts';
import { type ArchiveParts, servedArchive } from './served-archive.ts';
import type { ServerWork } from './server-work.ts';
import type { ProcessStatus } from './status-routes.ts';
import { uiServer } from './ui-server.ts';
import { defaultWebRoot, isBuilt, NOT_BUILT } from './web-root.ts';

export interface ServerOptions {
  /** Asked at each request. What it gives stays the caller's to close. */
  readonly archive: () => Promise<ArchiveParts>;
  readonly pageReader: SourceReader & Pick<PageReader, 'readSitemap'>;
  /** Absent: nothing is written or run through this server. */
  readonly work?: ServerWork;
  /** Who may use it, and under which names; whoever reaches it may read where nobody is named. */
  readonly settings?: ServerSettings;
  /** Of a process that does more than serve. */
  readonly process?: ProcessStatus;
  /** Of the web page and the API; 0 for any that is free. */
  readonly port: number;
  /** Of the replay origin; 0 for any that is free. */
  readonly replayPort: number;
  readonly host?: string;
  /** First segment of replay URLs. */
  readonly collection?: string;
  /** Folder that `vite build` wrote. */
  readonly webRoot?: string;
  /**
   * How browsers reach the server where a proxy with TLS stands in front; both or none. The second may hold a
   * wildcard, `https://*.replay.example.org`, and then keeps archived sites apart.
   */
  readonly publicUrl?: string | undefined;
  readonly publicReplayUrl?: string | undefined;
  /** False: archived scripts never run in replay. */
  readonly scripts?: boolean;
}

export interface RunningServer {
  readonly url: string;
  readonly replayUrl: string;
  /** First segment of replay URLs. */
  readonly collection: string;
  /** Something the person who started it should know, such as a web page that is not built. */
  readonly notice: string | undefined;
  close(): Promise<void>;
}

/** Starts both origins. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { host = '127.0.0.1', collection = 'archive', settings = NO_ACCESS } = options;
  const webRoot = options.webRoot ?? defaultWebRoot();
  checkNames(options, collection);
  if (!isLoopbackName(host) && settings.users.length + settings.tokens.length === 0)
    throw new UserError(
      `${host} is not this machine alone: give --token, or name users in --config, so that not everybody can read the archive`,
    );

  const publicUrls = { publicUrl: options.publicUrl, publicReplayUrl: options.publicReplayUrl };
  const names = { host, uiPort: 0, replayPort: 0, ...publicUrls, names: settings.names };
  // Behind a proxy every request seems to come from this machine.
  const access = new Access(settings, options.publicUrl !== undefined);
  // Ports are known only once both servers listen; no request comes before.
  let origins: Origins | undefined;
  const knownOrigins = (): Origins => {
    if (!origins) throw new Error('asked for the origins before the server listens');
    return origins;
  };
  const archive = servedArchive(options.archive, options.pageReader);
  const { pageReader, scripts = true } = options;
  const common = { archive, collection, webRoot, origins: knownOrigins, scripts };
  const ui = uiServer({
    ...common,
    checkHost: uiHostCheck(names),
    ...(options.process && { process: options.process }),
    access,
    ...(options.work && { work: options.work }),
  });
  const replay = replayServer({
    ...common,
    pageReader,
    checkHost: replayHostCheck(names),
    access,
  });
  const close = async (): Promise<void> => {
    await Promise.all([ui.close(), replay.close()]);
  };
  try {
    const ports: OriginOptions = {
      host,
      uiPort: await listen(ui, host, options.port, 'the web page', '--port'),
      replayPort: await listen(replay, host, options.replayPort, 'replay', '--replay-port'),
      ...publicUrls,
      names: settings.names,
    };
    origins = originsFor(ports);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    url: origins.ui(undefined),
    replayUrl: origins.raw(undefined),
    collection,
    notice: isBuilt(webRoot) ? sharingNotice(origins) : NOT_BUILT,
    close,
  };
}

function sharingNotice(origins: Origins): string | undefined {
  const pattern = origins.replay(undefined);
  if (isSeparated(pattern)) return undefined;
  return (
    `all archived sites share the origin ${pattern}: their scripts can read what other sites stored while a page is ` +
    'shown. Name a wildcard, as in --public-replay-url https://*.replay.example.org, or use --scripts off'
  );
}

function checkNames(options: ServerOptions, collection: string): void {
  if (!/^[\w-]+$/.test(collection) || RESERVED_NAMES.includes(collection)) {
    throw new RangeError(
      `'${collection}' cannot name a collection: use letters, digits, - and _, and none of ${RESERVED_NAMES.join(', ')}`,
    );
  }
  if ((options.publicUrl === undefined) !== (options.publicReplayUrl === undefined)) {
    throw new RangeError('give both public URLs or none: replay needs an origin of its own');
  }
  if (
    options.publicUrl !== undefined &&
    options.publicReplayUrl !== undefined &&
    new URL(options.publicUrl).origin === new URL(options.publicReplayUrl).origin
  ) {
    throw new RangeError('the public URLs share one origin: archived scripts would run in the web page');
  }
}

async function listen(
  app: FastifyInstance,
  host: string,
  port: number,
  what: string,
  option: string,
): Promise<number> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new PortTaken(`port ${port} of ${host} is taken: choose another for ${what} with ${option}`);
  }
  return (app.server.address() as AddressInfo).port;
}
