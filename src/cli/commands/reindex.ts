import type { Command } from 'commander';
import { EXIT } from '../exit-codes.ts';
import { placeText } from '../place-text.ts';
import { plural } from '../quantity-text.ts';
import { say } from '../status-line.ts';
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
    .addHelpText(
      'after',
      '\nExamples:\n  daguerre reindex --archive ./archive\n  daguerre reindex --storage s3://library-web/news',
    )
    .action(rebuild);
}

async function rebuild({ json, newIdentity, takeOver, ...location }: ReindexFlags): Promise<void> {
  const { reindex } = await import('../../archive/reindex.ts');
  const line = stepLine(process.stderr);
  const tell = (sentence: string): void => say(process.stderr, sentence);
  try {
    const report = await reindex(location, {
      ...{ newIdentity, takeOver },
      ...{ onWait: tell, onMended: tell, onProgress: line.show },
    });
    line.end();
    const { files, captures, pages, errors, warnings, notes } = report;
    const lines = [
      `${plural(files, 'file')}: ${plural(captures, 'capture')} of ${plural(pages, 'page version')} indexed`,
      ...errors.map((place) => placeText('!', place)),
      ...warnings.map((place) => placeText('warning:', place)),
      ...notes.map((place) => placeText('note:', place)),
    ];
    process.stdout.write(json ? `${JSON.stringify(report)}\n` : `${lines.join('\n')}\n`);
    process.exitCode = errors.length > 0 ? EXIT.damaged : EXIT.ok;
  } finally {
    line.end();
  }
}
