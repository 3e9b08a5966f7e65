import { type Command, InvalidArgumentError } from 'commander';
import type { Proof, ProveOptions } from '../../archive/prove/prove.ts';
import { UserError } from '../../archive/user-error.ts';
import { EXIT } from '../exit-codes.ts';
import { harmless } from '../terminal-text.ts';
import { writeOutput } from '../write-output.ts';
import { archiveOptions, type CommonOptions } from './common-options.ts';

interface ProveFlags extends CommonOptions {
  readonly site: string;
  readonly at?: string;
  readonly from?: string;
  readonly to?: string;
  readonly absent: boolean;
  readonly page?: string;
  readonly out?: string;
}

/** Pages of each answer shown to a person; the proof itself has all. */
const SHOWN = 20;

export function proveCommand(program: Command): void {
  archiveOptions(
    program
      .command('prove')
      .argument('<phrase>', 'words that stood on the pages, or did not')
      .summary('that a phrase stood on the pages of a site at a time, or did not, signed')
      .description(
        'Answers for each page of a site: proven, contradicted or unknown, from the times between a visit and a revisit ' +
          'that found the same version (archive --revisit sharp), and from nothing else. Time that no such interval covers is unknown, ' +
          `never absent. The signed statement is computed again by 'verify --proof'. Exit code 0 when no page is unknown, ` +
          `${EXIT.partial} when some are.`,
      ),
  )
    .requiredOption('--site <site>', 'host of the site, or any URL of it')
    .option('--at <time>', 'the moment that is asked about')
    .option('--from <time>', 'or a time, from here')
    .option('--to <time>', 'to here: the claim is about all of it')
    .option('--absent', 'that it did not stand there', false)
    .option('--page <url>', 'of this page alone', parsePage)
    .option('--out <file>', 'the signed statement, as JSON')
    .addHelpText(
      'after',
      `
Examples:
  daguerre prove --site example.org --at 2026-03-01T12:00 'free of charge' --out proof.json
  daguerre prove --site example.org --from 2026-03-01 --to 2026-03-02 --absent 'price increase'
  daguerre verify --proof proof.json --public-key library.pem`,
    )
    .action(proveIt);
}

async function proveIt(phrase: string, flags: ProveFlags): Promise<void> {
  const { site, absent, page, out, json, at, from, to, ...location } = flags;
  const { prove } = await import('../../archive/prove/prove.ts');
  const now = Date.now();
  const proof = await prove(location, {
    site,
    phrase,
    claim: absent ? 'absent' : 'present',
    ...(await timeOf({ at, from, to }, now)),
    ...(page !== undefined && { page }),
    now,
  });
  if (out !== undefined) await writeOutput(proof.text, out);
  await writeOutput(json ? proof.text : proofText(proof), undefined);
  process.exitCode = proof.statement.answers.unknown === 0 ? EXIT.ok : EXIT.partial;
}

async function timeOf(
  {
    at,
    from,
    to,
  }: {
    readonly at?: string | undefined;
    readonly from?: string | undefined;
    readonly to?: string | undefined;
  },
  now: number,
): Promise<Pick<ProveOptions, 'from' | 'to'>> {
  const { parseMoment } = await import('../../archive/given/moment.ts');
  if (at !== undefined && from === undefined && to === undefined) {
    const moment = parseMoment(at, now, 'start');
    return { from: moment, to: moment };
  }
  if (at !== undefined || from === undefined || to === undefined)
    throw new UserError('name the time: --at a moment, or --from and --to');
  return { from: parseMoment(from, now, 'start'), to: parseMoment(to, now, 'end') };
}

function proofText({ statement, notes }: Proof): string {
  const { query, answers, pages } = statement;
  const time = query.from === query.to ? `at ${query.from}` : `from ${query.from} to ${query.to}`;
  const stood = query.claim === 'absent' ? 'did not stand' : 'stood';
  const lines = [`That '${query.phrase}' ${stood} on pages of ${query.site} ${time}:`];
  for (const answer of ['proven', 'contradicted', 'unknown'] as const) {
    const own = pages.filter((page) => page.answer === answer);
    lines.push(`  ${answer.padEnd(13)}${answers[answer]}`);
    for (const { url, why } of own.slice(0, SHOWN)) lines.push(`    ${url}: ${why}`);
    if (own.length > SHOWN) lines.push(`    and ${own.length - SHOWN} more: --json`);
  }
  lines.push(...notes.map((note) => `Note: ${note}`));
  lines.push('Pages that the archive does not know are not in it. Text: see docs/prove.md.');
  return harmless(`${lines.join('\n')}\n`);
}

function parsePage(text: string): string {
  if (URL.canParse(text)) return new URL(text).href;
  throw new InvalidArgumentError('write the whole URL of the page');
}
