import { type Command, Option } from 'commander';
import { summaryText } from '../../access/stored-checks.ts';
import type { CheckReport } from '../../archive/check/check-archive.ts';
import { UserError } from '../../archive/user-error.ts';
import type { PageCheck } from '../../model/page-check.ts';
import { momentArgument, parseCount, parseDuration } from '../arguments.ts';
import { plural } from '../quantity-text.ts';
import { reportedWork } from '../reported-work.ts';
import { archiveOptions, type CommonOptions } from './common-options.ts';
import { parseSite } from './page-options.ts';

interface CheckFlags extends CommonOptions {
  readonly site?: string;
  readonly url?: string;
  readonly at?: number;
  readonly crawl?: number;
  readonly sample?: number;
  readonly seed: number;
  readonly mend: boolean;
  readonly allowPrivate: boolean;
  readonly workers?: number;
  readonly timeLimit: number;
}

export function checkCommand(program: Command): void {
  archiveOptions(
    program
      .command('check')
      .summary('whether replay shows what was seen live: what is missing, and how much it matters')
      .description(
        'Shows the newest capture of each page in a browser that reaches no network, out of the records alone, and compares it with ' +
          'the layout that was seen live: a score per page, which resources are missing, and what readers no longer see. ' +
          'Advertisements and volatile text do not count. Verdicts are kept as records.',
      ),
  )
    .option('--site <site>', 'only of this site, such as example.org', parseSite)
    .addOption(new Option('--url <url>', 'only this page').conflicts('site'))
    .addOption(
      new Option('--at <time>', 'with --url, its capture nearest to this time instead of the newest')
        .argParser(momentArgument('start'))
        .conflicts(['site', 'crawl']),
    )
    .addOption(
      new Option('--crawl <id>', 'what this crawl captured').argParser(parseCount).conflicts(['site', 'url']),
    )
    .option('--sample <number>', 'at most so many pages, drawn by lot', parseCount)
    .option('--seed <number>', 'another draw of the sample', parseCount, 1)
    .option('--mend', 'ask the web again for what is missing, store what comes, and check again', false)
    .option('--allow-private', 'with --mend, allow requests to private and loopback addresses', false)
    .option('--workers <number>', 'pages at a time (default: one per processor)', parseCount)
    .addOption(
      new Option('--time-limit <duration>', 'for one page in the browser, and again for its comparison')
        .argParser(parseDuration)
        .default(60_000, '60s'),
    )
    .addHelpText(
      'after',
      `
Examples:
  daguerre check
  daguerre check --site example.org --sample 50
  daguerre check --url https://example.org/ --mend
  daguerre check --url https://example.org/ --at 2026-03-01
  daguerre check --crawl 7

Exit code 8 where a page is damaged or could not be compared (docs/check.md).`,
    )
    .action(check);
}

async function check(flags: CheckFlags): Promise<void> {
  if (flags.at !== undefined && flags.url === undefined)
    throw new UserError('--at is a time of a page: give --url too');
  const { checkCaptures } = await import('../../archive/check/check-captures.ts');
  await reportedWork(flags, {
    run: checkCaptures,
    done: 'pages checked',
    stopping: 'Stopping after the pages in hand. Verdicts so far are kept.',
    text: reportText,
    isPartial: ({ damaged, unseen }) => damaged + unseen > 0,
  });
}

/** Pages in the text, and for each how many missing resources and lost parts. */
const NAMED = { pages: 20, resources: 3, parts: 3 } as const;

function reportText(report: CheckReport): string {
  const { checked, notSeenLive, left, missing, mended } = report;
  const told = report.pages.filter(({ verdict }) => verdict !== 'whole');
  const lines = [
    checked === 0
      ? 'nothing to check: no page that was asked for was seen live in a browser'
      : summaryText(report),
    ...(missing > 0 ? [`${plural(missing, 'resource')} missing that the live pages had`] : []),
    ...(mended > 0 ? [`${plural(mended, 'resource')} asked for again and stored`] : []),
    ...(left > 0 ? [`${plural(left, 'page')} not looked at`] : []),
    ...(notSeenLive > 0
      ? [`${plural(notSeenLive, 'page')} without a layout seen live (--render never, imports): not compared`]
      : []),
    ...told.slice(0, NAMED.pages).flatMap(pageText),
    ...(told.length > NAMED.pages
      ? [`and ${plural(told.length - NAMED.pages, 'more page')}: see --json`]
      : []),
  ];
  return `${lines.join('\n')}\n`;
}

function pageText({ url, at, verdict, score, shift = 0, ...found }: PageCheck): string[] {
  const when = new Date(at).toISOString().slice(0, 19).replace('T', ' ');
  const { missing, lost, mended = [], facts } = found;
  const few = missing.slice(0, NAMED.resources);
  const parts = lost.slice(0, NAMED.parts);
  return [
    `${score === undefined ? '  –  ' : score.toFixed(3)} ${url} ${when}${verdict === 'unseen' ? ` ${facts.join('; ')}` : ''}`,
    ...few.map(
      (one) =>
        `        missing ${one.type}: ${one.url}${one.matters > 0 ? ` (${percent(one.matters)} of a screen)` : ''}${one.advertisement ? ' (advertisement)' : ''}`,
    ),
    ...more(found.missingCount - few.length, 'more missing'),
    ...parts.map(
      ({ element, text, salience }) =>
        `        lost ${element}: “${short(text)}” (salience ${salience.toFixed(2)})`,
    ),
    ...more(found.lostCount - parts.length, 'more lost'),
    ...(shift >= 0.05 ? [`        ${percent(shift)} of the text looks otherwise`] : []),
    ...mended
      .filter(({ outcome }) => outcome !== 'had' && outcome !== 'same')
      .map(
        ({ url: asked, outcome, why }) =>
          `        ${outcome === 'other' ? 'has changed since' : `could not be had (${why ?? ''})`}: ${asked}`,
      ),
  ];
}

const more = (count: number, words: string): string[] => (count > 0 ? [`        ${count} ${words}`] : []);
const percent = (share: number): string => `${Math.max(1, Math.round(share * 100))} %`;
const short = (text: string): string => (text.length > 80 ? `${text.slice(0, 79)}…` : text);
