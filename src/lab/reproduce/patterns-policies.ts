/** Patterns 2012, Fig. 12 to 14: completeness of Importance-Pattern, its ablations and its rivals. */
import { OBJECTIVES } from '../../science/quality/completeness.ts';
import { type Claim, type ExperimentSpec, Skipped } from '../experiment/experiment.ts';
import { grade } from '../experiment/wording.ts';
import { historiesFromObservations } from '../policies/histories.ts';
import { everyNth, NEWS_ZONE, newsObservations } from './page-observations.ts';
import { type PaperExperiment, type PaperOptions, paperExperiment } from './paper-experiment.ts';
import {
  curvePlots,
  curveRows,
  leads,
  type PolicyCurves,
  policyCurves,
  syntheticWorlds,
  type World,
  worldsOf,
} from './policy-curves.ts';
import { mean } from './statistics.ts';

const PAPERS = 'importance-pattern';
const OURS = 'expected-gain';
const RIVALS = ['relevance', 'sharc-sweep', 'coherence', 'frequency'] as const;

const signed = (share: number): string => `${share < 0 ? '−' : '+'}${Math.abs(100 * share).toFixed(0)} %`;

/**
 * Importance-Pattern against its rivals, in every world and by both measures. A part holds if the lead at the smallest
 * budget is at least four fifths of the paper's, whose figures are read off curves.
 */
function leadClaim(statement: string, rivals: readonly string[], claimed: number): Claim<PolicyCurves> {
  return {
    statement,
    verdict: (measured) => {
      const found = worldsOf(measured).flatMap((world) =>
        OBJECTIVES.map((measure) => {
          const each = rivals.map((rival) => leads(measured, world, measure, PAPERS, rival));
          const text = rivals
            .map(
              (rival, i) => `${rival} ${signed(each[i]?.[0] ?? Number.NaN)} (${signed(mean(each[i] ?? []))})`,
            )
            .join(', ');
          return {
            holds: each.every(([first = 0]) => first >= 0.8 * claimed),
            text: `${world}, ${measure}: ${text}`,
          };
        }),
      );
      return {
        holds: grade(found.map(({ holds }) => holds)),
        ours: `At ${measured.budgets[0]} % an hour, in the mean over budgets in brackets. ${found.map(({ text }) => text).join('; ')}.`,
      };
    },
  };
}

/** Not from the paper: ours, in the same runs. */
const ourClaim: Claim<PolicyCurves> = {
  statement:
    'Ours: expected-gain, with the measure as its objective, is better than Importance-Pattern at every budget.',
  verdict: (measured) => {
    const found = worldsOf(measured).flatMap((world) =>
      OBJECTIVES.map((measure) => ({ world, measure, each: leads(measured, world, measure, OURS, PAPERS) })),
    );
    return {
      holds: grade(found.map(({ each }) => each.every((lead) => lead > 0))),
      ours: `${found.map(({ world, measure, each }) => `${world}, ${measure}: ${each.map(signed).join(', ')}`).join('; ')}.`,
    };
  },
};

const SYNTHETIC =
  '1,000 pages, 21 days of training, 14 of test, 24 periods, three seeds; spread is the standard deviation over seeds. ' +
  'Two worlds: patterns of real German news pages, drawn with replacement (where the data is at hand), and invented ' +
  'families after the description of France Télévisions. Per page is Def. 4, pooled is all captured weight ÷ all weight.';

/** A figure with curves: completeness of some policies by budget. */
const curvesExperiment = (
  spec: Pick<ExperimentSpec<PaperOptions, PolicyCurves>, 'name' | 'title' | 'method' | 'claims'> & {
    readonly figure: string;
    readonly policies: readonly string[];
    readonly worlds: (options: PaperOptions) => readonly World[] | Skipped;
  },
): PaperExperiment =>
  paperExperiment<PolicyCurves>({
    ...spec,
    paper: 'Patterns 2012',
    measure: (options) => {
      const worlds = spec.worlds(options);
      if (worlds instanceof Skipped) return worlds;
      const budgets = options.quick ? [10, 30] : [10, 20, 30, 40, 50];
      return policyCurves(worlds, spec.policies, OURS, budgets, options.progress);
    },
    rows: curveRows,
    plots: curvePlots,
  });

const fig12 = curvesExperiment({
  name: 'patterns-fig-12',
  title: 'Importance-Pattern and its ablations',
  figure: 'Fig. 12',
  method: SYNTHETIC,
  worlds: syntheticWorlds,
  policies: [PAPERS, 'importance', 'pattern'],
  claims: [
    leadClaim('Importance-Pattern is better than Importance by 5 %.', ['importance'], 0.05),
    leadClaim('Importance-Pattern is better than Pattern by 20 %.', ['pattern'], 0.2),
    ourClaim,
  ],
});

const fig13 = curvesExperiment({
  name: 'patterns-fig-13',
  title: 'Weighted completeness, simulated pages',
  figure: 'Fig. 13',
  method: SYNTHETIC,
  worlds: syntheticWorlds,
  policies: [PAPERS, ...RIVALS, 'round-robin'],
  claims: [
    {
      statement: 'Completeness increases with the resources.',
      verdict: ({ curves }) => {
        const falling = curves.filter(({ mean: values }) =>
          values.some((value, i) => i > 0 && value < (values[i - 1] as number) - 0.005),
        );
        return {
          holds: falling.length === 0 ? 'holds' : 'holds in part',
          ours: `${curves.length - falling.length} of ${curves.length} curves never fall.`,
        };
      },
    },
    leadClaim(
      'Importance-Pattern is better than Relevance, SHARC, Coherence and Frequency by around 20 % with limited resources.',
      RIVALS,
      0.2,
    ),
    ourClaim,
  ],
});

/** Windows of 60 days of training and 60 of test, consecutively through the year. */
function realWorlds({ data, quick }: PaperOptions): World[] | Skipped {
  const table = newsObservations(data);
  if (table instanceof Skipped) return table;
  const [train, test] = quick ? [14, 4] : [60, 60];
  const pages = quick ? everyNth(table, 6) : table;
  return [
    {
      name: 'German news pages',
      runs: (quick ? [0] : [0, 60, 120, 180]).map((from) =>
        historiesFromObservations(pages, { from, train, test, zone: NEWS_ZONE }),
      ),
    },
  ];
}

const fig14 = curvesExperiment({
  name: 'patterns-fig-14',
  title: 'Weighted completeness, real pages',
  figure: 'Fig. 14',
  method:
    'Section pages of German news sites, seen about hourly, in place of FranceTV; importance is 1 − Jaccard of headline ' +
    'words. Four windows through 2022, 60 days of training and 60 of test each; spread is that over windows.',
  worlds: realWorlds,
  policies: [PAPERS, ...RIVALS, 'round-robin'],
  claims: [
    leadClaim('Importance-Pattern is better than the other approaches by 20 to 25 %.', RIVALS, 0.2),
    ourClaim,
  ],
});

export const PATTERNS_POLICIES: readonly PaperExperiment[] = [fig12, fig13, fig14];
