import { type Command, Option } from 'commander';
import type { AnalysisReport } from '../../archive/analyse/analyse-archive.ts';
import { momentArgument, parseCount, parseDuration } from '../arguments.ts';
import { plural } from '../quantity-text.ts';
import { reportedWork } from '../reported-work.ts';
import { archiveOptions, type CommonOptions } from './common-options.ts';
import { parseSite } from './page-options.ts';

interface AnalyseFlags extends CommonOptions {
  readonly site?: string;
  readonly url?: string;
  readonly from?: number;
  readonly to?: number;
  readonly limit?: number;
  readonly again: boolean;
  readonly retry: boolean;
  readonly workers?: number;
  readonly timeLimit: number;
}

export function analyseCommand(program: Command): void {
  archiveOptions(
    program
      .command('analyse')
      .summary('layouts and deltas for captures that have none: imports, --render never')
      .description(
        'Shows stored captures in a browser that reaches no network, out of the records alone, and keeps what is to be seen as ' +
          'layouts and deltas, as a crawl with a browser does: changes, patterns, query and the web page then know ' +
          'them. Captures that were analysed stay as they are. It can be stopped, or killed, at any time: the same command ' +
          'goes on.',
      ),
  )
    .option('--site <site>', 'only of this site, such as example.org', parseSite)
    .addOption(new Option('--url <url>', 'only of this page').conflicts('site'))
    .option(
      '--from <time>',
      'only captures from this time on: a day, a time (UTC), how long ago (7d)',
      momentArgument('start'),
    )
    .option('--to <time>', 'only captures up to this time', momentArgument('end'))
    .option('--limit <number>', 'at most so many captures', parseCount)
    .option('--again', 'also captures whose layout is by another segmenter than this one', false)
    .option('--retry', 'also captures that came to nothing before', false)
    .option('--workers <number>', 'pages at a time (default: one per processor)', parseCount)
    .addOption(
      new Option('--time-limit <duration>', 'for one capture in the browser, and again for its comparison')
        .argParser(parseDuration)
        .default(60_000, '60s'),
    )
    .addHelpText(
      'after',
      `
Examples:
  daguerre import old.warc.gz && daguerre analyse
  daguerre analyse --site example.org --from 2020 --to 2021 --workers 4
  daguerre analyse --again --json`,
    )
    .action(analyse);
}

async function analyse(flags: AnalyseFlags): Promise<void> {
  const { analyseCaptures } = await import('../../archive/analyse/analyse-captures.ts');
  await reportedWork(flags, {
    run: analyseCaptures,
    done: 'captures analysed',
    stopping: 'Stopping after the captures in hand. The same command goes on.',
    text: reportText,
    isPartial: ({ failed, partial }) => failed + partial > 0,
  });
}

/** Limits of the text: lines of facts, and characters of each. */
const NAMED = 10;
const FACTS = 200;

function reportText(report: AnalysisReport): string {
  const { pages, versions, layouts, deltas, same, failed, partial, successors, repeated, left, facts } =
    report;
  const all = [...alike(facts)];
  const told = all.slice(0, NAMED).map(factText);
  const more = all.slice(NAMED).reduce((sum, { times }) => sum + times.length, 0) + report.more;
  const lines = [
    versions === 0
      ? 'nothing to analyse: every capture of a page that was asked for has been looked at'
      : `${plural(versions, 'capture')} of ${plural(pages, 'page')} analysed: ${plural(deltas, 'change')}, ${same} as the one before ` +
        `to a reader, ${plural(layouts, 'first layout')}${failed > 0 ? `, ${failed} that could not be shown` : ''}`,
    ...(partial > 0
      ? [
          `${plural(partial, 'capture')} of them seen only in part: longer than is kept, there may be more changes`,
        ]
      : []),
    ...(successors > 0
      ? [`${plural(successors, 'capture')} of them compared again: another one stands before them now`]
      : []),
    ...(repeated > 0
      ? [`${plural(repeated, 'capture')} with the very bytes of the one before: nothing to look at`]
      : []),
    ...(left > 0 ? [`${plural(left, 'capture')} left: the same command goes on with them`] : []),
    ...(told.length > 0 ? ['What was missing or went wrong:', ...told] : []),
    ...(more > 0 ? [`  and of ${plural(more, 'capture')} more: see --json`] : []),
  ];
  return `${lines.join('\n')}\n`;
}

interface AlikeFacts {
  readonly url: string;
  readonly text: string;
  readonly times: number[];
}

/** Captures of a page with the same facts are reported together. */
function alike(facts: AnalysisReport['facts']): Iterable<AlikeFacts> {
  const found = new Map<string, AlikeFacts>();
  for (const { url, at, facts: of } of facts) {
    const text = of.join('; ');
    const known = found.get(`${url} ${text}`) ?? { url, text, times: [] };
    found.set(`${url} ${text}`, known);
    known.times.push(at);
  }
  return found.values();
}

function factText({ url, text, times }: AlikeFacts): string {
  const [first = 0, ...others] = times;
  const when = others.length === 0 ? timeText(first) : `${timeText(first)} and ${others.length} more`;
  return `  ${url} ${when}: ${text.length > FACTS ? `${text.slice(0, FACTS - 1)}…` : text}`;
}

const timeText = (at: number): string => new Date(at).toISOString().slice(0, 19).replace('T', ' ');
