/** French web 2002, §3.2 and its reference [1]: importance while pages are being read, compared with the fixpoint. */
import { DEFAULT_WINDOW } from '../../science/importance/opic.ts';
import { around, type PlotDescription } from '../experiment/plot.ts';
import { grade, round } from '../experiment/wording.ts';
import { type OpicReading, readOnline, readThroughChange } from '../importance/opic-study.ts';
import { VISIT_ORDERS, type VisitOrder } from '../importance/visit-orders.ts';
import { rewired, webGraph } from '../importance/web-graph.ts';
import { stream } from '../newspaper/random.ts';
import { meanAndSpread } from '../policies/experiment.ts';
import { type PaperExperiment, type PaperOptions, paperExperiment } from './paper-experiment.ts';

const PAPER = 'French web 2002';

/** Readings for one way to read pages, over several webs. */
interface OpicRow {
  readonly situation: 'links stay' | 'links have changed';
  readonly order: VisitOrder;
  readonly window: number;
  readonly visits: number;
  readonly error: number;
  readonly deviation: number;
  readonly rankCorrelation: number;
}

const LOOKS = [1, 2, 5, 10, 20, 40];
const LOOKS_AFTER = [1, 2, 5, 10, 20, 40];
const VISITS_BEFORE = 40;
const WINDOWS = [Number.POSITIVE_INFINITY, DEFAULT_WINDOW];
/** One page in this many has other links after the change. */
const CHANGED = 3;

function measure({ seed, quick, progress }: PaperOptions): OpicRow[] {
  const pages = quick ? 300 : 5000;
  const shape = { pages, sites: pages / 25, linksPerPage: 10 };
  const webs = Array.from({ length: quick ? 2 : 10 }, (_, run) => {
    progress(`web ${run + 1}`);
    const before = webGraph(shape, stream(seed, 'opic-web', run).next);
    const after = rewired(before, webGraph(shape, stream(seed, 'opic-web-after', run).next), CHANGED);
    return VISIT_ORDERS.flatMap((order) =>
      WINDOWS.flatMap((window) => {
        const plan = { order, window, random: stream(seed, 'opic-visits', run, order).next };
        const changed = { ...plan, visitsBefore: VISITS_BEFORE };
        return [
          { situation: 'links stay', order, window, readings: readOnline(before.graph, LOOKS, plan) },
          {
            situation: 'links have changed',
            order,
            window,
            readings: readThroughChange(before.graph, after, LOOKS_AFTER, changed),
          },
        ] as const;
      }),
    );
  });
  return (webs[0] ?? []).flatMap(({ situation, order, window, readings }, way) => {
    const of = (value: (reading: OpicReading) => number) =>
      meanAndSpread(webs.map((web) => (web[way]?.readings ?? []).map(value)));
    const errors = of(({ error }) => error);
    const correlations = of(({ rankCorrelation }) => rankCorrelation);
    return readings.map(({ visits }, look) => ({
      situation,
      order,
      window,
      visits,
      error: errors.mean[look] as number,
      deviation: errors.spread[look] as number,
      rankCorrelation: correlations.mean[look] as number,
    }));
  });
}

const windowName = (window: number): string =>
  window === Number.POSITIVE_INFINITY ? 'whole past' : `window ${window}`;

function plotOf(rows: readonly OpicRow[], situation: OpicRow['situation'], file: string): PlotDescription {
  const shown = rows.filter((row) => row.situation === situation);
  const names = [...new Set(shown.map(({ order, window }) => `${order}, ${windowName(window)}`))];
  return {
    title: `Error of on-line importance, ${situation}`,
    file,
    x: situation === 'links stay' ? 'visits a page' : 'visits a page since the change',
    y: 'L1 distance from PageRank',
    kind: 'lines',
    logX: true,
    logY: true,
    series: names.map((name) => ({
      name,
      points: shown
        .filter(({ order, window }) => `${order}, ${windowName(window)}` === name)
        .map(({ visits: x, error: y, deviation: spread }) => ({ x, y, interval: around(y, spread) })),
    })),
  };
}

/** The row for one way and reading. */
function at(rows: readonly OpicRow[], of: Partial<OpicRow>): OpicRow {
  const found = rows.find((row) =>
    Object.entries(of).every(([key, value]) => row[key as keyof OpicRow] === value),
  );
  if (!found) throw new Error(`no reading of ${JSON.stringify(of)}`);
  return found;
}

const PAST = Number.POSITIVE_INFINITY;
const STAY = 'links stay';
const CHANGE = 'links have changed';
const MEASURED_AT = [5, 10, 20, 40];

const opic = paperExperiment<readonly OpicRow[]>({
  name: 'french-web-opic',
  title: 'On-line importance against power iteration',
  paper: PAPER,
  figure: '§3.2, [1]',
  method:
    'Ten invented webs of 5000 pages and 200 sites with power-law in-degrees (lab/importance/web-graph.ts): pages are read in turns ' +
    '(cyclic), by chance (random) or the one with most cash first (greedy). Error: L1 distance from PageRank, mean and standard ' +
    'deviation over webs. Change: after 40 visits a page, one page in three has other links. Window: old cash counts less, ' +
    `by e for each ${DEFAULT_WINDOW} times all cash.`,
  measure,
  rows: (rows) =>
    rows.map(({ window, rankCorrelation, ...row }) => ({
      ...row,
      window: windowName(window),
      'rank correlation': rankCorrelation,
    })),
  plots: (rows) => [plotOf(rows, STAY, 'french-web-opic'), plotOf(rows, CHANGE, 'french-web-opic-change')],
  claims: [
    {
      statement:
        'Importance computed on-line, without the graph, converges to the fixpoint in whatever order pages are read.',
      verdict: (rows) => ({
        holds: grade(
          VISIT_ORDERS.flatMap((order) => {
            const [few, many] = [5, 40].map((visits) =>
              at(rows, { situation: STAY, order, window: PAST, visits }),
            );
            return [(many?.error ?? 2) < (few?.error ?? 0) / 4, (many?.rankCorrelation ?? 0) >= 0.95];
          }),
        ),
        ours: `L1 error after ${MEASURED_AT.join(', ')} visits a page: ${VISIT_ORDERS.map((order) => {
          const found = MEASURED_AT.map((visits) =>
            at(rows, { situation: STAY, order, window: PAST, visits }),
          );
          const errors = found
            .map(({ error, deviation: spread }) => `${round(error)} ± ${round(spread)}`)
            .join(', ');
          return `${order} ${errors} (rank correlation ${found.map((row) => round(row.rankCorrelation)).join(', ')})`;
        }).join('; ')}.`,
      }),
    },
    {
      statement:
        'Reading the page with most cash first (greedy) converges faster than reading at random, or in turns.',
      verdict: (rows) => {
        const errorOf = (order: VisitOrder, visits: number): number =>
          at(rows, { situation: STAY, order, window: PAST, visits }).error;
        const parts = MEASURED_AT.flatMap((visits) =>
          (['random', 'cyclic'] as const).map((order) => errorOf('greedy', visits) < errorOf(order, visits)),
        );
        return {
          holds: grade(parts),
          ours: `Error ÷ that of greedy after ${MEASURED_AT.join(', ')} visits a page: ${(
            ['cyclic', 'random'] as const
          )
            .map(
              (order) =>
                `${order} ${MEASURED_AT.map((visits) => round(errorOf(order, visits) / errorOf('greedy', visits))).join(', ')}`,
            )
            .join('; ')}.`,
        };
      },
    },
    {
      statement: 'With a window (adaptive OPIC) importance follows a web that changes.',
      verdict: (rows) => {
        const errorOf = (order: VisitOrder, window: number, visits: number): number =>
          at(rows, { situation: CHANGE, order, window, visits }).error;
        const after = [5, 10, 20];
        return {
          holds: grade(
            VISIT_ORDERS.flatMap((order) =>
              after.map((visits) => errorOf(order, DEFAULT_WINDOW, visits) < errorOf(order, PAST, visits)),
            ),
          ),
          ours: `Error ${after.join(', ')} visits a page after the change, with the window and with the whole past: ${VISIT_ORDERS.map(
            (order) =>
              `${order} ${after.map((visits) => `${round(errorOf(order, DEFAULT_WINDOW, visits))} and ${round(errorOf(order, PAST, visits))}`).join(', ')}`,
          ).join('; ')}. Where nothing changes the window costs: ${VISIT_ORDERS.map(
            (order) =>
              `${order} ${round(at(rows, { situation: STAY, order, window: DEFAULT_WINDOW, visits: 40 }).error)}`,
          ).join(', ')} after 40 visits.`,
        };
      },
    },
  ],
});

export const FRENCH_WEB_OPIC: readonly PaperExperiment[] = [opic];
