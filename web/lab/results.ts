import type { ChartSpec, FigurePoint } from '../charts/spec.ts';

/** What `daguerre lab reproduce --out DIR` writes of an experiment, as far as it is shown. */
export interface Experiment {
  readonly name: string;
  readonly title: string;
  readonly paper: string;
  readonly figure: string;
  /** Why it was not measured. */
  readonly reason?: string;
  readonly findings: readonly { readonly statement: string; readonly holds: string; readonly ours: string }[];
  readonly plots: readonly { readonly title: string; readonly spec: ChartSpec }[];
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const list = (value: unknown): readonly Record<string, unknown>[] => (Array.isArray(value) ? value : []);

/** A file that a person chose: undefined where it is none of these. */
export function readExperiment(json: string): Experiment | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(json);
  } catch {
    return undefined;
  }
  if (typeof parsed !== 'object' || parsed === null) return undefined;
  const given = parsed as Record<string, unknown>;
  if (text(given.name) === '' || !('findings' in given || 'reason' in given)) return undefined;
  return {
    name: text(given.name),
    title: text(given.title),
    paper: text(given.paper),
    figure: text(given.figure),
    ...(text(given.reason) !== '' && { reason: text(given.reason) }),
    findings: list(given.findings).map(({ statement, holds, ours }) => ({
      statement: text(statement),
      holds: text(holds),
      ours: text(ours),
    })),
    plots: list(given.plots).map((plot) => ({ title: text(plot.title), spec: figureOf(plot) })),
  };
}

function figureOf(plot: Record<string, unknown>): ChartSpec {
  const kind = text(plot.kind);
  return {
    kind: 'figure',
    shape: /bar/.test(kind) ? 'bar' : /point|scatter/.test(kind) ? 'points' : 'line',
    x: axis(plot.x),
    y: axis(plot.y),
    series: list(plot.series).map(({ name, points }) => ({ name: text(name), points: pointsOf(points) })),
  };
}

const axis = (value: unknown): string =>
  text(value) || text((value as { label?: unknown } | null | undefined)?.label);

function pointsOf(points: unknown): readonly FigurePoint[] {
  return list(points).flatMap((point) => {
    const { x, y, interval } = point ?? {};
    if ((typeof x !== 'number' && typeof x !== 'string') || typeof y !== 'number') return [];
    const bounds = Array.isArray(interval) && interval.every((one) => typeof one === 'number');
    return [{ x, y, ...(bounds && { interval: interval as unknown as [number, number] }) }];
  });
}
