import { type Command, Option } from 'commander';
import { PAGE_SOURCES } from '../../archive/given/page-source.ts';
import { type LookFlags, lookOptions } from './look-options.ts';

export const DIFF_FORMATS = ['text', 'videlta', 'json', 'html'] as const;

export interface DiffFlags extends LookFlags {
  readonly format: (typeof DIFF_FORMATS)[number];
}

export function diffCommand(program: Command): void {
  lookOptions(
    program
      .command('diff')
      .argument('<old>', PAGE_SOURCES)
      .argument('<new>', 'the other version, given alike')
      .summary('what changed between two versions of a page, and how much it matters')
      .description(
        'Compares two versions as a reader sees them: what came, went, changed or moved, block by block, with one ' +
          'number in [0, 1] for the whole. Advertisements count little.',
      ),
  )
    .addOption(new Option('--format <format>', 'what to write').choices(DIFF_FORMATS).default('text'))
    .addHelpText(
      'after',
      `
Examples:
  daguerre diff old.html new.html
  daguerre diff https://example.org/@20260301 https://example.org/@20260308 --format html --out changes.html
  daguerre diff https://example.org/@last https://example.org/ --json`,
    )
    .action(async (before: string, after: string, flags: DiffFlags) => {
      const { diff } = await import('../diff.ts');
      await diff(before, after, flags);
    });
}
