import { readFile } from 'node:fs/promises';
import { naming } from '../ports/system-error.ts';
import { recordFiles } from '../storage/archive-folder.ts';
import { knownKeys } from '../storage/archive-key.ts';
import { KeyError, publicKeyOf } from '../storage/ed25519.ts';
import { type CertificateRecord, certificateRecord, isCertificate } from '../warc/certificate-records.ts';
import { verifyWarcs } from '../warc/verify.ts';
import type { VerifyFlags } from './commands/verify.ts';
import { EXIT, UserError } from './exit-codes.ts';
import { openForReading } from './open-archive.ts';
import { stepLine } from './step-line.ts';
import { verifyCatalog } from './verify-catalog.ts';
import { type CheckedCertificate, verifyCertificates } from './verify-certificates.ts';

export async function verify(options: VerifyFlags): Promise<void> {
  const given = options.publicKey === undefined ? undefined : await givenKey(options.publicKey);
  const archive = await openForReading(options);
  const line = stepLine(process.stderr);
  try {
    const lengths = new Map((await archive.catalog.warcFiles()).map(({ file, length }) => [file, length]));
    const found: CertificateRecord[] = [];
    const { records, errors: recordErrors } = await verifyWarcs(archive.folder.root, {
      lengths,
      onProgress: ({ file, done, size }) => line.show(file, done, size),
      onRecord: async (file, record) => {
        if (isCertificate(record)) found.push(await certificateRecord(file, record));
      },
    });
    const { certificates, errors: certificateErrors } = await verifyCertificates(
      archive.folder.root,
      found,
      { known: await knownKeys(archive.folder.root), ...(given !== undefined && { given }) },
      lengths,
    );
    const errors = [...recordErrors, ...certificateErrors, ...(await verifyCatalog(archive))];
    line.end();
    for (const { file, size } of await recordFiles(archive.folder)) {
      const past = size - (lengths.get(file) ?? size);
      if (past > 0)
        process.stderr.write(`${file}: ${past} bytes past the last commit, not yet part of the archive\n`);
    }
    if (options.json) process.stdout.write(`${JSON.stringify({ records, errors, certificates })}\n`);
    else {
      const files = (await recordFiles(archive.folder)).length;
      for (const { file, offset, reason } of errors)
        process.stdout.write(`! ${file} at ${offset}: ${reason}\n`);
      for (const certificate of certificates) process.stdout.write(`${certificateText(certificate)}\n`);
      process.stdout.write(
        `${records} records in ${files} files: ${errors.length === 0 ? 'all well' : `${errors.length} errors`}\n`,
      );
    }
    process.exitCode = errors.length === 0 ? EXIT.ok : EXIT.damaged;
  } finally {
    line.end();
    await archive.close();
  }
}

async function givenKey(path: string): Promise<string> {
  const text = await naming(path, readFile(path, 'utf8'));
  try {
    return publicKeyOf(text);
  } catch (error) {
    throw error instanceof KeyError ? new UserError(`${path}: ${error.message}`) : error;
  }
}

const SIGNERS = {
  given: 'the key given',
  own: 'the key of this archive',
  trusted: 'a key that was imported as trusted',
  imported: 'a key that came with imported records; nobody has confirmed whose it is',
  unknown: 'an unknown key',
} as const;

function certificateText({ crawl, pages, strict, visible, date, key, signer }: CheckedCertificate): string {
  return (
    `certificate of crawl ${crawl}: ${pages} pages, ${strict} strictly and ${visible} visibly sharp, ` +
    `t* ${date ?? 'none'}; signed by ${SIGNERS[signer]} (${key})`
  );
}
