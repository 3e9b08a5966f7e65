import path from 'node:path';
import fastifyStatic from '@fastify/static';
import fastify, { type FastifyInstance } from 'fastify';
import { answerProblems, RequestProblem } from './api-error.ts';
import { type ApiOptions, apiRoutes } from './api-routes.ts';
import { MAX_HEADER_BYTES } from './header-limit.ts';
import type { HostCheck } from './origins.ts';
import { COMMON_HEADERS, uiPolicy } from './security-headers.ts';
import { isBuilt, NOT_BUILT } from './web-root.ts';
import { type Ask, writeRoutes } from './write-routes.ts';

export interface UiServerOptions extends ApiOptions {
  readonly webRoot: string;
  readonly checkHost: HostCheck;
  /** Absent: nothing is written through this server. */
  readonly ask?: Ask;
}

/** The origin of the web page and its API. No archived byte is sent from here but thumbnails, as images. */
export function uiServer(options: UiServerOptions): FastifyInstance {
  const app = fastify({ logger: false, http: { maxHeaderSize: MAX_HEADER_BYTES } });
  answerProblems(app);
  app.setNotFoundHandler((request) => {
    throw new RequestProblem(404, `nothing is at ${request.url}`, 'start at /');
  });

  app.addHook('onRequest', async (request, reply) => {
    reply.headers(COMMON_HEADERS);
    reply.header('cross-origin-resource-policy', 'same-origin');
    reply.header('content-security-policy', uiPolicy(options.origins().replay(request.headers.host)));
    options.checkHost(request.headers.host);
    // Replay may be of the same site where one origin serves it all: say no to that too.
    const site = request.headers['sec-fetch-site'];
    if (request.url.startsWith('/api/') && site !== undefined && site !== 'same-origin' && site !== 'none') {
      throw new RequestProblem(403, 'another origin may not use this API', 'open the web page itself');
    }
  });

  app.register(apiRoutes(options), { prefix: '/api' });
  if (options.ask) app.register(writeRoutes(options.ask), { prefix: '/api' });
  if (isBuilt(options.webRoot)) {
    app.register(fastifyStatic, {
      root: path.join(options.webRoot, 'assets'),
      prefix: '/assets/',
      immutable: true,
      maxAge: '30d',
    });
    app.get('/', (_request, reply) =>
      reply
        .header('cache-control', 'no-cache')
        .sendFile('index.html', options.webRoot, { cacheControl: false }),
    );
  } else {
    app.get('/', (_request, reply) => reply.code(503).type('text/plain; charset=utf-8').send(NOT_BUILT));
  }
  return app;
}
