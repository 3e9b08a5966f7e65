import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { noArchive } from '../archive/open/open-archive.ts';
import { systemClock } from '../archive/system-clock.ts';
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
import type { CommonOptions } from './commands/common-options.ts';
import type { KeyExportFlags } from './commands/key.ts';
import { UserError } from './exit-codes.ts';
import { writeOutput } from './write-output.ts';

export async function showKeys({ archive, json }: CommonOptions): Promise<void> {
  const { publicKey, keys } = await ownKey(archive);
  if (json) await writeOutput(`${JSON.stringify({ current: fingerprint(publicKey), keys })}\n`, undefined);
  else await writeOutput(`${keys.map((key) => keyText(key, publicKey)).join('\n')}\n`, undefined);
}

export async function exportKey({ archive, json, out }: KeyExportFlags): Promise<void> {
  const { publicKey } = await ownKey(archive);
  const object = { publicKey, fingerprint: fingerprint(publicKey) };
  await writeOutput(json ? `${JSON.stringify(object)}\n` : publicKeyPem(publicKey), out);
}

/** Only an archive without a key is written to: one that is read-only, or being written, shows its key as well. */
async function ownKey(archive: string): Promise<{ publicKey: string; keys: readonly KnownKey[] }> {
  requireArchive(archive);
  const { root } = archiveFolder(archive);
  const signer = await archiveSigner(root);
  const keys = await knownKeys(root);
  if (signer && keys.some(({ publicKey }) => publicKey === signer.publicKey))
    return { publicKey: signer.publicKey, keys };
  return withLock(archive, async () => {
    const { publicKey } = await openSigner(root, systemClock.now());
    return { publicKey, keys: await knownKeys(root) };
  });
}

export async function importKey(file: string, { archive, json }: CommonOptions): Promise<void> {
  const text = await naming(file, readFile(file, 'utf8'));
  await withLock(archive, async (root) => {
    const now = systemClock.now();
    try {
      if (text.includes('PRIVATE KEY-----')) {
        const { publicKey } = await replaceKey(root, text, now);
        await say(json, fingerprint(publicKey), 'certificates are signed with this key from now on');
      } else {
        const key = await addKey(root, text, 'trusted', now, file);
        await say(json, key.fingerprint, 'certificates signed with this key are accepted from now on');
      }
    } catch (error) {
      throw error instanceof KeyError ? new UserError(`${file}: ${error.message}`) : error;
    }
  });
}

export async function rotate({ archive, json }: CommonOptions): Promise<void> {
  await withLock(archive, async (root) => {
    const before = await archiveSigner(root);
    const { publicKey } = await rotateKey(root, systemClock.now());
    const old = before ? `; ${fingerprint(before.publicKey)} is retired` : '';
    await say(json, fingerprint(publicKey), `certificates are signed with this key from now on${old}`);
  });
}

function say(json: boolean, print: string, what: string): Promise<void> {
  return writeOutput(json ? `${JSON.stringify({ fingerprint: print })}\n` : `${print}: ${what}\n`, undefined);
}

function keyText(key: KnownKey, current: string): string {
  const role = {
    own: key.publicKey === current ? 'signs certificates' : 'once signed certificates here',
    trusted: 'trusted',
    imported: 'came with imported records; confirm it with its owner, then: daguerre key import',
  }[key.origin];
  const since = new Date(key.addedAt).toISOString();
  const until = key.retiredAt === undefined ? '' : `, retired ${new Date(key.retiredAt).toISOString()}`;
  return `${key.fingerprint}\n  ${role}; since ${since}${until}${key.note === undefined ? '' : `; from ${key.note}`}\n  ${key.publicKey}`;
}

/** Whoever only looks at keys makes no folder, least of all one whose name was mistyped. */
function requireArchive(archive: string): void {
  const { root } = archiveFolder(archive);
  if (!existsSync(root)) throw new UserError(noArchive(root));
}

/** Two commands that both make the first key would leave one that nobody holds the private half of. */
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
