import { canonicalJson } from '../model/canonical-json.ts';
import type { CaptureFact } from '../model/capture.ts';
import { CERTIFICATE, type SignedCertificate } from '../model/certificate.ts';
import type { CaptureCatalog } from '../ports/catalog.ts';
import { CertificateError, readCertificate } from '../science/sharpness/read-certificate.ts';
import type { ArchiveFolder } from '../storage/archive-folder.ts';
import { addKey } from '../storage/archive-key.ts';
import { isSignedBy, KeyError, publicKeyPem } from '../storage/ed25519.ts';
import { keysOfArchive } from '../storage/shared-keys.ts';
import { timestamp14 } from '../warc/cdxj.ts';
import type { OpenArchive } from './open/open-archive.ts';
import { openFolderReader } from './open/open-folder.ts';
import { systemClock } from './system-clock.ts';

interface StoredCertificate {
  readonly fact: CaptureFact;
  readonly bytes: Buffer;
  readonly certificate: SignedCertificate;
}

/** Every certificate that the catalog knows; one that cannot be read is left for `verify` to report. */
export async function* storedCertificates(
  folder: ArchiveFolder,
  catalog: CaptureCatalog,
): AsyncGenerator<StoredCertificate> {
  const facts: CaptureFact[] = [];
  for await (const fact of catalog.captures({ urlPrefix: CERTIFICATE })) facts.push(fact);
  const reader = openFolderReader(folder);
  try {
    for (const fact of facts) {
      const { payload } = await reader.read(fact);
      const chunks: Uint8Array[] = [];
      for await (const chunk of payload.chunks()) chunks.push(chunk);
      const bytes = Buffer.concat(chunks);
      try {
        yield { fact, bytes, certificate: readCertificate(bytes.toString('utf8')) };
      } catch (error) {
        if (!(error instanceof CertificateError)) throw error;
      }
    }
  } finally {
    await reader.close();
  }
}

/** What goes into a WACZ besides the records: the certificates, byte for byte, and the public keys that signed them. */
export async function certificateFiles(
  { folder, catalog }: Pick<OpenArchive, 'folder' | 'catalog'>,
  isWanted: (fact: CaptureFact) => boolean,
): Promise<{ name: string; bytes: Uint8Array }[]> {
  const files = new Map<string, Uint8Array>();
  const keys = new Map((await keysOfArchive(folder)).map((key) => [key.publicKey, key.fingerprint]));
  for await (const { fact, bytes, certificate } of storedCertificates(folder, catalog)) {
    if (!isWanted(fact)) continue;
    const crawl = fact.url.slice(CERTIFICATE.length).replace(/[^\w.-]+/g, '_');
    files.set(`certificates/${crawl}-${timestamp14(fact.at)}.json`, bytes);
    const { publicKey } = certificate;
    const print = keys.get(publicKey);
    if (print !== undefined) files.set(`certificates/${print}.pem`, Buffer.from(publicKeyPem(publicKey)));
  }
  return [...files].map(([name, bytes]) => ({ name, bytes }));
}

/**
 * Keys of certificates in imported files become known, not trusted: `verify` then says that nobody has confirmed
 * whose they are, instead of finding fault with every archive that was handed over.
 */
export async function noteKeys(
  folder: ArchiveFolder,
  catalog: CaptureCatalog,
  files: readonly string[],
): Promise<void> {
  const imported = new Set(files);
  for await (const { fact, certificate } of storedCertificates(folder, catalog)) {
    if (!imported.has(fact.file)) continue;
    const { publicKey, signature, statement } = certificate;
    try {
      if (isSignedBy(publicKey, Buffer.from(canonicalJson(statement)), signature))
        await addKey(folder.root, publicKey, 'imported', systemClock.now(), fact.file);
    } catch (error) {
      if (!(error instanceof KeyError)) throw error;
    }
  }
}
