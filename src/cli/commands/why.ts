import type { Command } from 'commander';
import type { WhyReport } from '../../archive/why-report.ts';
import { findingText } from '../../archive/why-words.ts';
import { parseCount } from '../arguments.ts';
import { decisionLines } from '../decision-text.ts';
import { standingLines } from '../perimeter-text.ts';
import { harmless } from '../terminal-text.ts';
import { outlookText } from '../watch-text.ts';
import { writeOutput } from '../write-output.ts';
import { archiveOptions, type CommonOptions } from './common-options.ts';

interface WhyFlags extends CommonOptions {
  readonly crawl?: number;
  readonly config?: string;
}

export function whyCommand(program: Command): void {
  archiveOptions(
    program
      .command('why')
      .argument('<url>', 'address of a page or a file')
      .summary('why a URL is in the archive, or is not')
      .description(
        'Tells what the last crawl of a site did with a URL: captured or failed and when, still waiting, never met as a ' +
          'link, or left out and by which rule. Links that were not followed are counted by rule, not kept one by one: ' +
          'where nothing is stored of a URL, the settings of the crawl and robots.txt as it was captured are run again.',
      ),
  )
    .option('--crawl <id>', 'another crawl than the last one of the site', parseCount)
    .option('--config <file>', 'of a watch: what it knows of the page, and when it expects to visit it')
    .addHelpText(
      'after',
      '\nExamples:\n  daguerre why https://example.org/private/\n  daguerre why example.org/about --crawl 3\n  daguerre why https://example.org/about --json',
    )
    .action(why);
}

async function why(url: string, { crawl, config, json, ...location }: WhyFlags): Promise<void> {
  const { whyOf } = await import('../../archive/why.ts');
  const report = await whyOf(location, url, crawl);
  if (config === undefined) {
    await writeOutput(json ? `${JSON.stringify(report)}\n` : `${whyText(report)}\n`, undefined);
    return;
  }
  const { pageOutlook } = await import('../../archive/watch/page-outlook.ts');
  const outlook = await pageOutlook(location, config, report.url);
  const told = `${whyText(report)}\n${outlookText(outlook, config)}\n`;
  await writeOutput(json ? `${JSON.stringify({ ...report, ...outlook })}\n` : told, undefined);
}

const time = (at: number): string => new Date(at).toISOString();

function whyText({
  url,
  captures,
  dropped,
  crawl,
  finding,
  notes,
  watched,
  told,
  decisions,
  perimeters,
}: WhyReport): string {
  const held = heldText(url, captures);
  const seen = dropped
    ? [
        `${dropped.count === 1 ? 'One more visit' : `${dropped.count} more visits`} saw it, the last of them ${time(dropped.lastAt)}, and what they saw was dropped: when, what and how important is kept as a fact.`,
      ]
    : [];
  const rounds = watched.map(
    ({ at, outcome, reason }) => `Watched ${time(at)}, ${outcome}: ${harmless(reason)}`,
  );
  const decided = [
    ...seen,
    ...notes,
    ...rounds,
    ...toldLines(told),
    ...perimeters.flatMap(standingLines),
    ...decisionLines(decisions),
  ].map((line) => `\n${line}`);
  if (!crawl || !finding) return `${held}\nThere was no crawl yet.${decided.join('')}`;
  // The rounds of a watch have no seed.
  const name =
    crawl.seeds[0] === undefined ? `Round ${crawl.id} of a watch` : `Crawl ${crawl.id} of ${crawl.seeds[0]}`;
  return `${held}\n${name}, begun ${time(crawl.startedAt)}, ${crawl.state}: ${findingText(finding)}${decided.join('')}`;
}

/** For answers that are not the page, says what they are. */
function heldText(url: string, captures: WhyReport['captures']): string {
  if (!captures) return `${url} is not in the archive.`;
  const { count, redirects, errors, lastAt } = captures;
  const last = `the last of ${time(lastAt)}`;
  if (redirects + errors < count)
    return `${url} is in the archive: ${count === 1 ? 'one capture' : `${count} captures`}, ${last}.`;
  const what = [
    ...(redirects > 0 ? [`${redirects} ${redirects === 1 ? 'redirect' : 'redirects'}`] : []),
    ...(errors > 0 ? [`${errors} ${errors === 1 ? 'error' : 'errors'}`] : []),
  ];
  return `${url} itself is not in the archive: it answered with ${what.join(' and ')}, ${last}.`;
}

function toldLines(told: WhyReport['told']): string[] {
  if (!told) return [];
  const { archives, documents, lastShown } = told;
  const who = archives.length === 1 ? `the archive ${archives[0]}` : `archives ${archives.join(', ')}`;
  const shown = lastShown
    ? `shown last ${time(lastShown.at)} (${lastShown.status}) to ${lastShown.archive}`
    : 'shown by none of them';
  return [
    `An imported history of ${who} tells of it: ${documents === 1 ? 'one document' : `${documents} documents`}, ${shown}.`,
  ];
}
