import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Role } from '../../archive/serve/server-settings.ts';
import { identified, requireJson, requireOwn, requireRole } from '../guard/guard.ts';
import type { Identity } from '../guard/identity.ts';
import type { ApiParts } from './context.ts';
import type { Route } from './route.ts';
import { sendAnswer, sendList, sendRaw } from './send.ts';

/** Tries at a password in a minute, from one address. */
const LOGINS = { max: 10, timeWindow: 60_000 };

/** Puts the table of routes to work. */
export function registerRoutes(routes: readonly Route[], parts: ApiParts) {
  return async (api: FastifyInstance): Promise<void> => {
    for (const route of routes)
      api.route({
        method: route.method,
        url: route.path,
        ...(route.isLogin && { config: { rateLimit: { ...LOGINS, allowList: () => false } } }),
        handler: (request, reply) => {
          const context = { ...parts, request, reply, identity: admitted(route, request, parts) };
          if (route.kind === 'list') return sendList(route, context);
          return route.kind === 'answer' ? sendAnswer(route, context) : sendRaw(route, context);
        },
      });
  };
}

/** The same of a request for the writer. */
export function admitWrite(
  request: FastifyRequest,
  role: Role,
  { access, now, origins }: Pick<ApiParts, 'access' | 'now' | 'origins'>,
): Identity {
  const identity = identified(access, request, now());
  requireRole(identity, role);
  requireOwn(identity, request, origins().ui(request.headers.host));
  requireJson(request);
  return identity;
}

const SOMEBODY: Identity = { by: 'everyone', role: 'reader' };

/** Who asks, if they may. */
export function admitted(
  { method, role, isOpen, kind, ...route }: Route,
  request: FastifyRequest,
  { access, now, origins }: Pick<ApiParts, 'access' | 'now' | 'origins'>,
): Identity {
  const identity = isOpen
    ? (access.identify(request, now()) ?? SOMEBODY)
    : identified(access, request, now());
  if (method === 'GET') {
    if (!isOpen) requireRole(identity, role);
    return identity;
  }
  requireRole(identity, role);
  requireOwn(identity, request, origins().ui(request.headers.host));
  if (kind === 'answer' && 'body' in route && route.body) requireJson(request);
  return identity;
}
