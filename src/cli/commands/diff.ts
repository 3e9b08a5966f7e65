import { type Command, Option } from 'commander';
import { diffText } from '../../access/diff-text.ts';
import { PAGE_SOURCES, parsePageSource } from '../../archive/given/page-source.ts';
import { EXIT } from '../exit-codes.ts';
import { plural } from '../quantity-text.ts';
import { say } from '../status-line.ts';
import { harmless } from '../terminal-text.ts';
import { writeOutput } from '../write-output.ts';
import { type LookFlags, lookOptions } from './look-options.ts';

const DIFF_FORMATS = ['text', 'videlta', 'json', 'html'] as const;

interface DiffFlags extends LookFlags {
  readonly format: (typeof DIFF_FORMATS)[number];
  readonly all: boolean;
  readonly facts: boolean;
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
          'number in [0, 1] for the whole. Advertisements count little. Stored captures are compared by their stored ' +
          "layouts ('daguerre analyse' makes those that are missing): nothing is asked for, and nothing shown again.",
      ),
  )
    .addOption(new Option('--format <format>', 'what to write').choices(DIFF_FORMATS).default('text'))
    .option('--all', 'every change in the text, not only the most important', false)
    .option('--facts', 'list what was missing or went wrong when the pages were shown', false)
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

async function diff(before: string, after: string, flags: DiffFlags): Promise<void> {
  const { comparePages } = await import('../../archive/look/compare-pages.ts');
  const now = Date.now();
  const sources = [parsePageSource(before, now), parsePageSource(after, now)] as const;
  const format = flags.json ? 'json' : flags.format;
  const onFact = (fact: string): void => say(process.stderr, fact);
  const compared = await comparePages(sources, now, { ...flags, picture: format === 'html', onFact });
  const { report, facts, note } = compared;
  const content = await {
    text: async () => harmless(diffText({ ...compared, ...report }, flags.all)),
    json: async () => `${JSON.stringify(report)}\n`,
    videlta: () => compared.viDelta(),
    html: () => compared.view(),
  }[format]();
  await writeOutput(content, flags.out);
  // After the answer, and in short: what kept a page from being shown whole is not what was asked for.
  if (note !== undefined) onFact(note);
  if (flags.facts) for (const fact of facts) onFact(fact);
  else if (facts.length > 0)
    onFact(`${plural(facts.length, 'fact')} about how the pages were shown: --facts lists them`);
  if (report.partial !== undefined) {
    process.stderr.write(`only a part of the page was compared: ${report.partial}\n`);
    process.exitCode = EXIT.partial;
  }
}
