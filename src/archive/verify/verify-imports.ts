import { textOf } from '../../model/body.ts';
import { DamagedRecord } from '../../ports/record-store.ts';
import type { Place } from '../../warc/verify/verify-archive.ts';
import { MISSING_WARC } from '../../warc/wacz/missing-warcs.ts';
import type { SignatureVerdict } from '../../warc/wacz/signature.ts';
import { IMPORT, type ImportFact } from '../import/import-journal.ts';
import type { OpenArchive } from '../open/open-archive.ts';

/** What `verify` says of one imported file, beside its warnings and errors. */
export interface CheckedImport {
  readonly source: string;
  readonly sha256: string;
  /** When it was imported. */
  readonly at: string;
  /** Record files that came of it. */
  readonly files: readonly string[];
  /** Of a WACZ. */
  readonly signature?: SignatureVerdict;
}

export interface ImportCheck {
  readonly imports: readonly CheckedImport[];
  readonly errors: readonly Place[];
  readonly warnings: readonly Place[];
}

/**
 * What was found when files were imported, out of the records that keep it: a package is taken apart in the archive, and
 * nobody could find it again. A record file that was missing is a loss, and stays an error. Damage inside the record files
 * is found again in the records themselves.
 */
export async function verifyImports({ catalog, reader }: OpenArchive): Promise<ImportCheck> {
  const imports: CheckedImport[] = [];
  const errors: Place[] = [];
  const warnings: Place[] = [];
  for await (const capture of catalog.captures({ urlPrefix: IMPORT })) {
    const { file, offset, at } = capture;
    let fact: ImportFact;
    try {
      fact = JSON.parse(await textOf((await reader.read(capture)).payload)) as ImportFact;
    } catch (error) {
      // A damaged record is told by whoever reads all records.
      if (error instanceof DamagedRecord) continue;
      if (!(error instanceof SyntaxError)) throw error;
      warnings.push({ file, offset, reason: `${capture.url} cannot be understood: ${error.message}` });
      continue;
    }
    const { source, sha256, files, signature } = fact;
    imports.push({ source, sha256, at: new Date(at).toISOString(), files, ...(signature && { signature }) });
    const isOfPackage = (place: Place): boolean => !fact.files.includes(place.file);
    for (const place of fact.errors.filter(isOfPackage)) {
      const where = /\.wacz\/(.*)$/i.exec(place.file)?.[1];
      const reason = `found when ${source} was imported${where ? `, in ${where}` : ''}: ${place.reason}`;
      (place.reason === MISSING_WARC ? errors : warnings).push({ file, offset, reason });
    }
  }
  return { imports, errors, warnings };
}
