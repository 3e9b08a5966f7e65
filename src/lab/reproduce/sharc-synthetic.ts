/** SHARC 2009, §5.5 and §8, on synthetic sites: Fig. 4, 10, 11 and Table 4. */

import type { ExperimentVerdict, Row } from '../experiment/experiment.ts';
import { around, type PlotDescription } from '../experiment/plot.ts';
import { grade, percent, round } from '../experiment/wording.ts';
import { figure4, type OnlineShapes } from '../sharpness/online-shapes.ts';
import {
  figure10,
  figure11,
  type Series,
  type SharpCount,
  table4,
} from '../sharpness/synthetic-experiments.ts';
import { type PaperExperiment, type PaperOptions, paperExperiment } from './paper-experiment.ts';

const PAPER = 'SHARC 2009';

const fig4 = paperExperiment<OnlineShapes[]>({
  name: 'sharc-fig-4',
  title: 'Shape of the pipe without a middle phase',
  paper: PAPER,
  figure: 'Fig. 4',
  method:
    'Trees of outdegree 8 with pages in random places (the paper does not tell how its trees were made), 256 pages, ' +
    'mean of 20 trees; excess: expected blur above that of SHARC-offline.',
  measure: ({ seed, quick }) => figure4({ seed, ...(quick ? { pages: 64, trials: 4 } : {}) }),
  rows: (results) =>
    results.flatMap(({ skew, shapes }) =>
      shapes['sharc-offline'].map((offline, slot) => ({
        skew,
        slot,
        'sharc-offline': offline,
        'sharc-online': shapes['sharc-online'][slot],
        pipes: shapes.pipes[slot],
      })),
    ),
  plots: (results) =>
    results.map(({ skew, shapes }) => ({
      title: `Mean change rate by slot, skew ${skew}`,
      x: 'slot',
      y: 'mean change rate',
      kind: 'lines',
      logY: skew > 1,
      series: Object.entries(shapes).map(([name, values]) => ({
        name,
        points: values.map((y, x) => ({ x, y })),
      })),
    })),
  claims: [
    {
      statement: 'The greedy pipes without a middle phase perform around two times worse than SHARC-online.',
      verdict: (results) => ({
        holds: grade(results.map(({ ratio }) => ratio >= 1.5)),
        ours: `Excess blur of the pipes ÷ that of SHARC-online: ${results
          .map(
            ({ skew, ratio, excess }) =>
              `${round(ratio)} at skew ${skew} (excess ${percent(excess.pipes)} and ${percent(excess['sharc-online'])})`,
          )
          .join(', ')}.`,
      }),
    },
    {
      statement: 'When the rates are heavily skewed both are very close to the theoretical minimum.',
      verdict: (results) => {
        const skewed = results.at(-1) as OnlineShapes;
        const worst = Math.max(...Object.values(skewed.excess));
        return {
          holds: grade([worst <= 0.05]),
          ours: `At skew ${skewed.skew} SHARC-online is ${percent(skewed.excess['sharc-online'])} above it, the pipes ${percent(skewed.excess.pipes)}.`,
        };
      },
    },
  ],
});

interface OnceAndTwice {
  readonly once: Series;
  readonly twice: Series;
}

const onceAndTwice =
  (figure: typeof figure10) =>
  ({ seed, quick }: PaperOptions): OnceAndTwice => {
    const options = { seed, ...(quick && { pages: 128, trials: 1 }) };
    return { once: figure('once', undefined, options), twice: figure('revisits', undefined, options) };
  };

const seriesRows = ({ once, twice }: OnceAndTwice, x: string): Row[] =>
  [['once', once] as const, ['revisits', twice] as const].flatMap(([visits, series]) =>
    Object.entries(series.blur).flatMap(([strategy, values]) =>
      values.map((blur, k) => ({ visits, strategy, [x]: series.x[k], blur })),
    ),
  );

const seriesPlots = ({ once, twice }: OnceAndTwice, x: string, log: boolean): PlotDescription[] =>
  [['Crawling once', once] as const, ['Crawling with revisits', twice] as const].map(([title, series]) => ({
    title,
    x,
    y: 'exact blur',
    kind: 'lines',
    logX: log,
    logY: log,
    series: Object.entries(series.blur).map(([name, values]) => ({
      name,
      points: values.map((y, k) => ({ x: series.x[k] as number, y })),
    })),
  }));

/** Blur of a strategy at the k-th x, and of the best one except those excluded. */
const blurAt = (series: Series, name: string, k: number): number => series.blur[name]?.[k] ?? Number.NaN;
function rivals(series: Series, k: number, not: readonly string[]): readonly [name: string, blur: number] {
  const others = Object.keys(series.blur).filter((name) => !not.includes(name));
  return others
    .map((name) => [name, blurAt(series, name, k)] as const)
    .reduce((best, each) => (each[1] < best[1] ? each : best));
}

const OURS = ['explore-first', 'sharp-assignment'];

const fig10 = paperExperiment<OnceAndTwice>({
  name: 'sharc-fig-10',
  title: 'Blur by the length of the observation interval',
  paper: PAPER,
  figure: 'Fig. 10',
  method:
    'Synthetic site (1,024 pages, skew 1.75, outdegree 8, hot pages on the top levels), mean of 3 drawn histories; ' +
    'the observation interval is 1 to 8 times as long as the capture, with the same middle: from 1:4 on most times ' +
    'asked for lie outside the capture, where early and late visits serve best.',
  measure: onceAndTwice(figure10),
  rows: (measured) => seriesRows(measured, 'interval'),
  plots: (measured) => seriesPlots(measured, 'observation interval ÷ capture interval', true),
  claims: [
    {
      statement: 'SHARC-offline and SHARC-online outperform the others, with the largest gain at 1:1.',
      verdict: ({ once }) => {
        const [name, best] = rivals(once, 0, ['sharc-offline', 'sharc-online', ...OURS]);
        const offline = best / blurAt(once, 'sharc-offline', 0);
        const online = best / blurAt(once, 'sharc-online', 0);
        return {
          holds: grade([offline > 1, online > 1.02]),
          ours: `The best other (${name}) has ${round(offline)} × the blur of SHARC-offline and ${round(online)} × that of SHARC-online.`,
        };
      },
    },
    {
      statement: 'The differences shrink as the observation interval grows.',
      verdict: ({ once }) => {
        const lead = once.x.map(
          (_, k) => blurAt(once, 'breadth-first', k) / blurAt(once, 'sharc-offline', k),
        );
        return {
          holds: grade(lead.slice(1).map((value, k) => value < (lead[k] as number))),
          ours: `Breadth-first ÷ SHARC-offline: ${lead.map(round).join(', ')} at 1:${once.x.join(', 1:')}.`,
        };
      },
    },
    {
      statement:
        'With revisits SHARC-revisits has the lowest blur, and SHARC-threshold is outperformed by the others.',
      verdict: ({ twice }) => {
        const lead = twice.x.map(
          (_, k) => rivals(twice, k, ['sharc-revisits'])[1] / blurAt(twice, 'sharc-revisits', k),
        );
        const threshold = twice.x.map(
          (_, k) =>
            blurAt(twice, 'sharc-threshold', k) /
            rivals(twice, k, ['sharc-threshold', 'sharc-revisits', ...OURS])[1],
        );
        return {
          holds: grade(
            [lead[0], ...threshold.slice(0, 1), ...lead.slice(1), ...threshold.slice(1)].map(
              (value) => (value ?? 0) > 1,
            ),
          ),
          ours: `Best other ÷ SHARC-revisits: ${lead.map(round).join(', ')} at 1:${twice.x.join(', 1:')}; SHARC-threshold ÷ the best baseline: ${threshold.map(round).join(', ')}.`,
        };
      },
    },
  ],
});

const fig11 = paperExperiment<OnceAndTwice>({
  name: 'sharc-fig-11',
  title: 'Blur when rates are misjudged',
  paper: PAPER,
  figure: 'Fig. 11',
  method:
    'The same site; a share of the pages, drawn at random, has rate |1 − λ| in the eyes of the schedule. Mean of 3 ' +
    'drawn histories.',
  measure: onceAndTwice(figure11),
  rows: (measured) => seriesRows(measured, 'misjudged'),
  plots: (measured) => seriesPlots(measured, 'share of pages misjudged', false),
  claims: [
    {
      statement: 'SHARC-online beats its competitors where at least half of the rates are right.',
      verdict: ({ once }) => misjudgedVerdict(once, 'sharc-online', ['sharc-offline', ...OURS]),
    },
    {
      statement: 'SHARC-revisits beats its competitors where at least half of the rates are right.',
      verdict: ({ twice }) => misjudgedVerdict(twice, 'sharc-revisits', OURS),
    },
  ],
});

function misjudgedVerdict(series: Series, name: string, not: readonly string[]): ExperimentVerdict {
  const known = series.x.flatMap((share, k) => (share <= 0.5 ? [k] : []));
  const best = known.map((k) => rivals(series, k, [name, ...not]));
  const lead = best.map(([, blur], i) => blur / blurAt(series, name, known[i] as number));
  return {
    holds: grade(lead.map((value) => value > 1)),
    ours: `Best competitor ÷ ${name}: ${lead.map((value, i) => `${round(value)} (${best[i]?.[0]}) at ${percent(series.x[known[i] as number] as number)} misjudged`).join(', ')}.`,
  };
}

const tab4 = paperExperiment<SharpCount[]>({
  name: 'sharc-table-4',
  title: 'Sharp pages',
  paper: PAPER,
  figure: 'Table 4',
  method:
    'The same site with all rates × 6: the paper does not tell its time scale, and this one gives its figures. Mean ' +
    'and deviation of 10 drawn histories.',
  measure: ({ seed, quick }) => table4({ seed, ...(quick ? { trials: 2 } : {}) }),
  rows: (counts) => counts.map((count): Row => ({ ...count })),
  plots: (counts) => [
    {
      title: 'Sharp pages of 1,024',
      x: '',
      y: 'sharp pages',
      kind: 'bars',
      series: [
        {
          name: 'ours',
          points: counts.map(({ strategy, mean, deviation }) => ({
            x: strategy,
            y: mean,
            interval: around(mean, deviation),
          })),
        },
      ],
    },
  ],
  claims: [
    {
      statement: 'SHARC-threshold has the most sharp pages (874).',
      verdict: (counts) => {
        const of = (name: string): number =>
          counts.find(({ strategy }) => strategy === name)?.mean ?? Number.NaN;
        const plain = counts.filter(
          ({ strategy }) => !['sharc-threshold', 'sharp-assignment'].includes(strategy),
        );
        return {
          holds: grade([plain.every(({ mean }) => mean < of('sharc-threshold'))]),
          ours: `${round(of('sharc-threshold'))}; the exact optimum of nested intervals (sharp-assignment) ${round(of('sharp-assignment'))}.`,
        };
      },
    },
    {
      statement: 'The others perform alike (765 to 782).',
      verdict: (counts) => {
        const plain = counts
          .filter(({ strategy }) => !['sharc-threshold', 'sharp-assignment'].includes(strategy))
          .map(({ mean }) => mean);
        const [least, most] = [Math.min(...plain), Math.max(...plain)];
        return { holds: grade([most - least <= 17]), ours: `${round(least)} to ${round(most)}.` };
      },
    },
  ],
});

export const SHARC_SYNTHETIC: readonly PaperExperiment[] = [fig4, fig10, fig11, tab4];
