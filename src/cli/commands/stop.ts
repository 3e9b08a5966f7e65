import type { Command } from 'commander';
import { archiveOptions, type CommonOptions } from './common-options.ts';

export function stopCommand(program: Command): void {
  archiveOptions(
    program
      .command('stop')
      .summary('end a running crawl as Ctrl-C would')
      .description(
        "Has the 'daguerre archive' that writes to this archive finish the pages in hand and end; the same 'archive' " +
          'command goes on with it later. Ends at once, and is no error where nothing runs.',
      ),
  )
    .addHelpText('after', '\nExample:\n  daguerre stop --archive ./archive')
    .action(stop);
}

async function stop({ json, ...location }: CommonOptions): Promise<void> {
  const { stopWriter } = await import('../../archive/stop-writer.ts');
  const report = await stopWriter(location);
  const text =
    report.stopping === null
      ? 'Nothing writes to the archive.'
      : `Process ${report.stopping} finishes the pages in hand and ends.`;
  process.stdout.write(json ? `${JSON.stringify(report)}\n` : `${text}\n`);
}
