/** Patterns 2012, Fig. 11: how many periods a pattern needs. */
import { refreshPolicy } from '../../science/policy/refresh/policies.ts';
import { OBJECTIVES, type Objective } from '../../science/quality/completeness.ts';
import type { Claim, Row } from '../experiment/experiment.ts';
import { around, type PlotDescription } from '../experiment/plot.ts';
import { grade, percent, round } from '../experiment/wording.ts';
import { meanAndSpread } from '../policies/experiment.ts';
import { learnedKnowledge } from '../policies/knowledge.ts';
import { simulate } from '../policies/simulate.ts';
import { type PaperExperiment, paperExperiment } from './paper-experiment.ts';
import { syntheticWorlds } from './policy-curves.ts';

const DAY = 86_400;
const BUDGETS = [10, 20, 30] as const;
/**
 * From the paper's twelve; its period lengths for more than 24 (4/30 h for 30, …) do not fit a day, so the numbers are
 * used.
 */
const PERIODS = [2, 4, 8, 12, 24, 40, 80, 120] as const;

/** The period in which M pages are visited: the text says "during a period"; a crawler's fixed speed would be per hour. */
type Per = 'hour' | 'period';

const READINGS = (['hour', 'period'] as const).flatMap((per) =>
  OBJECTIVES.map((measure) => ({ per, measure })),
);

interface PeriodRow {
  readonly per: Per;
  readonly measure: Objective;
  readonly periods: number;
  readonly mean: readonly number[];
  readonly spread: readonly number[];
}

interface Periods {
  readonly world: string;
  readonly rows: readonly PeriodRow[];
}

const claim = (per: Per, measure: Objective, statement: string): Claim<Periods> => ({
  statement,
  verdict: ({ rows: all }) => {
    const rows = all.filter((row) => row.per === per && row.measure === measure);
    const counts = rows.map(({ periods }) => periods);
    const [few, most] = [Math.min(...counts), Math.max(...counts)];
    const at = (periods: number, budget: number): number =>
      rows.find((row) => row.periods === periods)?.mean[budget] ?? Number.NaN;
    const found = BUDGETS.map((budget, i) => ({
      budget,
      with24: at(24, i),
      grows: at(24, i) / at(few, i) - 1,
      after: at(most, i) / at(24, i) - 1,
    }));
    return {
      holds: grade([
        found.every(({ grows }) => grows > 0.02),
        found.every(({ after }) => Math.abs(after) < 0.02),
      ]),
      ours: `${found
        .map(
          ({ budget, with24, grows, after }) =>
            `M = ${budget} %: ${round(with24)} with 24 periods, ${percent(grows)} over that with ${few}; with ${most} ${percent(after)} over that with 24`,
        )
        .join('; ')}.`,
    };
  },
});

const fig11 = paperExperiment<Periods>({
  name: 'patterns-fig-11',
  title: 'Completeness and the number of periods',
  paper: 'Patterns 2012',
  figure: 'Fig. 11',
  method:
    'Importance-Pattern on 1,000 pages with patterns of real pages (invented families where the data is not at hand), 21 ' +
    'days of training, 14 of test, three seeds. Read in two ways: M % of the pages in every hour, whatever the periods of the ' +
    'patterns; and M % in every period, as the text has it, so that more periods are also more visits.',
  measure: (options) => {
    const { quick, progress } = options;
    const [world] = syntheticWorlds(options);
    if (!world) throw new Error('there is no world to simulate');
    const policy = refreshPolicy('importance-pattern');
    const rows = (quick ? [2, 24, 40] : PERIODS).flatMap((periods) => {
      progress(`${periods} periods`);
      const known = world.runs.map((histories) => learnedKnowledge(histories, { periods, kinds: ['daily'] }));
      return (['hour', 'period'] as const).flatMap((per): PeriodRow[] => {
        const period = per === 'hour' ? 3600 : DAY / periods;
        const results = world.runs.map((histories, run) =>
          BUDGETS.map((budget) => {
            const given = { budget: budget / 100, period };
            const { state } = (known[run] as (typeof known)[number]).begin(given);
            return simulate(histories, state, policy, given);
          }),
        );
        return OBJECTIVES.map((measure) => {
          const field = measure === 'pooled' ? 'pooled' : 'perPage';
          const values = results.map((run) => run.map((result) => result[field]));
          return { per, measure, periods, ...meanAndSpread(values) };
        });
      });
    });
    return { world: world.name, rows };
  },
  rows: ({ world, rows }) =>
    rows.flatMap(({ per, measure, periods, mean, spread }) =>
      BUDGETS.map(
        (budget, i): Row => ({
          world,
          'M % per': per,
          measure,
          periods,
          'M, %': budget,
          completeness: mean[i],
          spread: spread[i],
        }),
      ),
    ),
  plots: ({ rows }) =>
    READINGS.map(
      ({ per, measure }): PlotDescription => ({
        title: `M % of the pages in every ${per}, ${measure}`,
        x: 'periods a day',
        y: 'weighted completeness',
        kind: 'lines',
        logX: true,
        series: BUDGETS.map((budget, i) => ({
          name: `M = ${budget} %`,
          points: rows
            .filter((row) => row.per === per && row.measure === measure)
            .map(({ periods, mean, spread }) => ({
              x: periods,
              y: mean[i] as number,
              interval: around(mean[i] as number, spread[i] as number),
            })),
        })),
      }),
    ),
  claims: READINGS.map(({ per, measure }) =>
    claim(
      per,
      measure,
      `Completeness grows with the number of periods up to 24, then stays quasi constant (M in every ${per}, ${measure}).`,
    ),
  ),
});

export const PATTERNS_PERIODS: readonly PaperExperiment[] = [fig11];
