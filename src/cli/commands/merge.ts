import type { Command } from 'commander';
import type { MergeReport } from '../../archive/merge/merge-archive.ts';
import { onInterrupt } from '../interrupt.ts';
import { formatSize, plural } from '../quantity-text.ts';
import { say, statusLine } from '../status-line.ts';
import { writeOutput } from '../write-output.ts';
import { archiveOptions, type CommonOptions } from './common-options.ts';

export function mergeCommand(program: Command): void {
  archiveOptions(
    program
      .command('merge')
      .summary('make few large record files out of many small ones in an object store')
      .description(
        'Crawls write many small record files into an object store. They are merged into files of up to 1 GB; every capture can ' +
          "be read all the while, and nothing changes but where it lies. 'watch' and workers with the role 'index' do it by " +
          'themselves. The old files are deleted an hour later, by whichever of these comes next. See docs/storage.md.',
      ),
  )
    .addHelpText('after', '\nExamples:\n  daguerre merge --storage s3://library-web/news')
    .action(merge);
}

async function merge({ json, ...location }: CommonOptions): Promise<void> {
  const { mergeSmallFiles } = await import('../../archive/merge/merge-small-files.ts');
  const interrupt = onInterrupt('Stopping after the files in hand (Ctrl-C again stops at once).');
  const line = statusLine(process.stderr);
  try {
    const report = await mergeSmallFiles(location, {
      signal: interrupt.signal,
      onMended: (sentence) => say(process.stderr, sentence),
      onProgress: (what) => line.show(() => what),
    });
    line.end();
    await writeOutput(json ? `${JSON.stringify(report)}\n` : mergeText(report), undefined);
  } finally {
    line.end();
    interrupt.dispose();
  }
}

function mergeText({ files, into, bytes, left, deleted, waiting }: MergeReport): string {
  return [
    files === 0
      ? 'There is nothing to merge.'
      : `${plural(files, 'record file')} became ${into}, of ${formatSize(bytes)}.`,
    ...(left.length > 0
      ? [`${plural(left.length, 'small file')} stayed as they are: damaged, or of another archive.`]
      : []),
    ...(deleted > 0 ? [`${plural(deleted, 'file')} of earlier merges deleted.`] : []),
    ...(waiting > 0
      ? [`${plural(waiting, 'old file')} will be deleted when nobody reads them any more.`]
      : []),
    '',
  ].join('\n');
}
