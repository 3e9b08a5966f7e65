import type { WaysOut } from '../../capture/http/ways-out.ts';
import { cookieKey } from '../../capture/session/cookie.ts';
import { Session, type SuppliedHeader } from '../../capture/session/session.ts';
import { NO_STATE, type SessionState } from '../../capture/session/visitors.ts';
import type { CrawlSpec } from '../../model/crawl.ts';
import type { SecretKind } from '../../model/private-capture.ts';
import { UserError } from '../user-error.ts';
import { givenWays, wayFacts, waysNote } from './given-ways.ts';
import { readProfile } from './profile-state.ts';
import { type SavedSession, SessionFile } from './session-file.ts';
import { SessionKeeper } from './session-keeper.ts';
import type { SessionSettings } from './session-settings.ts';
import { readStorageState } from './storage-state.ts';
import { suppliedCookies, suppliedHeaders, suppliedLogins } from './supplied-secrets.ts';

/** What a crawl uses that is not stored with it: secrets, and the ways out. */
export interface CrawlGear {
  readonly ways?: WaysOut;
  /** Absent where each page meets a first-time visitor who has nothing. */
  readonly session?: Session;
  /** What may be stored about it. */
  readonly facts: Pick<CrawlSpec, 'supplied' | 'ways' | 'proxyDns'>;
  /** To be kept with the crawl. */
  readonly notes: readonly string[];
  /** Keeps the session file up to date; absent where there is none. */
  keeper?(tell: (note: string) => void): SessionKeeper;
}

export const NO_GEAR: CrawlGear = { facts: {}, notes: [] };

/** @param seeds whose hosts get what is supplied without a host */
export async function openGear(settings: SessionSettings, seeds: readonly string[]): Promise<CrawlGear> {
  const ways = givenWays(settings);
  const opened = settings.sessionFile === undefined ? undefined : SessionFile.open(settings.sessionFile);
  if (opened && !opened.saved && settings.session === 'page')
    throw new UserError(
      `there is no session file ${settings.sessionFile}: 'daguerre login' makes one, or --session crawl`,
    );
  const headers = suppliedHeaders(settings, seeds);
  const given = await givenState(settings, seeds);
  const kinds = kindsOf(settings, opened?.saved);
  const isPrivate = kinds.length > 0;
  const facts = {
    ...(isPrivate && { supplied: kinds }),
    ...(ways && { ways: wayFacts(ways) }),
    ...(ways?.proxyDns && { proxyDns: true as const }),
  };
  const notes = [...(ways ? [waysNote(ways)] : []), ...(isPrivate ? [privateNote(kinds, headers)] : [])];
  const base = { facts, notes, ...(ways && { ways }) };
  if (!isPrivate && settings.session === 'page') return base;
  const supplied = merged(opened?.saved?.supplied ?? NO_STATE, given);
  const sites = [...(opened?.saved?.sites ?? [])].map(
    ([site, state]) => [site, merged(state, given)] as const,
  );
  const isKept = settings.session === 'crawl';
  const session = new Session({
    mode: settings.session,
    // A first-time visitor has what every visitor of that session had.
    supplied: isKept ? supplied : sites.reduce((sum, [, state]) => merged(sum, state), supplied),
    before: new Map(sites),
    headers,
    logins: suppliedLogins(settings, seeds),
    isPrivate,
  });
  const content = { isPrivate, supplied };
  const file = isKept ? opened?.file : undefined;
  return {
    ...base,
    session,
    ...(file && { keeper: (tell) => new SessionKeeper(session, file, content, tell) }),
  };
}

async function givenState(settings: SessionSettings, seeds: readonly string[]): Promise<SessionState> {
  const stored = settings.storageState === undefined ? NO_STATE : readStorageState(settings.storageState);
  const profile = settings.profile === undefined ? NO_STATE : await readProfile(settings.profile, seeds);
  const cookies = suppliedCookies(settings, seeds, Date.now());
  return merged(merged(profile, stored), { cookies, storage: [] });
}

function kindsOf(settings: SessionSettings, saved: SavedSession | undefined): readonly SecretKind[] {
  return [
    ...(settings.cookie.length > 0 ? (['cookie'] as const) : []),
    ...(settings.header.length > 0 ? (['header'] as const) : []),
    ...(settings.credentials.length > 0 ? (['credentials'] as const) : []),
    ...(settings.storageState !== undefined ? (['storage-state'] as const) : []),
    ...(settings.profile !== undefined ? (['profile'] as const) : []),
    ...(saved?.isPrivate ? (['session-file'] as const) : []),
  ];
}

function privateNote(kinds: readonly SecretKind[], headers: readonly SuppliedHeader[]): string {
  const names = new Set(['Cookie', 'Set-Cookie', 'Authorization', ...headers.map(({ name }) => name)]);
  return (
    `made with supplied secrets (${kinds.map((kind) => `--${kind}`).join(', ')}): its captures are private, ` +
    `and the values of ${[...names].join(', ')} are stored as [redacted]`
  );
}

/** The second takes precedence over the first. */
function merged(first: SessionState, second: SessionState): SessionState {
  const cookies = new Map([...first.cookies, ...second.cookies].map((cookie) => [cookieKey(cookie), cookie]));
  const storage = new Map([...first.storage, ...second.storage].map((one) => [one.origin, one]));
  return { cookies: [...cookies.values()], storage: [...storage.values()] };
}
