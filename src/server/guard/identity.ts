import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Role, ServerSettings } from '../../archive/serve/server-settings.ts';
import type { Millis } from '../../model/time.ts';
import { isPassword } from './passwords.ts';
import { newTicket, ticketOfHost } from './replay-ticket.ts';
import { isSameSecret, Sessions, type UserSession } from './sessions.ts';

/** Who asks. `local`: somebody at this machine, where nobody was named. */
export type Identity =
  | { readonly by: 'local' | 'everyone'; readonly name?: undefined; readonly role: Role }
  | { readonly by: 'token'; readonly name: string; readonly role: Role }
  | { readonly by: 'session'; readonly name: string; readonly role: Role; readonly session: UserSession };

export const COOKIE = 'daguerre-session';
const LOOPBACK = /^(?:127\.|::1$|::ffff:127\.)/;

export const isLoopback = ({ socket }: Pick<FastifyRequest, 'socket'>): boolean =>
  LOOPBACK.test(socket.remoteAddress ?? '');

/** Who may use a server, and who asks. */
export class Access {
  readonly sessions = new Sessions();
  readonly settings: ServerSettings;
  /** By the name of their token. */
  readonly #tokenTickets = new Map<string, string>();
  /** Behind a proxy, where every request seems to come from this machine. */
  readonly isPublic: boolean;

  constructor(settings: ServerSettings, isPublic: boolean) {
    this.settings = settings;
    this.isPublic = isPublic;
  }

  /** Whether anybody is named: else whoever reaches the server may read. */
  get isClosed(): boolean {
    return this.settings.users.length > 0 || this.settings.tokens.length > 0;
  }

  /** Undefined for those who have to say who they are. */
  identify(request: FastifyRequest, now: Millis): Identity | undefined {
    const token = tokenOf(request.headers.authorization);
    const found = token === undefined ? undefined : this.#tokenNamed(token);
    if (found) return { by: 'token', name: found.name, role: found.role };
    const session = this.sessions.find(cookieOf(request.headers.cookie), now);
    if (session) return { by: 'session', name: session.name, role: session.role, session };
    if (this.isClosed) return undefined;
    const isLocal = !this.isPublic && isLoopback(request);
    return isLocal ? { by: 'local', role: 'admin' } : { by: 'everyone', role: 'reader' };
  }

  /** As above, of a request for archived content, whose host may say it. */
  identifyReader(request: FastifyRequest, now: Millis): Identity | undefined {
    const ticket = ticketOfHost(request.headers.host);
    if (ticket === undefined) return this.identify(request, now);
    const session = this.sessions.ofTicket(ticket, now);
    if (session) return { by: 'session', name: session.name, role: session.role, session };
    const token = this.settings.tokens.find(({ name }) => this.#tokenTickets.get(name) === ticket);
    return token && { by: 'token', name: token.name, role: token.role };
  }

  /** Of the replay hosts of whoever asks; none where nobody is named, and replay is as open as the web page. */
  ticketFor(request: FastifyRequest, now: Millis): string | undefined {
    const identity = this.identifyReader(request, now);
    if (identity?.by === 'session') return identity.session.ticket;
    if (identity?.by !== 'token') return undefined;
    const known = this.#tokenTickets.get(identity.name) ?? newTicket();
    this.#tokenTickets.set(identity.name, known);
    return known;
  }

  /** Undefined where name and password do not belong together. */
  async logIn(
    name: string,
    password: string,
    now: Millis,
  ): Promise<{ id: string; session: UserSession } | undefined> {
    const user = this.settings.users.find((one) => one.name === name);
    const isRight = await isPassword(password, user?.password);
    return isRight && user ? this.sessions.begin(user.name, user.role, now) : undefined;
  }

  /** A session for whoever has a token and a browser, which sends none by itself; undefined where no token is written so. */
  logInByToken(token: string, now: Millis): { id: string; session: UserSession } | undefined {
    const found = this.#tokenNamed(token);
    return found && this.sessions.begin(found.name, found.role, now);
  }

  #tokenNamed(token: string) {
    const digest = digestOf(token);
    return this.settings.tokens.find((one) => isSameSecret(digestOf(one.token), digest));
  }
}

/** Of equal length, whatever the tokens have. */
const digestOf = (token: string): string => createHash('sha256').update(token).digest('hex');

/** `Bearer <token>`, or the password of `Basic`, which feed readers can send. */
function tokenOf(header: string | undefined): string | undefined {
  const [, scheme = '', value = ''] = /^(bearer|basic)\s+(\S+)$/i.exec(header ?? '') ?? [];
  if (scheme.toLowerCase() === 'bearer') return value;
  if (scheme === '') return undefined;
  const [, password] = /^[^:]*:(.*)$/s.exec(Buffer.from(value, 'base64').toString('utf8')) ?? [];
  return password;
}

export function cookieOf(header: string | undefined): string | undefined {
  for (const part of header?.split(';') ?? []) {
    const [name = '', ...value] = part.split('=');
    if (name.trim() === COOKIE) return value.join('=').trim();
  }
  return undefined;
}
