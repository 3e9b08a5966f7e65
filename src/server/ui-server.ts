import path from 'node:path';
import rateLimit from '@fastify/rate-limit';
import fastifyStatic from '@fastify/static';
import fastify, { type FastifyInstance } from 'fastify';
import { DESCRIPTION } from './api/description.ts';
import { EventHub } from './api/event-hub.ts';
import { AnswerCache } from './api/kept-answers.ts';
import { admitWrite, registerRoutes } from './api/register-routes.ts';
import { ROUTES } from './api/routes.ts';
import { answerProblems, REFUSED_ADDRESSES, RequestProblem } from './api-error.ts';
import { type ApiOptions, apiRoutes } from './api-routes.ts';
import { digestRoutes } from './digest-routes.ts';
import { feedRoutes } from './feed-routes.ts';
import { identified } from './guard/guard.ts';
import { isLoopback } from './guard/identity.ts';
import { MAX_HEADER_BYTES } from './header-limit.ts';
import type { HostCheck } from './origins.ts';
import { COMMON_HEADERS, uiPolicy } from './security-headers.ts';
import type { ServerWork } from './server-work.ts';
import { type ProcessStatus, statusRoutes } from './status-routes.ts';
import { isBuilt, NOT_BUILT } from './web-root.ts';
import { writeRoutes } from './write-routes.ts';

/** Bytes of a request's body. */
const MOST_BODY = 1024 * 1024;

export interface UiServerOptions extends ApiOptions {
  readonly webRoot: string;
  readonly checkHost: HostCheck;
  /** Absent: nothing is written or run through this server. */
  readonly work?: ServerWork;
  /** Of a process that does more than serve. */
  readonly process?: ProcessStatus;
}

/** The origin of the web page and its API. No archived byte is sent from here but thumbnails, as images. */
export function uiServer(options: UiServerOptions): FastifyInstance {
  const { isPublic } = options.access;
  const app = fastify({
    logger: false,
    ...REFUSED_ADDRESSES,
    http: { maxHeaderSize: MAX_HEADER_BYTES },
    bodyLimit: MOST_BODY,
    // The proxy in front says who asks: limits are of clients, not of the proxy.
    ...(isPublic && { trustProxy: 'loopback' }),
  });
  answerProblems(app);
  app.register(rateLimit, {
    max: options.access.settings.requestsPerMinute,
    timeWindow: 60_000,
    allowList: (request) => !isPublic && isLoopback(request),
    errorResponseBuilder: (_request, { after }) =>
      new RequestProblem(429, 'more requests in a minute than one client may make', `try again in ${after}`),
  });

  app.addHook('onRequest', async (request, reply) => {
    reply.headers(COMMON_HEADERS);
    reply.header('cross-origin-resource-policy', 'same-origin');
    reply.header('content-security-policy', uiPolicy(options.origins().replay(request.headers.host)));
    options.checkHost(request.headers.host);
    // Where one origin serves all, replay counts as the same site: that is refused too.
    const site = request.headers['sec-fetch-site'];
    if (request.url.startsWith('/api/') && site !== undefined && site !== 'same-origin' && site !== 'none') {
      throw new RequestProblem(403, 'another origin may not use this API', 'open the web page itself');
    }
    if (!isOpenPath(request.url)) identified(options.access, request, Date.now());
  });

  const watch = options.process ? 'runs' : options.work?.plans ? 'configured' : undefined;
  app.register(apiRoutes({ ...options, ...(watch && { watch }) }), { prefix: '/api' });
  const events = new EventHub(options.archive, Date.now);
  const kept = new AnswerCache();
  app.addHook('preClose', async () => events.close());
  const { archive, origins, access, work } = options;
  const parts = { archive, origins, access, now: Date.now, events, kept, ...(work && { work }) };
  app.register(registerRoutes([...ROUTES, ...DESCRIPTION], parts), { prefix: '/api' });
  app.register(feedRoutes(options), { prefix: '/feeds' });
  app.register(digestRoutes(options), { prefix: '/digest' });
  app.register(statusRoutes(options.process));
  if (work)
    app.register(
      writeRoutes(work.ask, (request, role) => admitWrite(request, role, parts)),
      { prefix: '/api' },
    );
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

/** What is answered to those who have not said yet who they are: the page itself, and what it logs in by. */
const isOpenPath = (url: string): boolean => {
  const [path = ''] = url.split('?', 1);
  return path === '/' || path === '/healthz' || path === '/api/session' || path.startsWith('/assets/');
};
