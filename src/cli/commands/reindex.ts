import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { noteKeys } from '../../archive/certificate-files.ts';
import { holidays } from '../../archive/holidays.ts';
import { bySeverity, indexFiles } from '../../archive/open/index-files.ts';
import { openForWriting } from '../../archive/open/open-archive.ts';
import { learnAll } from '../../stages/learn-patterns.ts';
import { archiveFolder, recordFiles } from '../../storage/archive-folder.ts';
import { knownKeys } from '../../storage/archive-key.ts';
import { EXIT, UserError } from '../exit-codes.ts';
import { stepLine } from '../step-line.ts';
import { archiveOptions, type CommonOptions } from './common-options.ts';

interface ReindexFlags extends CommonOptions {
  readonly newIdentity: boolean;
  readonly takeOver: boolean;
}

export function reindexCommand(program: Command): void {
  archiveOptions(
    program
      .command('reindex')
      .summary('rebuild the catalog and the indexes from the record files')
      .description(
        'Rebuilds everything that can be derived from the WARC files: the catalog, with what was learnt of the pages, ' +
          'and the CDXJ indexes.',
      ),
  )
    .option('--new-identity', 'make this folder, a copy of another, an archive of its own', false)
    .option('--take-over', 'let the catalog follow this folder, though another copy of it wrote last', false)
    .addHelpText('after', '\nExample:\n  daguerre reindex --archive ./archive')
    .action(async (options: ReindexFlags) => {
      const { newIdentity, takeOver } = options;
      const { root, warc } = archiveFolder(options.archive);
      if (!existsSync(warc)) throw new UserError(`there is no archive at ${root}: it has no folder 'warc'`);
      const keys = await knownKeys(root);
      const archive = await openForWriting(options, 'reindex', { rebuild: true, newIdentity, takeOver });
      for (const sentence of archive.mended) process.stderr.write(`${sentence}\n`);
      const line = stepLine(process.stderr);
      try {
        await archive.catalog.clearDerived();
        const files = (await recordFiles(archive.folder)).map(({ file }) => file);
        const { captures, pages, problems } = await indexFiles(
          archive.folder,
          archive.catalog,
          files,
          line.show,
        );
        await learnAll({ catalog: archive.catalog, holidays });
        // Record files alone, copied into an empty folder: their keys are those of whoever wrote them.
        if (keys.length === 0) await noteKeys(archive.folder, archive.catalog, files);
        line.end();
        const { errors, warnings, notes } = bySeverity(problems);
        const summary = { files: files.length, captures, pages, errors, warnings, notes };
        if (options.json) process.stdout.write(`${JSON.stringify(summary)}\n`);
        else {
          process.stdout.write(`${files.length} files: ${captures} captures of ${pages} pages indexed\n`);
          for (const [mark, places] of Object.entries({ '!': errors, 'warning:': warnings, 'note:': notes }))
            for (const { file, offset, reason } of places)
              process.stdout.write(`${mark} ${file} at ${offset}: ${reason}\n`);
        }
        process.exitCode = errors.length > 0 ? EXIT.damaged : EXIT.ok;
      } finally {
        line.end();
        await archive.close();
      }
    });
}
