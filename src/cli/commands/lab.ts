import { type Command, Option } from 'commander';
import { SEGMENTER_NAMES, type SegmenterName } from '../../science/layout/segmenter.ts';
import { parseCount } from '../arguments.ts';
import { crawlCommand } from './lab-crawl.ts';
import { type LabFlags, labOptions } from './lab-options.ts';
import { pageTableCommands } from './lab-pages.ts';
import { reproduceCommand } from './lab-reproduce.ts';
import { sharcCommand, sharcOnlineCommand } from './lab-sharc.ts';

/** Of experiments that show pages in a browser. */
interface ShownSetFlags extends LabFlags {
  readonly set: string;
  readonly snapshots?: string;
}

export interface LabDeltasFlags extends ShownSetFlags {
  readonly segmenter: SegmenterName;
  readonly page?: readonly string[];
  readonly versions?: number;
  readonly twice?: number;
}

export interface LabSegmentFlags extends ShownSetFlags {
  readonly seed: string;
  readonly folds: number;
}

/** The experiments run the very functions the archive calls; each is loaded when it is asked for. */
export function labCommand(program: Command): void {
  const lab = program
    .command('lab')
    .summary("the archive's algorithms on data of your own")
    .description('Experiments: what the archive does, measured on given data, as a table, JSON and figures.')
    .addHelpText(
      'after',
      `
Examples:
  daguerre lab reproduce --list                 the papers' figures that can be made again
  daguerre lab reproduce all --quick            all of them, small
  daguerre lab policies --help                  what one experiment takes`,
    );
  deltasCommand(lab);
  segmentCommand(lab);
  pageTableCommands(lab);
  crawlCommand(lab);
  sharcCommand(lab);
  sharcOnlineCommand(lab);
  reproduceCommand(lab);
}

function setOptions(command: Command, set: string): Command {
  return labOptions(command.requiredOption('--set <dir>', set)).option(
    '--snapshots <dir>',
    'keep there what the browser showed, and take it from there the next time',
  );
}

function deltasCommand(lab: Command): void {
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
    .option('--twice <number>', 'show each so many-th version a second time', parseCount)
    .addHelpText(
      'after',
      `
Examples:
  daguerre lab deltas --set versions/ --versions 25
  daguerre lab deltas --set news.tar.xz --twice 10 --snapshots kept/ --json --out figures/`,
    )
    .action(async (flags: LabDeltasFlags) => {
      const { labDeltas } = await import('../lab/deltas.ts');
      await labDeltas(flags);
    });
}

function segmentCommand(lab: Command): void {
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
    .action(async (flags: LabSegmentFlags) => {
      const { labSegment } = await import('../lab/segment.ts');
      await labSegment(flags);
    });
}
