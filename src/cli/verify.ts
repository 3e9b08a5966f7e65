import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { type OpenArchive, openForReading } from '../archive/open/open-archive.ts';
import { type CatalogError, verifyCatalog } from '../archive/verify/verify-catalog.ts';
import { type CheckedCertificate, verifyCertificates } from '../archive/verify/verify-certificates.ts';
import { naming } from '../ports/system-error.ts';
import { recordFiles } from '../storage/archive-folder.ts';
import { knownKeys } from '../storage/archive-key.ts';
import { KeyError, publicKeyOf } from '../storage/ed25519.ts';
import { type Place, verifyWarcs } from '../warc/verify/verify-archive.ts';
import type { VerifyFlags } from './commands/verify.ts';
import { EXIT, UserError } from './exit-codes.ts';
import { stepLine } from './step-line.ts';

export async function verify(options: VerifyFlags): Promise<void> {
  const given = options.publicKey === undefined ? undefined : await givenKey(options.publicKey);
  const archive = await openForReading(options);
  const line = stepLine(process.stderr);
  try {
    const lengths = new Map((await archive.catalog.warcFiles()).map(({ file, length }) => [file, length]));
    const files = (await recordFiles(archive.folder)).map(({ file }) => file);
    const open = await openFiles(archive, files);
    // The catalog is read here while other threads read the records.
    const ofCatalog = verifyCatalog(archive);
    ofCatalog.catch(() => {});
    const checked = await verifyWarcs(archive.folder.root, {
      lengths,
      threads: options.threads ?? availableParallelism(),
      unfinished: (file) => open.has(file),
      onProgress: ({ files: count, records, done, size }) =>
        line.show(`${count} files, ${records} records so far`, done, size),
    });
    const { records } = checked;
    const { certificates, ...ofCertificates } = await verifyCertificates(
      archive.folder.root,
      checked.certificates,
      { known: await knownKeys(archive.folder.root), ...(given !== undefined && { given }) },
      lengths,
    );
    const errors = [...checked.errors, ...ofCertificates.errors, ...untold(await ofCatalog, checked.errors)];
    const warnings = [...checked.warnings, ...ofCertificates.warnings];
    const notes = [...checked.notes, ...(await uncommitted(archive, lengths))];
    line.end();
    if (options.json) {
      process.stdout.write(`${JSON.stringify({ records, errors, warnings, notes, certificates })}\n`);
    } else {
      for (const { file, offset, reason } of errors)
        process.stdout.write(`! ${file} at ${offset}: ${reason}\n`);
      listed('warning', warnings);
      listed('note', notes);
      for (const certificate of certificates) process.stdout.write(`${certificateText(certificate)}\n`);
      const counts = [
        errors.length === 0 ? 'all well' : counted(errors.length, 'error'),
        ...(warnings.length > 0 ? [counted(warnings.length, 'warning')] : []),
        ...(notes.length > 0 ? [counted(notes.length, 'note')] : []),
      ];
      process.stdout.write(`${records} records in ${files.length} files: ${counts.join(', ')}\n`);
    }
    process.exitCode = errors.length === 0 ? EXIT.ok : EXIT.damaged;
  } finally {
    line.end();
    await archive.close();
  }
}

/** A revisit whose payload is missing is found twice: the record's own words are kept. */
function untold(found: readonly CatalogError[], told: readonly Place[]): readonly CatalogError[] {
  const known = new Set(told.map(({ file, offset }) => `${file} ${offset}`));
  return found.filter(({ file, offset }) => !known.has(`${file} ${offset}`));
}

/** The file that a crawl which has not ended wrote to last: its index comes when it is closed. */
async function openFiles({ catalog }: OpenArchive, files: readonly string[]): Promise<ReadonlySet<string>> {
  const last = new Map<number, string>();
  for (const file of files) {
    const crawl = crawlIdOf(file);
    if (crawl !== undefined) last.set(crawl, file);
  }
  const unfinished = (await catalog.crawls()).filter(({ state }) => state !== 'finished');
  return new Set(unfinished.map(({ id }) => last.get(id) ?? ''));
}

/** `<collection>-<crawl>-<timestamp>-<sequence>.warc.gz` */
function crawlIdOf(file: string): number | undefined {
  const match = /-(\d+)-\d{14}-\d+\.warc\.gz$/.exec(file);
  return match ? Number(match[1]) : undefined;
}

async function uncommitted({ folder }: OpenArchive, lengths: ReadonlyMap<string, number>): Promise<Place[]> {
  return (await recordFiles(folder)).flatMap(({ file, size }) => {
    const length = lengths.get(file) ?? size;
    const reason = `${size - length} bytes past the last commit, not yet part of the archive`;
    return size > length ? [{ file, offset: length, reason }] : [];
  });
}

/** Lines of each kind for people to read; all of them are in the JSON. */
const LISTED = 20;

function listed(kind: string, places: readonly Place[]): void {
  for (const { file, offset, reason } of places.slice(0, LISTED))
    process.stdout.write(`${kind}: ${file} at ${offset}: ${reason}\n`);
  if (places.length > LISTED)
    process.stdout.write(`${kind}: ${places.length - LISTED} more, listed with --json\n`);
}

const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

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
