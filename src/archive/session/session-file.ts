import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { SessionState, SiteStates } from '../../capture/session/visitors.ts';
import { writeWhole } from '../../storage/whole-file.ts';
import { UserError } from '../user-error.ts';

/** Environment variable that holds the key of session files. */
export const SESSION_KEY = 'DAGUERRE_SESSION_KEY';
/** In characters. */
const SHORTEST_KEY = 12;

/** One line, so that an editor shows what the file is; the rest is base64. */
const MAGIC = 'daguerre-session 1 ';

/** Sizes of the parts before the ciphertext, in bytes. */
const PARTS = { salt: 16, nonce: 12, tag: 16 } as const;

export interface SavedSession {
  /** Somebody may be logged in. */
  readonly isPrivate: boolean;
  /** What every visitor starts with. */
  readonly supplied: SessionState;
  readonly sites: SiteStates;
}

/**
 * A session on disk: scrypt derives the key from what the environment holds; AES-256-GCM encrypts, and detects a wrong
 * key or a changed byte. Either the old file or the new one is there, whole.
 */
export class SessionFile {
  readonly path: string;
  readonly #salt: Buffer;
  readonly #key: Buffer;

  private constructor(path: string, salt: Buffer, key: Buffer) {
    this.path = path;
    this.#salt = salt;
    this.#key = key;
  }

  /** `saved` is undefined where there is no file yet. */
  static open(path: string): { readonly file: SessionFile; readonly saved: SavedSession | undefined } {
    const passphrase = keyOfEnvironment();
    const bytes = contentOf(path);
    const salt = bytes?.subarray(0, PARTS.salt) ?? randomBytes(PARTS.salt);
    const file = new SessionFile(path, Buffer.from(salt), scryptSync(passphrase, salt, 32));
    return { file, saved: bytes && file.#decrypt(bytes) };
  }

  async save({ isPrivate, supplied, sites }: SavedSession): Promise<void> {
    const nonce = randomBytes(PARTS.nonce);
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce);
    const text = JSON.stringify({ isPrivate, supplied, sites: [...sites] });
    const secret = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    const bytes = Buffer.concat([this.#salt, nonce, cipher.getAuthTag(), secret]);
    await writeWhole(this.path, `${MAGIC}${bytes.toString('base64')}\n`, 0o600);
  }

  #decrypt(bytes: Buffer): SavedSession {
    const nonceEnd = PARTS.salt + PARTS.nonce;
    const tagEnd = nonceEnd + PARTS.tag;
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.#key, bytes.subarray(PARTS.salt, nonceEnd));
      decipher.setAuthTag(bytes.subarray(nonceEnd, tagEnd));
      const text = Buffer.concat([decipher.update(bytes.subarray(tagEnd)), decipher.final()]).toString(
        'utf8',
      );
      const { isPrivate, supplied, sites } = JSON.parse(text) as Omit<SavedSession, 'sites'> & {
        readonly sites: readonly (readonly [string, SessionState])[];
      };
      return { isPrivate, supplied, sites: new Map(sites) };
    } catch {
      throw new UserError(
        `${this.path} cannot be decrypted: ${SESSION_KEY} is not the key it was written with, or the file is damaged`,
      );
    }
  }
}

function keyOfEnvironment(): string {
  const key = process.env[SESSION_KEY];
  if (key === undefined || key === '')
    throw new UserError(
      `a session file needs a key: set ${SESSION_KEY} in the environment, e.g. to what 'openssl rand -base64 24' prints`,
    );
  if (key.length >= SHORTEST_KEY) return key;
  throw new UserError(`${SESSION_KEY} is too short: ${SHORTEST_KEY} characters or more`);
}

function contentOf(path: string): Buffer | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'latin1');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const bytes = Buffer.from(text.slice(MAGIC.length), 'base64');
  const least = PARTS.salt + PARTS.nonce + PARTS.tag;
  if (text.startsWith(MAGIC) && bytes.length > least) return bytes;
  throw new UserError(
    `${path} is no session file: 'daguerre login' and '--session crawl --session-file' write them`,
  );
}
