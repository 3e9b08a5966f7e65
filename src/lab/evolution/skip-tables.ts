/** What `lab skips` prints about the study. */
import { FEATURES } from '../../science/evolution/change-features.ts';
import type { Table } from '../experiment/text-table.ts';
import { bypassAt, type CurvePoint, changedRuns, curveOf, recallAt } from './skip-curves.ts';
import { BUDGETS, type SkipMethod, type SkipStudy } from './skip-study.ts';

/** Change recalls at which methods are compared. */
export const TARGETS = [0.9, 0.85] as const;

export const round = (value: number): string => value.toFixed(3);
/** The settings that people would mention, and for the rules the ones that skip most. */
export function means(study: SkipStudy): Table {
  const most = (method: SkipMethod): CurvePoint[] =>
    curveOf(study, method)
      .filter(({ changeRecall }) => changeRecall >= 0.9)
      .toSorted((a, b) => b.bypassRatio - a.bypassRatio)
      .slice(0, 1);
  const at = (method: SkipMethod, ...settings: string[]): CurvePoint[] =>
    curveOf(study, method).filter(({ setting }) => settings.includes(setting));
  const lines: (readonly [SkipMethod, CurvePoint[]])[] = [
    ['strict NEAR', most('strict NEAR')],
    ['relaxed NEAR', most('relaxed NEAR')],
    ['quiet', at('quiet', ...Array.from({ length: 10 }, (_, i) => String(i + 1)))],
    ['flat cut', at('flat cut', '0.05', '0.1', '0.15')],
    ['ours', at('ours', '0.05', '0.1', '0.15', '0.2')],
    ['oracle', at('oracle', '')],
  ];
  return {
    title: 'Mean over the sites (rules: the thresholds that skip most at CR ≥ .90)',
    header: ['method', 'setting', 'BR', 'OP', 'OR', 'CR', 'CR by Eq. 9', 'CR pooled'],
    rows: lines.flatMap(([method, points]) =>
      points.map((point) => [
        method,
        point.setting,
        ...[point.bypassRatio, point.overallPrecision, point.overallRecall, point.changeRecall].map(round),
        round(point.changeRecallEq9),
        round(point.pooledRecall),
      ]),
    ),
  };
}

const COMPARED = [
  'strict NEAR',
  'relaxed NEAR',
  'quiet',
  'flat cut',
  'ours',
  'ours or quiet',
  'oracle',
] as const;

export function atEqualRecall(study: SkipStudy): Table {
  return {
    title: 'BR at equal CR, between the settings of each method',
    header: ['method', ...TARGETS.map((target) => `CR ${target}`), ...TARGETS.map((t) => `pooled CR ${t}`)],
    rows: COMPARED.filter((method) => method !== 'oracle').map((method) => [
      method,
      ...TARGETS.map((target) => text(bypassAt(curveOf(study, method), target))),
      ...TARGETS.map((target) => text(bypassAt(curveOf(study, method), target, 'pooledRecall'))),
    ]),
  };
}

const text = (value: number | undefined): string | undefined =>
  value === undefined ? undefined : round(value);

export function perSite(study: SkipStudy): Table {
  const pair = (study: SkipStudy, method: SkipMethod, site: string, setting: string): string => {
    const point = curveOf(study, method, site).find((one) => one.setting === setting);
    return point ? `${point.bypassRatio.toFixed(2)}/${point.changeRecall.toFixed(2)}` : '-';
  };
  return {
    title: 'Per site, BR/CR; and BR at CR .90 on the curve of the site',
    header: [
      'site',
      'runs',
      'quiet-5',
      'ours .05',
      'ours .10',
      'ours .15',
      'oracle BR',
      'quiet .90',
      'ours .90',
      'ours or quiet .90',
    ],
    rows: study.sites.map((site) => [
      site,
      String(changedRuns(study).filter((run) => run.site === site && run.method === 'oracle').length),
      pair(study, 'quiet', site, '5'),
      ...['0.05', '0.1', '0.15'].map((setting) => pair(study, 'ours', site, setting)),
      round(curveOf(study, 'oracle', site)[0]?.bypassRatio ?? 0),
      text(bypassAt(curveOf(study, 'quiet', site), 0.9)),
      text(bypassAt(curveOf(study, 'ours', site), 0.9)),
      text(bypassAt(curveOf(study, 'ours or quiet', site), 0.9)),
    ]),
  };
}

export function calibration(study: SkipStudy): Table {
  const at = (setting: number, site?: string): CurvePoint | undefined =>
    curveOf(study, 'ours', site).find((point) => point.setting === String(setting));
  const cells = (setting: number, site?: string): (string | undefined)[] => {
    const point = at(setting, site);
    return point ? [round(point.promised), round(1 - point.changeRecall)] : [undefined, undefined];
  };
  return {
    title: 'Calibration of ours: misses promised and found',
    header: ['site', 'at most', 'promised', 'found'],
    rows: [
      ...BUDGETS.map((setting) => ['mean', String(setting), ...cells(setting)]),
      ...study.sites.map((site) => [site, '0.1', ...cells(0.1, site)]),
    ],
  };
}

/** Compared at the BR of quiet-k. */
export function compared(study: SkipStudy, site?: string) {
  const ours = curveOf(study, 'ours', site);
  return curveOf(study, 'quiet', site)
    .slice(0, 10)
    .map(({ setting, bypassRatio, changeRecall }) => ({
      setting,
      bypassRatio,
      quiet: changeRecall,
      ours: recallAt(ours, bypassRatio),
    }));
}

export function equalBypass(study: SkipStudy): Table {
  const worse = study.sites.map((site) => {
    const lines = compared(study, site).filter(({ ours }) => ours !== undefined);
    const gaps = lines.map(({ ours = 0, quiet }) => ours - quiet);
    const least = Math.min(...gaps);
    return [site, '1 to 10', '', '', lines.length === 0 ? undefined : round(least)];
  });
  return {
    title:
      'CR at equal BR (per site: the least that ours finds more than quiet-k, where ours leaves out as much)',
    header: ['site', 'k', 'BR', 'quiet-k', 'ours'],
    rows: [
      ...compared(study).map(({ setting, bypassRatio, quiet, ours }) => [
        'mean',
        setting,
        round(bypassRatio),
        round(quiet),
        text(ours),
      ]),
      ...worse,
    ],
  };
}

export function heads(study: SkipStudy): Table {
  const line = (method: SkipMethod, setting: string): (string | undefined)[] => {
    const point = curveOf(study, method).find((one) => one.setting === setting);
    return point
      ? [method, setting, round(point.bypassRatio), round(point.changeRecall), text(point.precision)]
      : [method, setting];
  };
  return {
    title:
      'Heads checked against what the crawl saw; precision: directories left out in which nothing changed',
    header: ['method', 'setting', 'BR', 'CR', 'precision'],
    rows: (['strict NEAR', 'relaxed NEAR'] as const)
      .flatMap((kind) => [line(kind, 'α 0.05, β 0.3'), line(`${kind}, heads checked`, 'α 0.05, β 0.3')])
      .concat([line('ours', '0.1'), line('ours, heads checked', '0.1')]),
  };
}

export function weighted(study: SkipStudy): Table {
  const [plain, byWeight] = [curveOf(study, 'relaxed NEAR'), curveOf(study, 'weighted relaxed NEAR')];
  return {
    title:
      'Relaxed NEAR by plain and by weighted degree of change, at equal BR: share of changes and of their weight found',
    header: ['BR', 'CR plain', 'CR weighted', 'weight plain', 'weight weighted'],
    rows: [0.1, 0.2, 0.3].map((br) => [
      round(br),
      text(recallAt(plain, br)),
      text(recallAt(byWeight, br)),
      text(recallAt(plain, br, 'weightRecall')),
      text(recallAt(byWeight, br, 'weightRecall')),
    ]),
  };
}

export function withoutChange(study: SkipStudy): Table {
  const own = study.runs.filter(({ method, setting }) => method === 'ours' && setting === '0.1');
  return {
    title: 'Test versions without a change, and plans that skip nothing (ours .10)',
    header: ['site', 'runs', 'without a change', 'BR of these', 'skip nothing'],
    rows: study.sites.map((site) => {
      const runs = own.filter((run) => run.site === site);
      const same = runs.filter(({ score }) => score.changed === 0);
      const mean = same.reduce((sum, { score }) => sum + score.bypassRatio / same.length, 0);
      const none = runs.flatMap(({ none: why }) => why ?? []);
      return [
        site,
        String(runs.length),
        String(same.length),
        same.length > 0 ? round(mean) : undefined,
        none.length > 0 ? `${none.length}: ${[...new Set(none)].join(', ')}` : '0',
      ];
    }),
  };
}

export function coefficients(study: SkipStudy): Table {
  return {
    title: 'Coefficients, fitted on all sites',
    header: ['feature', 'coefficient'],
    rows: FEATURES.map((name, j) => [name, (study.coefficients[j] ?? 0).toFixed(4)]),
  };
}
