import type { Command } from 'commander';
import type { EditsInput } from '../../lab/edits/study.ts';
import { parseCount } from '../arguments.ts';
import { show } from './lab-options.ts';
import { type ShownSetFlags, setOptions } from './shown-set.ts';

interface EditsFlags extends ShownSetFlags {
  readonly seed: string;
  readonly each: number;
  readonly pages?: number;
  readonly only?: readonly string[];
}

export function editsCommand(lab: Command): void {
  setOptions(
    lab
      .command('edits')
      .summary('known edits in the HTML of pages: what is told of them, and what is true')
      .description(
        'Changes a word, a link, a picture, a story of saved pages, shows each before and after in Chromium, offline ' +
          'and without scripts, and scores the operations that are found against the edit.',
      ),
    'folder of <page>/<UTC>.html, or of <site>/…/*.blocks.html with the files the pages embed',
  )
    .option('--seed <seed>', 'of the edits', '1')
    .option('--each <number>', 'edits of each kind on each page', parseCount, 1)
    .option('--pages <number>', 'at most so many pages', parseCount)
    .option('--only <name...>', 'only pages whose name holds one of these')
    .addHelpText(
      'after',
      `
Examples:
  daguerre lab edits --set annotated/ --snapshots kept/
  daguerre lab edits --set versions/ --only news- --each 2 --json`,
    )
    .action(runEdits);
}

async function runEdits(flags: EditsFlags): Promise<void> {
  const { edits } = await import('../../lab/edits/edits.ts');
  const { openEditable } = await import('./editable-set.ts');
  const { pages, close } = await openEditable(flags.set, flags);
  try {
    const input: EditsInput = { pages, seed: flags.seed, each: flags.each, told: 8, onEdit: progress };
    await show(edits, input, flags);
  } finally {
    await close();
  }
}

function progress(page: string, kind: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${page}: ${kind}`);
}
