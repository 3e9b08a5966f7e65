import type { Millis } from '../model/time.ts';

export interface KnownKey {
  readonly publicKey: string;
  /** SHA-256 of the public key, hex. */
  readonly fingerprint: string;
  readonly addedAt: Millis;
  /** own: this archive's, now or once. trusted: given by the user. imported: came with records, nobody vouched for it. */
  readonly origin: 'own' | 'trusted' | 'imported';
  /** Certificates written later must not be signed with it. */
  readonly retiredAt?: Millis;
  /** Where it came from, e.g. a file name. */
  readonly note?: string;
}

/** A file in the folder `keys` that cannot be used; the kind is named by what the user does next. */
export class KeyFileFault extends Error {
  override readonly name = 'KeyFileFault';
  readonly kind: 'damaged' | 'newer';
  constructor(kind: KeyFileFault['kind'], path: string, detail: string) {
    super(`${path} ${detail}`);
    this.kind = kind;
  }
}

/** Version of the list's format. Lists without a number have the first. */
const VERSION = 1;

export function writeKeyList(keys: readonly KnownKey[]): string {
  return `${JSON.stringify({ version: VERSION, keys }, null, 2)}\n`;
}

const RESTORE =
  "put back a copy of it; without one, move it away: the archive's own key is listed again, " +
  "and keys that were imported or retired are added with 'daguerre key import'";

/** Throws KeyFileFault: certificates must not be judged by half a list. */
export function readKeyList(text: string, path: string): readonly KnownKey[] {
  if (text.trim() === '') throw new KeyFileFault('damaged', path, `is empty: ${RESTORE}`);
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    throw new KeyFileFault('damaged', path, `is no whole list of keys: ${RESTORE}`);
  }
  const { version = VERSION, keys } = (list ?? {}) as { version?: unknown; keys?: unknown };
  if (typeof version === 'number' && version > VERSION) {
    throw new KeyFileFault(
      'newer',
      path,
      `is of version ${version}, this Daguerre knows ${VERSION}: use the newer Daguerre`,
    );
  }
  if (!Array.isArray(keys) || !keys.every(isKey))
    throw new KeyFileFault('damaged', path, `holds something else than a list of keys: ${RESTORE}`);
  return keys;
}

const ORIGINS: readonly unknown[] = ['own', 'trusted', 'imported'] satisfies KnownKey['origin'][];

function isKey(value: unknown): value is KnownKey {
  if (typeof value !== 'object' || value === null) return false;
  const key = value as Partial<Record<keyof KnownKey, unknown>>;
  return (
    typeof key.publicKey === 'string' &&
    typeof key.fingerprint === 'string' &&
    typeof key.addedAt === 'number' &&
    ORIGINS.includes(key.origin) &&
    (key.retiredAt === undefined || typeof key.retiredAt === 'number') &&
    (key.note === undefined || typeof key.note === 'string')
  );
}
