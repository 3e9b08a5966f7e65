import { type Command, Option } from 'commander';
import { PAGE_SOURCES } from '../../archive/given/page-source.ts';
import { type LookFlags, lookOptions } from './look-options.ts';

export const SEGMENT_FORMATS = ['vixml', 'json', 'svg', 'png'] as const;

export interface SegmentFlags extends LookFlags {
  readonly format: (typeof SEGMENT_FORMATS)[number];
}

export function segmentCommand(program: Command): void {
  lookOptions(
    program
      .command('segment')
      .argument('<page>', PAGE_SOURCES)
      .summary('the blocks of a page, as a reader sees them')
      .description(
        'Shows the page in Chromium and cuts it into blocks: as Vi-XML, as JSON, as a drawing, or as a picture ' +
          'of the page with the blocks drawn over it. Files and captures are shown without any network.',
      ),
  )
    .addOption(new Option('--format <format>', 'what to write').choices(SEGMENT_FORMATS).default('vixml'))
    .addHelpText(
      'after',
      `
Examples:
  daguerre segment page.html
  daguerre segment https://example.org/ --format png --out blocks.png
  daguerre segment https://example.org/@20260304 --format json`,
    )
    .action(async (page: string, flags: SegmentFlags) => {
      const { segment } = await import('../segment.ts');
      await segment(page, flags);
    });
}
