import type { RecordStore } from '../../ports/record-store.ts';
import type { SignatureVerdict } from '../../warc/wacz/signature.ts';
import { isJournal, openJournal, writeDown } from '../journal.ts';
import type { OpenArchive } from '../open/open-archive.ts';
import type { Imported } from './import-file.ts';

/** URI of the record that says what was imported: `urn:import:<name of the file>`. */
export const IMPORT = 'urn:import:';

const uriOf = (name: string): string => `${IMPORT}${encodeURIComponent(name)}`;

/** Findings kept per file; the rest are counted. */
const KEPT = 200;

/** What the archive keeps about an import besides the records: where they came from, and in what state. */
export interface ImportFact {
  readonly source: string;
  readonly sha256: string;
  readonly bytes: number;
  /** Record files that came of it, and those that the archive already held, byte for byte. */
  readonly files: readonly string[];
  readonly already: readonly string[];
  readonly captures: number;
  readonly signature?: SignatureVerdict;
  readonly errors: Imported['errors'];
  readonly warnings: Imported['warnings'];
  readonly notes: Imported['notes'];
  /** Findings beyond those kept here. */
  readonly more: number;
}

export interface ImportJournal {
  /** Whether an import of a file of this name is on record. */
  has(name: string): Promise<boolean>;
  add(
    imported: Imported,
    source: { readonly name: string; readonly sha256: string; readonly bytes: number },
  ): Promise<void>;
  close(): Promise<void>;
}

/**
 * Records each import, so that `reindex` restores it and an export carries it along: a signature can be checked only
 * while the package is whole, and in the archive it no longer is.
 */
export function openImportJournal({ folder, catalog }: OpenArchive): ImportJournal {
  let store: RecordStore | undefined;
  return {
    async has(name) {
      for await (const { file } of catalog.captures({ url: uriOf(name) })) if (isJournal(file)) return true;
      return false;
    },
    async add(imported, { name, sha256, bytes }) {
      store ??= await openJournal(folder, 'import');
      const found = imported.errors.length + imported.warnings.length + imported.notes.length;
      const kept = {
        errors: imported.errors.slice(0, KEPT),
        warnings: imported.warnings.slice(0, KEPT),
        notes: imported.notes.slice(0, KEPT),
      };
      const fact: ImportFact = {
        source: name,
        sha256,
        bytes,
        files: imported.files,
        already: imported.already,
        captures: imported.captures,
        ...(imported.signature && { signature: imported.signature }),
        ...kept,
        more: found - kept.errors.length - kept.warnings.length - kept.notes.length,
      };
      const facts = await writeDown(store, uriOf(name), fact);
      await catalog.index({ captures: facts, pages: [], fileLengths: store.lengths() });
    },
    async close() {
      await store?.close();
    },
  };
}
