import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { parseReplayUrl } from '../access/replay-url.ts';
import { isSeparated } from '../model/replay-host.ts';
import type { SourceReader } from '../ports/page-reader.ts';
import { answerProblems, REFUSED_ADDRESSES, RequestProblem } from './api-error.ts';
import { chosenTime } from './chosen-time.ts';
import { identifiedReader } from './guard/guard.ts';
import type { Access } from './guard/identity.ts';
import { MAX_HEADER_BYTES } from './header-limit.ts';
import { answerIa } from './memento/answer-cdx.ts';
import { collectionAnswer } from './memento/answer-collection.ts';
import { answerWorkerMiss } from './misses.ts';
import { type HostCheck, hostName, type Origins } from './origins.ts';
import { replayConfig, replayPattern, STILL_PREFIX, WABAC_PREFIX } from './replay-config.ts';
import { COMMON_HEADERS, INERT_POLICY } from './security-headers.ts';
import { type Dialect, sendCapture } from './send-capture.ts';
import { serveReplayCode } from './serve-replay-code.ts';
import type { ServedArchive } from './served-archive.ts';

export interface ReplayServerOptions {
  readonly archive: () => Promise<ServedArchive>;
  readonly pageReader: SourceReader;
  readonly collection: string;
  readonly webRoot: string;
  /** Throws when the Host header is not ours. */
  readonly checkHost: HostCheck;
  readonly origins: () => Origins;
  /** Whether archived scripts may run. */
  readonly scripts: boolean;
  /** Who may see archived content. */
  readonly access: Access;
}

/** Where the Internet Archive's CDX server answers; some clients know it by its second name. */
const IA_CDX = /^\/cdx\/search\/(?:cdx|xd)(?:\?|$)/;

/** First path segments that these origins keep for themselves; no collection may take their name. */
export const RESERVED_NAMES = ['assets', 'cdx', 'loader', 'static', 'still', 'sw.js', 'w', 'wabac', 'replay'];

/**
 * The origins of archived content. They hold no secret and no right: what an archived script can do here is read
 * other captures.
 */
export function replayServer(options: ReplayServerOptions): FastifyInstance {
  const { collection, archive, pageReader, webRoot, checkHost, origins, scripts, access } = options;
  const rawRoute = `/${collection}/`;
  const app = fastify({
    logger: false,
    ...REFUSED_ADDRESSES,
    http: { maxHeaderSize: MAX_HEADER_BYTES },
    // Archived URLs in the path must reach us byte for byte: no decoding, no 400 for a stray `%`.
    rewriteUrl(request) {
      const url = request.url ?? '/';
      if (url.startsWith(`${WABAC_PREFIX}/`)) return '/loader/wabac';
      if (url.startsWith(`${STILL_PREFIX}/`)) return '/loader/still';
      if (url.startsWith(rawRoute)) return '/loader/raw';
      if (IA_CDX.test(url)) return '/loader/cdx';
      if (url.startsWith('/w/')) return '/loader/unregistered';
      return url;
    },
  });
  answerProblems(app, `/${collection}/<timestamp>id_/<url>`);

  app.addHook('onRequest', async (request, reply) => {
    reply.headers(COMMON_HEADERS);
    reply.header('cross-origin-resource-policy', 'same-origin');
    checkHost(request.headers.host);
    identifiedReader(access, request, Date.now());
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
    if (address?.kind !== 'capture' || address.collection !== collection) {
      throw new RequestProblem(
        404,
        `not a replay address: ${replayPath}`,
        `write /${collection}/<timestamp>id_/<url>`,
      );
    }
    const { url, at } = address;
    reply.header('cache-control', 'no-store').header('content-security-policy', INERT_POLICY);
    const served = await archive();
    const { resolver } = served;
    const chosen = await chosenTime(request, reply, served, { url, at });
    const found = await resolver.resolve(url, chosen);
    if (found.kind === 'found') {
      const sending = { dialect, collection, archive: served, pageReader, at: chosen };
      return sendCapture(request, reply, found.capture, sending);
    }
    return answerWorkerMiss(request, reply, served, { ...found, url });
  };

  app.get('/loader/raw', collectionAnswer(options));
  app.get('/loader/cdx', async (request, reply) => {
    reply.header('cache-control', 'no-store').header('content-security-policy', INERT_POLICY);
    const parameters = new URLSearchParams(request.originalUrl.split('?').slice(1).join('?'));
    return answerIa(reply, (await archive()).catalog, parameters);
  });
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
    pattern: (request) => replayPattern(options, request),
    config: (request) =>
      replayConfig({ collection, scripts, pattern: replayPattern(options, request) }, origins(), request),
    // The host of the web page sends captures as they were stored, and replays none.
    isReplayHost: (request) => isReplayHost(replayPattern(options, request), request.headers.host),
    isMissing: async (url, at) => (await (await archive()).resolver.resolve(url, at)).kind === 'not-archived',
  });
  return app;
}

function isReplayHost(pattern: string, hostHeader: string | undefined): boolean {
  if (!isSeparated(pattern)) return true;
  const suffix = new URL(pattern.replace('*.', '')).hostname;
  return hostName(hostHeader)?.endsWith(`.${suffix}`) ?? false;
}
