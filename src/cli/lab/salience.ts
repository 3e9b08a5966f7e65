import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { UserError } from '../../archive/user-error.ts';
import type { SalienceInput } from '../../lab/salience/salience.ts';
import { naming } from '../../ports/system-error.ts';
import { parseCount } from '../arguments.ts';
import { show } from './lab-options.ts';
import { type ShownSetFlags, setOptions, withViewer } from './shown-set.ts';

interface SalienceFlags extends ShownSetFlags {
  readonly judged: string;
  readonly annotated?: string;
  readonly folds?: number;
  readonly seed: string;
}

export function salienceCommand(lab: Command): void {
  setOptions(
    lab
      .command('salience')
      .summary('whether salience ranks changes as a judge does')
      .description(
        'Shows both sides of judged changes in Chromium, offline, and counts how often salience, importance and the ' +
          'plain share of changed text put first what the judge would rather be told of.',
      ),
    'folder of <page>/<UTC>.html, or a tar file of it',
  )
    .requiredOption('--judged <file>', 'the table of judged comparisons (test/judged/changes.tsv)')
    .option(
      '--annotated <dir>',
      'folder of styled pages, for comparisons of edits made in them (left out without)',
    )
    .option('--folds <number>', 'of the cross-validation (default: each site its own)', parseCount)
    .option('--seed <seed>', 'of folds and bootstrap', '1')
    .addHelpText(
      'after',
      `
Examples:
  daguerre lab salience --set versions/ --judged test/judged/changes.tsv --snapshots kept/
  daguerre lab salience --set versions/ --annotated pages/ --judged test/judged/changes.tsv --snapshots kept/ --json`,
    )
    .action(runSalience);
}

async function runSalience(flags: SalienceFlags): Promise<void> {
  const { openAdRecogniser } = await import('../../archive/look/page-parts.ts');
  const { readComparisons } = await import('../../lab/judged/judged-changes.ts');
  const { salience } = await import('../../lab/salience/salience.ts');
  const { KeptSnapshots } = await import('./kept-snapshots.ts');
  const { showJudged } = await import('./show-judged.ts');
  const { openVersionSet } = await import('./version-set.ts');
  const table = await naming(flags.judged, readFile(flags.judged, 'utf8'));
  const comparisons = readComparisons(table).filter(({ styled }) => !styled || flags.annotated !== undefined);
  if (comparisons.length === 0) throw new UserError(`'${flags.judged}' holds no comparison of this set`);
  const { pages, folder, close } = await openVersionSet(flags.set);
  try {
    const { recogniser, fact } = await openAdRecogniser();
    process.stderr.write(`${fact}\n`);
    await withViewer(async (viewer) => {
      const input: SalienceInput = {
        comparisons,
        changes: showJudged(comparisons, {
          viewer,
          kept: new KeptSnapshots(flags.snapshots),
          folders: { versions: folder, annotated: flags.annotated ?? '' },
          pages,
        }),
        ads: (pageUrl) => ({
          byUrl: (url, kind) => recogniser.isAdvertisement(url, pageUrl, kind),
          hidden: (names) => recogniser.hidden(pageUrl, names),
        }),
        ...(flags.folds !== undefined && { folds: flags.folds }),
        seed: flags.seed,
      };
      await show(salience, input, flags);
    });
  } finally {
    await close();
  }
}
