/** Completeness by budget of several policies over several runs: the basis of Fig. 12 to 14 of the patterns paper. */
import { fitKind } from '../../science/patterns/choose-kind.ts';
import { slotPlan } from '../../science/patterns/slots.ts';
import { OBJECTIVES, type Objective } from '../../science/quality/completeness.ts';
import { type Row, Skipped } from '../experiment/experiment.ts';
import { around, type PlotDescription } from '../experiment/plot.ts';
import { watchedFromObservations, watchedTime } from '../patterns/watched-pages.ts';
import { comparePolicies, meanAndSpread } from '../policies/experiment.ts';
import type { Histories } from '../policies/histories.ts';
import { learnedKnowledge } from '../policies/knowledge.ts';
import { syntheticFromPatterns, syntheticHistories } from '../policies/synthetic.ts';
import { everyNth, NEWS_ZONE, newsObservations } from './page-observations.ts';
import type { PaperOptions } from './paper-experiment.ts';

/** Where pages come from, with one history of them per seed or window. */
export interface World {
  readonly name: string;
  readonly runs: readonly Histories[];
}

export interface PolicyCurve {
  readonly world: string;
  readonly policy: string;
  readonly measure: Objective;
  readonly mean: readonly number[];
  readonly spread: readonly number[];
}

export interface PolicyCurves {
  /** Percent of the pages per hour. */
  readonly budgets: readonly number[];
  readonly runs: number;
  readonly curves: readonly PolicyCurve[];
}

export const CLAIRVOYANT = 'clairvoyant';
const DAY = 86_400;
/** Days from which the patterns of real pages are taken. */
const PATTERN_DAYS = 60;

/** Invented families always; patterns of real pages, as in the paper, if the data is available. */
export function syntheticWorlds({ seed, quick, data }: PaperOptions): World[] {
  const size = quick ? { pages: 60, train: 7, test: 3 } : { pages: 1000, train: 21, test: 14 };
  const seeds = quick ? [seed] : [0, 1, 2].map((more) => seed + more);
  const families: World = {
    name: 'invented families',
    runs: seeds.map((each) => syntheticHistories({ seed: each, ...size })),
  };
  const table = newsObservations(data);
  if (table instanceof Skipped) return [families];
  const plan = slotPlan('workday-weekend', { zone: NEWS_ZONE });
  const pages = watchedFromObservations(quick ? everyNth(table, 6) : table);
  const { from } = watchedTime(pages);
  const patterns = pages.map(({ gaps }) =>
    fitKind(
      gaps.filter(({ to }) => to <= from + PATTERN_DAYS * DAY),
      plan,
      { zone: NEWS_ZONE },
      {},
    ),
  );
  const real: World = {
    name: 'patterns of real pages',
    runs: seeds.map((each) => syntheticFromPatterns(patterns, { seed: each, zone: NEWS_ZONE, ...size })),
  };
  return [real, families];
}

/** Ours is run once for each measure, with that as its objective; the others have no objective. */
export function policyCurves(
  worlds: readonly World[],
  policies: readonly string[],
  ours: string,
  budgets: readonly number[],
  progress: PaperOptions['progress'],
): PolicyCurves {
  const curves = worlds.flatMap(({ name: world, runs }) => {
    const results = runs.map((histories, run) => {
      progress(`${world}, ${run + 1} of ${runs.length}`);
      const shared = { budgets, rounds: 0, knowledge: learnedKnowledge(histories) };
      return {
        'per-page': comparePolicies(histories, { ...shared, policies: [...policies, ours] }),
        pooled: comparePolicies(histories, { ...shared, policies: [ours], objective: 'pooled' }),
      };
    });
    return OBJECTIVES.flatMap((measure): PolicyCurve[] => {
      const field = measure === 'pooled' ? 'pooled' : 'perPage';
      const curve = (policy: string, values: readonly (readonly number[])[]): PolicyCurve => ({
        world,
        policy,
        measure,
        ...meanAndSpread(values),
      });
      return [
        ...policies.map((name) =>
          curve(
            name,
            results.map((result) => result['per-page'].policies[name]?.[field] ?? []),
          ),
        ),
        curve(
          ours,
          results.map((result) => result[measure].policies[ours]?.[field] ?? []),
        ),
        curve(
          CLAIRVOYANT,
          results.map((result) => result['per-page'].clairvoyant[field]),
        ),
      ];
    });
  });
  return { budgets, runs: worlds[0]?.runs.length ?? 0, curves };
}

export function curveOf(
  { curves }: PolicyCurves,
  world: string,
  measure: Objective,
  policy: string,
): readonly number[] {
  const found = curves.find(
    (each) => each.world === world && each.measure === measure && each.policy === policy,
  );
  if (!found) throw new RangeError(`${policy} was not measured ${measure} on ${world}`);
  return found.mean;
}

export const worldsOf = ({ curves }: PolicyCurves): readonly string[] => [
  ...new Set(curves.map(({ world }) => world)),
];

/** At each budget, how much better one policy is than another: 0.05 is 5 %. */
export function leads(
  measured: PolicyCurves,
  world: string,
  measure: Objective,
  policy: string,
  rival: string,
): readonly number[] {
  const theirs = curveOf(measured, world, measure, rival);
  return curveOf(measured, world, measure, policy).map((value, i) => value / (theirs[i] as number) - 1);
}

export const curveRows = ({ budgets, curves }: PolicyCurves): Row[] =>
  curves.flatMap(({ world, policy, measure, mean, spread }) =>
    budgets.map(
      (budget, i): Row => ({
        world,
        measure,
        policy,
        'budget, % per hour': budget,
        completeness: mean[i],
        spread: spread[i],
      }),
    ),
  );

export const curvePlots = (measured: PolicyCurves): PlotDescription[] =>
  worldsOf(measured).flatMap((world) =>
    OBJECTIVES.map(
      (measure): PlotDescription => ({
        title: `${world}, ${measure}`,
        x: 'pages visited per hour, %',
        y: 'weighted completeness',
        kind: 'lines',
        series: measured.curves
          .filter((each) => each.world === world && each.measure === measure)
          .map(({ policy, mean, spread }) => ({
            name: policy,
            points: measured.budgets.map((x, i) => ({
              x,
              y: mean[i] as number,
              interval: around(mean[i] as number, spread[i] as number),
            })),
          })),
      }),
    ),
  );
