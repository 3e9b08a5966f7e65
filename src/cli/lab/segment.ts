import type { Command } from 'commander';
import type { SegmentInput } from '../../lab/segmentation/segment.ts';
import { parseCount } from '../arguments.ts';
import { show } from './lab-options.ts';
import { type ShownSetFlags, setOptions, withViewer } from './shown-set.ts';

interface SegmentFlags extends ShownSetFlags {
  readonly seed: string;
  readonly folds: number;
}

export function segmentCommand(lab: Command): void {
  setOptions(
    lab
      .command('segment')
      .summary('how well pages are cut into blocks, against the marks of people')
      .description(
        'Shows annotated pages in Chromium, offline and without their scripts, and scores every segmenter and some ' +
          'trivial cuts by BCubed precision, recall and F.',
      ),
    'folder of <site>/…/*.blocks.html with data-block marks, and the files the pages embed',
  )
    .option('--seed <seed>', 'of the bootstrap', '1')
    .option(
      '--folds <number>',
      'cross-validate the default segmenter by site in so many parts (0: do not)',
      parseCount,
      10,
    )
    .addHelpText(
      'after',
      `
Examples:
  daguerre lab segment --set annotated/
  daguerre lab segment --set annotated/ --json --seed 7 --out figures/`,
    )
    .action(runSegment);
}

const VIPS = 'vips';

async function runSegment(flags: SegmentFlags): Promise<void> {
  const { stream } = await import('../../lab/newspaper/random.ts');
  const { leafCutter, treeCutter } = await import('../../lab/segmentation/partition.ts');
  const { segment } = await import('../../lab/segmentation/segment.ts');
  const { blocks } = await import('../../science/layout/blocks/index.ts');
  const { vips } = await import('../../science/layout/vips/vips.ts');
  const { findAnnotated, showAnnotated } = await import('./annotated-set.ts');
  const { KeptSnapshots } = await import('./kept-snapshots.ts');
  const files = await findAnnotated(flags.set);
  await withViewer(async (viewer) => {
    const input: SegmentInput = {
      set: showAnnotated(flags.set, files, {
        viewer,
        kept: new KeptSnapshots(flags.snapshots),
        onUnseen: (site, reason) => process.stderr.write(`${site}: ${reason}\n`),
      }),
      random: stream(flags.seed, 'bootstrap').next,
      cutters: [
        // It learned from such pages: only its held-out row shows how it does on others.
        treeCutter(blocks),
        leafCutter(VIPS, { 1: vips({ permittedDoc: 5 }), 2: vips({ permittedDoc: 7 }) }),
      ],
      reference: VIPS,
      folds: flags.folds,
    };
    await show(segment, input, flags);
  });
}
