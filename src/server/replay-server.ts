import path from 'node:path';
import fastifyStatic from '@fastify/static';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { formatTimestamp, LATEST, parseReplayUrl } from '../access/replay-url.ts';
import type { CaptureResolver } from '../access/resolve-capture.ts';
import { answerProblems, RequestProblem } from './api-error.ts';
import { loaderConfig, WABAC_PREFIX } from './loader-config.ts';
import { notArchivedPage } from './not-archived-page.ts';
import type { Origins } from './origins.ts';
import { COMMON_HEADERS, INERT_POLICY, loaderPolicy, WORKER_POLICY } from './security-headers.ts';
import { type Dialect, sendCapture } from './send-capture.ts';
import { isBuilt, NOT_BUILT, serviceWorkerScript } from './web-root.ts';

export interface ReplayServerOptions {
  readonly resolver: CaptureResolver;
  readonly collection: string;
  readonly webRoot: string;
  /** Throws when the Host header is not ours. */
  readonly guard: (hostHeader: string | undefined) => void;
  readonly origins: () => Origins;
}

/** First path segments that this origin keeps for itself; no collection may take their name. */
export const RESERVED_NAMES = ['assets', 'loader', 'static', 'sw.js', 'w', 'wabac', 'replay'];

/** Long URLs are common in archives, and wabac puts POST bodies into them. Node's default is 16 KiB. */
const MAX_HEADER_BYTES = 256 * 1024;

/**
 * The origin of archived content. It holds no secret and no right: what an archived script can do here is
 * read other captures.
 */
export function replayServer(options: ReplayServerOptions): FastifyInstance {
  const { collection, resolver, webRoot, guard, origins } = options;
  const rawRoute = `/${collection}/`;
  const app = fastify({
    logger: false,
    http: { maxHeaderSize: MAX_HEADER_BYTES },
    // Archived URLs in the path must reach us byte for byte: no decoding, no 400 for a stray `%`.
    rewriteUrl(request) {
      const url = request.url ?? '/';
      if (url.startsWith(`${WABAC_PREFIX}/`)) return '/loader/wabac';
      if (url.startsWith(rawRoute)) return '/loader/raw';
      if (url.startsWith('/w/')) return '/loader/unregistered';
      return url;
    },
  });
  answerProblems(app);

  app.addHook('onRequest', async (request, reply) => {
    reply.headers(COMMON_HEADERS);
    reply.header('cross-origin-resource-policy', 'same-origin');
    guard(request.headers.host);
    // An archived script would have another archived script become the service worker of this origin.
    if (request.headers['service-worker'] !== undefined && request.url.split('?', 1)[0] !== '/sw.js') {
      throw new RequestProblem(403, 'an archived script cannot be a service worker', 'nothing to do');
    }
  });

  app.get('/loader/config.json', (request, reply) =>
    reply
      .header('cache-control', 'no-store')
      .send(loaderConfig(collection, origins().replay(request.headers.host), origins().uiAll())),
  );

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
    if (address.kind === 'list') {
      const list = `${origins().ui(request.headers.host)}/#/page?url=${encodeURIComponent(address.url)}`;
      return reply.redirect(list, 302);
    }
    const { url, at, modifier } = address;
    if (dialect === 'raw' && isForPages(modifier)) return reply.redirect(loaderAddress(at, url), 302);
    reply.header('cache-control', 'no-store').header('content-security-policy', INERT_POLICY);
    const found = await resolver.resolve(url, at);
    if (found.kind === 'found') return sendCapture(request, reply, found.capture, { dialect, collection });
    reply.code(404);
    if (dialect === 'wabac') {
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
  app.get('/loader/wabac', (request, reply) =>
    answer(request, reply, 'wabac', request.originalUrl.slice(WABAC_PREFIX.length)),
  );
  // A link into the replay that came without the service worker: the loader registers it and goes on.
  app.get('/loader/unregistered', (request, reply) => {
    const address = parseReplayUrl(request.originalUrl.slice('/w'.length));
    if (address?.kind !== 'capture') return reply.redirect('/', 302);
    return reply.redirect(loaderAddress(address.at, address.url), 302);
  });

  servePage(app, webRoot, () => loaderPolicy(origins().uiAll()));
  return app;
}

function servePage(app: FastifyInstance, webRoot: string, csp: () => string): void {
  if (!isBuilt(webRoot)) {
    app.get('/', (_request, reply) => reply.code(503).type('text/plain; charset=utf-8').send(NOT_BUILT));
    return;
  }
  const script = serviceWorkerScript(webRoot);
  app.get('/sw.js', (_request, reply) =>
    reply
      .header('content-security-policy', WORKER_POLICY)
      .header('cache-control', 'no-cache')
      .type('text/javascript; charset=utf-8')
      .send(script),
  );
  app.register(fastifyStatic, {
    root: path.join(webRoot, 'assets'),
    prefix: '/assets/',
    setHeaders(response) {
      response.setHeader('content-security-policy', INERT_POLICY);
    },
  });
  app.get('/', (_request, reply) =>
    reply
      .header('content-security-policy', csp())
      .header('cache-control', 'no-cache')
      .sendFile('index.html', path.join(webRoot, 'replay'), { cacheControl: false }),
  );
}

/** Addresses that a person opens: the loader shows them. The rest are parts of pages and go out as they are. */
function isForPages(modifier: string | undefined): boolean {
  return modifier === undefined || modifier === 'mp_' || modifier === 'if_' || modifier === 'fr_';
}

function loaderAddress(at: number, url: string): string {
  return `/#${at === LATEST ? '' : formatTimestamp(at)}/${url}`;
}
