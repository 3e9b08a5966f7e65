import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { formatTimestamp, LATEST, parseReplayUrl } from '../access/replay-url.ts';
import { isSeparated } from '../model/replay-host.ts';
import { answerProblems, RequestProblem } from './api-error.ts';
import { MAX_HEADER_BYTES } from './header-limit.ts';
import { notArchivedPage } from './not-archived-page.ts';
import { type HostCheck, hostName, type Origins } from './origins.ts';
import { replayConfig, STILL_PREFIX, WABAC_PREFIX } from './replay-config.ts';
import { COMMON_HEADERS, INERT_POLICY } from './security-headers.ts';
import { type Dialect, sendCapture } from './send-capture.ts';
import { serveReplayCode } from './serve-replay-code.ts';
import type { ServedArchive } from './served-archive.ts';

export interface ReplayServerOptions {
  readonly archive: () => Promise<ServedArchive>;
  readonly collection: string;
  readonly webRoot: string;
  /** Throws when the Host header is not ours. */
  readonly checkHost: HostCheck;
  readonly origins: () => Origins;
  /** Whether archived scripts may run. */
  readonly scripts: boolean;
}

/** First path segments that these origins keep for themselves; no collection may take their name. */
export const RESERVED_NAMES = ['assets', 'loader', 'static', 'still', 'sw.js', 'w', 'wabac', 'replay'];

/**
 * The origins of archived content. They hold no secret and no right: what an archived script can do here is read
 * other captures.
 */
export function replayServer(options: ReplayServerOptions): FastifyInstance {
  const { collection, archive, webRoot, checkHost, origins, scripts } = options;
  const rawRoute = `/${collection}/`;
  const app = fastify({
    logger: false,
    http: { maxHeaderSize: MAX_HEADER_BYTES },
    // Archived URLs in the path must reach us byte for byte: no decoding, no 400 for a stray `%`.
    rewriteUrl(request) {
      const url = request.url ?? '/';
      if (url.startsWith(`${WABAC_PREFIX}/`)) return '/loader/wabac';
      if (url.startsWith(`${STILL_PREFIX}/`)) return '/loader/still';
      if (url.startsWith(rawRoute)) return '/loader/raw';
      if (url.startsWith('/w/')) return '/loader/unregistered';
      return url;
    },
  });
  answerProblems(app);

  app.addHook('onRequest', async (request, reply) => {
    reply.headers(COMMON_HEADERS);
    reply.header('cross-origin-resource-policy', 'same-origin');
    checkHost(request.headers.host);
    // An archived script would have another archived script become the service worker of this origin, or give ours
    // options of its own.
    if (request.headers['service-worker'] !== undefined && request.originalUrl !== '/sw.js') {
      throw new RequestProblem(403, 'an archived script cannot be a service worker', 'nothing to do');
    }
  });

  const answer = async (
    request: FastifyRequest,
    reply: FastifyReply,
    dialect: Dialect,
    replayPath: string,
  ): Promise<FastifyReply> => {
    const address = parseReplayUrl(replayPath);
    if (!address || address.collection !== collection) {
      throw new RequestProblem(
        404,
        `not a replay address: ${replayPath}`,
        `write /${collection}/<timestamp>id_/<url>`,
      );
    }
    const ui = origins().ui(request.headers.host);
    if (address.kind === 'list') {
      return reply.redirect(`${ui}/#/page?url=${encodeURIComponent(address.url)}`, 302);
    }
    const { url, at, modifier } = address;
    if (dialect === 'raw' && isForPages(modifier)) return reply.redirect(viewAddress(ui, at, url), 302);
    reply.header('cache-control', 'no-store').header('content-security-policy', INERT_POLICY);
    const { resolver } = await archive();
    const found = await resolver.resolve(url, at);
    if (found.kind === 'found')
      return sendCapture(request, reply, found.capture, { dialect, collection, resolver });
    reply.code(404);
    if (dialect !== 'raw') {
      if (!request.headers.accept?.includes('text/html')) return reply.type('text/plain').send('');
      return reply.type('text/html; charset=utf-8').send(notArchivedPage(url, found.kind));
    }
    throw found.kind === 'not-archived'
      ? new RequestProblem(404, `not archived: ${url}`, 'archive it, or ask for another address')
      : new RequestProblem(
          404,
          `the original of the revisit of ${url} at ${formatTimestamp(found.fact.at)} is missing`,
          'import the WARC file that holds it',
        );
  };

  app.get('/loader/raw', (request, reply) => answer(request, reply, 'raw', request.originalUrl));
  app.get('/loader/wabac', (request, reply) => {
    if (!scripts) throw new RequestProblem(403, 'this server replays without scripts', 'ask below /still/');
    return answer(request, reply, 'wabac', request.originalUrl.slice(WABAC_PREFIX.length));
  });
  app.get('/loader/still', (request, reply) =>
    answer(request, reply, 'still', request.originalUrl.slice(STILL_PREFIX.length)),
  );

  serveReplayCode(app, {
    webRoot,
    uiOrigins: () => origins().uiAll(),
    pattern: ({ headers }) => origins().replay(headers.host),
    config: ({ headers }) => replayConfig({ collection, scripts }, origins(), headers.host),
    // The host of the web page sends captures as they were stored, and replays none.
    isReplayHost: ({ headers }) => isReplayHost(origins(), headers.host),
  });
  return app;
}

function isReplayHost(origins: Origins, hostHeader: string | undefined): boolean {
  const pattern = origins.replay(hostHeader);
  if (!isSeparated(pattern)) return true;
  const suffix = new URL(pattern.replace('*.', '')).hostname;
  return hostName(hostHeader)?.endsWith(`.${suffix}`) ?? false;
}

/** Addresses that a person opens: the web page shows them. The rest are parts of pages and go out as they are. */
function isForPages(modifier: string | undefined): boolean {
  return modifier === undefined || modifier === 'mp_' || modifier === 'if_' || modifier === 'fr_';
}

function viewAddress(ui: string, at: number, url: string): string {
  const values = new URLSearchParams({ url, at: at === LATEST ? '' : formatTimestamp(at) });
  return `${ui}/#/replay?${values}`;
}
