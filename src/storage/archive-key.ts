import { join } from 'node:path';
import type { Millis } from '../model/time.ts';
import type { Signer } from '../ports/signer.ts';
import { fingerprint, KeyError, newPrivateKey, publicKeyOf, signerOf } from './ed25519.ts';
import { KeyFileFault, type KnownKey, readKeyList, writeKeyList } from './key-list.ts';
import { makeFolder } from './make-folder.ts';
import { readIfThere, writeFirst, writeWhole } from './whole-file.ts';

/**
 * The keys of an archive, in its folder `keys`:
 *
 *   private.pem   signs certificates; readable by its owner alone; never leaves the folder
 *   keys.json     every public key that certificates in this archive may be signed with
 *
 * A key that was replaced stays in the list with the time of its retirement: what it signed until then stays valid.
 */

const paths = (root: string) => {
  const folder = join(root, 'keys');
  return { folder, privateKey: join(folder, 'private.pem'), list: join(folder, 'keys.json') };
};

/** Throws KeyFileFault. */
export async function knownKeys(root: string): Promise<readonly KnownKey[]> {
  const { list } = paths(root);
  const text = await readIfThere(list);
  return text === undefined ? [] : readKeyList(text, list);
}

/** The signer of the archive; undefined when it has no key yet. Throws KeyFileFault. */
export async function archiveSigner(root: string): Promise<Signer | undefined> {
  const { privateKey } = paths(root);
  const pem = await readIfThere(privateKey);
  if (pem === undefined) return undefined;
  try {
    return signerOf(pem);
  } catch (error) {
    if (!(error instanceof KeyError)) throw error;
    throw new KeyFileFault(
      'damaged',
      privateKey,
      `cannot sign (${error.message}): put back a copy of it; without one, move it away: a new key is made`,
    );
  }
}

/** By folder: several crawls of one process may open it at the same time. */
const opening = new Map<string, Promise<unknown>>();

/**
 * The signer of the archive; its key is created on first use. The caller holds the archive's lock, which workers on one
 * machine may hold together: the first of them creates the key.
 */
export function openSigner(root: string, now: Millis): Promise<Signer> {
  const opened = (opening.get(root) ?? Promise.resolve()).then(async () => {
    const signer = (await archiveSigner(root)) ?? (await firstSigner(root));
    // Also after a crash between the two files, or where a private key was copied in by hand.
    await addKey(root, signer.publicKey, 'own', now);
    return signer;
  });
  const settled = opened.catch(() => {});
  opening.set(root, settled);
  void settled.then(() => void (opening.get(root) === settled && opening.delete(root)));
  return opened;
}

async function firstSigner(root: string): Promise<Signer> {
  const { folder, privateKey } = paths(root);
  const pem = newPrivateKey();
  await makeFolder(folder, 0o700);
  const isOurs = await writeFirst(privateKey, pem, 0o600);
  return isOurs ? signerOf(pem) : ((await archiveSigner(root)) as Signer);
}

export function rotateKey(root: string, now: Millis): Promise<Signer> {
  return replaceKey(root, newPrivateKey(), now);
}

/** Another private key takes over; the previous one is retired. Throws KeyError when the text holds none. */
export async function replaceKey(root: string, privateKeyPem: string, now: Millis): Promise<Signer> {
  const { folder, privateKey } = paths(root);
  const signer = signerOf(privateKeyPem);
  const before = await archiveSigner(root);
  await makeFolder(folder, 0o700);
  // First the list: a certificate must never be signed with a key that the archive does not know.
  const keys = (await knownKeys(root)).map((key) =>
    before && key.publicKey === before.publicKey && key.publicKey !== signer.publicKey
      ? { ...key, retiredAt: now }
      : key,
  );
  await writeKeys(root, withKey(keys, signer.publicKey, 'own', now));
  await writeWhole(privateKey, privateKeyPem, 0o600);
  return signer;
}

/** Adds a public key, PEM or base64. A known key can only gain trust by this, never lose it. */
export async function addKey(
  root: string,
  text: string,
  origin: KnownKey['origin'],
  now: Millis,
  note?: string,
): Promise<KnownKey> {
  const publicKey = publicKeyOf(text);
  const keys = await knownKeys(root);
  const next = withKey(keys, publicKey, origin, now, note);
  if (next !== keys) {
    await makeFolder(paths(root).folder, 0o700);
    await writeKeys(root, next);
  }
  return next.find((key) => key.publicKey === publicKey) as KnownKey;
}

const TRUST = { imported: 0, trusted: 1, own: 2 } as const;

function withKey(
  keys: readonly KnownKey[],
  publicKey: string,
  origin: KnownKey['origin'],
  now: Millis,
  note?: string,
): readonly KnownKey[] {
  const known = keys.find((key) => key.publicKey === publicKey);
  if (!known) {
    const added = { publicKey, fingerprint: fingerprint(publicKey), addedAt: now, origin };
    return [...keys, { ...added, ...(note !== undefined && { note }) }];
  }
  const returns = origin === 'own' && known.retiredAt !== undefined;
  if (TRUST[origin] <= TRUST[known.origin] && !returns) return keys;
  const { retiredAt: _retired, ...rest } = known;
  return keys.map((key) => (key === known ? { ...(returns ? rest : known), origin } : key));
}

function writeKeys(root: string, keys: readonly KnownKey[]): Promise<void> {
  return writeWhole(paths(root).list, writeKeyList(keys), 0o644);
}
