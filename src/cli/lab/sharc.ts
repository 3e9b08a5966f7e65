import { dot, link, type PlotOptions, ruleX, ruleY } from '@observablehq/plot';
import { parseChanges } from '../../lab/data/page-tables.ts';
import { factLines, textTable } from '../../lab/experiment/text-table.ts';
import { type PlanResult, plan } from '../../lab/sharpness/plan.ts';
import type { LabSharcFlags } from '../commands/lab-sharc.ts';
import { writeOutput } from '../write-output.ts';
import { writeFigure } from './figure.ts';
import { withGivenSite } from './given-site.ts';

export async function labSharc(flags: LabSharcFlags): Promise<void> {
  const { names, rates, skipped, result } = withGivenSite(flags, ({ names, site, valuesOf, skipped }) => {
    const changes =
      flags.changes === undefined
        ? undefined
        : valuesOf(flags.changes, parseChanges).map((list) => list.map(({ time }) => time - flags.start));
    return { names, rates: site.rates, skipped: skipped(), result: plan(site, { ...flags, changes }) };
  });
  const output = flags.json
    ? `${JSON.stringify({ ...result, pages: names, skipped })}\n`
    : planTable(result, names, rates);
  await writeOutput(output, undefined);
  if (flags.out !== undefined) await drawPlan(result, rates, flags.out);
}

export function planTable(result: PlanResult, names: readonly string[], rates: ArrayLike<number>): string {
  const { visits, revisits, times, sharpPages } = result;
  const sharp = sharpPages && new Set(sharpPages);
  const order = names.map((_, i) => i).sort((a, b) => (visits[a] as number) - (visits[b] as number));
  const head = [
    'page',
    'rate',
    'visit',
    ...(revisits.length > 0 ? ['revisit'] : []),
    ...(sharp ? ['sharp'] : []),
  ];
  const rows = order.map((i) => [
    names[i],
    rates[i],
    times ? times[i]?.map((time) => Number(time.toPrecision(6))).join(' ') : visits[i],
    ...(revisits.length > 0 ? [revisits[i]] : []),
    ...(sharp ? [sharp.has(i) ? 'sharp' : ''] : []),
  ]);
  const { drawn, date } = result;
  const facts = factLines([
    ['expected blur', result.blur],
    ['expected sharp pages', result.expectedSharp],
    ['exact blur', result.exactBlur],
    ['sharp pages', result.sharp],
    ['dates to', date && `${date.time} (${date.range.join(' to ')}), proven by ${date.proven} pages`],
    ['exact blur, drawn', drawn?.exactBlur],
    ['sharp pages, drawn', drawn?.sharp],
  ]);
  const table = textTable(head, rows);
  return `${result.strategy}, observed from ${result.observe.join(' to ')}\n\n${table}\n\n${facts}\n`;
}

/** The organ pipe: rates over the time of the downloads; with revisits, the interval of each page. */
async function drawPlan(result: PlanResult, rates: ArrayLike<number>, folder: string): Promise<void> {
  const visits = result.visits.flatMap((visit, i) =>
    (result.times?.[i] ?? [visit, ...result.revisits.slice(i, i + 1)]).map((time) => ({
      time,
      rate: rates[i],
    })),
  );
  const intervals = result.revisits.map((revisit, i) => ({
    from: result.visits[i],
    revisit,
    rate: rates[i],
  }));
  const options: PlotOptions = {
    width: 720,
    height: 320,
    x: { label: 'time' },
    y: { label: 'change rate', grid: true },
    marks: [
      ruleY([0]),
      ruleX(visits, { x: 'time', y: 'rate', stroke: '#9db8d6' }),
      link(intervals, {
        x1: 'from',
        x2: 'revisit',
        y1: 'rate',
        y2: 'rate',
        stroke: '#cc8844',
        strokeOpacity: 0.5,
      }),
      dot(visits, { x: 'time', y: 'rate', r: 2, fill: '#225588' }),
    ],
  };
  await writeFigure(folder, `sharc-${result.strategy}`, options, {
    title: `Downloads of ${result.strategy}`,
    description: `${result.visits.length} pages by change rate; expected blur ${result.blur}.`,
  });
}
