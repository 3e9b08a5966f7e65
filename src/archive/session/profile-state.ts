import { existsSync, readFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { basename, join } from 'node:path';
import Database from 'better-sqlite3';
import { profileState } from '../../capture/browser/own-state.ts';
import type { SessionState } from '../../capture/session/visitors.ts';
import { NoBrowser } from '../../ports/renderer.ts';
import { UserError } from '../user-error.ts';

/** Caches of a profile, or locks of a running browser: better left out of a copy. */
const LEFT_OUT =
  /^(Singleton\w*|lockfile|.*Cache|.*Cache_Data|Crashpad|CrashpadMetrics.*|BrowserMetrics.*|component_crx_cache|Safe Browsing|optimization_guide.*|Sessions|Extensions|Service Worker)$/;

/** Origins whose storage is read besides those of the seeds. */
const MOST_ORIGINS = 200;

/** Cookies and storage of a Chromium profile, read from a copy: the profile itself is not touched. */
export async function readProfile(folder: string, seeds: readonly string[]): Promise<SessionState> {
  const user = userDataOf(folder);
  const seedOrigins = seeds.map((seed) => new URL(seed).origin);
  const filter = (path: string): boolean => path === user || !LEFT_OUT.test(basename(path));
  let state: SessionState;
  try {
    state = await profileState(
      (copy) => cp(user, copy, { recursive: true, filter }),
      (hosts) =>
        [
          ...new Set(
            [...seedOrigins, ...hosts.map((host) => `https://${host}`)].filter((one) => URL.canParse(one)),
          ),
        ].slice(0, MOST_ORIGINS),
    );
  } catch (error) {
    if (!(error instanceof NoBrowser)) throw error;
    throw new UserError(
      `--profile: ${folder}${writtenBy(user)} could not be opened: set CHROME_PATH to the browser that it belongs to (${error.message.split('\n', 1)[0]})`,
    );
  }
  if (state.cookies.length > 0) return state;
  const { all, byKeyring } = storedCookies(user);
  if (all > 0)
    throw new UserError(
      `--profile: none of the ${all} cookies of ${folder}${writtenBy(user)} can be read` +
        (byKeyring > 0 ? `: ${byKeyring} are encrypted with a key of the desktop's keyring` : '') +
        `; log in with 'daguerre login', or start that browser with --password-store=basic`,
    );
  if (state.storage.length === 0)
    throw new UserError(`--profile: ${folder} holds neither cookies nor storage of the seeds`);
  return state;
}

/** The folder that contains `Default`, whether that one or `Default` itself was given. */
function userDataOf(folder: string): string {
  if (!existsSync(folder)) throw new UserError(`--profile: there is no folder ${folder}`);
  if (existsSync(join(folder, 'cookies.sqlite')))
    throw new UserError(
      `--profile: ${folder} is a profile of Firefox; those of Chromium can be read, or a --storage-state`,
    );
  if (existsSync(join(folder, 'Default')) || existsSync(join(folder, 'Local State'))) return folder;
  const above = join(folder, '..');
  if (basename(folder) === 'Default' && existsSync(join(folder, 'Preferences'))) return above;
  throw new UserError(
    `--profile: ${folder} is no profile of Chromium: give the folder with 'Default' in it (chrome://version tells it)`,
  );
}

function writtenBy(user: string): string {
  try {
    return ` (of Chromium ${readFileSync(join(user, 'Last Version'), 'latin1').trim()})`;
  } catch {
    return '';
  }
}

/** Rows of the profile's own database; none where it cannot be read. */
function storedCookies(user: string): { readonly all: number; readonly byKeyring: number } {
  const file = ['Default/Network/Cookies', 'Default/Cookies']
    .map((name) => join(user, name))
    .find(existsSync);
  if (file === undefined) return { all: 0, byKeyring: 0 };
  try {
    const database = new Database(file, { readonly: true, fileMustExist: true });
    try {
      const sql = `select count(*) as "all", coalesce(sum(substr(encrypted_value, 1, 3) = x'763131'), 0) as byKeyring from cookies`;
      return database.prepare(sql).get() as { all: number; byKeyring: number };
    } finally {
      database.close();
    }
  } catch {
    return { all: 0, byKeyring: 0 };
  }
}
