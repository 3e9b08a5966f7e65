import { type Command, Option } from 'commander';
import type { ExportFilter } from '../../archive/export/export-selection.ts';
import { parseMoment } from '../../archive/given/moment.ts';
import { parseSite } from './changes.ts';
import { archiveOptions, type CommonOptions } from './common-options.ts';

export interface ExportFlags extends CommonOptions, ExportFilter {
  readonly format: 'wacz' | 'cdxj';
  readonly out?: string;
  readonly title?: string;
}

export function exportCommand(program: Command): void {
  const now = Date.now();
  archiveOptions(
    program
      .command('export')
      .summary('write the archive, or a part of it, as WACZ, or its index as CDXJ')
      .description(
        'Writes the archive into one WACZ file that ReplayWeb.page opens, or its index as sorted CDXJ. With --site, ' +
          '--url-prefix, --from, --to or --collection only what these choose, with all that it needs to stand alone: ' +
          'what the pages embed, and the originals of unchanged captures.',
      ),
  )
    .addOption(new Option('--format <format>', 'what to write').choices(['wacz', 'cdxj']).default('wacz'))
    .option('--out <file>', 'where to (default: archive.wacz or archive.cdxj)')
    .option('--title <text>', 'title of the WACZ')
    .option('--site <site>', 'only this site, such as example.org', parseSite)
    .option('--url-prefix <url>', 'only addresses that begin so, such as example.org/blog/')
    .option('--from <time>', 'only from this time on: a day, a time (UTC), or how long ago (7d)', (text) =>
      parseMoment(text, now, 'start'),
    )
    .option('--to <time>', 'only up to this time; 2026-03 includes all of March', (text) =>
      parseMoment(text, now, 'end'),
    )
    .option('--collection <name>', 'only what was archived under this name (archive --collection)')
    .addHelpText(
      'after',
      `
Examples:
  daguerre export --out site.wacz --title "Site, November"
  daguerre export --site example.org --from 2026-03 --to 2026-05 --out spring.wacz
  daguerre export --collection news --out news.wacz
  daguerre export --format cdxj --out index.cdxj`,
    )
    .action(async (options: ExportFlags) => {
      const { exportArchive } = await import('../../archive/export/export-archive.ts');
      await exportArchive(options);
    });
}
