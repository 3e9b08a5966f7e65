import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { verifyCertificates } from '../src/archive/verify/verify-certificates.ts';
import { canonicalJson } from '../src/model/canonical-json.ts';
import type { CertificateStatement, SignedCertificate } from '../src/model/certificate.ts';
import { archiveFolder } from '../src/storage/archive-folder.ts';
import { knownKeys } from '../src/storage/archive-key.ts';
import { signerOf } from '../src/storage/ed25519.ts';
import { digestBytes } from '../src/warc/digest.ts';
import { readRecords } from '../src/warc/read-records.ts';
import { recordHead } from '../src/warc/record-head.ts';
import { verifyWarcs } from '../src/warc/verify/verify-archive.ts';
import { type PlannedPage, urlOf } from './certified-archive.ts';
import { collect } from './warc-events.ts';

/* A certified archive, and what a tamperer may do to its records. */

export const PAGES: readonly PlannedPage[] = [
  { name: '', rate: 1e-4, visit: 0, revisit: 70 },
  { name: 'news', rate: 0.02, visit: 20, revisit: 50, later: 'changed' },
  { name: 'about', rate: 1e-6, visit: 10, revisit: 60, later: 'not-modified' },
  { name: 'shop', rate: 1e-3, visit: 30, revisit: 40, later: 'changed', visiblyUnchanged: true },
  { name: 'old', rate: 1e-5, visit: 31, revisit: 45, later: 'gone' },
  { name: 'once', rate: 1e-5, visit: 35 },
];

/** What `verify` says of the certificates of an archive. */
export async function check(archive: string, given?: string) {
  const { errors: recordErrors, certificates: found } = await verifyWarcs(archive);
  const known = await knownKeys(archive);
  const { certificates, errors, warnings } = await verifyCertificates(archiveFolder(archive), found, {
    known,
    ...(given && { given }),
  });
  const reasons = (list: typeof errors) => list.map(({ reason }) => reason);
  return { certificates, errors: reasons(errors), warnings: reasons(warnings), recordErrors };
}

export interface PlainRecord {
  fields: [string, string][];
  block: Buffer;
}

/** Rewrites the only record file of the archive, with every digest as the changed block has it. */
export async function rewrite(
  archive: string,
  change: (records: PlainRecord[]) => PlainRecord[] | undefined,
): Promise<void> {
  const folder = join(archive, 'warc');
  const [name = ''] = await readdir(folder);
  const path = join(folder, name);
  const records = (await collect(readRecords(path))).map(({ fields, block }) => ({
    fields: fields.map(([field, value]): [string, string] => [field, value]),
    block: Buffer.from(block.bytes ?? []),
  }));
  const changed = change(records) ?? records;
  const bytes = changed.map(({ fields, block }) => {
    const own = fields.map(([field, value]): [string, string] => {
      if (field === 'Content-Length') return [field, String(block.length)];
      return [field, field === 'WARC-Block-Digest' ? `sha256:${digestBytes(block).sha256}` : value];
    });
    return gzipSync(Buffer.concat([recordHead(own), block, Buffer.from('\r\n\r\n')]));
  });
  await writeFile(path, Buffer.concat(bytes));
  // A tamperer would not leave the index as it was; certificates must not depend on it.
  await rm(join(archive, 'indexes'), { recursive: true });
  await mkdir(join(archive, 'indexes'));
}

export const fieldOf = ({ fields }: PlainRecord, name: string): string =>
  fields.find(([field]) => field === name)?.[1] ?? '';

export const withField = (record: PlainRecord, name: string, value: string): PlainRecord => ({
  ...record,
  fields: record.fields.map(([field, old]) => [field, field === name ? value : old]),
});

/** Changes the certificate's record as text. */
export const rewriteCertificate = (archive: string, change: (text: string) => string) =>
  rewrite(archive, (records) =>
    records.map((record) => {
      if (!fieldOf(record, 'WARC-Target-URI').startsWith('urn:certificate:')) return record;
      const block = Buffer.from(change(record.block.toString()));
      const { sha256, sha1 } = digestBytes(block);
      const told = withField({ ...record, block }, 'WARC-Payload-Digest', `sha256:${sha256}`);
      return withField(told, 'WARC-Payload-Digest-SHA1', `sha1:${sha1}`);
    }),
  );

export const rewriteStatement = (
  archive: string,
  change: (statement: CertificateStatement) => unknown,
  key?: string,
) =>
  rewriteCertificate(archive, (text) => {
    const signed = JSON.parse(text) as SignedCertificate;
    const statement = change(signed.statement);
    if (key === undefined) return canonicalJson({ ...signed, statement });
    const signer = signerOf(key);
    const signature = signer.sign(Buffer.from(canonicalJson(statement)));
    return canonicalJson({ ...signed, statement, signature, publicKey: signer.publicKey });
  });

export const isVisit = (record: PlainRecord, name: string, type = 'response'): boolean =>
  fieldOf(record, 'WARC-Type') === type && fieldOf(record, 'WARC-Target-URI') === urlOf(name);
