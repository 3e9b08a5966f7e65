import type { FastifyRequest } from 'fastify';
import { ROLES, type Role } from '../../archive/serve/server-settings.ts';
import { RequestProblem } from '../api-error.ts';
import type { Access, Identity } from './identity.ts';
import { isSameSecret } from './sessions.ts';

/** Who asks, or a 401 that says how to tell. */
export function identified(access: Access, request: FastifyRequest, now: number): Identity {
  return access.identify(request, now) ?? unknown();
}

/** The same of a request for archived content. */
export function identifiedReader(access: Access, request: FastifyRequest, now: number): Identity {
  return access.identifyReader(request, now) ?? unknown();
}

function unknown(): never {
  throw new RequestProblem(
    401,
    'who asks is not known, or the session has ended',
    'log in (POST /api/session), or send Authorization: Bearer <token>',
  );
}

export function requireRole(identity: Identity, role: Role): void {
  if (ROLES.indexOf(identity.role) >= ROLES.indexOf(role)) return;
  throw identity.by === 'everyone'
    ? new RequestProblem(
        403,
        'the archive is written from its own machine, or by those who are named',
        'use the command line there, or name users or a token when you start the server',
      )
    : new RequestProblem(
        403,
        `this takes the role ${role}, and you have ${identity.role}`,
        'ask an administrator',
      );
}

/**
 * Whoever writes shows that no other web site sent them: by a token, or by the Origin that browsers put on every write, on loopback
 * too, and in a session by its CSRF token as well.
 *
 * @param origin of the web page, for a browser that came by this Host header
 */
export function requireOwn(identity: Identity, { headers }: FastifyRequest, origin: string): void {
  if (identity.by === 'token') return;
  if (headers.origin === undefined)
    throw new RequestProblem(
      403,
      'a write without an Origin header may come from anywhere',
      `send Origin: ${origin}, or Authorization: Bearer <token>`,
    );
  if (headers.origin !== origin && headers.origin !== `http://${headers.host}`)
    throw new RequestProblem(403, 'another origin may not use this API', 'open the web page itself');
  if (identity.by !== 'session') return;
  const given = headers['x-csrf-token'];
  if (typeof given !== 'string' || !isSameSecret(given, identity.session.csrf))
    throw new RequestProblem(
      403,
      'the CSRF token is missing or wrong',
      'send x-csrf-token, as GET /api/session tells it',
    );
}

/** Bodies are JSON: browsers send that to another origin only after a preflight request, which is refused. */
export function requireJson({ headers }: FastifyRequest): void {
  if (!/^application\/json\b/.test(headers['content-type'] ?? ''))
    throw new RequestProblem(415, 'the body is not JSON', 'send content-type: application/json');
}
