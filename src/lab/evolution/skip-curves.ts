import type { SkipMethod, SkipRun, SkipStudy } from './skip-study.ts';
import type { SkipScore } from './test-version.ts';

/** A method at one setting: averaged over the runs of each site, then over the sites. */
export interface CurvePoint {
  readonly setting: string;
  readonly bypassRatio: number;
  readonly overallPrecision: number;
  readonly overallRecall: number;
  readonly changeRecall: number;
  readonly changeRecallEq9: number;
  readonly weightRecall: number;
  /** Over the changes of all runs together. */
  readonly pooledRecall: number;
  /** Share of the skipped directories in which nothing changed. */
  readonly precision: number | undefined;
  readonly promised: number;
}

/** Runs whose test version has a change: the others say nothing about what is missed. */
export function changedRuns({ runs }: Pick<SkipStudy, 'runs'>): SkipRun[] {
  return runs.filter(({ score }) => score.changed > 0);
}

/** The points of a method over all sites, or over one. */
export function curveOf(study: SkipStudy, method: SkipMethod, site?: string): CurvePoint[] {
  const own = changedRuns(study).filter(
    (run) => run.method === method && (site === undefined || run.site === site),
  );
  const settings = [...new Set(own.map(({ setting }) => setting))];
  return settings.map((setting) => {
    const runs = own.filter((run) => run.setting === setting);
    const perSite = study.sites
      .map((name) => runs.filter((run) => run.site === name))
      .filter(({ length }) => length > 0);
    const mean = (of: (run: SkipRun) => number): number =>
      average(perSite.map((group) => average(group.map(of))));
    const score = (name: keyof SkipScore): number => mean((run) => run.score[name]);
    const sum = (name: keyof SkipScore): number => runs.reduce((all, run) => all + run.score[name], 0);
    return {
      setting,
      bypassRatio: score('bypassRatio'),
      overallPrecision: score('overallPrecision'),
      overallRecall: score('overallRecall'),
      changeRecall: score('changeRecall'),
      changeRecallEq9: score('changeRecallEq9'),
      weightRecall: score('weightRecall'),
      pooledRecall: 1 - sum('missed') / Math.max(1, sum('changed')),
      precision: sum('directories') === 0 ? undefined : sum('right') / sum('directories'),
      promised: mean(({ promised = 0 }) => promised),
    };
  });
}

const average = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((a, b) => a + b, 0) / values.length;

type Recall = 'changeRecall' | 'weightRecall' | 'pooledRecall';

/** A curve begins where nothing is skipped and nothing missed; dominated points are dropped. */
function frontier(points: readonly CurvePoint[], recall: Recall): (readonly [br: number, recall: number])[] {
  const sorted = points
    .map((point) => [point.bypassRatio, point[recall]] as const)
    .sort((a, b) => b[1] - a[1] || b[0] - a[0]);
  const kept: (readonly [number, number])[] = [[0, 1]];
  for (const point of sorted) if (point[0] > (kept.at(-1)?.[0] ?? 0)) kept.push(point);
  return kept;
}

/** BR of a method at this recall, interpolated between its settings; undefined if no setting misses that much. */
export function bypassAt(
  points: readonly CurvePoint[],
  target: number,
  recall: Recall = 'changeRecall',
): number | undefined {
  const curve = frontier(points, recall);
  const at = curve.findIndex(([, reached]) => reached <= target);
  return at < 0 ? undefined : between(curve, at, 1, target);
}

/** The recall of a method when it skips this share; undefined if no setting skips that much. */
export function recallAt(
  points: readonly CurvePoint[],
  bypass: number,
  recall: Recall = 'changeRecall',
): number | undefined {
  const curve = frontier(points, recall);
  const at = curve.findIndex(([br]) => br >= bypass);
  return at < 0 ? undefined : between(curve, at, 0, bypass);
}

function between(
  curve: readonly (readonly [number, number])[],
  at: number,
  axis: 0 | 1,
  value: number,
): number {
  const high = curve[at] as readonly [number, number];
  const low = curve[at - 1];
  if (low === undefined || low[axis] === high[axis]) return high[1 - axis] as number;
  const share = (value - low[axis]) / (high[axis] - low[axis]);
  return (low[1 - axis] as number) + share * ((high[1 - axis] as number) - (low[1 - axis] as number));
}
