import type { Command } from 'commander';
import { parseCaptures, parseChanges } from '../../lab/data/page-tables.ts';
import { show } from './lab-options.ts';
import { readPages, readWeights, type Skipping } from './page-files.ts';
import { FORMATS, type TableFlags, tableOptions } from './table-options.ts';

interface CompletenessFlags extends TableFlags {
  readonly changes: string;
  readonly captures: string;
  readonly weights?: string;
}

export function completenessCommand(lab: Command): void {
  tableOptions(
    lab
      .command('completeness')
      .summary('how much of what appeared was captured, by importance')
      .description(
        'Weighted temporal completeness of every page and of the archive (Ben Saad and Gançarski 2012).',
      )
      .requiredOption('--changes <file>', 'what appeared')
      .requiredOption('--captures <file>', 'when pages were captured')
      .option('--weights <file>', 'importance of pages; 1 where it is not given'),
  )
    .addHelpText(
      'after',
      `${FORMATS}\n\nExample:\n  daguerre lab completeness --changes changes.tsv --captures captures.tsv`,
    )
    .action(runCompleteness);
}

async function runCompleteness(flags: CompletenessFlags): Promise<void> {
  const { completeness } = await import('../../lab/completeness/measure.ts');
  const skipping: Skipping = { skipBad: flags.skipBad, skipped: 0 };
  const weights = readWeights(flags.weights, skipping);
  const changes = readPages(flags.changes, parseChanges, skipping).pages;
  const captures = readPages(flags.captures, parseCaptures, skipping).pages;
  const { skipped } = skipping;
  await show(completeness, { changes, captures, ...(weights && { weights }) }, flags, { skipped });
}
