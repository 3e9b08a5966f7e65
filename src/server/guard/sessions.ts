import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Role } from '../../archive/serve/server-settings.ts';
import type { Millis } from '../../model/time.ts';
import { newTicket } from './replay-ticket.ts';

export interface UserSession {
  readonly name: string;
  readonly role: Role;
  /** What writes must bring along: a page of another origin can make the browser send the cookie, and cannot know this. */
  readonly csrf: string;
  /** Names the hosts on which replay answers to this session: see replay-ticket.ts. */
  readonly ticket: string;
  readonly endsAt: Millis;
}

const HOUR = 3_600_000;
/** Without a request, and in all. */
const IDLE = 12 * HOUR;
const LONGEST = 7 * 24 * HOUR;
/** The oldest ends where there are more. */
const MOST = 10_000;

const secret = (): string => randomBytes(24).toString('base64url');

/** Whether two secrets are the same, in a time that tells nothing. */
export function isSameSecret(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)];
  return one.byteLength === other.byteLength && timingSafeEqual(one, other);
}

/** Who is logged in. In memory: a restart ends all sessions. */
export class Sessions {
  readonly #held = new Map<string, UserSession & { lastAt: Millis }>();
  readonly #idsOfTickets = new Map<string, string>();

  begin(name: string, role: Role, now: Millis): { readonly id: string; readonly session: UserSession } {
    const [oldest] = this.#held.keys();
    if (this.#held.size >= MOST) this.end(oldest);
    const id = secret();
    const session = { name, role, csrf: secret(), ticket: newTicket(), endsAt: now + LONGEST, lastAt: now };
    this.#held.set(id, session);
    this.#idsOfTickets.set(session.ticket, id);
    return { id, session };
  }

  /** Undefined for one that has ended, or never was. Each request keeps it for a while longer. */
  find(id: string | undefined, now: Millis): UserSession | undefined {
    const session = id === undefined ? undefined : this.#held.get(id);
    if (!session) return undefined;
    if (now >= session.endsAt || now >= session.lastAt + IDLE) {
      this.end(id);
      return undefined;
    }
    session.lastAt = now;
    return session;
  }

  /** The one whose replay has this ticket. */
  ofTicket(ticket: string, now: Millis): UserSession | undefined {
    return this.find(this.#idsOfTickets.get(ticket), now);
  }

  end(id: string | undefined): void {
    const session = id === undefined ? undefined : this.#held.get(id);
    if (!session) return;
    this.#held.delete(id as string);
    this.#idsOfTickets.delete(session.ticket);
  }
}
