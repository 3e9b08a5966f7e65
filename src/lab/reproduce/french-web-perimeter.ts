/** French web 2002, §2.4 and §3.2: criteria, connectivity and size of a perimeter, on an invented web with known borders. */
import { chanceQuality } from '../../science/perimeter/held-out.ts';
import { perimeterSize } from '../../science/perimeter/perimeter-size.ts';
import { statedCoefficients } from '../../science/perimeter/verdict.ts';
import { grade, percent, round } from '../experiment/wording.ts';
import { stream } from '../newspaper/random.ts';
import { crawlNation } from '../perimeter/crawl-nation.ts';
import { besideCriteria, fScore, judgements } from '../perimeter/criteria-beside.ts';
import { type JudgedUrl, judgeHeldOut, judgeWeb } from '../perimeter/judge-web.ts';
import { NATION, nationalWeb } from '../perimeter/national-web.ts';
import { type PaperExperiment, paperExperiment } from './paper-experiment.ts';
import { mean } from './statistics.ts';

const PAPER = 'French web 2002';

interface Way {
  readonly way: string;
  readonly precision: number;
  readonly recall: number;
  readonly f: number;
  /** Precision of the combination at the recall of a single criterion. */
  readonly precisionThere?: number;
  readonly brier?: number;
}

/** Means over webs. */
function average(runs: readonly (readonly Way[])[]): Way[] {
  return (runs[0] ?? []).map(({ way }, k) => {
    const of = (field: keyof Omit<Way, 'way'>): number =>
      mean(runs.map((run) => run[k]?.[field] ?? Number.NaN));
    const [precisionThere, brier] = [of('precisionThere'), of('brier')];
    return {
      way,
      precision: of('precision'),
      recall: of('recall'),
      f: of('f'),
      ...(!Number.isNaN(precisionThere) && { precisionThere }),
      ...(!Number.isNaN(brier) && { brier }),
    };
  });
}

function together(way: string, judged: readonly JudgedUrl[]): Way {
  const { precision, recall, brier } = chanceQuality(judgements(judged));
  return { way, precision: precision ?? 0, recall: recall ?? 0, f: fScore(precision, recall), brier };
}

const STATED = 'all criteria and links, weights as stated';
const FITTED = 'all criteria and links, weights fitted, held-out sites';
const UNLINKED = 'all criteria without links, weights fitted, held-out sites';
/** Link depths other than that of the nation's definition, 2. */
const DEPTHS = [1, 3];
const atDepth = (depth: number): string =>
  `all criteria and links to depth ${depth}, weights fitted, held-out sites`;

const criteria = paperExperiment<readonly Way[]>({
  name: 'french-web-criteria',
  title: 'Criteria of a perimeter, alone and together',
  paper: PAPER,
  figure: '§2.4',
  method:
    'Ten invented webs of 600 sites with a nation of 30 % in them (lab/perimeter/national-web.ts): half its sites outside its ' +
    'suffix, a third on servers abroad, 15 % in another language; 15 % of all sites write its language and do not belong; ' +
    'shops are not wanted. Every page read; links to depth 2. Fitted: by the truth of pages of other sites, five folds.',
  measure: ({ seed, quick, progress }) => {
    const runs = Array.from({ length: quick ? 2 : 10 }, (_, run) => {
      progress(`web ${run + 1}`);
      const web = nationalWeb(seed * 1000 + run, quick ? 150 : 600);
      const stated = judgeWeb(web, NATION);
      const fitted = judgeHeldOut(web, NATION);
      const alone = besideCriteria(stated, fitted).map(
        ({ criterion, precision, recall, precisionThere }): Way => ({
          way: criterion,
          precision: precision ?? 0,
          recall: recall ?? 0,
          f: fScore(precision, recall),
          precisionThere: precisionThere ?? 0,
        }),
      );
      return [
        ...alone,
        together(UNLINKED, judgeHeldOut(web, { ...NATION, connectivity: [] })),
        ...DEPTHS.map((depth) => {
          const connectivity = Array.from({ length: depth }, (_, k) => NATION.connectivity[k] ?? 0);
          return together(atDepth(depth), judgeHeldOut(web, { ...NATION, connectivity }));
        }),
        together(STATED, stated),
        together(FITTED, fitted),
      ];
    });
    return average(runs);
  },
  rows: (ways) =>
    ways.map(({ way, precision, recall, f, precisionThere, brier }) => ({
      way,
      precision,
      recall,
      F: f,
      'precision of all at its recall': precisionThere,
      Brier: brier,
    })),
  plots: (ways) => [
    {
      title: 'F of criteria alone and together',
      x: '',
      y: 'F',
      kind: 'bars',
      range: [0, 1],
      series: [{ name: 'F', points: ways.map(({ way, f }) => ({ x: way, y: f })) }],
    },
  ],
  claims: [
    {
      statement: 'No single criterion is sufficient to tell relevant documents; several together are needed.',
      verdict: (ways) => {
        const best = ways.find(({ way }) => way === FITTED);
        const alone = ways.filter(({ precisionThere }) => precisionThere !== undefined);
        return {
          holds: grade(
            alone.flatMap(({ precision, recall, precisionThere = 0 }) => [
              (best?.precision ?? 0) > precision,
              (best?.recall ?? 0) > recall,
              precisionThere >= precision,
            ]),
          ),
          ours: `All together: precision ${percent(best?.precision ?? 0)}, recall ${percent(best?.recall ?? 0)}. ${alone
            .map(
              ({ way, precision, recall, precisionThere = 0 }) =>
                `${way} alone: ${percent(precision)}, ${percent(recall)} (together at that recall: ${percent(precisionThere)})`,
            )
            .join('; ')}.`,
        };
      },
    },
    {
      statement: 'Sites of a nation are tightly connected: connectivity is crucial information.',
      verdict: (ways) => {
        const [linked, bare] = [FITTED, UNLINKED].map((name) => ways.find(({ way }) => way === name));
        return {
          holds: grade([(linked?.f ?? 0) > (bare?.f ?? 0), (linked?.brier ?? 1) < (bare?.brier ?? 0)]),
          ours: `F ${round(linked?.f ?? 0)} with links, ${round(bare?.f ?? 0)} without; Brier score ${round(linked?.brier ?? 0)} and ${round(bare?.brier ?? 0)}. ${DEPTHS.map(
            (depth) =>
              `F to depth ${depth}: ${round(ways.find(({ way }) => way === atDepth(depth))?.f ?? 0)}`,
          ).join(', ')}; the others are to depth ${NATION.connectivity.length}.`,
        };
      },
    },
  ],
});

interface SizeRun {
  readonly truth: number;
  readonly mean: number;
  readonly low: number;
  readonly high: number;
  readonly known: number;
  readonly read: number;
  readonly harvest: number;
}

const within = ({ truth, low, high }: SizeRun): boolean => low <= truth && truth <= high;

const size = paperExperiment<readonly SizeRun[]>({
  name: 'french-web-size',
  title: 'The size of a perimeter, estimated while it is crawled',
  paper: PAPER,
  figure: '§3.2',
  method:
    '100 crawls of invented webs of 400 sites from five seeds: 500 pages are read, suspects with the best chance first but ' +
    'one in five by chance; 150 of them, chosen by chance, are judged by a person. Estimated is how many of the known URLs, ' +
    'read or not, belong, with a 95 % interval (200 rounds of bootstrap over sites).',
  measure: ({ seed, quick, progress }) =>
    Array.from({ length: quick ? 10 : 100 }, (_, run): SizeRun => {
      if (run % 20 === 0) progress(`crawl ${run + 1}`);
      const web = nationalWeb(seed * 1000 + run, quick ? 150 : 400);
      const plan = { seed: seed * 1000 + run, reads: quick ? 150 : 500, judged: quick ? 75 : 150 };
      const { known, truth, read, harvest } = crawlNation(web, plan);
      const start = statedCoefficients(NATION);
      const { next } = stream(seed, 'size', run);
      const rounds = quick ? 50 : 200;
      const estimate = perimeterSize(known, { read: start, suspects: start, random: next, rounds });
      return {
        truth,
        known: known.length,
        read,
        harvest,
        mean: estimate.mean,
        low: estimate.low,
        high: estimate.high,
      };
    }),
  rows: (runs) => runs.map((run) => ({ ...run, within: Number(within(run)) })),
  plots: (runs) => [
    {
      title: 'Estimates over truth, with their intervals',
      x: 'crawl, by the true number of pages',
      y: 'estimate ÷ truth',
      kind: 'lines',
      series: [
        {
          name: 'estimate',
          level: 1,
          points: runs
            .toSorted((a, b) => a.truth - b.truth)
            .map(({ truth, mean: y, low, high }, x) => ({
              x,
              y: y / truth,
              interval: [low / truth, high / truth] as const,
            })),
        },
      ],
    },
  ],
  claims: [
    {
      statement:
        'Known URLs and their chances give a reasonably precise estimate of the size of the perimeter.',
      verdict: (runs) => {
        const covered = runs.filter(within).length / runs.length;
        const error = mean(runs.map(({ truth, mean: value }) => Math.abs(value / truth - 1)));
        const width = mean(runs.map(({ low, high, truth }) => (high - low) / 2 / truth));
        const share = mean(runs.map(({ truth, known }) => truth / known));
        return {
          holds: grade([covered >= 0.9, error < 0.2]),
          ours: `The truth lies within the 95 % interval in ${percent(covered)} of ${runs.length} crawls; the estimate is off by ${percent(error)} on average, the interval ± ${percent(width)}. Of the pages read ${percent(mean(runs.map(({ harvest }) => harvest)))} belong, of all known ${percent(share)}.`,
        };
      },
    },
  ],
});

export const FRENCH_WEB_PERIMETER: readonly PaperExperiment[] = [criteria, size];
