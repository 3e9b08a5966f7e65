import { z } from 'zod';
import type { ProblemPlace } from '../../warc/read-options.ts';
import { MISSING_WARC } from '../../warc/wacz/missing-warcs.ts';
import type { SignatureVerdict } from '../../warc/wacz/signature.ts';
import { IMPORT } from '../import/import-journal.ts';
import { writtenDown } from '../journal.ts';
import type { OpenArchive } from '../open/open-archive.ts';

/** What `verify` says of one imported file, besides its warnings and errors. */
export interface CheckedImport {
  readonly source: string;
  readonly sha256: string;
  /** When it was imported. */
  readonly at: string;
  /** Record files that came of it. */
  readonly files: readonly string[];
  /** For a WACZ. */
  readonly signature?: SignatureVerdict;
}

/** The part of an ImportFact that is reported; earlier versions wrote fewer fields. */
const IMPORT_FACT = z.object({
  source: z.string(),
  sha256: z.string(),
  files: z.array(z.string()),
  signature: z
    .looseObject({ verdict: z.enum(['none', 'valid', 'invalid']), reasons: z.array(z.string()) })
    .optional(),
  errors: z.array(z.object({ file: z.string(), offset: z.number(), reason: z.string() })),
});

export interface ImportCheck {
  readonly imports: readonly CheckedImport[];
  readonly errors: readonly ProblemPlace[];
  readonly warnings: readonly ProblemPlace[];
}

/**
 * What was found when files were imported, from the records that keep it: a package is taken apart in the archive, so
 * it could not be found again. A record file that was missing is a loss, and stays an error. Damage inside the record
 * files shows again in the records themselves.
 */
export async function verifyImports(archive: OpenArchive): Promise<ImportCheck> {
  const imports: CheckedImport[] = [];
  const errors: ProblemPlace[] = [];
  const warnings: ProblemPlace[] = [];
  for await (const { capture, ...told } of writtenDown(archive, IMPORT, IMPORT_FACT, { withoutGone: true })) {
    const { file, offset, at } = capture;
    if ('problem' in told) {
      warnings.push({ file, offset, reason: `${capture.url} cannot be understood: ${told.problem}` });
      continue;
    }
    const { fact } = told;
    const { source, sha256, files, signature } = fact;
    const verdict = signature && { signature: signature as SignatureVerdict };
    imports.push({ source, sha256, at: new Date(at).toISOString(), files, ...verdict });
    const isOfPackage = (place: ProblemPlace): boolean => !fact.files.includes(place.file);
    for (const place of fact.errors.filter(isOfPackage)) {
      const where = /\.wacz\/(.*)$/i.exec(place.file)?.[1];
      const reason = `found when ${source} was imported${where ? `, in ${where}` : ''}: ${place.reason}`;
      (place.reason === MISSING_WARC ? errors : warnings).push({ file, offset, reason });
    }
  }
  return { imports, errors, warnings };
}
