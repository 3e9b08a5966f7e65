/** `lab salience`: which score ranks two changes as somebody who read both would. */
import { SALIENCE_WEIGHTS } from '../../science/delta/salience/fitted-weights.generated.ts';
import type { AdLists } from '../../science/layout/ad-signals.ts';
import { bootstrapDifference, type ConfidenceInterval } from '../../science/quality/bootstrap.ts';
import { type ExperimentVerdict, experiment } from '../experiment/experiment.ts';
import type { JudgedComparison } from '../judged/judged-changes.ts';
import { stream } from '../newspaper/random.ts';
import { agreement, agrees, type DecidedPair, decidedPairs, siteOf } from './agreement.ts';
import { changeFacts, type JudgedFacts, type ShownChange } from './change-facts.ts';
import { agreesBy, crossValidated } from './cross-validate.ts';

export interface SalienceInput {
  readonly comparisons: readonly JudgedComparison[];
  /** Every change in the comparisons, once. */
  readonly changes: AsyncIterable<ShownChange> | Iterable<ShownChange>;
  readonly ads?: (url: string) => AdLists;
  /** Folds of sites; each site is its own fold unless given. */
  readonly folds?: number;
  readonly seed: string;
}

type Part = 'all' | 'unstyled' | 'styled';
const PARTS: readonly Part[] = ['all', 'unstyled', 'styled'];

interface ScoreAgreement extends Readonly<Partial<Record<Part, ConfidenceInterval>>> {
  readonly score: string;
}

export interface SalienceStudy {
  readonly changes: number;
  readonly pairs: number;
  readonly ties: number;
  readonly folds: number;
  readonly scores: readonly ScoreAgreement[];
  /** Cross-validated salience minus another score, over sites. */
  readonly ahead: { readonly importance: ConfidenceInterval; readonly changedText: ConfidenceInterval };
}

/** The agreement that salience is to reach. */
const AIM = 0.85;

export const salience = experiment<SalienceInput, SalienceStudy>({
  name: 'salience',
  title: 'Which of two changes a reader would rather be told of',
  method:
    'Agreement with judged comparisons; ties of the judge left out, ties of a score count half. Salience is ' +
    'cross-validated by site: neither page of a comparison was seen by the weights that rank it. Intervals: ' +
    'bootstrap over sites, 95 %.',
  measure: measureSalience,
  text: (study) => [
    `${study.changes} changes, ${study.pairs} comparisons decided, ${study.ties} ties; ${study.folds} folds by site`,
    {
      header: ['score', ...PARTS],
      rows: study.scores.map((row) => [row.score, ...PARTS.map((part) => told(row[part]))]),
    },
    `cross-validated salience ahead of importance by ${told(study.ahead.importance)}, of the share of changed text by ${told(study.ahead.changedText)} (mean over sites)`,
  ],
  data: (study) => study,
  claims: [
    {
      statement: `salience, cross-validated, agrees with the judge in at least ${AIM}`,
      verdict: ({ scores }) => {
        const own = scores.find(({ score }) => score === CROSS_VALIDATED)?.all;
        return verdict(own !== undefined && own.mean >= AIM, told(own));
      },
    },
    {
      statement: 'it agrees more often than importance and than the share of changed text',
      verdict: ({ scores }) => {
        const mean = (name: string): number => scores.find(({ score }) => score === name)?.all?.mean ?? 0;
        const others = Math.max(mean(IMPORTANCE), mean(CHANGED_TEXT));
        return verdict(
          mean(CROSS_VALIDATED) > others,
          `${mean(CROSS_VALIDATED).toFixed(3)} against ${others.toFixed(3)}`,
        );
      },
    },
  ],
});

const CROSS_VALIDATED = 'salience, cross-validated';
const IMPORTANCE = 'importance E';
const CHANGED_TEXT = 'share of changed text';

const verdict = (holds: boolean, ours: string): ExperimentVerdict => ({
  holds: holds ? 'holds' : 'does not hold',
  ours,
});

const told = (of: ConfidenceInterval | undefined): string =>
  of === undefined ? '–' : `${of.mean.toFixed(3)} [${of.low.toFixed(3)}, ${of.high.toFixed(3)}]`;

async function measureSalience(input: SalienceInput): Promise<SalienceStudy> {
  const { comparisons, seed } = input;
  const facts = new Map<string, JudgedFacts>();
  for await (const change of input.changes) facts.set(change.name, changeFacts(change, input.ads));
  const pairs = decidedPairs(comparisons, facts);
  const by = (score: (facts: JudgedFacts) => number): number[] =>
    pairs.map(({ winner, loser }) => agrees(score(winner), score(loser)));
  const sites = new Set([...facts.values()].map(({ page }) => siteOf(page))).size;
  const folds = Math.min(sites, input.folds ?? sites);
  const validated = crossValidated(pairs, folds, seed);
  const [importance, changedText] = [by((one) => one.importance), by((one) => one.changedText)];
  const scores = [
    { name: CROSS_VALIDATED, agreed: validated },
    {
      name: 'salience as shipped (fitted on these)',
      agreed: pairs.map((pair) => agreesBy(pair, SALIENCE_WEIGHTS)),
    },
    { name: IMPORTANCE, agreed: importance },
    { name: CHANGED_TEXT, agreed: changedText },
    { name: 'number of things that changed', agreed: by(({ findings }) => findings.length) },
  ];
  return {
    changes: facts.size,
    pairs: pairs.length,
    ties: comparisons.filter(({ judgement }) => judgement === 'tie').length,
    folds,
    scores: scores.map(({ name, agreed }) => ({ score: name, ...partsOf(pairs, agreed, seed) })),
    ahead: {
      importance: aheadOf(pairs, validated, importance, seed),
      changedText: aheadOf(pairs, validated, changedText, seed),
    },
  };
}

function partsOf(pairs: readonly DecidedPair[], agreed: readonly number[], seed: string) {
  const of = (part: Part): ConfidenceInterval | undefined => {
    const chosen = pairs.flatMap((pair, i) =>
      part === 'all' || pair.styled === (part === 'styled') ? [i] : [],
    );
    if (chosen.length === 0) return undefined;
    const pick = <T>(list: readonly T[]): T[] => chosen.map((i) => list[i] as T);
    return agreement(pick(pairs), pick(agreed), seed);
  };
  return Object.fromEntries(PARTS.map((part) => [part, of(part)])) as Partial<
    Record<Part, ConfidenceInterval>
  >;
}

function aheadOf(
  pairs: readonly DecidedPair[],
  ours: readonly number[],
  other: readonly number[],
  seed: string,
): ConfidenceInterval {
  const sites = [...new Set(pairs.map(({ winner }) => siteOf(winner.page)))];
  const mean = (list: readonly number[], site: string): number => {
    const own = list.filter((_, i) => siteOf((pairs[i] as DecidedPair).winner.page) === site);
    return own.reduce((a, b) => a + b, 0) / own.length;
  };
  return bootstrapDifference(
    sites.map((site) => mean(ours, site)),
    sites.map((site) => mean(other, site)),
    { random: stream(seed, 'ahead').next },
  );
}
