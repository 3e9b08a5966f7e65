import { type Command, Option } from 'commander';
import type { MadeDecision } from '../../archive/decisions/decide.ts';
import type { DecisionDraft } from '../../archive/decisions/decision-schema.ts';
import { UserError } from '../../archive/user-error.ts';
import { actWords, type Decision, type DecisionAct } from '../../model/decision.ts';
import { targetKind } from '../../model/decision-target.ts';
import { argument, parseDuration, parseEnd } from '../arguments.ts';
import { writeOutput } from '../write-output.ts';
import { archiveOptions, type CommonOptions, locationOf } from './common-options.ts';

interface DecideFlags extends CommonOptions {
  readonly in?: true;
  readonly out?: true;
  readonly every?: number;
  readonly weight?: number;
  readonly pin?: true;
  readonly neverSkip?: true;
  readonly undo?: true;
  readonly why?: string;
  readonly by?: string;
  readonly until?: number;
  readonly list?: true;
}

export function decideCommand(program: Command): void {
  archiveOptions(
    program
      .command('decide')
      .argument(
        '[target...]',
        'page (https://example.org/a), site (example.org, with all hosts under it) or pattern (example.org/blog/*)',
      )
      .summary('what people decide about pages and sites; always wins')
      .description(
        'Writes a decision down, with who and why, as a record of the archive: it wins over scopes, perimeters and rules until ' +
          'another decision undoes it, or until its end. Of several that match, the latest holds. Beside a running crawl, that ' +
          'crawl heeds it at once. Give one of --in, --out, --every, --weight, --pin, --never-skip, --undo.',
      ),
  )
    .option('--in', 'it belongs: taken by any crawl that meets a link to it, before other pages')
    .option('--out', 'it does not belong: no crawl asks for it, waiting or new')
    .option('--every <duration>', "have 'watch' visit it at least so often, e.g. 1h", parseDuration)
    .option(
      '--weight <factor>',
      'its importance counts so many times, e.g. 3 (daguerre importance)',
      argument(parseFactor),
    )
    .option('--pin', 'archive --skip-by-rules always visits it, and its versions are to stay')
    .option('--never-skip', 'archive --skip-by-rules always visits it')
    .option('--undo', 'what was decided of this very target holds no more')
    .option('--why <text>', 'the reason, for whoever asks later')
    .option('--by <name>', 'who decided it')
    .addOption(new Option('--until <time>', 'when it ends, e.g. 2027-01-31').argParser(parseEnd))
    .option('--list', 'show all decisions, or those that touch the targets given')
    .addHelpText(
      'after',
      `
Examples:
  daguerre decide 00h00.com --in --why 'publishes books' --by 'A. Librarian'
  daguerre decide 'www.example.fr/shop/*' --out --why 'a shop' --by 'A. Librarian' --until 2027-01-31
  daguerre decide https://www.example.fr/ --every 1h --why 'front page' --by 'A. Librarian'
  daguerre decide 00h00.com --undo --why 'closed down' --by 'A. Librarian'
  daguerre decide --list --json`,
    )
    .action(decideOrList);
}

function parseFactor(text: string): number {
  const factor = Number(text);
  if (text.trim() !== '' && factor >= 0 && factor <= 1000) return factor;
  throw new UserError(`'${text}' is not a weight: write a number from 0 to 1000, such as 3`);
}

async function decideOrList(targets: string[], flags: DecideFlags): Promise<void> {
  const { decideAndTell, listDecisions } = await import('../../archive/decisions/decide.ts');
  const { json } = flags;
  const location = locationOf(flags);
  const acts = actsOf(flags);
  if (flags.list) {
    if (acts.length > 0) throw new UserError('--list shows decisions: give nothing to decide with it');
    const listed = await listDecisions(location, targets);
    const text = listed.map((one) => `${listLine(one)}\n`).join('') || 'Nothing is decided.\n';
    await writeOutput(json ? `${JSON.stringify({ decisions: listed })}\n` : text, undefined);
    return;
  }
  const decisions = await decideAndTell(location, await draftOf(targets, acts, flags));
  const text = decisions.flatMap((one) => madeLines(one).map((line) => `${line}\n`)).join('');
  await writeOutput(json ? `${JSON.stringify({ decisions })}\n` : text, undefined);
}

function actsOf({ every, weight, ...flags }: DecideFlags): readonly DecisionAct[] {
  const plain = {
    in: flags.in,
    out: flags.out,
    pin: flags.pin,
    'never-skip': flags.neverSkip,
    undo: flags.undo,
  };
  return [
    ...Object.entries(plain).flatMap(([kind, given]) => (given ? [{ kind } as DecisionAct] : [])),
    ...(every === undefined ? [] : [{ kind: 'every', span: every } as const]),
    ...(weight === undefined ? [] : [{ kind: 'weight', factor: weight } as const]),
  ];
}

async function draftOf(
  targets: readonly string[],
  [act, ...more]: readonly DecisionAct[],
  { by, why, until }: DecideFlags,
): Promise<DecisionDraft> {
  if (targets.length === 0)
    throw new UserError("what is decided about? Name a page, a site or a pattern, or ask for '--list'");
  if (!act || more.length > 0)
    throw new UserError(
      'give one of --in, --out, --every, --weight, --pin, --never-skip, --undo; each decision has its own reason',
    );
  if (by === undefined || why === undefined)
    throw new UserError('a decision says who decided and why: give --by NAME and --why TEXT');
  const { DECISION_DRAFT } = await import('../../archive/decisions/decision-schema.ts');
  const draft = { targets, act, by, why, ...(until !== undefined && { until }) };
  const checked = DECISION_DRAFT.safeParse(draft);
  if (checked.success) return checked.data;
  throw new UserError(`--${checked.error.issues[0]?.message}`);
}

const WHOLE: Readonly<Record<ReturnType<typeof targetKind>, string>> = {
  page: 'this page alone',
  site: 'this host and all under it',
  pattern: 'all URLs that read so',
};

/** Decisions that are listed one by one. */
const NAMED = 10;

function madeLines({ target, act, by, until, overrules }: MadeDecision): string[] {
  const end = until === undefined ? '' : ` until ${new Date(until).toISOString()}`;
  const more = overrules.length - NAMED;
  return [
    `${target} (${WHOLE[targetKind(target)]}): ${actWords(act)}${end}, decided by ${by}`,
    ...overrules
      .slice(0, NAMED)
      .map(
        (one) =>
          `  ${act.kind === 'undo' ? 'undoes' : 'overrules'}: ${one.target} ${actWords(one.act)}, ${one.by}, ${new Date(one.at).toISOString()}: ${one.why}`,
      ),
    ...(more > 0 ? [`  and ${more} more ('daguerre decide --list ${target}')`] : []),
  ];
}

function listLine({ at, target, act, by, why, until, state }: Decision & { readonly state: string }): string {
  const end = until === undefined ? '' : ` until ${new Date(until).toISOString()}`;
  const past = state === 'holds' || act.kind === 'undo' ? '' : ` [${state}]`;
  return `${new Date(at).toISOString()}  ${target}  ${actWords(act)}${end}${past}  ${by}: ${why}`;
}
