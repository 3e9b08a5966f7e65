import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { parseReplayUrl, type ReplayModifier } from '../access/replay-url.ts';
import { isSeparated } from '../model/replay-host.ts';
import type { Millis } from '../model/time.ts';
import { RequestProblem } from './api-error.ts';
import type { ReplayConfig } from './api-types.ts';
import { notArchivedPage } from './not-archived-page.ts';
import { GUARD_SCRIPT } from './replayed-html.ts';
import { INERT_POLICY, loaderPolicy, PERMISSIONS_POLICY, WORKER_POLICY } from './security-headers.ts';
import { GUARD, isBuilt, NOT_BUILT, serviceWorkerScript } from './web-root.ts';

export interface ReplayCodeOptions {
  readonly webRoot: string;
  readonly uiOrigins: () => readonly string[];
  readonly pattern: (request: FastifyRequest) => string;
  readonly config: (request: FastifyRequest) => ReplayConfig;
  readonly isReplayHost: (request: FastifyRequest) => boolean;
  /** Whether nothing can be shown for an address, at whatever time. */
  readonly isMissing: (url: string, at: Millis) => Promise<boolean>;
}

/** Modifiers of frames inside a page: `mp_` is the page itself, which is told why it is not there. */
const IN_FRAME = new Set<ReplayModifier | undefined>(['if_', 'fr_', 'oe_']);

/** Our own code on the replay origins: the service worker, the loader, and the page that brings the worker. */
export function serveReplayCode(app: FastifyInstance, options: ReplayCodeOptions): void {
  const { webRoot, config, isReplayHost } = options;
  if (!isBuilt(webRoot)) {
    app.get('/', (_request, reply) => reply.code(503).type('text/plain; charset=utf-8').send(NOT_BUILT));
    return;
  }
  app.register(fastifyStatic, {
    root: path.join(webRoot, 'assets'),
    prefix: '/assets/',
    setHeaders(response) {
      response.setHeader('content-security-policy', INERT_POLICY);
    },
  });
  // In folders that are named by their content.
  app.register(fastifyStatic, {
    root: path.join(webRoot, 'replay/static'),
    prefix: '/static/',
    decorateReply: false,
    immutable: true,
    maxAge: '365d',
    setHeaders(response) {
      response.setHeader('content-security-policy', INERT_POLICY);
    },
  });
  const script = serviceWorkerScript(webRoot);
  const page = (reply: FastifyReply, file: string, framedBy: readonly string[]) =>
    reply
      .header('content-security-policy', loaderPolicy([...framedBy, ...options.uiOrigins()]))
      .header('permissions-policy', PERMISSIONS_POLICY)
      .header('cache-control', 'no-store')
      .sendFile(file, path.join(webRoot, 'replay'), { cacheControl: false });

  app.get('/sw.js', (request, reply) => {
    if (!isReplayHost(request)) {
      throw new RequestProblem(404, 'no page is replayed on this host', `open ${config(request).ui}`);
    }
    return (
      reply
        .header('content-security-policy', WORKER_POLICY)
        .header('cache-control', 'no-store')
        .type('text/javascript; charset=utf-8')
        // The worker's whole configuration: it reads nothing that a page can write.
        .send(`self.replayConfig = Object.freeze(${JSON.stringify(config(request))});\n${script}`)
    );
  });

  app.get('/', (request, reply) => {
    if (!isReplayHost(request)) return reply.redirect(config(request).ui, 302);
    // Where sites share an origin, what the last one stored must not meet the next. Elsewhere each view has new
    // hosts, and nothing is there to be cleared.
    if (!isSeparated(options.pattern(request))) reply.header('clear-site-data', '"cookies", "storage"');
    return page(reply, 'index.html', []);
  });
  // The worker does not answer for frames without an origin.
  app.get(GUARD_SCRIPT, (_request, reply) =>
    reply
      .header('content-security-policy', INERT_POLICY)
      .header('cross-origin-resource-policy', 'cross-origin')
      .sendFile(GUARD, webRoot),
  );
  app.get('/loader/config.json', (request, reply) =>
    reply.header('cache-control', 'no-store').send(config(request)),
  );
  // A frame of another site than its parent's, whose host has no worker yet: this page brings it and comes back. Pages have frames
  // by the dozen that were never captured (advertisements, buttons of networks): for these no worker is started.
  app.get('/loader/unregistered', async (request, reply) => {
    const address = parseReplayUrl(request.originalUrl.slice('/w'.length));
    if (address?.kind !== 'capture' || !isReplayHost(request)) return reply.redirect('/', 302);
    const { url, at, modifier } = address;
    if (IN_FRAME.has(modifier) && /^https?:/iu.test(url) && (await options.isMissing(url, at))) {
      const { policies } = config(request);
      return reply
        .code(404)
        .headers({ 'cache-control': 'no-store', 'content-security-policy': policies.unguarded })
        .type('text/html; charset=utf-8')
        .send(notArchivedPage(url, 'not-archived'));
    }
    return page(reply, 'entry.html', [options.pattern(request)]);
  });
}
