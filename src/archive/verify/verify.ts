import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { isPostgres } from '../../catalog/open.ts';
import { naming } from '../../ports/system-error.ts';
import { isAnalysisFile } from '../../storage/analysis-files.ts';
import { indexPath } from '../../storage/archive-folder.ts';
import { KeyError, publicKeyOf } from '../../storage/ed25519.ts';
import { localFile } from '../../storage/record-copies.ts';
import { keysOfArchive } from '../../storage/shared-keys.ts';
import type { ProblemPlace } from '../../warc/read-options.ts';
import { verifyWarcs } from '../../warc/verify/verify-archive.ts';
import { openDecisionBook } from '../decisions/decision-book.ts';
import { countedFiles } from '../merge/replaced-files.ts';
import { type ArchiveLocation, type OpenArchive, openForReading } from '../open/open-archive.ts';
import { future } from '../system-clock.ts';
import { UserError } from '../user-error.ts';
import { droppedVisits } from './dropped-visits.ts';
import { missingCertificates } from './missing-certificates.ts';
import { uncoveredCaptures } from './uncovered-captures.ts';
import { type CatalogError, verifyCatalog } from './verify-catalog.ts';
import { type CheckedCertificate, verifyCertificates } from './verify-certificates.ts';
import { type CheckedImport, verifyImports } from './verify-imports.ts';
import { verifyLosses } from './verify-losses.ts';

export interface VerifyOptions {
  /** File of the key (PEM) that certificates must be signed with; by default any key that the archive knows. */
  readonly publicKey?: string;
  /** Default: the number of processors. */
  readonly threads?: number;
  readonly onProgress?: (what: string, done: number, size: number) => void;
}

export interface VerifyReport {
  readonly files: number;
  readonly records: number;
  /** Losses: what cannot be read or served, or does not match its digest. */
  readonly errors: readonly ProblemPlace[];
  readonly warnings: readonly ProblemPlace[];
  readonly notes: readonly ProblemPlace[];
  readonly certificates: readonly CheckedCertificate[];
  readonly imports: readonly CheckedImport[];
}

/** Reads every record and checks it against its digests, the indexes, the catalog and the certificates. Changes nothing. */
export async function verify(location: ArchiveLocation, options: VerifyOptions): Promise<VerifyReport> {
  const given = options.publicKey === undefined ? undefined : await givenKey(options.publicKey);
  const archive = await openForReading(location, { check: true });
  try {
    const lengths = new Map((await archive.catalog.warcFiles()).map(({ file, length }) => [file, length]));
    const { remote } = archive.folder;
    const recorded = await countedFiles(archive.folder, archive.catalog);
    const files = recorded.map(({ file }) => file);
    const isShared = location.database !== undefined && isPostgres(location.database);
    const open = await openFiles(archive, files, isShared);
    // The catalog is read here while other threads read the records.
    const ofCatalog = verifyCatalog(archive);
    ofCatalog.catch(() => {});
    const checked = await verifyWarcs(archive.folder.root, {
      lengths,
      future: future(),
      threads: options.threads ?? availableParallelism(),
      unfinished: (file) => open.has(file),
      ...(remote && {
        elsewhere: {
          files: recorded,
          local: (file: string) => localFile(archive.folder, file),
          atOnce: remote.cacheSize / 2,
        },
      }),
      onProgress: ({ files: count, records, done, size }) =>
        options.onProgress?.(`${count} files, ${records} records so far`, done, size),
    });
    const { certificates, covered, ...ofCertificates } = await verifyCertificates(
      archive.folder,
      checked.certificates,
      { known: await keysOfArchive(archive.folder), ...(given !== undefined && { given }) },
      lengths,
    );
    const losses = await verifyLosses(archive);
    const { imports, ...ofImports } = await verifyImports(archive);
    return {
      files: files.length,
      records: checked.records,
      errors: [
        ...checked.errors,
        ...ofCertificates.errors,
        ...ofImports.errors,
        ...untold(await ofCatalog, checked.errors),
      ],
      warnings: [
        ...losses,
        ...(await openDecisionBook(archive, { withoutGone: true })).problems,
        ...checked.warnings,
        ...ofCertificates.warnings,
        ...(await missingCertificates(archive, checked.certificates, certificates)),
        ...ofImports.warnings,
      ],
      notes: [
        ...checked.notes,
        ...(await uncommitted(archive, lengths)),
        ...(await droppedVisits(archive)),
        ...(await uncoveredCaptures(archive.catalog, covered)),
      ],
      certificates,
      imports,
    };
  } finally {
    await archive.close();
  }
}

/** A revisit whose payload is missing is found twice: the message from its record is kept. */
function untold(found: readonly CatalogError[], told: readonly ProblemPlace[]): readonly CatalogError[] {
  const known = new Set(told.map(({ file, offset }) => `${file} ${offset}`));
  return found.filter(({ file, offset }) => !known.has(`${file} ${offset}`));
}

/**
 * Files that may have no index yet, since it is written when they are closed: those that unfinished crawls, or an analysis, wrote
 * last. Where several processes share the catalog, any crawl's file may have been written by one that died: its index is written by
 * the next process that has the archive alone.
 */
async function openFiles(
  { catalog, folder }: OpenArchive,
  files: readonly string[],
  isShared: boolean,
): Promise<ReadonlySet<string>> {
  const known = new Map((await catalog.warcFiles()).map(({ file, crawlId }) => [file, crawlId]));
  const last = new Map<number, string>();
  // Begun, and nothing of it committed yet: the name alone tells whose it is.
  const lastBegun = new Map<number, string>();
  const ofOthers: string[] = [];
  for (const file of files) {
    const isKnown = known.has(file);
    // An imported file may have the number of one of our crawls in its name: the catalog knows it as nobody's.
    const crawl = isKnown ? known.get(file) : crawlIdOf(file);
    if (crawl === undefined) continue;
    (isKnown ? last : lastBegun).set(crawl, file);
    if (isShared) ofOthers.push(file);
  }
  const unfinished = (await catalog.crawls()).filter(({ state }) => state !== 'finished');
  const ofUnfinished = unfinished.flatMap(({ id }) => [last.get(id) ?? '', lastBegun.get(id) ?? '']);
  // Analyses do not record their end. Whoever writes to the archive next writes the index of one that was killed.
  const analysed = files.filter((file) => isAnalysisFile(file) && !existsSync(indexPath(folder, file)));
  return new Set([...analysed.slice(-1), ...ofOthers, ...ofUnfinished]);
}

/** `<collection>-<crawl>-<timestamp>-<sequence>.warc.gz` */
function crawlIdOf(file: string): number | undefined {
  const match = /-(\d+)-\d{14}-\d+\.warc\.gz$/.exec(file);
  return match ? Number(match[1]) : undefined;
}

async function uncommitted(
  { folder, catalog }: OpenArchive,
  lengths: ReadonlyMap<string, number>,
): Promise<ProblemPlace[]> {
  return (await countedFiles(folder, catalog)).flatMap(({ file, size }) => {
    const length = lengths.get(file) ?? size;
    const reason = `${size - length} bytes past the last commit, not yet part of the archive`;
    return size > length ? [{ file, offset: length, reason }] : [];
  });
}

export async function givenKey(path: string): Promise<string> {
  const text = await naming(path, readFile(path, 'utf8'));
  try {
    return publicKeyOf(text);
  } catch (error) {
    throw error instanceof KeyError ? new UserError(`${path}: ${error.message}`) : error;
  }
}
