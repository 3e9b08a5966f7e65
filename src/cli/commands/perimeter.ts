import type { Command } from 'commander';
import type { ExplainedUrl, SuspectList } from '../../archive/perimeter/perimeter-reports.ts';
import { stream } from '../../lab/newspaper/random.ts';
import { parseCount } from '../arguments.ts';
import { decisionLines } from '../decision-text.ts';
import { percent, sizesText, sizeText, standingText } from '../perimeter-text.ts';
import { writeOutput } from '../write-output.ts';
import { archiveOptions, type CommonOptions } from './common-options.ts';

interface PerimeterFlags extends CommonOptions {
  readonly perimeter?: string;
  readonly config?: string;
  readonly limit: number;
  readonly overTime: boolean;
  readonly points: number;
}

const perimeterOptions = (command: Command): Command =>
  archiveOptions(command)
    .option('--perimeter <name>', 'which one; the only one that crawls of the archive kept to unless given')
    .option('--config <file>', 'judge by the perimeters of this file, not as the last crawl had them');

export function perimeterCommand(program: Command): void {
  const perimeter = program
    .command('perimeter')
    .summary('which web is meant: why a page belongs, how many do, which are suspected')
    .description(
      "What 'archive --perimeter' knows: each verdict with what speaks for and against it, in log-odds (docs/perimeter.md).",
    )
    .addHelpText(
      'after',
      '\nExamples:\n  daguerre perimeter explain https://www.example.fr/\n  daguerre perimeter size\n  daguerre perimeter suspects',
    );
  perimeterOptions(
    perimeter
      .command('explain')
      .argument('<url>', 'address of a page, read or not')
      .summary('why a page belongs, or does not'),
  )
    .addHelpText(
      'after',
      '\nExamples:\n  daguerre perimeter explain https://www.example.fr/\n  daguerre perimeter explain example.com --config web.yaml --json',
    )
    .action(explain);
  perimeterOptions(
    perimeter
      .command('size')
      .summary('how many of the known URLs belong, with an interval')
      .description(
        'Pages read count by their chance, unread ones by what read ones looked like before; what people have decided counts as ' +
          'the truth.',
      ),
  )
    .option(
      '--over-time',
      'as it was at the end of each crawl too, by the weights and decisions of now',
      false,
    )
    .option('--points <n>', 'with --over-time: ends of crawls to show, the latest', parseCount, 12)
    .addHelpText(
      'after',
      '\nExamples:\n  daguerre perimeter size\n  daguerre perimeter size --over-time\n  daguerre perimeter size --perimeter french-web --json',
    )
    .action(size);
  perimeterOptions(
    perimeter.command('suspects').summary('known URLs that were not read, the likeliest to belong first'),
  )
    .option('--limit <n>', 'show so many', parseCount, 50)
    .addHelpText(
      'after',
      '\nExamples:\n  daguerre perimeter suspects --limit 20\n  daguerre perimeter suspects --json',
    )
    .action(suspects);
}

const reports = () => import('../../archive/perimeter/perimeter-reports.ts');

const wanted = ({ perimeter, config }: PerimeterFlags) => ({
  ...(perimeter !== undefined && { name: perimeter }),
  ...(config !== undefined && { config }),
});

async function explain(url: string, flags: PerimeterFlags): Promise<void> {
  const report = await (await reports()).explainUrl(flags, url, wanted(flags));
  await print(flags, report, explainText(report));
}

async function size(flags: PerimeterFlags): Promise<void> {
  const { sizeOfPerimeter, sizesOverTime } = await import('../../archive/perimeter/size-reports.ts');
  // The same archive gives the same interval.
  const random = () => stream(1, 'perimeter-size').next;
  if (flags.overTime) {
    const sizes = await sizesOverTime(flags, wanted(flags), flags.points, random);
    await print(flags, sizes, sizesText(sizes));
    return;
  }
  const report = await sizeOfPerimeter(flags, wanted(flags), random());
  await print(flags, report, sizeText(report));
}

async function suspects(flags: PerimeterFlags): Promise<void> {
  const report = await (await reports()).listSuspects(flags, wanted(flags), flags.limit);
  await print(flags, report, suspectsText(report));
}

const print = ({ json }: PerimeterFlags, report: unknown, lines: readonly string[]): Promise<void> =>
  writeOutput(json ? `${JSON.stringify(report)}\n` : `${lines.join('\n')}\n`, undefined);

const KNOWN = {
  read: 'It was read.',
  suspect: 'It is a suspect: named by pages, not read.',
  unknown: 'No page that was read names it: it is judged by its address.',
} as const;

function explainText(report: ExplainedUrl): string[] {
  const { url, perimeter, known, standing, judged, threshold, prior, decisions, notes, attribution } = report;
  const before =
    judged && Math.abs(judged.chance - standing.chance) >= 0.005
      ? [`When it was judged last, ${new Date(judged.at).toISOString()}: ${standingText(judged)}`]
      : [];
  return [
    `${url}, perimeter ${perimeter}: ${standingText(standing)}`,
    `${KNOWN[known]} Belongs from ${percent(threshold)} on; before anything is known: ${prior.toFixed(2)}.`,
    ...before,
    ...decisionLines(decisions),
    ...notes,
    ...(attribution === undefined ? [] : [attribution]),
  ];
}

function suspectsText({
  perimeter,
  threshold,
  total,
  suspects: shown,
  notes,
  attribution,
}: SuspectList): string[] {
  return [
    `Perimeter ${perimeter}: ${total} known URLs were not read; those from ${percent(threshold)} on are believed to belong`,
    ...shown.map(
      (one) => `  ${percent(one.chance).padStart(6)}  ${one.url}  ${standingText(one).replace(/^.*?: /, '')}`,
    ),
    ...(total > shown.length ? [`  and ${total - shown.length} more (--limit)`] : []),
    ...notes,
    ...(attribution === undefined ? [] : [attribution]),
  ];
}
