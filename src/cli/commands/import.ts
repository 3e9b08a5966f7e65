import { access, constants } from 'node:fs/promises';
import type { Command } from 'commander';
import { holidays } from '../../archive/holidays.ts';
import { type ImportProblem, importFile } from '../../archive/import/import-file.ts';
import { openImportJournal } from '../../archive/import/import-journal.ts';
import { lookAtSource } from '../../archive/import/import-source.ts';
import { openForWriting } from '../../archive/open/open-archive.ts';
import { learnAll } from '../../stages/learn-patterns.ts';
import { archiveFolder } from '../../storage/archive-folder.ts';
import { knownKeys } from '../../storage/archive-key.ts';
import type { SignatureVerdict } from '../../warc/wacz/signature.ts';
import { EXIT, UserError } from '../exit-codes.ts';
import { stepLine } from '../step-line.ts';
import { archiveOptions, type CommonOptions } from './common-options.ts';

/** Before anything is brought in: a name mistyped among hundreds should not be found hours later. */
async function allReadable(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await lookAtSource(path);
    await access(path, constants.R_OK);
  }
}

export function importCommand(program: Command): void {
  archiveOptions(
    program
      .command('import')
      .argument('<file...>', 'WARC 1.0/1.1, ARC or WACZ files, gzipped or not')
      .summary("bring in other tools' WARC, ARC and WACZ files")
      .description(
        'Copies record files into the archive as they are and indexes what can be read of them; a file that was ' +
          'gzipped as a whole is compressed again, record by record. Checks the signature of a WACZ. Damage is ' +
          `reported with file and offset, and ends in exit code ${EXIT.damaged}; whole records are kept. ` +
          'A file that the archive holds already is left out.',
      ),
  )
    .addHelpText(
      'after',
      '\nExamples:\n  daguerre import old.warc.gz\n  daguerre import *.wacz --archive ./archive --json',
    )
    .action(async (paths: string[], options: CommonOptions) => {
      await allReadable(paths);
      // Keys found in the files are added to it at the end: too late to find out that it cannot be read.
      await knownKeys(archiveFolder(options.archive).root);
      const archive = await openForWriting(options, 'import');
      const line = stepLine(process.stderr);
      const totals = { files: 0, already: 0, captures: 0, pages: 0 };
      const errors: ImportProblem[] = [];
      const warnings: ImportProblem[] = [];
      const notes: ImportProblem[] = [];
      const signatures: (SignatureVerdict & { readonly file: string })[] = [];
      const journal = openImportJournal(archive);
      try {
        for (const path of paths) {
          const imported = await importFile(archive, path, journal, line.show).catch((error: unknown) => {
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
          if (imported.signature) signatures.push({ file: path, ...imported.signature });
        }
        await journal.close();
        await learnAll({ catalog: archive.catalog, holidays });
        line.end();
        if (options.json)
          process.stdout.write(`${JSON.stringify({ ...totals, errors, warnings, notes, signatures })}\n`);
        else {
          for (const { file, offset, reason } of errors)
            process.stdout.write(`! ${file} at ${offset}: ${reason}\n`);
          for (const [word, places] of Object.entries({ warning: warnings, note: notes }))
            for (const { file, offset, reason } of places)
              process.stdout.write(`${word}: ${file} at ${offset}: ${reason}\n`);
          for (const signature of signatures) process.stdout.write(`${signatureText(signature)}\n`);
          process.stdout.write(
            `${totals.files} files imported: ${totals.captures} captures of ${totals.pages} pages` +
              `${totals.already > 0 ? `; ${totals.already} files are in the archive already` : ''}\n`,
          );
        }
        process.exitCode = errors.length > 0 ? EXIT.damaged : EXIT.ok;
      } finally {
        line.end();
        await journal.close();
        await archive.close();
      }
    });
}

function signatureText({
  file,
  verdict,
  by,
  timestamp,
  created,
  reasons,
}: SignatureVerdict & { readonly file: string }): string {
  if (verdict === 'none') return `${file}: not signed`;
  const who = by === undefined ? '' : ` by ${by}`;
  const when = timestamp ? `, stamped ${timestamp}` : created ? `, ${created} by its own word` : '';
  const why = reasons.length > 0 ? ` (${reasons.join('; ')})` : '';
  return `${file}: signed${who}${when}: ${verdict}${why}`;
}
