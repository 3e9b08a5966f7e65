/** Runs every method on every window of every site, and averages. */
import type { ChangeCoefficients } from '../../science/evolution/change-model.ts';
import { planSkips } from '../../science/evolution/plan-skips.ts';
import type { SiteEvents } from '../data/site-history.ts';
import { type ChangeExample, fitChangeModel } from './fit-change-model.ts';
import { quietInstead } from './skip-choice.ts';
import {
  CUT_SETTINGS,
  flatCutSkips,
  heldSkips,
  QUIET_SETTINGS,
  quietSkips,
  RULE_SETTINGS,
  ruleSkips,
  seenWithout,
  weightedDeltas,
} from './skip-methods.ts';
import {
  examplesOf,
  historyOf,
  type StudiedSite,
  studiedSite,
  TRAINING,
  type WindowSet,
  windowStarts,
} from './skip-windows.ts';
import { type SkipScore, TestVersion } from './test-version.ts';

export const METHODS = [
  'strict NEAR',
  'strict NEAR, heads checked',
  'relaxed NEAR',
  'relaxed NEAR, heads checked',
  'weighted relaxed NEAR',
  'quiet',
  'flat cut',
  'ours',
  'ours, heads checked',
  'ours or quiet',
  'oracle',
] as const;
export type SkipMethod = (typeof METHODS)[number];

export interface SkipRun {
  readonly site: string;
  readonly method: SkipMethod;
  readonly setting: string;
  readonly score: SkipScore;
  /** The miss that the plan promised; 0 if it skips nothing. */
  readonly promised?: number;
  /** Why our plan skips nothing, if so. */
  readonly none?: string;
}

export interface SkipStudy {
  readonly sites: readonly string[];
  readonly runs: readonly SkipRun[];
  /** Fitted on all sites: the ones that the archive ships. */
  readonly coefficients: ChangeCoefficients;
}

/** Values of `missAtMost` for the plans on our curve. */
export const BUDGETS = [0.01, 0.02, 0.05, 0.075, 0.1, 0.125, 0.15, 0.2, 0.25, 0.3];
/** On standardised features; a factor of ten either way changes BR at CR .90 by less than .01. */
const PENALTY = 0.01;

export function skipStudy(
  histories: ReadonlyMap<string, SiteEvents>,
  { windows, set = 'first' }: { readonly windows: number; readonly set?: WindowSet },
  progress: (done: string) => void = () => undefined,
): SkipStudy {
  const sites = [...histories].map(([name, history]) => studiedSite(name, history));
  const examples = new Map<string, ChangeExample[]>(sites.map((site) => [site.name, examplesOf(site)]));
  const fitted = (left?: string): ChangeCoefficients =>
    fitChangeModel(
      [...examples].flatMap(([name, own]) => (name === left ? [] : own)),
      PENALTY,
    );
  const runs = sites.flatMap((site) => {
    // Nothing that is tuned has seen the site on which it is measured.
    const coefficients = fitted(site.name);
    const own = windowStarts(site, windows, set).flatMap((start) => runsOf(site, start, coefficients));
    progress(site.name);
    return own;
  });
  return { sites: sites.map(({ name }) => name), runs, coefficients: fitted() };
}

function runsOf(site: StudiedSite, start: number, coefficients: ChangeCoefficients): SkipRun[] {
  const end = start + TRAINING;
  const history = historyOf(site, start, end);
  const [before, after] = [site.versions[end - 1] ?? [], site.versions[end] ?? []];
  const test = new TestVersion(history, before, after);
  const runs: SkipRun[] = [];
  const add = (
    method: SkipMethod,
    setting: string,
    skipped: ReadonlySet<number>,
    more: Partial<SkipRun> = {},
  ): void => {
    runs.push({ site: site.name, method, setting, score: test.score(skipped), ...more });
  };
  const weighted = weightedDeltas(history, site.versions.slice(start, end));
  for (const thresholds of RULE_SETTINGS) {
    const setting = `α ${thresholds.alpha}, β ${thresholds.beta}`;
    for (const kind of ['strict', 'relaxed'] as const) {
      const chosen = ruleSkips(history.deltas, thresholds, kind === 'relaxed');
      add(`${kind} NEAR`, setting, chosen.skipped);
      const check = seenWithout(chosen.skipped, history, before, after);
      add(`${kind} NEAR, heads checked`, setting, heldSkips(history.tree, chosen, check));
    }
    add('weighted relaxed NEAR', setting, ruleSkips(weighted, thresholds, true).skipped);
  }
  const [quiet, flatCut] = [quietSkips(history), flatCutSkips(history)];
  for (const k of QUIET_SETTINGS) add('quiet', String(k), quiet(k));
  for (const miss of CUT_SETTINGS) add('flat cut', String(miss), flatCut(miss));
  const chosen = quietInstead(history, coefficients);
  for (const missAtMost of BUDGETS) {
    const plan = planSkips(history, { now: site.timeOf(end), missAtMost }, coefficients);
    const instead = chosen(plan, missAtMost);
    if (instead) add('ours or quiet', String(missAtMost), instead.skipped, { promised: instead.promised });
    else if (plan.kind === 'none') add('ours or quiet', String(missAtMost), new Set(), { promised: 0 });
    if (plan.kind === 'none') {
      for (const method of ['ours', 'ours, heads checked'] as const)
        add(method, String(missAtMost), new Set(), { promised: 0, none: plan.why.kind });
      continue;
    }
    const { promisedMiss: promised } = plan;
    const idOf = ({ directory }: { readonly directory: string }): number =>
      history.tree.find(directory) as number;
    const skipped = new Set(plan.skips.map(idOf));
    add('ours', String(missAtMost), skipped, { promised });
    if (!instead) add('ours or quiet', String(missAtMost), skipped, { promised });
    const check = seenWithout(skipped, history, before, after);
    const held = plan.skips.filter(({ reason }) => check.holds(reason));
    add('ours, heads checked', String(missAtMost), new Set(held.map(idOf)), { promised });
  }
  add('oracle', '', test.unchanged());
  return runs;
}
