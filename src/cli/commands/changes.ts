import { type Command, InvalidArgumentError, Option } from 'commander';
import { siteNamed } from '../../access/site-name.ts';
import { parseMoment } from '../../archive/given/moment.ts';
import { parseCount } from '../../archive/given/quantities.ts';
import { CHANGED_ELEMENTS, OPERATION_NAMES } from '../../model/change.ts';
import type { ChangeQuery } from '../../ports/catalog.ts';
import { archiveOptions, type CommonOptions } from './common-options.ts';

export interface ChangesFlags extends CommonOptions, Omit<ChangeQuery, 'offset' | 'operationLimit'> {}

/** `--since` and `--until`, for the commands that look back. */
export function periodOptions(command: Command): Command {
  const now = Date.now();
  return command
    .option('--since <time>', 'only from this time on: a day, a time (UTC), or how long ago (7d)', (text) =>
      parseMoment(text, now, 'start'),
    )
    .option('--until <time>', 'only up to this time', (text) => parseMoment(text, now, 'end'));
}

/** `https://www.example.org/` and `example.org` name the same site. */
export function parseSite(text: string): string {
  const site = siteNamed(text);
  if (site === '') throw new InvalidArgumentError(`'${text}' is no site; write a host, such as example.org`);
  return site;
}

function parseImportance(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0 && value <= 1))
    throw new InvalidArgumentError(`'${text}' is no importance; write a number from 0 to 1`);
  return value;
}

export function changesCommand(program: Command): void {
  periodOptions(
    archiveOptions(
      program
        .command('changes')
        .summary('what changed on the archived pages, ranked by importance')
        .description(
          'Lists the changes that were found between archived versions of pages, the most important first, with ' +
            'their weightiest operations. Pages have them once they were captured twice with a browser.',
        ),
    )
      .addOption(
        new Option('--url <url>', 'only of this page; <url>@<time> for one capture or a period').conflicts(
          'site',
        ),
      )
      .option('--site <site>', 'only of this site, such as example.org', parseSite),
  )
    .option('--min-importance <number>', 'only changes of at least this importance (0 to 1)', parseImportance)
    .addOption(new Option('--op <operation>', 'only with such an operation').choices(OPERATION_NAMES))
    .addOption(
      new Option('--element <element>', 'only with one on such an element').choices(CHANGED_ELEMENTS),
    )
    .option('--text <words>', 'only with one whose texts or addresses hold all these words')
    .addOption(
      new Option('--sort <order>', 'what comes first').choices(['importance', 'time']).default('importance'),
    )
    .option('--limit <number>', 'at most so many (default: 50; all with --json)', parseCount)
    .addHelpText(
      'after',
      `
Examples:
  daguerre changes --since 7d
  daguerre changes --site example.org --min-importance 0.2 --op insert --element link
  daguerre changes --url https://example.org/prices --text 'delivery fee' --sort time
  daguerre changes --json > changes.jsonl`,
    )
    .action(async (flags: ChangesFlags) => {
      const { changes } = await import('../changes.ts');
      await changes(flags);
    });
}
