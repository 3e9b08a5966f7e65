import type { Command } from 'commander';
import { listWorkers } from '../../archive/workers/list-workers.ts';
import { say } from '../status-line.ts';
import { workersText } from '../workers-text.ts';
import { archiveOptions, type CommonOptions } from './common-options.ts';

export function workersCommand(program: Command): void {
  archiveOptions(
    program
      .command('workers')
      .summary('the workers of an archive: what each does, since when, how fast')
      .description(
        'Lists the processes that share the archive, with what each does now and how many pages and resources it settles per ' +
          'second, and the crawls that were handed over and are not done. See docs/workers.md.',
      ),
  )
    .addHelpText(
      'after',
      `
Examples:
  daguerre workers --database postgres://daguerre@db.example/archive --archive /mnt/archive
  daguerre workers --json`,
    )
    .action(async ({ json, ...location }: CommonOptions) => {
      const list = await listWorkers(location, (sentence) => say(process.stderr, sentence));
      process.stdout.write(json ? `${JSON.stringify(list)}\n` : `${workersText(list)}\n`);
    });
}
