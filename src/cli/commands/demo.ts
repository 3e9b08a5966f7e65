import { type Command, Option } from 'commander';
import { parseCount } from '../../archive/given/quantities.ts';
import { RENDER_MODES } from '../../model/crawl.ts';
import type { DemoOptions } from '../demo.ts';
import { parseFolder } from './common-options.ts';

export function demoCommand(program: Command): void {
  program
    .command('demo')
    .summary('archive a living newspaper on loopback and look at it')
    .description(
      'Starts a small newspaper on loopback, archives it several times over compressed days, prints what the ' +
        'archive holds and serves it. Nothing leaves the machine.',
    )
    .option(
      '--archive <dir>',
      'keep the archive there (default: a temporary folder, removed at the end)',
      parseFolder,
    )
    .option('--captures <number>', 'times to capture the site', parseCount, 4)
    .option('--seed <number>', 'another seed, another newspaper', parseCount, 7)
    .addOption(new Option('--render <mode>', 'how pages are captured').choices(RENDER_MODES).default('auto'))
    .option('--port <number>', 'port of the web page', parseCount, 8470)
    .option('--replay-port <number>', 'port of replayed content', parseCount, 8471)
    .option('--no-serve', 'end after the report')
    .option('--json', 'machine-readable output on stdout', false)
    .addHelpText(
      'after',
      '\nExamples:\n  daguerre demo\n  daguerre demo --captures 2 --render never --no-serve --json',
    )
    .action(async (options: DemoOptions) => {
      // Loaded when asked for: the newspaper and the server are a good part of the start of every command.
      const { demo } = await import('../demo.ts');
      await demo(options);
    });
}
