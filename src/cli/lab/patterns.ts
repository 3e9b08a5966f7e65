import type { Command } from 'commander';
import { show } from './lab-options.ts';
import { readHistories, type Skipping } from './page-files.ts';
import { FORMATS, type HistoryFlags, historyOptions, tableOptions } from './table-options.ts';

interface PatternsFlags extends HistoryFlags {
  readonly holidays?: string;
}

export function patternsCommand(lab: Command): void {
  tableOptions(
    historyOptions(
      lab
        .command('patterns')
        .summary('when pages change, and how much it matters')
        .description(
          'Patterns of every page, its indexing threshold, groups of pages that share a shape, and what the thresholds ' +
            'would index. Of --changes and --observations one is needed.',
        ),
    ).option(
      '--holidays <region>',
      'country whose days off may have a pattern of their own, as DE, or DE-BY',
    ),
  )
    .addHelpText(
      'after',
      `${FORMATS}\n\nExample:\n  daguerre lab patterns --observations news.tsv.gz --timezone Europe/Berlin --out figures/`,
    )
    .action(runPatterns);
}

async function runPatterns(flags: PatternsFlags): Promise<void> {
  const { requireHolidays } = await import('../../archive/holidays.ts');
  const { patterns } = await import('../../lab/patterns/patterns.ts');
  const { watchedFromChanges, watchedFromObservations } = await import('../../lab/patterns/watched-pages.ts');
  const { slotPlan } = await import('../../science/patterns/slots.ts');
  const { periods, timezone } = flags;
  const skipping: Skipping = { skipBad: flags.skipBad, skipped: 0 };
  const given = readHistories(flags, skipping);
  const pages =
    given.kind === 'observations'
      ? watchedFromObservations(given.table.pages)
      : watchedFromChanges(given.table.pages, slotPlan('daily', { zone: timezone, periods }), timezone);
  const isHoliday = flags.holidays === undefined ? undefined : await requireHolidays(flags.holidays);
  const input = { pages, periods, timezone, ...(isHoliday && { isHoliday }) };
  await show(patterns, input, flags, { skipped: skipping.skipped });
}
