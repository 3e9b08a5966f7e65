/** The output of `lab sharc` and `lab sharc-online`: pages in the order of their visits, what to expect, the pipe. */
import type { SiteToCapture } from '../../science/sharpness/schedule.ts';
import { experiment, type Row, tableOf } from '../experiment/experiment.ts';
import type { PlotDescription, PlotPoint } from '../experiment/plot.ts';
import { factLines } from '../experiment/text-table.ts';
import { type OnlinePlan, onlinePlan } from './online-plan.ts';
import { type PlanOptions, type PlanResult, plan } from './plan.ts';

interface NamedSite {
  readonly names: readonly string[];
  readonly site: SiteToCapture;
}

/** A plan with its pages. */
interface Planned<P> extends NamedSite {
  readonly result: P;
}

export const sharc = experiment<NamedSite & { readonly options: PlanOptions }, Planned<PlanResult>>({
  name: 'sharc',
  title: 'When a strategy visits each page',
  method: 'One strategy on given rates; exact figures where the times of the changes are known.',
  measure: ({ names, site, options }) => ({ names, site, result: plan(site, options) }),
  text: (planned) => [
    `${planned.result.strategy}, observed from ${planned.result.observe.join(' to ')}`,
    tableOf(visitRows(planned)),
    expectations(planned.result),
  ],
  data: ({ result, names }) => ({ ...result, pages: names }),
  plots: ({ result, site }) => [
    pipe(
      `sharc-${result.strategy}`,
      result.strategy,
      `${result.visits.length} pages by change rate; expected blur ${result.blur}.`,
      result.visits.flatMap((visit, page) => visitPoints(result, page, visit, rateOf(site, page))),
    ),
  ],
});

const rateOf = ({ rates }: SiteToCapture, page: number): number => rates[page] ?? 0;

function visitRows({ names, site, result }: Planned<PlanResult>): Row[] {
  const { visits, revisits, times, sharpPages } = result;
  const sharp = sharpPages && new Set(sharpPages);
  const order = names.map((_, page) => page).sort((a, b) => (visits[a] as number) - (visits[b] as number));
  return order.map((page) => ({
    page: names[page],
    rate: rateOf(site, page),
    visit: times ? times[page]?.map((time) => Number(time.toPrecision(6))).join(' ') : visits[page],
    ...(revisits.length > 0 && { revisit: revisits[page] }),
    ...(sharp && { sharp: sharp.has(page) ? 'sharp' : '' }),
  }));
}

function expectations({ blur, expectedSharp, exactBlur, sharp, date, drawn }: PlanResult): string {
  return factLines([
    ['expected blur', blur],
    ['expected sharp pages', expectedSharp],
    ['exact blur', exactBlur],
    ['sharp pages', sharp],
    ['dates to', date && `${date.time} (${date.range.join(' to ')}), proven by ${date.proven} pages`],
    ['exact blur, drawn', drawn?.exactBlur],
    ['sharp pages, drawn', drawn?.sharp],
  ]);
}

/** With a revisit, a line over the interval of the page. */
function visitPoints({ times, revisits }: PlanResult, page: number, visit: number, y: number): PlotPoint[] {
  if (times) return (times[page] ?? []).map((x) => ({ x, y }));
  const revisit = revisits[page];
  return revisit === undefined
    ? [{ x: visit, y }]
    : [
        { x: visit, y, until: revisit },
        { x: revisit, y },
      ];
}

export const sharcOnline = experiment<NamedSite & { readonly strategy: string }, Planned<OnlinePlan>>({
  name: 'sharc-online',
  title: 'The order in which a site is downloaded that is found on the way',
  method: 'One online strategy on given rates and links, at the size that it believes in.',
  measure: ({ names, site, strategy }) => ({ names, site, result: onlinePlan(site, strategy) }),
  text: (planned) => [
    `${planned.result.strategy}, believed size ${planned.result.size}`,
    tableOf(slotRows(planned)),
    factLines([
      ['expected blur', planned.result.blur],
      ['of sharc-offline', planned.result.offlineBlur],
    ]),
  ],
  data: ({ result, names }) => ({ ...result, order: result.order.map((page) => names[page]) }),
  plots: ({ result, site }) => [
    pipe(
      `sharc-online-${result.strategy}`,
      result.strategy,
      `${result.order.length} pages in the order of their download.`,
      result.order.map((page, slot) => ({ x: slot, y: rateOf(site, page) })),
    ),
  ],
});

function slotRows({ names, site, result }: Planned<OnlinePlan>): Row[] {
  return result.order.map((page, slot) => ({ slot, page: names[page], rate: rateOf(site, page) }));
}

/** Rates over the time of the downloads. */
const pipe = (
  file: string,
  strategy: string,
  description: string,
  points: readonly PlotPoint[],
): PlotDescription => ({
  file,
  title: `Downloads of ${strategy}`,
  description,
  x: 'time',
  y: 'change rate',
  kind: 'stems',
  series: [{ name: strategy, points }],
});
