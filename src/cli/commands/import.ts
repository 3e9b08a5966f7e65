import type { Command } from 'commander';
import type { ImportReport } from '../../archive/import/import-files.ts';
import { EXIT } from '../exit-codes.ts';
import { placeText } from '../place-text.ts';
import { plural } from '../quantity-text.ts';
import { signatureText } from '../signature-text.ts';
import { say } from '../status-line.ts';
import { stepLine } from '../step-line.ts';
import { archiveOptions, type CommonOptions } from './common-options.ts';

export function importCommand(program: Command): void {
  archiveOptions(
    program
      .command('import')
      .argument('<file...>', 'WARC 1.0/1.1, ARC or WACZ files, gzipped or not; site-deltas (XML)')
      .summary("bring in other tools' WARC, ARC and WACZ files, and histories of sites")
      .description(
        'Copies record files into the archive as they are and indexes what can be read of them; a file that was ' +
          'gzipped as a whole is compressed again, record by record. Checks the signature of a WACZ. Damage is ' +
          `reported with file and offset, and ends in exit code ${EXIT.damaged}; whole records are kept. ` +
          'A file that the archive holds already is left out. A site-delta (export --format site-delta) brings no captures, ' +
          'but the history of sites as another archive tells it: see docs/site-delta.md.',
      ),
  )
    .addHelpText(
      'after',
      '\nExamples:\n  daguerre import old.warc.gz\n  daguerre import *.wacz --archive ./archive --json\n  daguerre import history.xml',
    )
    .action(bringIn);
}

async function bringIn(paths: string[], { json, ...location }: CommonOptions): Promise<void> {
  const { importFiles } = await import('../../archive/import/import-files.ts');
  const line = stepLine(process.stderr);
  const tell = (sentence: string): void => say(process.stderr, sentence);
  try {
    const report = await importFiles(location, paths, {
      ...{ onWait: tell, onMended: tell, onProgress: line.show },
    });
    line.end();
    process.stdout.write(json ? `${JSON.stringify(report)}\n` : reportText(report));
    process.exitCode = report.errors.length > 0 ? EXIT.damaged : EXIT.ok;
  } finally {
    line.end();
  }
}

function reportText({ files, already, captures, pages, histories, ...found }: ImportReport): string {
  const known =
    already > 0 ? `; ${already === 1 ? 'one file is' : `${already} files are`} in the archive already` : '';
  const lines = [
    ...found.errors.map((place) => placeText('!', place)),
    ...found.warnings.map((place) => placeText('warning:', place)),
    ...found.notes.map((place) => placeText('note:', place)),
    ...found.signatures.map((signature) => signatureText(signature.file, signature)),
    ...(histories && files === 0
      ? []
      : [
          `${plural(files, 'file')} imported: ${plural(captures, 'capture')} of ${plural(pages, 'page version')}${known}`,
        ]),
    ...(histories
      ? [
          `${plural(histories.files, 'history', 'histories')} imported: ${plural(histories.documents, 'document')} (visits, and times a page was left out) of ` +
            `${plural(histories.pages, 'page')} of ${plural(histories.sites, 'site')}, as other archives tell them${files === 0 ? known : ''}`,
        ]
      : []),
  ];
  return `${lines.join('\n')}\n`;
}
