/** What the NEAR-Miner experiments share: real sites, windows of their versions, means over them. */
import type { MiningThresholds, NegativeRule } from '../../science/evolution/near-miner.ts';
import { type SkipQuality, skipQuality } from '../../science/evolution/skip-quality.ts';
import { historyVersions } from '../data/history-versions.ts';
import { SiteEvolution } from '../evolution/site-evolution.ts';
import { Skipped } from '../experiment/experiment.ts';
import type { PaperOptions } from './paper-experiment.ts';
import { ANY_SITE, siteHistories } from './site-histories.ts';
import { mean } from './statistics.ts';

export const PAPER = 'NEAR-Miner 2009';
const WEEK = 604_800;
const SIX_HOURS = 21_600;

export interface NearSite {
  readonly name: string;
  readonly evolution: SiteEvolution;
}

/** Two small sites of different kinds, to keep a quick run quick. */
const QUICK = /^(freebsd-website|teletext-zdf)\.tsv(\.gz)?$/;

/** Comparing all versions of all sites takes longer than the experiments on them, so it is done once for all. */
const compared = new Map<string, NearSite[]>();

/** All sites, with one version a week; every six hours for teletext, which was watched for less than a month. */
export function nearSites({ data, quick, progress }: PaperOptions): NearSite[] | Skipped {
  const key = `${data} ${quick}`;
  const known = compared.get(key);
  if (known) return known;
  const histories = siteHistories(data, quick ? QUICK : ANY_SITE);
  if (histories instanceof Skipped) return histories;
  const sites = [...histories].map(([name, history]) => {
    progress(`reads ${name}`);
    const versions = historyVersions(history, name.startsWith('teletext') ? SIX_HOURS : WEEK);
    return { name, evolution: new SiteEvolution(versions.pages()) };
  });
  compared.set(key, sites);
  return sites;
}

/** The paper states no thresholds except DoC from .01 to .05 (Fig. 5 d); the others are low, so that rules are found. */
export const THRESHOLDS: MiningThresholds = { alpha: 0.03, beta: 0.1, theta: 0.5 };
export const RUNS = 10;
export const TRAIN = 20;

/** `relaxed` lets an undefined φ pass; `strict` follows the definition. */
export const PHI_READINGS = ['strict', 'relaxed'] as const;
export type PhiReading = (typeof PHI_READINGS)[number];

/** First versions of windows, spread evenly. */
export function windows(versions: number, length: number, runs = RUNS): number[] {
  const last = versions - length;
  if (last < 0) return [];
  const all = Array.from({ length: runs }, (_, k) => Math.round((k * last) / Math.max(1, runs - 1)));
  return [...new Set(all)];
}

export interface MeanQuality extends SkipQuality {
  readonly runs: number;
  /** Runs with a change in the test version: only these have a change recall. */
  readonly changed: number;
}

export interface Run {
  readonly from: number;
  readonly train: number;
  readonly distance: number;
}

/** One run: mine, then WARM on the version at this distance. */
export function runOnce(
  { evolution }: NearSite,
  { from, train, distance }: Run,
  rules: readonly NegativeRule[],
): SkipQuality & { readonly changes: number } {
  const outcome = evolution.outcome(from + train + distance - 1, evolution.warm(rules));
  return { ...skipQuality(outcome), changes: outcome.changed };
}

export function meanQuality(runs: readonly (SkipQuality & { readonly changes: number })[]): MeanQuality {
  const changed = runs.filter(({ changes }) => changes > 0);
  const of = (name: keyof SkipQuality, among = runs): number => mean(among.map((run) => run[name]));
  return {
    runs: runs.length,
    changed: changed.length,
    bypassRatio: of('bypassRatio'),
    overallPrecision: of('overallPrecision'),
    overallRecall: of('overallRecall'),
    changeRecall: of('changeRecall', changed),
    changeRecallEq9: of('changeRecallEq9', changed),
  };
}

/** Mean over windows of a site; undefined if it has too few versions. */
export function siteQuality(
  site: NearSite,
  reading: PhiReading,
  { train = TRAIN, distance = 1, thresholds = THRESHOLDS, runs = RUNS } = {},
): MeanQuality | undefined {
  const starts = windows(site.evolution.versions, train + distance, runs);
  if (starts.length === 0) return undefined;
  const quality = meanQuality(
    starts.map((from) => {
      const rules = site.evolution.mine({ from, train }, { ...thresholds, relaxed: reading === 'relaxed' });
      return runOnce(site, { from, train, distance }, rules);
    }),
  );
  return quality.changed === 0 ? undefined : quality;
}

export const two = (value: number): string =>
  value
    .toFixed(2)
    .replace(/^(-?)0\./, '$1.')
    .replace('-', '−');
