import type { Command } from 'commander';
import type { Explanation, WhyReport } from '../../archive/why.ts';
import { FAULTS, SKIPS } from '../../model/fault.ts';
import { parseCount } from '../arguments.ts';
import { decisionLines } from '../decision-text.ts';
import { standingLines } from '../perimeter-text.ts';
import { writeOutput } from '../write-output.ts';
import { archiveOptions, type CommonOptions } from './common-options.ts';

interface WhyFlags extends CommonOptions {
  readonly crawl?: number;
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
    .addHelpText(
      'after',
      '\nExamples:\n  daguerre why https://example.org/private/\n  daguerre why example.org/about --crawl 3\n  daguerre why https://example.org/about --json',
    )
    .action(why);
}

async function why(url: string, { crawl, json, ...location }: WhyFlags): Promise<void> {
  const { whyOf } = await import('../../archive/why.ts');
  const report = await whyOf(location, url, crawl);
  await writeOutput(json ? `${JSON.stringify(report)}\n` : `${whyText(report)}\n`, undefined);
}

const time = (at: number): string => new Date(at).toISOString();

function whyText({ url, captures, crawl, finding, told, decisions, perimeters }: WhyReport): string {
  const held = captures
    ? `${url} is in the archive: ${captures.count === 1 ? 'one capture' : `${captures.count} captures`}, the last of ${time(captures.lastAt)}.`
    : `${url} is not in the archive.`;
  const decided = [...toldLines(told), ...perimeters.flatMap(standingLines), ...decisionLines(decisions)].map(
    (line) => `\n${line}`,
  );
  if (!crawl || !finding) return `${held}\nThere was no crawl yet.${decided.join('')}`;
  return `${held}\nCrawl ${crawl.id} of ${crawl.seeds[0]}, begun ${time(crawl.startedAt)}, ${crawl.state}: ${findingText(finding)}${decided.join('')}`;
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

function findingText(finding: Explanation): string {
  switch (finding.kind) {
    case 'visited': {
      const { outcome, at, fault, reason } = finding;
      const what = fault ? `${FAULTS[fault.kind].means} (${fault.detail})` : reason;
      return `${outcome === 'deferred' ? 'to be tried again' : outcome} at ${time(at)}: ${what}.`;
    }
    case 'waiting':
      return `it waits to be visited${on(finding.via)}.`;
    case 'left-out': {
      const { reason, detail, known, via } = finding;
      const how = known === 'stored' ? 'left out' : 'its rules leave it out';
      return `${how}, ${SKIPS[reason]}: ${detail}${on(via)}.`;
    }
    case 'inferred':
      return inferredText(finding);
    case 'suspect':
      return 'it was named and not read: not believed to belong to the perimeter.';
    case 'virtual':
      return (
        `covered virtually, as known pages directly in ${finding.directory}: ${finding.rule}. Nothing of it is stored here; ` +
        `its record is in the archive ${finding.heldBy}.`
      );
    case 'never-seen':
      return 'its rules would let it in, but no page that it visited names it.';
    case 'linked':
      return finding.limits.length > 0
        ? `its rules let it in and ${finding.via} names it, but it ended before: ${finding.limits.map((reason) => SKIPS[reason]).join(', ')}.`
        : `its rules let it in and ${finding.via} names it now, but did not when the crawl read it.`;
  }
}

function inferredText({
  directory,
  reason,
  rule,
  expectedMissed,
  pages,
  confidence,
  lastSeen,
  pageSeen,
  state,
}: Extract<Explanation, { kind: 'inferred' }>): string {
  const held = state === 'held' ? 'held back until others were visited' : undefined;
  const chance = `with a chance of ${Math.round(confidence * 100)}%`;
  if (reason !== 'mirror')
    return (
      `${held ?? 'not visited, and taken for unchanged'}, as all known pages directly in ${directory}: ${rule}. ` +
      `They were last looked at ${time(lastSeen)}; ` +
      `of ${pages} pages about ${expectedMissed.toFixed(2)} are expected to have changed (nothing at all ${chance}).`
    );
  const seen = pageSeen === null ? 'It was never visited' : `It was last visited ${time(pageSeen)}`;
  return (
    `${held ?? 'not visited, and taken for what its origin shows'}, with others of ${directory}: ${rule}. ${seen}; ` +
    `of ${pages} pages about ${expectedMissed.toFixed(2)} are expected to differ (none at all ${chance}).`
  );
}

const on = (via: string | undefined): string => (via === undefined ? '' : `; found on ${via}`);
