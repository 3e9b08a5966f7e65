import { type Command, Option } from 'commander';
import { PAGE_SOURCES, parsePageSource } from '../../archive/given/page-source.ts';
import type { InspectedPage } from '../../archive/look/look-at-page.ts';
import { UserError } from '../../archive/user-error.ts';
import type { Layout } from '../../model/layout.ts';
import { EXIT } from '../exit-codes.ts';
import { say } from '../status-line.ts';
import { writeOutput } from '../write-output.ts';
import { type LookFlags, lookOptions } from './look-options.ts';

const SEGMENT_FORMATS = ['vixml', 'json', 'svg', 'png'] as const;

interface SegmentFlags extends LookFlags {
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
    .action(segment);
}

async function segment(page: string, flags: SegmentFlags): Promise<void> {
  const { openPageEye } = await import('../../archive/look/look-at-page.ts');
  const now = Date.now();
  const source = parsePageSource(page, now);
  const format = flags.json ? 'json' : flags.format;
  if (format === 'png' && source.kind === 'layout')
    throw new UserError(`${source.path} is a layout without its page: draw it with --format svg`);
  if (format === 'png' && flags.out === undefined && process.stdout.isTTY)
    throw new UserError('a picture needs a place: add --out blocks.png');
  const eye = openPageEye({
    ...flags,
    picture: format === 'png',
    onFact: (fact) => say(process.stderr, fact),
  });
  try {
    const seen = await eye.look(source, now);
    for (const fact of seen.facts) process.stderr.write(`${fact}\n`);
    await writeOutput(await formatted(seen, format), flags.out);
    if (seen.layout.partial !== undefined) {
      process.stderr.write(`only a part of the page was cut into blocks: ${seen.layout.partial}\n`);
      process.exitCode = EXIT.partial;
    }
  } finally {
    await eye.close();
  }
}

async function formatted(seen: InspectedPage, format: SegmentFlags['format']): Promise<string | Uint8Array> {
  const { writeViXml } = await import('../../science/layout/vi-xml.ts');
  const { layoutSvg } = await import('../../science/layout/layout-svg.ts');
  const { drawBlocks } = await import('../../archive/look/draw-blocks.ts');
  switch (format) {
    case 'vixml':
      return writeViXml(seen.layout);
    case 'json':
      return `${JSON.stringify(layoutJson(seen.layout))}\n`;
    case 'svg':
      return layoutSvg(seen.layout);
    case 'png':
      return drawBlocks(seen);
  }
}

/** The blocks as a tree, with the page's own fields on top. */
function layoutJson({ root, ...head }: Layout) {
  return { ...head, ...root };
}
