/**
 * Fits the weights of salience on judged changes: pairwise logistic regression (Bradley, Terry 1952). The chance that a
 * reader would rather be told of one change than of the other is
 *
 *   1 / (1 + exp(−k · (z_winner − z_loser))),   z = ln(−ln(1 − S))
 *
 * z ranks as S does and does not saturate. Ratios between kinds are fitted, so that replaced lead > story > headline >
 * teaser > picture > order holds whatever the judgements; a ridge in logarithms holds each parameter near its starting
 * value. The search is a pattern search (Hooke, Jeeves 1961), and deterministic.
 */

import type { Finding, FindingKind } from '../../science/delta/salience/finding.ts';
import {
  CEILINGS,
  GOOD_LEVEL,
  LARGE_TYPE,
  type SalienceWeights,
} from '../../science/delta/salience/salience-weights.ts';

export interface FittedPair {
  readonly winner: readonly Finding[];
  readonly loser: readonly Finding[];
}

interface Parameter {
  readonly start: number;
  readonly least: number;
  readonly most: number;
}

/** The scale of salience: a lead replaced where everybody looks. Set by what the made-up pages must score. */
const LEAD = 0.7;
/** Kinds that are worth almost nothing by definition. */
const SMALL = { shape: 0.002, advertisement: 0.005, volatile: 0.004 } as const;

const ratio = (start: number): Parameter => ({ start, least: 0.05, most: 0.95 });

/** Where the search starts, and how far it may go. */
const PARAMETERS = {
  place: { start: 0.7, least: 0.1, most: 2 },
  type: { start: 0.6, least: 0.1, most: 2 },
  level: { start: 0.5, least: 0.05, most: 2 },
  words: { start: 4, least: 1.5, most: 8 },
  exchanged: { start: 0.4, least: 0.1, most: 1 },
  story: { start: 0.85, least: 0.7, most: 0.95 },
  headline: ratio(0.7),
  teaser: ratio(0.7),
  wording: ratio(0.6),
  picture: ratio(0.35),
  order: ratio(0.5),
  address: ratio(0.4),
  /** k, how sure judges are. */
  sureness: { start: 1.5, least: 0.2, most: 10 },
} as const satisfies Record<string, Parameter>;

type Name = keyof typeof PARAMETERS;
type Values = Record<Name, number>;
const NAMES = Object.keys(PARAMETERS) as Name[];

/** Ridge on squared logarithms, relative to the mean loss of a pair; the best of .01, .03 and .1 under cross-validation. */
const RIDGE = 0.1;
/** Logarithmic steps of the search: the first, and the last. */
const STEPS = { first: 0.5, last: 0.02 } as const;
const ROUNDS = 60;

export function weightsOf(values: Values): SalienceWeights {
  const { place, type, level, words, exchanged } = values;
  const story = LEAD * values.story;
  const headline = story * values.headline;
  const teaser = headline * values.teaser;
  const picture = teaser * values.picture;
  const order = picture * values.order;
  const wording = headline * values.wording;
  const address = order * values.address;
  const kinds = { lead: LEAD, story, headline, teaser, wording, picture, order, address, ...SMALL };
  return { place, type, level, words, exchanged, kinds };
}

/** Numbers from findings, laid out for computing many sums. */
interface Packed {
  readonly kind: Uint8Array;
  readonly depth: Float64Array;
  readonly type: Float64Array;
  readonly level: Float64Array;
  /** Words' worth; −1 for non-text. */
  readonly untold: Float64Array;
  readonly isGone: Uint8Array;
}

const KINDS: readonly FindingKind[] = [
  ...(['lead', 'story', 'headline', 'teaser', 'wording'] as const),
  ...(['picture', 'order', 'address', 'shape', 'advertisement', 'volatile'] as const),
];
const TEXT_KINDS = 5;

function packed(findings: readonly Finding[]): Packed {
  const kinds = findings.map(({ kind }) => KINDS.indexOf(kind));
  return {
    kind: Uint8Array.from(kinds),
    depth: Float64Array.from(findings, ({ look }) => Math.log1p(look.depth)),
    type: Float64Array.from(findings, ({ look }) =>
      Math.log(Math.min(1, Math.max(0.1, look.type / LARGE_TYPE))),
    ),
    level: Float64Array.from(findings, ({ look }) =>
      Math.log(Math.min(1, Math.max(0.01, look.level / GOOD_LEVEL))),
    ),
    untold: Float64Array.from(findings, ({ untold }, i) => ((kinds[i] as number) < TEXT_KINDS ? untold : -1)),
    isGone: Uint8Array.from(findings, ({ isGone }) => (isGone ? 1 : 0)),
  };
}

/** Smaller values are not told apart. */
const LEAST = 1e-6;

/** z of `combine(findings).salience`, without allocating anything. */
function scoreOf(change: Packed, weights: SalienceWeights): number {
  const sums = new Float64Array(KINDS.length);
  let [came, went] = [0, 0];
  const { place, type, level, words, exchanged, kinds } = weights;
  const worths = KINDS.map((kind) => kinds[kind]);
  const ceilings = KINDS.map((kind) => CEILINGS[kind] ?? 1);
  for (let i = 0; i < change.kind.length; i++) {
    const kind = change.kind[i] as number;
    const untold = change.untold[i] as number;
    const attention = Math.exp(
      -place * (change.depth[i] as number) +
        type * (change.type[i] as number) +
        level * (change.level[i] as number),
    );
    const novelty = untold < 0 ? 1 : 1 - Math.exp(-untold / words);
    const worth = (worths[kind] as number) * attention * novelty;
    const log = -Math.log1p(-Math.min(1 - 1e-9, worth / (ceilings[kind] as number)));
    if (kind >= TEXT_KINDS) sums[kind] = (sums[kind] as number) + log;
    else if (change.isGone[i] === 1) went += log;
    else came += log;
  }
  let total = Math.max(came, went) + exchanged * Math.min(came, went);
  sums.forEach((sum, kind) => {
    const ceiling = ceilings[kind] as number;
    total += ceiling === 1 ? sum : -Math.log1p(ceiling * Math.expm1(-sum));
  });
  return Math.log(total + LEAST);
}

export function fitSalience(pairs: readonly FittedPair[]): SalienceWeights {
  const changes = new Map<readonly Finding[], Packed>();
  for (const { winner, loser } of pairs)
    for (const side of [winner, loser]) if (!changes.has(side)) changes.set(side, packed(side));
  const start = Object.fromEntries(NAMES.map((name) => [name, PARAMETERS[name].start])) as Values;
  const lossOf = (values: Values): number => {
    const weights = weightsOf(values);
    const scores = new Map([...changes].map(([findings, change]) => [findings, scoreOf(change, weights)]));
    const sum = pairs.reduce((all, { winner, loser }) => {
      const ahead = (scores.get(winner) as number) - (scores.get(loser) as number);
      return all + Math.log1p(Math.exp(-values.sureness * ahead));
    }, 0);
    const far = NAMES.reduce((all, name) => all + Math.log(values[name] / start[name]) ** 2, 0);
    return sum / Math.max(1, pairs.length) + RIDGE * far;
  };
  return weightsOf(searched(start, lossOf));
}

/** Steps along one parameter after another, halved when none helps. */
function searched(start: Values, lossOf: (values: Values) => number): Values {
  let best = start;
  let least = lossOf(start);
  let step: number = STEPS.first;
  for (let round = 0; round < ROUNDS && step >= STEPS.last; round++) {
    const before = least;
    for (const name of NAMES) {
      for (const way of [step, -step]) {
        const { least: low, most: high } = PARAMETERS[name];
        const value = Math.min(high, Math.max(low, best[name] * Math.exp(way)));
        const tried = { ...best, [name]: value };
        const loss = lossOf(tried);
        if (loss >= least) continue;
        [best, least] = [tried, loss];
        break;
      }
    }
    if (before - least < 1e-6) step /= 2;
  }
  return best;
}
