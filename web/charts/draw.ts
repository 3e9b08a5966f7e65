import {
  areaY,
  axisX,
  axisY,
  barY,
  dot,
  gridY,
  lineY,
  type Markish,
  plot,
  rectY,
  ruleX,
  ruleY,
  type ScaleOptions,
} from '@observablehq/plot';
import { bytes, clock, day, few, number, percent } from '../format.ts';
import type { ChartSpec } from './spec.ts';

type Kind<Name extends ChartSpec['kind']> = Extract<ChartSpec, { kind: Name }>;
type Drawing = SVGSVGElement | HTMLElement;

/** Classes of the page's sheet colour it: `currentColor` and `--accent`, so that light and dark need no second drawing. */
export function draw(spec: ChartSpec, width: number, label: string): Drawing {
  const drawing =
    spec.kind === 'times'
      ? times(spec, width)
      : spec.kind === 'rhythm'
        ? rhythm(spec, width)
        : figure(spec, width);
  // The policy of the page allows no style inside documents: Plot's own few rules stand in Chart.svelte.
  for (const style of drawing.querySelectorAll('style')) style.remove();
  // A picture has one name: those that Plot gives its parts would be read as more of them.
  for (const part of drawing.querySelectorAll('[aria-label], [aria-description]')) {
    part.removeAttribute('aria-label');
    part.removeAttribute('aria-description');
  }
  drawing.setAttribute('role', 'img');
  drawing.setAttribute('aria-label', label);
  return drawing;
}

/**
 * A scale from nothing to nothing has no place for zero, and bars would be drawn in full: where all values are zero it ends at one,
 * and names zero alone.
 */
function fromZero(values: readonly (number | undefined)[]): {
  readonly y: ScaleOptions;
  readonly ticks: number | number[];
} {
  const isNothing = values.every((value = 0) => value === 0);
  return isNothing ? { y: { zero: true, domain: [0, 1] }, ticks: [0] } : { y: { zero: true }, ticks: 4 };
}

const UNITS = { count: number, bytes, share: percent };
const DASHES = ['none', '5 3', '2 3', '8 3 2 3'];
const COLOURS = ['var(--accent)', 'var(--soft)', 'var(--good)', 'var(--warn)'];
const colour = (index: number): string => COLOURS[index % COLOURS.length] as string;

function times({ series, unit, bars = false }: Kind<'times'>, width: number): Drawing {
  const format = UNITS[unit];
  const points = series.flatMap(({ points: all }) => all);
  const scale = fromZero(points.flatMap(({ y, low, high }) => [y, low, high]));
  const { ticks } = scale;
  const span = Math.max(...points.map(({ x }) => x)) - Math.min(...points.map(({ x }) => x));
  const marks: Markish[] = [
    gridY({ ticks, stroke: 'var(--line)', strokeOpacity: 1 }),
    axisY({ ticks, tickSize: 0, label: null, tickFormat: (value: number) => format(value) }),
    axisX({
      ticks: Math.max(2, Math.floor(width / 130)),
      tickSize: 0,
      label: null,
      tickFormat: (at: Date) => (span > 2 * 86_400_000 ? day(at.getTime()) : clock(at.getTime())),
    }),
  ];
  for (const [index, one] of series.entries()) {
    const x = (point: { x: number }): Date => new Date(point.x);
    const title = (point: { x: number; y: number }): string =>
      `${one.name}, ${day(point.x)}: ${format(point.y)}`;
    const stroke = colour(index);
    if (one.points.some(({ low }) => low !== undefined))
      marks.push(areaY(one.points, { x, y1: 'low', y2: 'high', fill: stroke, fillOpacity: 0.15 }));
    if (bars)
      marks.push(
        ruleX(one.points, { x, y: 'y', stroke, strokeWidth: barWidth(width, points.length), title }),
      );
    else
      marks.push(
        lineY(one.points, {
          x,
          y: 'y',
          stroke,
          strokeWidth: 1.8,
          strokeDasharray: DASHES[index % 4] as string,
        }),
        dot(one.points, { x, y: 'y', r: 2.2, fill: stroke, title }),
      );
  }
  marks.push(ruleY([0], { stroke: 'var(--line-strong)' }));
  return plot({
    width,
    height: 170,
    marginLeft: 58,
    // Half of a day's name: the last one stands below the end of the axis.
    marginRight: 42,
    x: { type: 'time' },
    y: { ...scale.y, ...(unit === 'share' && { domain: [0, 1] }) },
    marks,
  });
}

const barWidth = (width: number, bars: number): number =>
  Math.min(12, Math.max(1.5, (0.6 * width) / Math.max(bars, 1)));

function rhythm({ rows, labels, next }: Kind<'rhythm'>, width: number): Drawing {
  const slots = rows.flatMap(({ label, values }, row) =>
    values.map((value, period) => ({
      label,
      value,
      from: period,
      to: period + 1,
      isNext: next?.row === row && next.period === period,
    })),
  );
  const ticks = labels.flatMap((label, period) => (label === '' ? [] : [period]));
  return plot({
    width,
    height: 34 + 66 * rows.length,
    marginLeft: 8,
    marginRight: rows.length > 1 ? 80 : 8,
    marginTop: 8,
    x: { domain: [0, labels.length], label: null },
    y: { ...fromZero(slots.map(({ value }) => value)).y, axis: null },
    fy: { label: null, domain: rows.map(({ label }) => label), axis: rows.length > 1 ? 'right' : null },
    marks: [
      axisX({
        ticks,
        tickSize: 0,
        tickFormat: (period: number) => labels[period] ?? '',
        textAnchor: 'start',
      }),
      rectY(slots, {
        x1: 'from',
        x2: 'to',
        y: 'value',
        fy: 'label',
        inset: 0.75,
        fill: (slot: { isNext: boolean }) => (slot.isNext ? 'var(--accent)' : 'var(--line-strong)'),
        fillOpacity: (slot: { isNext: boolean }) => (slot.isNext ? 1 : 0.55),
        title: (slot: { from: number; value: number }) =>
          `${labels[slot.from] || slot.from}: ${few(slot.value)}`,
      }),
      ruleY([0], { stroke: 'var(--line-strong)' }),
    ],
  });
}

function figure({ shape, x, y, series }: Kind<'figure'>, width: number): Drawing {
  const points = series.flatMap(({ name, points: all }) =>
    all.map((point) => ({ name, ...point, low: point.interval?.[0], high: point.interval?.[1] })),
  );
  const { y: scale, ticks } = fromZero(points.flatMap((point) => [point.y, point.low, point.high]));
  const colours = {
    color: { domain: series.map(({ name }) => name), range: series.map((_, i) => colour(i)), legend: false },
  };
  const title = (point: { name: string; x: number | string; y: number }): string =>
    `${point.name}: ${point.x}, ${few(point.y)}`;
  const bounds = points.some(({ low }) => low !== undefined)
    ? [ruleX(points, { x: 'x', y1: 'low', y2: 'high', stroke: 'name', strokeOpacity: 0.5 })]
    : [];
  const marks: Record<typeof shape, Markish[]> = {
    line: [
      lineY(points, { x: 'x', y: 'y', z: 'name', stroke: 'name', strokeWidth: 1.8 }),
      dot(points, { x: 'x', y: 'y', r: 2.5, fill: 'name', title }),
    ],
    points: [dot(points, { x: 'x', y: 'y', r: 3, fill: 'name', fillOpacity: 0.7, title })],
    bar: [barY(points, { x: 'x', y: 'y', fill: 'name', title })],
  };
  return plot({
    width,
    height: 280,
    marginLeft: 56,
    marginBottom: 44,
    ...colours,
    x: { label: x, ...(shape === 'bar' && bands(points)) },
    y: { ...scale, label: y, ticks },
    marks: [gridY({ ticks, stroke: 'var(--line)', strokeOpacity: 1 }), ...marks[shape], ...bounds],
  });
}

/** Labels that fit below bars. */
const MOST_LABELS = 12;

/** In the order they were given: names are not numbers, though they look so. */
function bands(points: readonly { readonly x: number | string }[]) {
  const domain = [...new Set(points.map(({ x }) => x))];
  const every = Math.ceil(domain.length / MOST_LABELS);
  return { type: 'band' as const, domain, ticks: domain.filter((_, i) => i % every === 0) };
}
