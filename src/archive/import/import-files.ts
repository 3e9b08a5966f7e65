import { access, constants } from 'node:fs/promises';
import { resolve } from 'node:path';
import { learnAll } from '../../stages/learn-patterns.ts';
import { archiveFolder } from '../../storage/archive-folder.ts';
import { knownKeys } from '../../storage/archive-key.ts';
import type { SignatureVerdict } from '../../warc/wacz/signature.ts';
import { holidays } from '../holidays.ts';
import type { ArchiveLocation, OpenArchive } from '../open/open-archive.ts';
import type { HistoryCounts } from '../site-delta/index-site-delta.ts';
import { UserError } from '../user-error.ts';
import { writeOrAsk } from '../writer/write-or-ask.ts';
import { type ImportProblem, importFile } from './import-file.ts';
import { openImportJournal } from './import-journal.ts';
import { lookAtSource } from './import-source.ts';
import { ImportSources } from './import-sources.ts';

/** The result of an import; the fields that scripts rely on are named in docs/json.md. */
export interface ImportReport {
  readonly files: number;
  readonly already: number;
  readonly captures: number;
  readonly pages: number;
  readonly errors: readonly ImportProblem[];
  readonly warnings: readonly ImportProblem[];
  readonly notes: readonly ImportProblem[];
  readonly signatures: readonly FileSignature[];
  /** From site-deltas, which bring no records; absent where there were none. */
  readonly histories?: HistoryCounts & { readonly files: number };
}

export type FileSignature = SignatureVerdict & { readonly file: string };

export interface ImportProgress {
  readonly onProgress?: (file: string, done: number, size: number) => void;
  readonly signal?: AbortSignal;
  readonly gone?: AbortSignal;
}

export interface ImportOptions {
  readonly onProgress?: (file: string, done: number, size: number) => void;
  /** Receives what opening the archive had to mend. */
  readonly onMended?: (sentence: string) => void;
  readonly onWait?: (sentence: string) => void;
}

/**
 * Brings WARC, ARC and WACZ files, and site-deltas, into an archive, which is created if necessary. Where another
 * process writes to it, that process is asked to import them.
 */
export async function importFiles(
  location: ArchiveLocation,
  paths: readonly string[],
  options: ImportOptions = {},
): Promise<ImportReport> {
  await checkSources(location, paths);
  const sources = new ImportSources(paths);
  try {
    return await writeOrAsk(location, {
      ask: 'import',
      async input() {
        await sources.spoolPipes();
        return { paths: sources.paths.map((path) => resolve(path)) };
      },
      write: (archive) => importInto(archive, sources.paths, options),
      ...options,
    });
  } finally {
    await sources.remove();
  }
}

/** Before anything is imported: one mistyped name among hundreds should not be found hours later. */
async function checkSources(location: ArchiveLocation, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await lookAtSource(path);
    await access(path, constants.R_OK);
  }
  // Keys found in the files are added to this list at the end: too late to find out that it cannot be read.
  await knownKeys(archiveFolder(location.archive).root);
}

/**
 * A file that cannot be used is an error in the report; the others are imported all the same. `signal` ends the import
 * at once, as a crash would: half-indexed files are indexed when the archive is next opened. `gone` ends it before the
 * next file, since nobody waits for it any longer.
 */
export async function importInto(
  archive: OpenArchive,
  paths: readonly string[],
  { onProgress = () => {}, signal, gone }: ImportProgress = {},
): Promise<ImportReport> {
  const show = (file: string, done: number, size: number): void => {
    signal?.throwIfAborted();
    onProgress(file, done, size);
  };
  const totals = { files: 0, already: 0, captures: 0, pages: 0 };
  const errors: ImportProblem[] = [];
  const warnings: ImportProblem[] = [];
  const notes: ImportProblem[] = [];
  const signatures: FileSignature[] = [];
  let histories: NonNullable<ImportReport['histories']> | undefined;
  const journal = openImportJournal(archive);
  try {
    for (const path of paths) {
      signal?.throwIfAborted();
      if (gone?.aborted) break;
      const imported = await importFile(archive, path, journal, show).catch((error: unknown) => {
        if (!(error instanceof UserError)) throw error;
        errors.push({ file: path, offset: 0, reason: error.message });
        return undefined;
      });
      if (!imported) continue;
      totals.files += imported.files.length;
      totals.already += imported.already.length;
      totals.captures += imported.captures;
      totals.pages += imported.pages;
      errors.push(...imported.errors);
      warnings.push(...imported.warnings);
      notes.push(...imported.notes);
      if (imported.history) histories = sum(histories, imported.history);
      if (imported.signature) signatures.push({ file: path, ...imported.signature });
    }
  } finally {
    await journal.close();
  }
  await learnAll({ catalog: archive.catalog, holidays });
  return { ...totals, errors, warnings, notes, signatures, ...(histories && { histories }) };
}

const sum = (
  before: ImportReport['histories'],
  { sites, pages, documents }: HistoryCounts,
): NonNullable<ImportReport['histories']> => ({
  files: (before?.files ?? 0) + 1,
  sites: (before?.sites ?? 0) + sites,
  pages: (before?.pages ?? 0) + pages,
  documents: (before?.documents ?? 0) + documents,
});
