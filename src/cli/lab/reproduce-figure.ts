import {
  barX,
  dot,
  lineY,
  link,
  type Markish,
  type PlotOptions,
  ruleX,
  ruleY,
  text,
} from '@observablehq/plot';
import type { PlotDescription } from '../../lab/reproduce/index.ts';

/** Told apart in print and by most who do not see all colours. */
const COLOURS = [
  '#4269d0',
  '#d98a1d',
  '#c5453a',
  '#3a9a94',
  '#4d8b31',
  '#c06ba8',
  '#7d5ab5',
  '#555555',
  '#9c6b4e',
];
const colour = (k: number): string => COLOURS[k % COLOURS.length] as string;

export const plotOptions = (plot: PlotDescription): PlotOptions =>
  plot.kind === 'bars' ? barOptions(plot) : lineOptions(plot);

function barOptions({ x, y, series }: PlotDescription): PlotOptions {
  const points = series[0]?.points ?? [];
  const whiskers = points.flatMap(({ x: name, y: value, spread }) =>
    spread === undefined ? [] : [{ name, low: value - spread, high: value + spread }],
  );
  return {
    width: 760,
    height: 60 + 22 * points.length,
    marginLeft: 270,
    marginRight: 60,
    x: { label: y, grid: true },
    y: { label: x || null, domain: points.map((point) => point.x) },
    marks: [
      barX(points, { x: 'y', y: 'x', fill: '#9db8d6' }),
      link(whiskers, { x1: 'low', x2: 'high', y1: 'name', y2: 'name', stroke: '#223344' }),
      text(points, {
        x: 'y',
        y: 'x',
        text: (point) => String(Number(point.y.toPrecision(3))),
        dx: 4,
        textAnchor: 'start',
      }),
      ruleX([0]),
    ],
  };
}

function lineOptions({ x, y, series, logX, logY }: PlotDescription): PlotOptions {
  const many = series.some(({ points }) => points.length > 30);
  const marks: Markish[] = series.flatMap(({ name, points }, k) => [
    lineY(points, { x: 'x', y: 'y', stroke: colour(k), strokeWidth: 1.5 }),
    ...(many ? [] : [dot(points, { x: 'x', y: 'y', r: 2.5, fill: colour(k) })]),
    link(
      points.filter(({ spread }) => spread !== undefined),
      {
        x1: 'x',
        x2: 'x',
        y1: (point) => point.y - point.spread,
        y2: (point) => point.y + point.spread,
        stroke: colour(k),
      },
    ),
    // A legend of our own: Plot's is HTML, outside the drawing.
    text([name], {
      frameAnchor: 'top-right',
      textAnchor: 'start',
      dx: 12,
      dy: 4 + 16 * k,
      fill: colour(k),
      fontWeight: 'bold',
    }),
  ]);
  return {
    width: 760,
    height: 380,
    marginLeft: 60,
    marginRight: 190,
    x: { label: x, ...(logX ? { type: 'log' } : {}) },
    y: { label: y, grid: true, ...(logY ? { type: 'log' } : {}) },
    marks: [...(logY ? [] : [ruleY([0])]), ...marks],
  };
}
