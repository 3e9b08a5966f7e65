import type { Command } from 'commander';
import { scoresOfRanked } from '../../archive/importance/fit-scores.ts';
import { readRankedList } from '../../archive/importance/ranked-list.ts';
import { openForReading } from '../../archive/open/open-archive.ts';
import { UserError } from '../../archive/user-error.ts';
import type { RankingReport } from '../../lab/importance/ranking.ts';
import { say } from '../status-line.ts';
import { writeOutput } from '../write-output.ts';
import { archiveOptions, type CommonOptions } from './common-options.ts';

interface FitFlags extends CommonOptions {
  readonly second?: string;
}

/** The same files give the same weights. */
const SEED = 1;

export function fitCommand(importance: Command): void {
  archiveOptions(
    importance
      .command('fit')
      .argument(
        '<file>',
        'URLs or sites, one a line, the most important first; a rank after a tab if some are alike',
      )
      .summary("weights of the criteria that rank pages or sites as a person's list does")
      .description(
        'Fits the weights to a ranking by a person, and tells how far each criterion alone, all of them, and all of them on ' +
          "pages that were left out of the fit agree with it: Kendall's τ, Spearman's ρ, and the share of pairs that are decided " +
          'alike. A second list shows how far two people agree, which is as much as can be asked of a machine.',
      ),
  )
    .option('--second <file>', "another person's list")
    .addHelpText(
      'after',
      `
Examples:
  daguerre importance fit librarian.txt
  daguerre importance fit librarian.txt --second colleague.txt --json`,
    )
    .action((file: string, _flags: FitFlags, command: Command) =>
      fitTo(file, command.optsWithGlobals<FitFlags>()),
    );
}

async function fitTo(file: string, flags: FitFlags): Promise<void> {
  const first = await readRankedList(file);
  const second = flags.second === undefined ? undefined : await readRankedList(flags.second);
  const { measureRanking, rankingText } = await import('../../lab/importance/ranking.ts');
  const { printed } = await import('../../lab/experiment/text-table.ts');
  const { stream } = await import('../../lab/newspaper/random.ts');
  const archive = await openForReading(flags);
  try {
    const { of, scores } = await scoresOfRanked(archive.catalog, [...first.keys()]);
    const random = stream(SEED, 'ranking').next;
    const report = measureRanking(of, scores, {
      first,
      scores: new Map(),
      random,
      ...(second && { second }),
    });
    if (report.ranked < 4)
      throw new UserError(
        `${file}: ${report.ranked} of ${first.size} ${of} in it are in the archive; a fit needs at least four` +
          (report.unknown[0] === undefined ? '' : ` (not found: ${report.unknown.slice(0, 3).join(', ')})`),
      );
    for (const name of report.unknown) say(process.stderr, `${name} is not in the archive: left out`);
    if (flags.json) {
      await writeOutput(`${JSON.stringify(report)}\n`, undefined);
      return;
    }
    const weights = Object.entries(report.exponents).map(
      ([name, value]) => `  ${name}: ${Number(value.toPrecision(3))}`,
    );
    await writeOutput(
      `${printed(rankingText(report))}\n${warning(report)}To rank by this fit, in a file for --config (the weights above as powers of the scores ` +
        `themselves):\nimportance:\n${weights.join('\n')}\n`,
      undefined,
    );
  } finally {
    await archive.close();
  }
}

/** A fit to few pages may follow them less closely than a single criterion does. */
function warning({ scores, seen, heldOut }: RankingReport): string {
  const fitted = (heldOut ?? seen).kendall;
  const better = Object.entries(scores)
    .filter(([, { alone }]) => alone.kendall > fitted)
    .sort(([, a], [, b]) => b.alone.kendall - a.alone.kendall)[0];
  return better === undefined
    ? ''
    : `${better[0]} alone ranks as the person does more often than this fit: rank more pages or sites, or take ${better[0]} alone.\n`;
}
