import { type Command, Option } from 'commander';
import { PAGE_SOURCES, parsePageSource } from '../../archive/given/page-source.ts';
import type { DeltaReport } from '../../science/delta/delta-json.ts';
import { operationWords } from '../../science/delta/operation-words.ts';
import { EXIT } from '../exit-codes.ts';
import { say } from '../status-line.ts';
import { writeOutput } from '../write-output.ts';
import { type LookFlags, lookOptions } from './look-options.ts';

const DIFF_FORMATS = ['text', 'videlta', 'json', 'html'] as const;

interface DiffFlags extends LookFlags {
  readonly format: (typeof DIFF_FORMATS)[number];
}

export function diffCommand(program: Command): void {
  lookOptions(
    program
      .command('diff')
      .argument('<old>', PAGE_SOURCES)
      .argument('<new>', 'the other version, given alike')
      .summary('what changed between two versions of a page, and how much it matters')
      .description(
        'Compares two versions as a reader sees them: what came, went, changed or moved, block by block, with one ' +
          'number in [0, 1] for the whole. Advertisements count little.',
      ),
  )
    .addOption(new Option('--format <format>', 'what to write').choices(DIFF_FORMATS).default('text'))
    .addHelpText(
      'after',
      `
Examples:
  daguerre diff old.html new.html
  daguerre diff https://example.org/@20260301 https://example.org/@20260308 --format html --out changes.html
  daguerre diff https://example.org/@last https://example.org/ --json`,
    )
    .action(diff);
}

/** Operations that the text names. */
const NAMED = 30;

async function diff(before: string, after: string, flags: DiffFlags): Promise<void> {
  const { comparePages } = await import('../../archive/look/compare-pages.ts');
  const now = Date.now();
  const sources = [parsePageSource(before, now), parsePageSource(after, now)] as const;
  const format = flags.json ? 'json' : flags.format;
  const onFact = (fact: string): void => say(process.stderr, fact);
  const compared = await comparePages(sources, now, { ...flags, picture: format === 'html', onFact });
  const { report } = compared;
  const content = {
    text: () => reportText(report),
    json: () => `${JSON.stringify(report)}\n`,
    videlta: () => compared.viDelta(),
    html: () => compared.view(),
  }[format]();
  await writeOutput(content, flags.out);
  if (report.partial !== undefined) {
    process.stderr.write(`only a part of the page was compared: ${report.partial}\n`);
    process.exitCode = EXIT.partial;
  }
}

function reportText({ importance, partial, from, to, operations }: DeltaReport): string {
  const lines = [
    `${from.url} ${from.version}`,
    `${to.url} ${to.version}`,
    '',
    ...(partial === undefined ? [] : [`PARTIAL: ${partial}. There may be more changes than these.`]),
    `importance ${partial === undefined ? '' : 'at least '}${importance.toFixed(4)}, ${operations.length} operation${operations.length === 1 ? '' : 's'}`,
    ...operations
      .slice(0, NAMED)
      .map((operation) => `  ${operation.weight.toFixed(4)}  ${operationWords(operation)}`),
  ];
  if (operations.length > NAMED) lines.push(`  and ${operations.length - NAMED} more: see --json`);
  return `${lines.join('\n')}\n`;
}
