import { requireHolidays } from '../../archive/holidays.ts';
import { patterns } from '../../lab/patterns/patterns.ts';
import { watchedFromChanges, watchedFromObservations } from '../../lab/patterns/watched-pages.ts';
import { slotPlan } from '../../science/patterns/slots.ts';
import type { LabPatternsFlags } from '../commands/lab-pages.ts';
import { readHistories, type Skipping } from './page-files.ts';
import { showExperiment } from './show-experiment.ts';

export async function labPatterns(flags: LabPatternsFlags): Promise<void> {
  const { periods, timezone } = flags;
  const skipping: Skipping = { skipBad: flags.skipBad, skipped: 0 };
  const given = readHistories(flags, skipping);
  const pages =
    given.kind === 'observations'
      ? watchedFromObservations(given.table.pages)
      : watchedFromChanges(given.table.pages, slotPlan('daily', { zone: timezone, periods }), timezone);
  const isHoliday = flags.holidays === undefined ? undefined : await requireHolidays(flags.holidays);
  const input = { pages, periods, timezone, ...(isHoliday && { isHoliday }) };
  await showExperiment(patterns, input, flags, { skipped: skipping.skipped });
}
