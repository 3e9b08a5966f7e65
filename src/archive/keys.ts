import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { naming } from '../ports/system-error.ts';
import { archiveFolder } from '../storage/archive-folder.ts';
import {
  addKey,
  archiveSigner,
  knownKeys,
  openSigner,
  replaceKey,
  rotateKey,
} from '../storage/archive-key.ts';
import { lockArchive } from '../storage/archive-lock.ts';
import { fingerprint, KeyError, publicKeyPem } from '../storage/ed25519.ts';
import type { KnownKey } from '../storage/key-list.ts';
import { makeFolder } from '../storage/make-folder.ts';
import { noArchive } from './open/open-archive.ts';
import { systemClock } from './system-clock.ts';
import { UserError } from './user-error.ts';

export type { KnownKey };

export interface ArchiveKeys {
  /** The public key that signs certificates, its fingerprint, and its written form. */
  readonly publicKey: string;
  readonly fingerprint: string;
  readonly pem: string;
  readonly keys: readonly KnownKey[];
}

/** Only an archive without a key is written to: one that is read-only, or being written, can still show its key. */
export async function archiveKeys(archive: string, storage?: string): Promise<ArchiveKeys> {
  const { root } = archiveFolder(archive);
  // Looking at keys must not create a folder, least of all one with a mistyped name.
  if (!existsSync(root))
    throw new UserError(storage === undefined ? noArchive(root) : noKeyYet(root, storage));
  const signer = await archiveSigner(root);
  const keys = await knownKeys(root);
  if (signer && keys.some(({ publicKey }) => publicKey === signer.publicKey))
    return keysOf(signer.publicKey, keys);
  return withLock(archive, async () => {
    const { publicKey } = await openSigner(root, systemClock.now());
    return keysOf(publicKey, await knownKeys(root));
  });
}

const noKeyYet = (root: string, storage: string): string =>
  `the folder ${root} has no key yet: the first crawl that this machine makes gives it one. Public keys of other folders that write ` +
  `to this archive lie in ${storage}/keys/, and 'daguerre verify' knows them`;

const keysOf = (publicKey: string, keys: readonly KnownKey[]): ArchiveKeys => ({
  publicKey,
  fingerprint: fingerprint(publicKey),
  pem: publicKeyPem(publicKey),
  keys,
});

/** A private key signs from now on; a public one is trusted. */
export async function importKey(
  archive: string,
  file: string,
): Promise<{ readonly fingerprint: string; readonly role: 'signs' | 'trusted' }> {
  const text = await naming(file, readFile(file, 'utf8'));
  return withLock(archive, async (root) => {
    const now = systemClock.now();
    try {
      if (text.includes('PRIVATE KEY-----')) {
        const { publicKey } = await replaceKey(root, text, now);
        return { fingerprint: fingerprint(publicKey), role: 'signs' };
      }
      const key = await addKey(root, text, 'trusted', now, file);
      return { fingerprint: key.fingerprint, role: 'trusted' };
    } catch (error) {
      throw error instanceof KeyError ? new UserError(`${file}: ${error.message}`) : error;
    }
  });
}

/** A new key signs from now on; what the one before it signed stays valid. */
export async function rotateKeys(
  archive: string,
): Promise<{ readonly fingerprint: string; readonly retired?: string }> {
  return withLock(archive, async (root) => {
    const before = await archiveSigner(root);
    const { publicKey } = await rotateKey(root, systemClock.now());
    return {
      fingerprint: fingerprint(publicKey),
      ...(before && { retired: fingerprint(before.publicKey) }),
    };
  });
}

/** Two commands that both made the first key would leave one whose private half nobody holds. */
async function withLock<T>(archive: string, work: (root: string) => Promise<T>): Promise<T> {
  const { root } = archiveFolder(archive);
  await makeFolder(root);
  const lock = await lockArchive(root, `'daguerre key', process ${process.pid}`);
  try {
    return await work(root);
  } finally {
    await lock.release();
  }
}
