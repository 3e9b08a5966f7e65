import type { SessionAnswer } from '../src/server/api-types.ts';
import { t } from './text/language.ts';

/** Who reads, as the server knows it. Without users and tokens it is whoever sits at this machine. */
let session: SessionAnswer | undefined;

export async function readSession(): Promise<SessionAnswer | undefined> {
  try {
    const response = await fetch('/api/session');
    session = response.ok ? ((await response.json()) as SessionAnswer) : undefined;
  } catch {
    // The place that is opened next says that the server does not answer.
    session = undefined;
  }
  return session;
}

export type Role = NonNullable<SessionAnswer['role']>;
/** Each may do what those before it may. */
const ROLES: readonly Role[] = ['reader', 'editor', 'admin'];

/** Whose session this is; undefined where nobody is named. */
export const whoReads = ():
  | { readonly name: string; readonly role: Role; readonly canLeave: boolean }
  | undefined =>
  session?.name !== undefined && session.role !== null
    ? { name: session.name, role: session.role, canLeave: session.by === 'session' }
    : undefined;

/** Whether the server would let this reader do what takes a role. Where it could not be asked, it says so itself. */
export const may = (role: Role): boolean =>
  session?.role == null || ROLES.indexOf(session.role) >= ROLES.indexOf(role);

/** Why this reader may not. */
export function whyNot(role: Role): string {
  const who = whoReads();
  return who ? t.session.takes(t.session.roles[role], t.session.roles[who.role]) : t.session.readsAlone;
}

export type Credentials = { readonly name: string; readonly password: string } | { readonly token: string };

/** False where the server knows nobody of the kind; throws where it does not answer, or wants no more tries now. */
export async function logIn(given: Credentials): Promise<boolean> {
  const response = await fetch('/api/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(given),
  });
  if (response.status === 401) return false;
  if (!response.ok)
    throw new Error(
      ((await response.json().catch(() => ({}))) as { detail?: string }).detail ?? String(response.status),
    );
  session = (await response.json()) as SessionAnswer;
  return true;
}

export async function logOut(): Promise<void> {
  const response = await fetch('/api/session', { method: 'DELETE', headers: csrf() });
  // A session that has ended by itself is left all the same.
  if (!response.ok && response.status !== 401) throw new Error(t.common.answered(response.status));
  location.reload();
}

/** Writes bring along what only this page was told: a form of another site has it not. */
export const csrf = (): Readonly<Record<string, string>> =>
  session?.csrf === undefined ? {} : { 'x-csrf-token': session.csrf };
