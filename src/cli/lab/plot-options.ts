import {
  barX,
  cell,
  dot,
  lineY,
  link,
  type Markish,
  type PlotOptions,
  ruleX,
  ruleY,
  text,
} from '@observablehq/plot';
import type { PlotDescription, PlotPoint } from '../../lab/experiment/plot.ts';

/** Distinguishable in print and by most people with colour blindness. */
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
const DASHED = { stroke: '#aa3333', strokeDasharray: '4' };

const DRAWN: Readonly<Record<PlotDescription['kind'], (plot: PlotDescription) => PlotOptions>> = {
  lines: lineOptions,
  panels: panelOptions,
  bars: barOptions,
  stems: stemOptions,
  heat: heatOptions,
};

export const plotOptions = (plot: PlotDescription): PlotOptions => DRAWN[plot.kind](plot);

const intervals = (points: readonly PlotPoint[]) =>
  points.flatMap(({ x, interval }) => (interval ? [{ x, low: interval[0], high: interval[1] }] : []));

/** The scale of the values. */
const scale = ({ y, range, logY }: PlotDescription) => ({
  label: y,
  grid: true,
  ...(range && { domain: [...range] }),
  // Plain numbers: Plot's default would write 0.6 as `600m`.
  ...(logY && { type: 'log' as const, tickFormat: '~g' }),
});

function barOptions(plot: PlotDescription): PlotOptions {
  const { points = [], level } = plot.series[0] ?? {};
  return {
    width: 760,
    height: 60 + 22 * points.length,
    marginLeft: 270,
    marginRight: 60,
    x: scale(plot),
    y: { label: plot.x || null, domain: points.map((point) => point.x) },
    marks: [
      barX(points, { x: 'y', y: 'x', fill: '#9db8d6' }),
      link(intervals(points), { x1: 'low', x2: 'high', y1: 'x', y2: 'x', stroke: '#223344' }),
      text(points, {
        // After the end of the error bar.
        x: ({ y, interval }) => Math.max(y, interval?.[1] ?? y),
        y: 'x',
        text: (point) => String(Number(point.y.toPrecision(3))),
        dx: 4,
        textAnchor: 'start',
      }),
      ...(level === undefined ? [] : [ruleX([level], DASHED)]),
      ruleX([0]),
    ],
  };
}

function lineOptions(plot: PlotDescription): PlotOptions {
  const { x, series, range, logX, logY } = plot;
  const many = series.some(({ points }) => points.length > 30);
  const marks: Markish[] = series.flatMap(({ name, points, level }, k) => [
    lineY(points, { x: 'x', y: 'y', stroke: colour(k), strokeWidth: 1.5 }),
    ...(many ? [] : [dot(points, { x: 'x', y: 'y', r: 2.5, fill: colour(k) })]),
    ...(level === undefined ? [] : [ruleY([level], { ...DASHED, stroke: colour(k) })]),
    link(intervals(points), { x1: 'x', x2: 'x', y1: 'low', y2: 'high', stroke: colour(k) }),
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
    x: { label: x || null, ...(logX ? { type: 'log' } : {}) },
    y: scale(plot),
    marks: [...(logY ? [] : [ruleY([range?.[0] ?? 0])]), ...marks],
  };
}

/** Small charts, one below the other. */
function panelOptions(plot: PlotDescription): PlotOptions {
  const { x, series } = plot;
  const points = series.flatMap(({ name, points }) => points.map((point) => ({ ...point, name })));
  const levels = series.flatMap(({ name, level }) => (level === undefined ? [] : [{ name, y: level }]));
  return {
    width: 720,
    height: 60 + 80 * series.length,
    marginLeft: 50,
    marginRight: 240,
    x: { label: x || null },
    y: { ...scale(plot), ticks: 3 },
    fy: { label: null, domain: series.map(({ name }) => name) },
    marks: [
      ruleY(levels, { ...DASHED, y: 'y', fy: 'name' }),
      lineY(points, { x: 'x', y: 'y', fy: 'name', stroke: '#225588', curve: 'step-after' }),
      ruleY([0]),
    ],
  };
}

function stemOptions(plot: PlotDescription): PlotOptions {
  const points = plot.series.flatMap((one) => one.points);
  const lasting = points.filter(({ until }) => until !== undefined);
  return {
    width: 720,
    height: 320,
    marginLeft: 50,
    x: { label: plot.x || null },
    y: scale(plot),
    marks: [
      ruleY([0]),
      ruleX(points, { x: 'x', y: 'y', stroke: '#9db8d6' }),
      link(lasting, { x1: 'x', x2: 'until', y1: 'y', y2: 'y', stroke: '#cc8844', strokeOpacity: 0.5 }),
      dot(points, { x: 'x', y: 'y', r: 2, fill: '#225588' }),
    ],
  };
}

/** Strips, one below the other; 0 stays white, so that a single small change is visible. */
function heatOptions({ x, y, series, range = [0, 1] }: PlotDescription): PlotOptions {
  const cells = series.flatMap(({ name, points }) => points.map((point) => ({ ...point, name })));
  const columns = [...new Set(cells.map((one) => one.x))];
  const every = Math.ceil(columns.length / 20);
  return {
    width: 900,
    height: 70 + 18 * series.length,
    marginLeft: 300,
    x: {
      label: `${x}; ${y}: white none, dark all`,
      ticks: columns.filter((_, k) => k % every === 0),
      tickSize: 3,
    },
    y: { label: null, domain: series.map(({ name }) => name), tickSize: 0 },
    color: { type: 'linear', domain: [...range], range: ['#dbe9f6', '#08306b'] },
    marks: [
      cell(cells, { x: 'x', y: 'name', fill: '#f6f6f6', inset: 0.5 }),
      cell(
        cells.filter((one) => one.y > range[0]),
        { x: 'x', y: 'name', fill: 'y', inset: 0.5 },
      ),
    ],
  };
}
