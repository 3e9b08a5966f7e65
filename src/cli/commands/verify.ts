import type { Command } from 'commander';
import { recordFiles } from '../../storage/archive-folder.ts';
import { verifyWarcs } from '../../warc/verify.ts';
import { EXIT } from '../exit-codes.ts';
import { openForReading } from '../open-archive.ts';
import { stepLine } from '../step-line.ts';
import { verifyCatalog } from '../verify-catalog.ts';
import { archiveOptions, type CommonOptions } from './common-options.ts';

export function verifyCommand(program: Command): void {
  archiveOptions(
    program
      .command('verify')
      .summary('check every digest, every index line, every revisit target')
      .description(
        'Reads every record and checks it against its digests, the indexes and the catalog. Changes nothing. ' +
          `Exit code 0 only when all is well, ${EXIT.damaged} otherwise.`,
      ),
  )
    .addHelpText('after', '\nExamples:\n  daguerre verify\n  daguerre verify --archive /mnt/archive --json')
    .action(async (options: CommonOptions) => {
      const archive = await openForReading(options);
      const line = stepLine(process.stderr);
      try {
        const lengths = new Map(
          (await archive.catalog.warcFiles()).map(({ file, length }) => [file, length]),
        );
        const { records, errors: recordErrors } = await verifyWarcs(archive.folder.root, {
          lengths,
          onProgress: ({ file, done, size }) => line.show(file, done, size),
        });
        const errors = [...recordErrors, ...(await verifyCatalog(archive))];
        line.end();
        for (const { file, size } of await recordFiles(archive.folder)) {
          const past = size - (lengths.get(file) ?? size);
          if (past > 0)
            process.stderr.write(
              `${file}: ${past} bytes past the last commit, not yet part of the archive\n`,
            );
        }
        if (options.json) process.stdout.write(`${JSON.stringify({ records, errors })}\n`);
        else {
          const files = (await recordFiles(archive.folder)).length;
          for (const { file, offset, reason } of errors)
            process.stdout.write(`! ${file} at ${offset}: ${reason}\n`);
          process.stdout.write(
            `${records} records in ${files} files: ${errors.length === 0 ? 'all well' : `${errors.length} errors`}\n`,
          );
        }
        process.exitCode = errors.length === 0 ? EXIT.ok : EXIT.damaged;
      } finally {
        line.end();
        await archive.close();
      }
    });
}
