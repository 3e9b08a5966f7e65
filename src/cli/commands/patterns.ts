import { type Command, Option } from 'commander';
import { parseCount } from '../../archive/given/quantities.ts';
import { parseSite } from './changes.ts';
import { archiveOptions, type CommonOptions } from './common-options.ts';

export const PATTERN_FORMATS = ['text', 'json', 'svg'] as const;

export interface PatternsFlags extends CommonOptions {
  readonly url?: string;
  readonly site?: string;
  readonly format: (typeof PATTERN_FORMATS)[number];
  readonly limit?: number;
  readonly out?: string;
}

export function patternsCommand(program: Command): void {
  archiveOptions(
    program
      .command('patterns')
      .summary('when the archived pages change: what was learnt of their rhythm')
      .description(
        'Shows the change pattern of each page, the liveliest first: how important a change is expected in each ' +
          'period of the day (or week, or month), how sure that is, and the threshold from which a version is ' +
          'indexed. Patterns are learnt at the end of each crawl, from pages that were seen more than once.',
      ),
  )
    .addOption(new Option('--url <url>', 'only of this page').conflicts('site'))
    .option('--site <site>', 'only of this site, such as example.org, with its groups', parseSite)
    .addOption(new Option('--format <format>', 'what to write').choices(PATTERN_FORMATS).default('text'))
    .option(
      '--limit <number>',
      'at most so many pages (default: 10; 12 in a drawing; all in JSON)',
      parseCount,
    )
    .option('--out <file>', 'where to; stdout otherwise')
    .addHelpText(
      'after',
      `
Examples:
  daguerre patterns
  daguerre patterns --url https://example.org/news/
  daguerre patterns --site example.org --format svg --out patterns.svg
  daguerre patterns --site example.org --json > patterns.jsonl`,
    )
    .action(async (flags: PatternsFlags) => {
      const { patterns } = await import('../patterns.ts');
      await patterns(flags);
    });
}
