import { completeness } from '../../lab/completeness/measure.ts';
import { parseCaptures, parseChanges } from '../../lab/data/page-tables.ts';
import type { LabCompletenessFlags } from '../commands/lab-pages.ts';
import { readPages, readWeights, type Skipping } from './page-files.ts';
import { showExperiment } from './show-experiment.ts';

export async function labCompleteness(flags: LabCompletenessFlags): Promise<void> {
  const skipping: Skipping = { skipBad: flags.skipBad, skipped: 0 };
  const weights = readWeights(flags.weights, skipping);
  const changes = readPages(flags.changes, parseChanges, skipping).pages;
  const captures = readPages(flags.captures, parseCaptures, skipping).pages;
  const { skipped } = skipping;
  await showExperiment(completeness, { changes, captures, ...(weights && { weights }) }, flags, { skipped });
}
