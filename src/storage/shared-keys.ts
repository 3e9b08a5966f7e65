import type { Millis } from '../model/time.ts';
import type { RemoteRecords } from '../ports/remote-records.ts';
import type { Signer } from '../ports/signer.ts';
import type { ArchiveFolder } from './archive-folder.ts';
import { knownKeys, openSigner } from './archive-key.ts';
import { type KnownKey, readKeyList, writeKeyList } from './key-list.ts';

/**
 * Where records are in an object store, each folder that writes them has a key of its own, since private keys never
 * leave a folder. The public half is stored next to the records, `keys/<fingerprint>.json`: what one machine signs,
 * every other recognises as the archive's own. Whoever can write to the archive can add keys there, as in a folder
 * (docs/certificate.md).
 */
const FOLDER = 'keys/';
const nameOf = ({ fingerprint }: KnownKey): string => `${FOLDER}${fingerprint}.json`;

/** Every key that certificates of the archive may be signed with. Throws KeyFileFault. */
export async function keysOfArchive({ root, remote }: ArchiveFolder): Promise<readonly KnownKey[]> {
  const here = await knownKeys(root);
  if (!remote) return here;
  const keys = new Map(here.map((key) => [key.publicKey, key]));
  for (const name of await remote.listNotes(FOLDER))
    for (const key of await readNoted(remote, name)) {
      const known = keys.get(key.publicKey);
      const retiredAt = known?.retiredAt ?? key.retiredAt;
      keys.set(key.publicKey, {
        ...(known ?? key),
        origin: 'own',
        ...(retiredAt !== undefined && { retiredAt }),
      });
    }
  return [...keys.values()];
}

async function readNoted(remote: RemoteRecords, name: string): Promise<readonly KnownKey[]> {
  const text = await remote.readNote(name);
  return text === undefined ? [] : readKeyList(text, `${remote.url}/${name}`);
}

/** What was last published, by store: crawls of one process ask for the signer again and again. */
const told = new WeakMap<RemoteRecords, string>();

/** Like `openSigner`; when it resolves, others know its key, and which keys of this folder are retired. */
export async function openSharedSigner(folder: ArchiveFolder, now: Millis): Promise<Signer> {
  const { root, remote } = folder;
  const signer = await openSigner(root, now);
  if (!remote) return signer;
  const own = (await knownKeys(root)).filter(({ origin }) => origin === 'own');
  if (told.get(remote) === writeKeyList(own)) return signer;
  for (const { note: _private, ...key } of own) {
    const text = writeKeyList([key]);
    if (await remote.writeNote(nameOf(key), text, { ifAbsent: true })) continue;
    const [there] = await readNoted(remote, nameOf(key));
    if (key.retiredAt !== undefined && there?.retiredAt === undefined)
      await remote.writeNote(nameOf(key), text);
  }
  told.set(remote, writeKeyList(own));
  return signer;
}
