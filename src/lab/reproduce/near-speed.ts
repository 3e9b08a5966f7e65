/** NEAR-Miner 2009, Fig. 6: time by tree size, versions and thresholds, on invented trees. */
import { DeltaTree } from '../../science/evolution/delta-tree.ts';
import { type MiningThresholds, mineRules } from '../../science/evolution/near-miner.ts';
import { SyntheticSite } from '../evolution/synthetic-tree.ts';
import type { ExperimentVerdict, Row } from '../experiment/experiment.ts';
import type { PlotDescription } from '../experiment/plot.ts';
import { grade, round } from '../experiment/wording.ts';
import { PAPER } from './near-sites.ts';
import { type PaperExperiment, type PaperOptions, paperExperiment } from './paper-experiment.ts';
import { cpu } from './processor-time.ts';
import { mean } from './statistics.ts';

const [FAN_OUT, DEPTH] = [10, 6];
const CHANGES = [0.03, 0.06, 0.12] as const;
const LOW: MiningThresholds = { alpha: 0.1, beta: 0.1, gamma: 0.1, theta: 0.1 };

interface Timed {
  readonly at: number;
  readonly series: string;
  /** Processor time. */
  readonly milliseconds: number;
  readonly rules: number;
}

interface Tree {
  readonly nodes: number;
  readonly versions: number;
  readonly change: number;
  readonly seed: number;
}

/** Phase I, without making the versions. */
function compared({ nodes, versions, change, seed }: Tree): {
  readonly deltas: DeltaTree;
  readonly milliseconds: number;
} {
  const site = new SyntheticSite({ nodes, fanOut: FAN_OUT, depth: DEPTH, change, seed });
  const deltas = new DeltaTree();
  let milliseconds = 0;
  for (let k = 0; k < versions; k++) {
    const pages = site.pages();
    milliseconds += cpu(() => deltas.add(pages)).milliseconds;
    site.advance();
  }
  return { deltas, milliseconds };
}

function timed(tree: Tree, at: number): Timed {
  const { deltas, milliseconds } = compared(tree);
  const rules = cpu(() => mineRules(deltas, LOW));
  return {
    at,
    series: `C = ${100 * tree.change} %`,
    milliseconds: milliseconds + rules.milliseconds,
    rules: rules.result.length,
  };
}

const rowsOf =
  (name: string) =>
  (all: readonly Timed[]): Row[] =>
    all.map(({ at, series, milliseconds, rules }) => ({
      [name]: at,
      series,
      'ms of processor': milliseconds,
      rules,
    }));

const plotsOf =
  (x: string, title: string) =>
  (all: readonly Timed[]): PlotDescription[] => [
    {
      title,
      x,
      y: 'seconds of processor',
      kind: 'lines',
      series: [...new Set(all.map(({ series }) => series))].map((name) => ({
        name,
        points: all
          .filter(({ series }) => series === name)
          .map(({ at, milliseconds }) => ({ x: at, y: milliseconds / 1000 })),
      })),
    },
  ];

/** What a doubling costs in time, by series: from the smallest to the largest. */
function growth(all: readonly Timed[]): ExperimentVerdict {
  const found = [...new Set(all.map(({ series }) => series))].map((name) => {
    const own = all.filter(({ series }) => series === name);
    const [first, last] = [own[0] as Timed, own.at(-1) as Timed];
    const doublings = Math.log2(last.at / first.at);
    return { name, factor: (last.milliseconds / first.milliseconds) ** (1 / doublings) };
  });
  return {
    holds: grade(found.map(({ factor }) => factor <= 2.3)),
    ours: `Time per doubling: ${found.map(({ name, factor }) => `${name} × ${round(factor)}`).join(', ')}.`,
  };
}

const byNodes = paperExperiment<Timed[]>({
  name: 'near-fig-6a',
  title: 'Time by the size of the tree',
  paper: PAPER,
  figure: 'Fig. 6 (a)',
  method: `Invented trees, fan-out ${FAN_OUT}, ${DEPTH} levels, 20 versions; both phases, all thresholds .1; changes come by whole directories.`,
  measure: ({ seed, quick, progress }: PaperOptions) =>
    CHANGES.flatMap((change) =>
      (quick ? [4000, 8000] : [20_000, 40_000, 80_000, 160_000]).map((nodes) => {
        progress(`C = ${change}, N = ${nodes}`);
        return timed({ nodes, versions: quick ? 5 : 20, change, seed }, nodes);
      }),
    ),
  rows: rowsOf('nodes'),
  plots: plotsOf('nodes of the first version', 'Both phases, by tree size'),
  claims: [{ statement: 'The algorithm scales up with the size of the tree.', verdict: growth }],
});

const byVersions = paperExperiment<Timed[]>({
  name: 'near-fig-6b',
  title: 'Time by the number of versions',
  paper: PAPER,
  figure: 'Fig. 6 (b)',
  method: 'As Fig. 6 (a), with 50,000 nodes.',
  measure: ({ seed, quick, progress }: PaperOptions) =>
    CHANGES.flatMap((change) =>
      (quick ? [4, 8] : [10, 20, 40, 80]).map((versions) => {
        progress(`C = ${change}, V = ${versions}`);
        return timed({ nodes: quick ? 4000 : 50_000, versions, change, seed }, versions);
      }),
    ),
  rows: rowsOf('versions'),
  plots: plotsOf('versions', 'Both phases, by number of versions'),
  claims: [{ statement: 'The algorithm scales up with the number of versions.', verdict: growth }],
});

const THRESHOLDS = [
  ['DoC', 'alpha'],
  ['FoC', 'beta'],
  ['CoC', 'gamma'],
] as const;
const REPEATS = 5;

const byThreshold = paperExperiment<Timed[]>({
  name: 'near-fig-6c',
  title: 'Time of phase II by threshold',
  paper: PAPER,
  figure: 'Fig. 6 (c)',
  method: `100,000 nodes, 40 versions, C = 6 %. One threshold from .1 to .5, the others .1; phase II alone, mean of ${REPEATS} times.`,
  measure: ({ seed, quick, progress }: PaperOptions) => {
    const { deltas } = compared({
      nodes: quick ? 4000 : 100_000,
      versions: quick ? 6 : 40,
      change: 0.06,
      seed,
    });
    // The first run would measure the interpreter.
    mineRules(deltas, LOW);
    return THRESHOLDS.flatMap(([series, name]) =>
      [0.1, 0.2, 0.3, 0.4, 0.5].map((at) => {
        progress(`${series} ${at}`);
        const runs = Array.from({ length: REPEATS }, () =>
          cpu(() => mineRules(deltas, { ...LOW, [name]: at })),
        );
        const milliseconds = mean(runs.map((run) => run.milliseconds));
        return { at, series, milliseconds, rules: runs[0]?.result.length ?? 0 };
      }),
    );
  },
  rows: rowsOf('threshold'),
  plots: plotsOf('threshold', 'Phase II, by threshold'),
  claims: [
    {
      statement: 'Efficiency decreases when the thresholds of DoC and FoC increase.',
      verdict: (all) => {
        const factors = ['DoC', 'FoC'].map((name) => [name, ends(all, name)] as const);
        return {
          holds: grade(factors.map(([, factor]) => factor > 1.1)),
          ours: `Time at .5 ÷ time at .1: ${factors.map(([name, factor]) => `${name} ${round(factor)}`).join(', ')}. Fewer patterns are fewer searches; taken as "time decreases" the statement ${factors.every(([, factor]) => factor < 1) ? 'holds' : 'does not hold'}.`,
        };
      },
    },
    {
      statement: 'The threshold of CoC does not affect it.',
      verdict: (all) => ({
        holds: grade([Math.abs(ends(all, 'CoC') - 1) < 0.25]),
        ours: `Time at .5 ÷ time at .1: ${round(ends(all, 'CoC'))}. Subtrees that cannot hold a rule at γ are passed over here.`,
      }),
    },
  ],
});

function ends(all: readonly Timed[], name: string): number {
  const own = all.filter(({ series }) => series === name);
  return (own.at(-1)?.milliseconds ?? Number.NaN) / (own[0]?.milliseconds || Number.NaN);
}

export const NEAR_SPEED: readonly PaperExperiment[] = [byNodes, byVersions, byThreshold];
