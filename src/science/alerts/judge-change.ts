/** Whether a rule fires on a change, and why: deterministic and total, each answer with its reason. */
import type { AlertConditions, AlertRule } from '../../model/alert.ts';
import { CHANGE_CONDITIONS } from '../../model/alert.ts';
import type { Change, ChangeOperation } from '../../model/change.ts';
import { readerReport, summaryText } from '../delta/reader-words.ts';
import { crossing, numberIn, numbersIn } from './numbers.ts';
import { isInRegion, type RegionPair, regionText } from './region.ts';
import { holds, plain } from './words.ts';

/** A change as rules see it: with all its operations. */
export type JudgedChange = Pick<Change, 'importance' | 'salience' | 'why' | 'operations' | 'partial'>;

/** What the change itself does not tell; absent where unknown. */
export interface ChangeFacts {
  /** The rule's CSS region in both versions. */
  readonly region?: RegionPair;
  /** Chance of a change like this one in the time since the last version, by the page's pattern. */
  readonly chance?: number;
}

export type AlertVerdict =
  | {
      readonly fires: true;
      readonly summary: string;
      readonly importance?: number;
      readonly salience?: number;
      /** The operations that the rule is about. */
      readonly operations: readonly ChangeOperation[];
    }
  | { readonly fires: false; readonly reason: string };

const no = (reason: string): AlertVerdict => ({ fires: false, reason });

export const asksForChanges = ({ when }: Pick<AlertRule, 'when'>): boolean =>
  CHANGE_CONDITIONS.some((condition) => when[condition] !== undefined);

export function judgeChange(rule: AlertRule, change: JudgedChange, facts: ChangeFacts = {}): AlertVerdict {
  const { where, when } = rule;
  if (!asksForChanges(rule)) return no('the rule does not ask for changes');
  // What advertisements do is no news, whatever else the rule asks for.
  const own = change.operations.filter(({ advertisement }) => !advertisement);
  if (own.length === 0)
    return no(change.operations.length > 0 ? 'only advertisements changed' : 'nothing changed');
  if (where.css !== undefined && !facts.region)
    return no(`no stored look at the page tells where ${where.css} is`);
  const within = own.filter((operation) => isWhere(operation, where.block, facts.region));
  if (within.length === 0) return no(`nothing changed in ${where.css ?? where.block}`);
  const seen = { ...weighed(change, within), operations: within };
  const told: string[] = [];
  for (const condition of CHANGE_CONDITIONS) {
    const wanted = when[condition];
    if (wanted === undefined) continue;
    const found = TESTS[condition](when, seen, facts);
    if (!found.holds) return no(found.words);
    told.push(found.words);
  }
  const { importance, salience } = seen;
  return {
    fires: true,
    summary: `${told.join('; ')}: ${whatHappened(change, own, within, when)}`,
    importance,
    ...(salience !== undefined && { salience }),
    operations: mostTelling(within, when),
  };
}

function isWhere(
  operation: ChangeOperation,
  block: string | undefined,
  region: RegionPair | undefined,
): boolean {
  if (block !== undefined && operation.block !== block && !operation.block.startsWith(`${block}.`))
    return false;
  return region === undefined || isInRegion(operation, region);
}

interface Seen {
  readonly importance: number;
  readonly salience: number | undefined;
  readonly operations: readonly ChangeOperation[];
}

/** Both numbers for the operations that count: importance is their sum, salience 1 − Π (1 − s). */
function weighed(change: JudgedChange, operations: readonly ChangeOperation[]): Omit<Seen, 'operations'> {
  if (operations.length === change.operations.length)
    return { importance: change.importance, salience: change.salience };
  const importance = Math.min(
    1,
    operations.reduce((sum, { weight }) => sum + weight, 0),
  );
  if (change.salience === undefined) return { importance, salience: undefined };
  const missed = operations.reduce((product, { salience = 0 }) => product * (1 - salience), 1);
  return { importance, salience: 1 - missed };
}

interface Tested {
  readonly holds: boolean;
  readonly words: string;
}

type Test = (when: AlertConditions, seen: Seen, facts: ChangeFacts) => Tested;

const TESTS: Readonly<Record<(typeof CHANGE_CONDITIONS)[number], Test>> = {
  salience: ({ salience: least = 0 }, { salience }) => {
    if (salience === undefined) return { holds: false, words: 'how salient it is was not computed' };
    return compared('salience', salience, least);
  },
  importance: ({ importance: least = 0 }, { importance }) => compared('importance', importance, least),
  appears: ({ appears = [] }, { operations }) => {
    const found = wordsOnOneSide(appears, operations, 'new', 'old');
    return found === undefined
      ? { holds: false, words: `none of these words appears: ${appears.join(', ')}` }
      : { holds: true, words: `“${found}” appears` };
  },
  vanishes: ({ vanishes = [] }, { operations }) => {
    const found = wordsOnOneSide(vanishes, operations, 'old', 'new');
    return found === undefined
      ? { holds: false, words: `none of these words vanishes: ${vanishes.join(', ')}` }
      : { holds: true, words: `“${found}” vanishes` };
  },
  operation: ({ operation = {} }, { operations }) => {
    const what = [operation.op ?? 'operation', operation.element].filter(Boolean).join(' ');
    const found = operations.filter((one) => isAsked(one, operation));
    return found.length === 0
      ? { holds: false, words: `no ${what}` }
      : { holds: true, words: `${found.length} × ${what}` };
  },
  number: ({ number = {} }, { operations }, { region }) => {
    const words = region
      ? crossing(...sidesOf(region, number.after), number)
      : operations.map((operation) => crossedIn(operation, number)).find((found) => found !== undefined);
    return words === undefined
      ? { holds: false, words: 'no number crosses that value' }
      : { holds: true, words };
  },
  unexpected: ({ unexpected: most = 0 }, _seen, { chance }) => {
    if (chance === undefined)
      return { holds: false, words: 'the pattern of the page is not known well enough' };
    const value = figure(chance);
    return chance < most
      ? { holds: true, words: `chance ${value} < ${figure(most)}, by the pattern of the page` }
      : { holds: false, words: `chance ${value} >= ${figure(most)}, by the pattern of the page` };
  },
};

const compared = (name: string, value: number, least: number): Tested =>
  value >= least
    ? { holds: true, words: `${name} ${figure(value)} >= ${figure(least)}` }
    : { holds: false, words: `${name} ${figure(value)} < ${figure(least)}` };

/** `.52`, `1`, `.004`: two significant digits, in the shortest form. */
export const figure = (value: number): string =>
  String(Number(value.toPrecision(2))).replace(/^(-?)0\./, '$1.');

/** Words found in what came, and in nothing that went: a story that moved brings nothing new. */
function wordsOnOneSide(
  wanted: readonly string[],
  operations: readonly ChangeOperation[],
  there: 'old' | 'new',
  elsewhere: 'old' | 'new',
): string | undefined {
  // A moved element has its text only on the new side, though it is neither new nor gone.
  const changed = operations.filter(({ op }) => op !== 'move');
  const texts = (side: 'old' | 'new'): string[] => changed.map((operation) => plain(operation[side] ?? ''));
  const [on, off] = [texts(there), texts(elsewhere)];
  return wanted.find((words) => {
    const looked = plain(words);
    return on.some((text) => holds(text, looked)) && !off.some((text) => holds(text, looked));
  });
}

/** A link or text that came or went with its block counts as well: blocks match both. */
function isAsked(
  operation: ChangeOperation,
  { op, element }: NonNullable<AlertConditions['operation']>,
): boolean {
  if (op !== undefined && operation.op !== op) return false;
  if (element === undefined || operation.element === element) return true;
  const withBlock = operation.element === 'block' && (operation.op === 'insert' || operation.op === 'delete');
  return withBlock && (element === 'link' || element === 'text');
}

const sidesOf = ({ old, new: now }: RegionPair, after: string | undefined) =>
  [old && numberIn(regionText(old), after), now && numberIn(regionText(now), after)] as const;

/** A text that changed from one number to another: numbers in the same place are compared. */
function crossedIn(
  { op, old, new: now }: ChangeOperation,
  condition: NonNullable<AlertConditions['number']>,
): string | undefined {
  if (op !== 'update' || old === undefined || now === undefined) return undefined;
  const { after } = condition;
  if (after !== undefined) return crossing(numberIn(old, after), numberIn(now, after), condition);
  const [before, since] = [numbersIn(old), numbersIn(now)];
  if (before.length !== since.length) return undefined;
  return before.map((value, i) => crossing(value, since[i], condition)).find((found) => found !== undefined);
}

/** One sentence: what a reader would be told first. The change's own `why` covers all of it, and its most salient operation. */
function whatHappened(
  change: JudgedChange,
  own: readonly ChangeOperation[],
  operations: typeof own,
  when: AlertConditions,
): string {
  const { why = '' } = change;
  // A rule that asks for words or a number is told where they were found.
  const found = operations.filter((operation) => isFoundIn(operation, when));
  if (found.length === 0 && why !== '' && operations.length === own.length && change.operations[0] === own[0])
    return why;
  const nowhere = (): string => '';
  const told = readerReport(found.length > 0 ? found : operations, { old: nowhere, new: nowhere });
  return summaryText(told, change.partial);
}

/** Whether the words or the number that a rule asks for are in an operation. */
function isFoundIn(
  operation: ChangeOperation,
  { appears = [], vanishes = [], number }: AlertConditions,
): boolean {
  if (operation.op === 'move') return false;
  return (
    appears.some((words) => holds(plain(operation.new ?? ''), plain(words))) ||
    vanishes.some((words) => holds(plain(operation.old ?? ''), plain(words))) ||
    (number !== undefined && crossedIn(operation, number) !== undefined)
  );
}

/** Largest number of operations that an alert quotes, and of characters of each of their texts. */
const QUOTED = 20;
const QUOTED_TEXT = 500;

function brief(operation: ChangeOperation): ChangeOperation {
  const cut = (text: string): string =>
    text.length > QUOTED_TEXT ? `${text.slice(0, QUOTED_TEXT - 1)}…` : text;
  const { old, new: now } = operation;
  return {
    ...operation,
    ...(old !== undefined && { old: cut(old) }),
    ...(now !== undefined && { new: cut(now) }),
  };
}

/** Operations in which the words, the kind of operation or the number were found come first. */
function mostTelling(
  operations: readonly ChangeOperation[],
  when: AlertConditions,
): readonly ChangeOperation[] {
  const { operation } = when;
  const isAbout = (one: ChangeOperation): boolean =>
    isFoundIn(one, when) || (operation !== undefined && isAsked(one, operation));
  const first = operations.filter(isAbout);
  const rest = operations.filter((one) => !first.includes(one));
  return [...first, ...rest].slice(0, QUOTED).map(brief);
}
