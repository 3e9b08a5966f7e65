import { changeFeatures } from '../../science/evolution/change-features.ts';
import { DirectoryHistory } from '../../science/evolution/directory-history.ts';
import { outcomeOf } from '../../science/evolution/skip-validation.ts';
import { type HistoryPage, historyVersions } from '../data/history-versions.ts';
import type { SiteEvents } from '../data/site-history.ts';
import type { ChangeExample } from './fit-change-model.ts';

/** Versions of a site as the study sees them: the pages of each, with how much each changed, by size. */
export interface StudiedSite {
  readonly name: string;
  readonly versions: readonly (readonly HistoryPage[])[];
  readonly timeOf: (version: number) => number;
}

/** Number of training versions in a window; the one after them is the test. */
export const TRAINING = 20;
/** Most transitions of a site on which the model is fitted. */
const EXAMPLES = 70;
const FIRST_EXAMPLE = 12;

const WEEK = 7 * 24 * 3600;
const SIX_HOURS = 6 * 3600;
/** A history shorter than this has too few weeks: it is cut into spans of six hours. */
const SHORT = 60 * 24 * 3600;

export function studiedSite(name: string, history: SiteEvents): StudiedSite {
  const [first = 0] = history.times;
  const every = (history.times.at(-1) ?? 0) - first < SHORT ? SIX_HOURS : WEEK;
  const versions = historyVersions(history, every);
  return {
    name,
    versions: [...versions.pages()].map(withImportance()),
    timeOf: (version) => 1000 * versions.endOf(version),
  };
}

/** The only thing that a history of sizes says about how much a change matters: the relative change of size. */
function withImportance(): (pages: readonly HistoryPage[]) => readonly HistoryPage[] {
  let before = new Map<string, HistoryPage>();
  return (pages) => {
    const now = new Map(pages.map((page) => [page.url, page]));
    const weighed = pages.map((page) => {
      const old = before.get(page.url);
      if (old === undefined || old.digest === page.digest) return page;
      const importance = Math.abs(page.size - old.size) / Math.max(1, page.size, old.size);
      return { ...page, importance };
    });
    before = now;
    return weighed;
  };
}

/** `between`: windows that lie between those on which the list of features and two constants of the plan were chosen. */
export const WINDOW_SETS = ['first', 'between'] as const;
export type WindowSet = (typeof WINDOW_SETS)[number];

/** First versions of `count` windows, spread evenly. */
export function windowStarts({ versions }: StudiedSite, count: number, set: WindowSet = 'first'): number[] {
  const last = versions.length - TRAINING - 1;
  if (last < 0) return [];
  const first = Array.from({ length: count }, (_, i) => Math.round((i * last) / Math.max(1, count - 1)));
  if (set === 'first') return [...new Set(first)];
  const others = Array.from({ length: count }, (_, i) => Math.round(((i + 0.5) * last) / count));
  return [...new Set(others)].filter((start) => !first.includes(start));
}

export function historyOf({ versions, timeOf }: StudiedSite, from: number, to: number): DirectoryHistory {
  const history = new DirectoryHistory();
  for (let v = from; v < to; v++) history.add({ at: timeOf(v), pages: versions[v] ?? [] });
  return history;
}

/** What the model learns from a site: where its changes were, in versions spread evenly. Each site has weight 1. */
export function examplesOf(site: StudiedSite): ChangeExample[] {
  const history = historyOf(site, 0, site.versions.length);
  const last = history.transitions - 1;
  const count = Math.min(EXAMPLES, last - FIRST_EXAMPLE + 1);
  const found: Omit<ChangeExample, 'weight'>[] = [];
  for (let i = 0; i < count; i++) {
    const version = FIRST_EXAMPLE + Math.round((i * (last - FIRST_EXAMPLE)) / Math.max(1, count - 1));
    const { changes } = outcomeOf(history, version);
    const features = changeFeatures(history, version, history.timeOf(version + 1));
    const shares = Float64Array.from(features.directories, (d) => changes[d] as number);
    const sum = shares.reduce((a, b) => a + b, 0);
    if (sum > 0) found.push({ features, shares: shares.map((share) => share / sum) });
  }
  return found.map((example) => ({ ...example, weight: 1 / found.length }));
}
