import { type Command, Option } from 'commander';
import type { DeltasInput } from '../../lab/deltas/deltas.ts';
import { SEGMENTER_NAMES, type SegmenterName } from '../../science/layout/segmenter.ts';
import { parseCount } from '../arguments.ts';
import { show } from './lab-options.ts';
import { type ShownSetFlags, setOptions, withViewer } from './shown-set.ts';

interface DeltasFlags extends ShownSetFlags {
  readonly segmenter: SegmenterName;
  readonly page?: readonly string[];
  readonly versions?: number;
  readonly twice?: number;
  readonly memory: boolean;
}

export function deltasCommand(lab: Command): void {
  setOptions(
    lab
      .command('deltas')
      .summary('layouts and changes over the versions of pages')
      .description(
        'Shows every version of some pages in Chromium, offline, and compares each with the one before: whether ' +
          'deltas lead exactly from old to new and back, whether two looks at one version agree, and how important ' +
          'the changes were.',
      ),
    'folder of <page>/<UTC>.html, or a tar file of it',
  )
    .addOption(
      new Option('--segmenter <name>', 'how pages are cut into blocks')
        .choices(SEGMENTER_NAMES)
        .default('blocks'),
    )
    .option('--page <name...>', 'only pages whose name holds one of these')
    .option(
      '--versions <number>',
      'of each page at most so many: its oldest and newest, half and half',
      parseCount,
    )
    .option('--no-memory', 'cut each version as if it were the first, not along the one before')
    .option('--twice <number>', 'show each so many-th version a second time', parseCount)
    .addHelpText(
      'after',
      `
Examples:
  daguerre lab deltas --set versions/ --versions 25
  daguerre lab deltas --set news.tar.xz --twice 10 --snapshots kept/ --json --out figures/`,
    )
    .action(runDeltas);
}

async function runDeltas(flags: DeltasFlags): Promise<void> {
  const { openAdRecogniser } = await import('../../archive/look/page-parts.ts');
  const { deltas } = await import('../../lab/deltas/deltas.ts');
  const { KeptSnapshots } = await import('./kept-snapshots.ts');
  const { showVersions } = await import('./show-versions.ts');
  const { openVersionSet } = await import('./version-set.ts');
  const { pages, close } = await openVersionSet(flags.set, { only: flags.page, most: flags.versions });
  try {
    const { recogniser, fact } = await openAdRecogniser();
    process.stderr.write(`${fact}\n`);
    await withViewer(async (viewer) => {
      const kept = new KeptSnapshots(flags.snapshots);
      const input: DeltasInput = {
        set: showVersions(pages, { viewer, kept, again: flags.twice ?? 0, onShown: progress }),
        segmenter: flags.segmenter,
        memory: flags.memory,
        ads: (pageUrl) => ({
          byUrl: (url, kind) => recogniser.isAdvertisement(url, pageUrl, kind),
          hidden: (names) => recogniser.hidden(pageUrl, names),
        }),
      };
      await show(deltas, input, flags);
    });
  } finally {
    await close();
  }
}

/** One line, overwritten; none if stderr is not a terminal. */
function progress(done: number, all: number): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${all} versions${done === all ? '\n' : ''}`);
}
