import { barY, type PlotOptions, ruleY, text } from '@observablehq/plot';
import { type PatternView, periodLabels } from '../access/patterns.ts';
import { figureSvg } from './lab/figure.ts';

/** Where nothing is learnt: why, in place of bars. */
export const noPatternFigure = (why: string): string =>
  figureSvg(
    { width: 720, height: 100, axis: null, marks: [text([why], { frameAnchor: 'left', lineWidth: 60 })] },
    { title: 'When pages change', description: why },
  );

/** Bars of ω_k, a row for each page and class of days; the line is the page's threshold. */
export function patternFigure(views: readonly PatternView[]): string {
  const rows = views.flatMap((view) =>
    view.pattern.map(({ label, values }) => ({
      name: label === '' ? view.url : `${view.url} (${label})`,
      // Slots of slow kinds are days: all rows share one axis of positions, labelled only if all are of one kind.
      bars: values.map((value, k) => ({ k, value })),
      threshold: view.threshold,
    })),
  );
  const names = rows.map(({ name }) => name);
  const [first] = views;
  const labels =
    first && views.every(({ kind }) => kind === first.kind) ? periodLabels(first.kind, first.periods) : [];
  const options: PlotOptions = {
    width: 720,
    height: 60 + 120 * rows.length,
    marginTop: 30,
    marginLeft: 50,
    marginRight: 20,
    x: {
      label: first && first.period >= 86_400 ? 'day' : 'hour of the day',
      tickFormat: (k: number) => labels[k] ?? String(k),
    },
    y: { label: 'expected importance of the change in the period', grid: true, ticks: 3 },
    fy: { domain: names, label: null, axis: null, padding: 0.25 },
    marks: [
      barY(
        rows.flatMap(({ name, bars }) => bars.map((bar) => ({ ...bar, name }))),
        { x: 'k', y: 'value', fy: 'name', fill: '#3b6ea5' },
      ),
      ruleY(
        rows.map(({ name, threshold }) => ({ name, threshold })),
        { y: 'threshold', fy: 'name', stroke: '#b1440e', strokeDasharray: '4,3' },
      ),
      ruleY([0]),
      text(
        rows.map(({ name }) => ({ name })),
        { text: 'name', fy: 'name', frameAnchor: 'top-left', dy: -12, fontSize: 12 },
      ),
    ],
  };
  const description = names.map((name, row) => `${row + 1}: ${name}`).join('; ');
  return figureSvg(options, { title: 'When pages change', description });
}
