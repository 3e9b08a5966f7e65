/** NEAR-Miner 2009, Fig. 5 (d) to (f): thresholds by site, and rules that others subsume. */
import { subsumedRules } from '../evolution/subsumed-rules.ts';
import { type ExperimentVerdict, type Row, Skipped } from '../experiment/experiment.ts';
import type { PlotDescription } from '../experiment/plot.ts';
import { grade } from '../experiment/wording.ts';
import { ON } from './near-maintenance.ts';
import {
  type MeanQuality,
  meanQuality,
  type NearSite,
  nearSites,
  PAPER,
  runOnce,
  siteQuality,
  THRESHOLDS,
  TRAIN,
  two,
  windows,
} from './near-sites.ts';
import { type PaperExperiment, paperExperiment } from './paper-experiment.ts';
import { mean } from './statistics.ts';

interface BestAlpha {
  readonly site: string;
  /** BR by α. */
  readonly bypass: readonly number[];
}

const ALPHAS = [0.01, 0.02, 0.03, 0.04, 0.05] as const;

const thresholds = paperExperiment<BestAlpha[]>({
  name: 'near-fig-5d',
  title: 'Thresholds and sites',
  paper: PAPER,
  figure: 'Fig. 5 (d)',
  method: `${ON} α from .01 to .05, relaxed reading: in the strict one hardly any site has rules at all.`,
  measure: (options) => {
    const sites = nearSites(options);
    if (sites instanceof Skipped) return sites;
    return sites.map((site) => ({
      site: site.name,
      bypass: ALPHAS.map(
        (alpha) => siteQuality(site, 'relaxed', { thresholds: { ...THRESHOLDS, alpha } })?.bypassRatio ?? 0,
      ),
    }));
  },
  rows: (sites) =>
    sites.flatMap(({ site, bypass }) => ALPHAS.map((alpha, k): Row => ({ site, alpha, BR: bypass[k] }))),
  plots: (sites) => [
    {
      title: 'Bypass ratio by DoC threshold',
      x: 'α',
      y: 'bypass ratio',
      kind: 'lines',
      range: [0, 1],
      series: sites.map(({ site, bypass }) => ({
        name: site,
        points: ALPHAS.map((alpha, k) => ({ x: alpha, y: bypass[k] as number })),
      })),
    },
  ],
  claims: [
    {
      statement: 'The threshold of the highest BR differs from site to site.',
      verdict: (sites) => {
        const best = sites.map(({ bypass }) => ALPHAS[bypass.indexOf(Math.max(...bypass))] as number);
        return {
          holds: sites.length < 2 ? 'not measured' : grade([new Set(best).size > 1]),
          ours: `${sites.map(({ site, bypass }, k) => `${site} α = ${best[k]} (BR ${two(Math.max(...bypass))})`).join('; ')}.`,
        };
      },
    },
  ],
});

interface Subsumed {
  readonly site: string;
  readonly by: 'tail' | 'head';
  readonly ours: MeanQuality;
  readonly subsumed: MeanQuality;
}

function subsumedQuality(site: NearSite, by: 'tail' | 'head'): Subsumed[] {
  const { evolution } = site;
  const gamma = 0.3;
  const given = { ...THRESHOLDS, gamma, relaxed: true };
  const runs = windows(evolution.versions, TRAIN + 1).map((from) => {
    const run = { from, train: TRAIN, distance: 1 };
    const rules = evolution.mine(run, given);
    const window = { from, to: from + TRAIN - 1, known: evolution.knownAfter(from + TRAIN - 1) };
    const subsumed = subsumedRules(by, evolution.deltas, given, window);
    const all = by === 'tail' ? subsumed : [...rules, ...subsumed];
    return { ours: runOnce(site, run, rules), subsumed: runOnce(site, run, all) };
  });
  const [ours, subsumed] = [
    meanQuality(runs.map((run) => run.ours)),
    meanQuality(runs.map((run) => run.subsumed)),
  ];
  return ours.bypassRatio > 0 && ours.changed > 0 ? [{ site: site.name, by, ours, subsumed }] : [];
}

const ratio = ({ ours, subsumed }: Subsumed, name: 'bypassRatio' | 'changeRecall'): number =>
  ours[name] === 0 ? 0 : subsumed[name] / ours[name];

const subsumed = paperExperiment<Subsumed[]>({
  name: 'near-fig-5ef',
  title: 'What subsumed rules are worth',
  paper: PAPER,
  figure: 'Fig. 5 (e), (f)',
  method:
    `${ON} Relaxed reading, γ .3. (e): rules that another rule subsumes, in place of ours. (f): rules that a pattern subsumes, ` +
    'beside ours. Sites where ours leave something out.',
  measure: (options) => {
    const sites = nearSites(options);
    if (sites instanceof Skipped) return sites;
    const found = (['tail', 'head'] as const).flatMap((by) =>
      sites.flatMap((site) => subsumedQuality(site, by)),
    );
    return found.length > 0 ? found : new Skipped('no site of the folder has rules (--data)');
  },
  rows: (all) =>
    all.map(
      (one): Row => ({
        site: one.site,
        'subsumed by': one.by === 'tail' ? 'a rule' : 'a pattern',
        'BR1/BR': ratio(one, 'bypassRatio'),
        'CR1/CR': ratio(one, 'changeRecall'),
      }),
    ),
  plots: (all) =>
    (['tail', 'head'] as const).flatMap((by): PlotDescription[] => {
      const own = all.filter((one) => one.by === by);
      if (own.length === 0) return [];
      return (['bypassRatio', 'changeRecall'] as const).map((name) => ({
        title: `${name === 'bypassRatio' ? 'BR' : 'CR'} of rules subsumed by ${by === 'tail' ? 'rules' : 'patterns'}, relative to ours`,
        x: '',
        y: 'ratio',
        kind: 'bars',
        series: [{ name, level: 1, points: own.map((one) => ({ x: one.site, y: ratio(one, name) })) }],
      }));
    }),
  claims: [
    {
      statement:
        '(e) Rules subsumed by rules skip less (BR1/BR < 1) and lose less (CR1/CR > 1), the former by more than the latter.',
      verdict: (all) => subsumedVerdict(all, 'tail', -1),
    },
    {
      statement:
        '(f) Rules subsumed by patterns skip more and miss more, the gain in BR being smaller than the loss in CR.',
      verdict: (all) => subsumedVerdict(all, 'head', 1),
    },
  ],
});

function subsumedVerdict(all: readonly Subsumed[], by: 'tail' | 'head', sign: 1 | -1): ExperimentVerdict {
  const own = all.filter((one) => one.by === by);
  if (own.length === 0) return { holds: 'not measured' as const, ours: 'No site has such rules.' };
  const [br, cr] = (['bypassRatio', 'changeRecall'] as const).map((name) =>
    mean(own.map((one) => ratio(one, name))),
  ) as [number, number];
  const [gain, loss] = [sign * (br - 1), sign * (1 - cr)];
  return {
    holds: grade([gain > 0, loss > 0, by === 'tail' ? gain > loss : gain < loss]),
    ours: `Mean of ${own.length} sites: BR1/BR ${two(br)}, CR1/CR ${two(cr)}.`,
  };
}

export const NEAR_RULES: readonly PaperExperiment[] = [thresholds, subsumed];
