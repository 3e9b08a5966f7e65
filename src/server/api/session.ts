import { z } from 'zod';
import { RequestProblem } from '../api-error.ts';
import { type Access, cookieOf } from '../guard/identity.ts';
import { sessionCookie } from '../guard/session-cookie.ts';
import { answer, NO_INPUT } from './route.ts';
import { SESSION } from './schemas/session.ts';

/** By which a browser can say who it is. */
const ways = ({ settings }: Access): { readonly canLogIn: boolean; readonly takesToken: boolean } => ({
  canLogIn: settings.users.length > 0,
  takesToken: settings.tokens.length > 0,
});

export const SESSION_ROUTES = [
  answer({
    method: 'GET',
    path: '/session',
    role: 'reader',
    isOpen: true,
    summary: 'Who asks, and what they may do',
    input: NO_INPUT,
    name: 'Session',
    answer: SESSION,
    async run(_, { identity, access }) {
      const { by, name, role } = identity;
      const needsLogin = access.isClosed && by === 'everyone';
      return {
        by,
        ...(name !== undefined && { name }),
        role: needsLogin ? null : role,
        ...ways(access),
        ...(identity.by === 'session' && { csrf: identity.session.csrf, endsAt: identity.session.endsAt }),
      };
    },
  }),
  answer({
    method: 'POST',
    path: '/session',
    role: 'reader',
    isOpen: true,
    isLogin: true,
    summary: 'Logs in: sets the cookie of a session, and tells the CSRF token that writes bring along',
    input: NO_INPUT,
    body: z.union([
      z.strictObject({ name: z.string().max(200), password: z.string().max(1000) }),
      z.strictObject({ token: z.string().max(1000) }),
    ]),
    name: 'Session',
    answer: SESSION,
    async run({ body }, { access, now, reply, request, origins }) {
      const begun =
        'token' in body
          ? access.logInByToken(body.token, now())
          : await access.logIn(body.name, body.password, now());
      const why = 'token' in body ? 'no token is written so' : 'name and password do not belong together';
      if (!begun) throw new RequestProblem(401, why, 'try again');
      const isSecure = origins().ui(request.headers.host).startsWith('https:');
      reply.header('set-cookie', sessionCookie(begun.id, { isSecure, domain: access.settings.cookieDomain }));
      const { name, role, csrf, endsAt } = begun.session;
      return { by: 'session' as const, name, role, ...ways(access), csrf, endsAt };
    },
  }),
  answer({
    method: 'DELETE',
    path: '/session',
    role: 'reader',
    summary: 'Logs out',
    input: NO_INPUT,
    name: 'LoggedOut',
    answer: z.object({ ended: z.boolean() }),
    async run(_, { access, request, reply, identity, origins }) {
      access.sessions.end(cookieOf(request.headers.cookie));
      const isSecure = origins().ui(request.headers.host).startsWith('https:');
      reply.header('set-cookie', sessionCookie('', { isSecure, domain: access.settings.cookieDomain }));
      return { ended: identity.by === 'session' };
    },
  }),
];
