/** `lab crawl`: whole crawls of a synthetic web by the real crawler, one for each order, in virtual time. */
import type { RevisitMode, SiteCapture } from '../../model/site-capture.ts';
import { SHARC_OFFLINE } from '../../science/policy/site-order.ts';
import { type Experiment, type ExperimentVerdict, experiment } from '../experiment/experiment.ts';
import type { PlotDescription } from '../experiment/plot.ts';
import { grade, percent, round } from '../experiment/wording.ts';
import { type CrawlLabPorts, crawlWeb, type LabCrawlSettings } from './crawl-web.ts';
import { type MeasuredCapture, measureCapture } from './measure-capture.ts';
import { memoryPorts } from './memory-ports.ts';
import { type SimulatedOrder, simulateOrder } from './simulated-order.ts';
import { type SyntheticWeb, syntheticWeb, type WebOptions } from './synthetic-web.ts';
import { virtualClock } from './virtual-clock.ts';

export interface CrawlInput {
  readonly web: WebOptions;
  readonly orders: readonly string[];
  readonly settings: Omit<LabCrawlSettings, 'order'>;
  /** Crawls before the measured one: what orders may know beforehand. */
  readonly history: number;
  /** Milliseconds from the start of one crawl to that of the next. */
  readonly every: number;
  readonly ports: CrawlLabPorts;
  /** Real time, in milliseconds. */
  readonly realNow: () => number;
  /** Of this process so far, in milliseconds. */
  readonly processorTime: () => number;
}

interface CrawledOrder extends MeasuredCapture, SimulatedOrder {
  readonly order: string;
  readonly capture: SiteCapture;
  /** Pages requested in all crawls, second visits included. */
  readonly visits: number;
  /** Real time, and that of the processor, which other work on the machine hardly changes. */
  readonly milliseconds: number;
  readonly processorMilliseconds: number;
}

interface CrawlResult {
  readonly web: SyntheticWeb;
  readonly revisit: RevisitMode;
  readonly orders: readonly CrawledOrder[];
}

export async function crawlInOrder(
  web: SyntheticWeb,
  order: string,
  { web: { start }, settings, history, every, ports: given, realNow, processorTime }: CrawlInput,
): Promise<CrawledOrder> {
  const begun = realNow();
  const used = processorTime();
  const clock = virtualClock(start);
  const ports = { ...given, ...memoryPorts(web, clock) };
  let visits = 0;
  // An order that is planned beforehand needs an earlier capture to plan from.
  const before = order === SHARC_OFFLINE ? Math.max(1, history) : history;
  for (let k = 0; k < before; k++) {
    const { tally } = await crawlWeb(web, { ...settings, order: 'breadth-first', revisit: 'none' }, ports);
    visits += tally.captured + tally.unchanged;
    await clock.sleep(start + (k + 1) * every - clock.now());
  }
  const { tally, capture } = await crawlWeb(web, { ...settings, order }, ports);
  const { revisits } = tally;
  return {
    order,
    capture,
    ...measureCapture(capture, web),
    ...simulateOrder(web, capture, before > 0),
    visits: visits + tally.captured + tally.unchanged + revisits.captured + revisits.unchanged,
    milliseconds: realNow() - begun,
    processorMilliseconds: processorTime() - used,
  };
}

export const crawl: Experiment<CrawlInput> = experiment<CrawlInput, CrawlResult>({
  name: 'crawl',
  title: 'Whole crawls of a synthetic web',
  method:
    'The crawler that archives, on sites whose changes are known, under a clock that leaps: what a capture says of itself ' +
    'beside what is so, and beside the same order simulated without a crawler.',
  async measure(input) {
    const web = syntheticWeb(input.web);
    const orders: CrawledOrder[] = [];
    for (const order of input.orders) orders.push(await crawlInOrder(web, order, input));
    return { web, revisit: input.settings.revisit, orders };
  },
  rows: ({ orders, revisit }) =>
    orders.map((one) => ({
      order: one.order,
      pages: one.pages,
      visits: one.visits,
      seconds: one.seconds,
      blurTold: one.blurTold,
      blurTrue: one.blurTrue,
      deviation: one.deviation,
      blurSimulated: one.blur,
      sameSlot: one.sameSlot,
      sharpTold: revisit === 'none' ? undefined : one.sharpTold,
      sharpTrue: revisit === 'none' ? undefined : one.sharpTrue,
    })),
  text: ({ orders, revisit }) => [
    {
      header: [
        'order',
        'pages',
        'capture, s',
        'blur told',
        'blur true',
        'blur simulated',
        'same slot',
        ...(revisit === 'none' ? [] : ['sharp told', 'sharp true']),
      ],
      rows: orders.map((one) => [
        one.order,
        one.pages,
        Math.round(one.seconds),
        one.blurTold,
        one.blurTrue,
        one.blur,
        percent(one.sameSlot),
        ...(revisit === 'none' ? [] : [one.sharpTold, one.sharpTrue]),
      ]),
    },
    paceLine(orders),
  ],
  plots: ({ web, orders }) => [blurPlot(orders), ...orders.map((one) => visitPlot(one, web))],
  claims: [
    { statement: 'The crawler visits pages in the order of the pure simulation.', verdict: sameOrder },
    {
      statement: 'The blur that a capture tells is that of the truth, within three standard deviations.',
      verdict: sameBlur,
    },
    { statement: 'Pages that are told to be sharp are so, and no others.', verdict: sameSharp },
  ],
});

function paceLine(orders: readonly CrawledOrder[]): string {
  const sum = (of: (one: CrawledOrder) => number): number =>
    orders.reduce((total, one) => total + of(one), 0);
  const visits = sum((one) => one.visits);
  const pace = (milliseconds: number): string =>
    `${(milliseconds / 1000).toFixed(1)} s (${Math.round((visits / milliseconds) * 1000)} a second)`;
  const processor = pace(sum((one) => one.processorMilliseconds));
  return `${visits} visits in ${pace(sum((one) => one.milliseconds))}, of processor time ${processor}`;
}

/** Standard deviations by which blur may differ from its expectation, as changes are random. */
const NEAR = 3;

function sameOrder({ orders }: CrawlResult): ExperimentVerdict {
  return {
    holds: grade(orders.map((one) => one.sameSlot === 1)),
    ours: orders
      .map(
        (one) => `${one.order} ${percent(one.sameSlot)} of slots, blur × ${round(one.blurTrue / one.blur)}`,
      )
      .join('; '),
  };
}

function sameBlur({ orders }: CrawlResult): ExperimentVerdict {
  return {
    holds: grade(orders.map((one) => Math.abs(one.blurTold - one.blurTrue) <= NEAR * one.deviation)),
    ours: orders
      .map(
        (one) =>
          `${one.order} ${round(one.blurTold)} told, ${round(one.blurTrue)} ± ${round(one.deviation)} true`,
      )
      .join('; '),
  };
}

function sameSharp({ orders, revisit }: CrawlResult): ExperimentVerdict {
  if (revisit === 'none') return { holds: 'not measured', ours: 'Pages were visited once: --revisit sharp.' };
  return {
    holds: grade(orders.map((one) => one.sharpTold === one.sharpTrue)),
    ours: orders.map((one) => `${one.order} ${one.sharpTold} told, ${one.sharpTrue} true`).join('; '),
  };
}

function blurPlot(orders: readonly CrawledOrder[]): PlotDescription {
  return {
    title: 'Blur of whole crawls, from the changes that did happen',
    file: 'crawl-blur',
    x: '',
    y: 'blur',
    kind: 'bars',
    series: [{ name: 'true', points: orders.map((one) => ({ x: one.order, y: one.blurTrue })) }],
  };
}

/** The organ pipe as the crawler played it: rates over the times of the visits. */
function visitPlot({ order, capture, blurTrue }: CrawledOrder, web: SyntheticWeb): PlotDescription {
  const { pages, startedAt } = capture;
  const seconds = (at: number): number => (at - startedAt) / 1000;
  return {
    title: `Visits of a crawl in the order ${order}`,
    description: `${pages.length} pages by change rate; blur ${round(blurTrue)}. Lines end at the second visit.`,
    file: `crawl-${order}`,
    x: 'seconds since the first request',
    y: 'changes per day',
    kind: 'stems',
    series: [
      {
        name: order,
        points: pages.map(({ url, visit, revisit }) => ({
          x: seconds(visit.at),
          y: (web.page(url)?.rate ?? 0) * 86_400,
          ...(revisit && { until: seconds(revisit.at) }),
        })),
      },
    ],
  };
}
