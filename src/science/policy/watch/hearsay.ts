/**
 * What sources said of pages since these were last visited, and which sources tell of which page. Hearing updates the refresh
 * state (told-pages.ts); a visit shows who was right (sources.ts).
 */
import type { Seconds } from '../../../model/time.ts';
import type { Signal } from '../../../model/watch.ts';
import { learnMean } from '../refresh/learning.ts';
import type { RefreshState } from '../refresh/state.ts';
import { hear, tell, toldChanges, toldPages } from '../refresh/told-pages.ts';
import {
  emphasisOf,
  learnReading,
  learnSignal,
  learnSilence,
  newSources,
  precisionOf,
  recallOf,
  type Source,
  type Sources,
  sourceOf,
} from './sources.ts';

export interface PendingSignal {
  readonly source: Source;
  readonly chance: number;
  /** Factor on its precision: less than 1 where it may refer to a time before the last visit. */
  readonly share: number;
  /** Relative to the page's mean. */
  readonly size?: number;
  readonly changedAt?: Seconds;
}

export interface Hearsay {
  readonly sources: Sources;
  /** By page, since its last visit. */
  readonly pending: Map<number, PendingSignal[]>;
  /** Which sources have ever told of the page; and the reverse. */
  readonly tellers: Map<number, Set<Source>>;
  readonly pagesOf: Map<Source, Set<number>>;
}

export const newHearsay = (): Hearsay => ({
  sources: newSources(),
  pending: new Map(),
  tellers: new Map(),
  pagesOf: new Map(),
});

export function forgetPage(hearsay: Hearsay, page: number): void {
  hearsay.pending.delete(page);
  for (const source of hearsay.tellers.get(page) ?? []) hearsay.pagesOf.get(source)?.delete(page);
  hearsay.tellers.delete(page);
}

/** Largest number of signals kept per page: further ones add nothing. */
const MOST_PENDING = 16;

/**
 * A source was read, or spoke up: what it says of pages known here, and that it is silent on the others it tells of.
 * @param wasRead its silence counts too: not with a ping
 */
export function hearSource(
  hearsay: Hearsay,
  refresh: RefreshState,
  said: { readonly source: Source; readonly signals: readonly (Signal & { readonly page: number })[] },
  wasRead: boolean,
): void {
  const { source, signals } = said;
  if (signals.length === 0 && !hearsay.pagesOf.has(source)) {
    if (wasRead) learnReading(source, refresh.now, false);
    return;
  }
  refresh.told ??= toldPages(refresh.alive.length);
  const since = source.readAt;
  const speaksOf = new Set(signals.map(({ page }) => page));
  if (wasRead) {
    for (const page of hearsay.pagesOf.get(source) ?? []) {
      if (!speaksOf.has(page)) hear(refresh, page);
      believe(hearsay, refresh, page);
    }
    learnReading(source, refresh.now, signals.length > 0);
  }
  const byTime = [...signals].sort((a, b) => (a.changedAt ?? a.heardAt) - (b.changedAt ?? b.heardAt));
  for (const signal of byTime) hearSignal(hearsay, refresh, source, signal, since);
}

function hearSignal(
  hearsay: Hearsay,
  refresh: RefreshState,
  source: Source,
  signal: Signal & { readonly page: number },
  since: Seconds | undefined,
): void {
  const { page } = signal;
  const visited = refresh.lastVisit[page] as number;
  const changedAt = signal.changedAt === undefined ? undefined : signal.changedAt / 1000;
  hear(refresh, page);
  cover(hearsay, page, source);
  believe(hearsay, refresh, page);
  // The state is as of the last round: what was heard since concerns a time that it has not reached.
  const share = shareSince(visited, changedAt, since, Math.max(refresh.now, signal.heardAt / 1000));
  if (!(share > 0)) return;
  const pending = hearsay.pending.get(page) ?? [];
  // Two sources that report the same moment report one change.
  const isTold = changedAt !== undefined && pending.some((known) => known.changedAt === changedAt);
  const mean = refresh.importance[page] as number;
  const size = signal.size === undefined || !(mean > 0) ? undefined : signal.size / mean;
  const chance = precisionOf(hearsay.sources, source) * share;
  const emphasis = size === undefined ? 1 : emphasisOf(hearsay.sources, source, size);
  if (!isTold) {
    tell(refresh, page, chance, emphasis);
    if (size !== undefined && refresh.told) {
      refresh.told.sized[page] = 1;
      learnMean(refresh, page, Math.min(1, emphasis * mean));
    }
  }
  if (pending.length >= MOST_PENDING) pending.shift();
  pending.push({
    source,
    chance,
    share,
    ...(size !== undefined && { size }),
    ...(changedAt !== undefined && { changedAt }),
  });
  hearsay.pending.set(page, pending);
}

/** Chance that what is reported happened after the last visit, as far as times tell. */
function shareSince(
  visited: Seconds,
  changedAt: Seconds | undefined,
  since: Seconds | undefined,
  now: Seconds,
): number {
  if (changedAt !== undefined) return changedAt > visited ? 1 : 0;
  if (since === undefined || visited <= since || now <= since) return visited < now ? 1 : 0;
  return Math.max(0, now - visited) / (now - since);
}

function cover({ tellers, pagesOf }: Hearsay, page: number, source: Source): void {
  tellers.set(page, (tellers.get(page) ?? new Set<Source>()).add(source));
  pagesOf.set(source, (pagesOf.get(source) ?? new Set<number>()).add(page));
}

/** Recall and precision of all sources that tell of a page. */
function believe({ tellers, sources }: Hearsay, { told }: RefreshState, page: number): void {
  if (!told) return;
  let untold = 1;
  let precision = 0;
  let weight = 0;
  for (const source of tellers.get(page) ?? []) {
    const recall = recallOf(sources, source);
    untold *= 1 - recall;
    precision += recall * precisionOf(sources, source);
    weight += recall;
  }
  told.recall[page] = 1 - untold;
  told.precision[page] = weight > 0 ? precision / weight : 0;
}

export interface CheckedVisit {
  readonly page: number;
  readonly changed: boolean;
  /** Of the change, in [0, 1]. */
  readonly importance: number;
  /** What the visit found beyond its price, where only signals caused it: credited to the sources that told of it. */
  readonly surplus: number;
}

/** Who was right; called before the refresh state takes in the visit. */
export function checkSignals(hearsay: Hearsay, refresh: RefreshState, visit: CheckedVisit): void {
  const { page, changed, importance } = visit;
  const pending = hearsay.pending.get(page) ?? [];
  hearsay.pending.delete(page);
  const tellers = hearsay.tellers.get(page);
  if (!tellers || !refresh.told) return;
  const chanceOfChange = Math.max(1e-6, 1 - (refresh.survival[page] as number));
  const mean = refresh.importance[page] as number;
  const only = pending.length === 1;
  let told = 0;
  const spoke = new Map<Source, number>();
  for (const { source, chance, share, size } of pending) {
    const wasTrue = changed ? Math.min(1, chance / Math.max(chance, chanceOfChange)) : 0;
    told += wasTrue;
    spoke.set(source, (spoke.get(source) ?? 0) + wasTrue);
    learnSignal(hearsay.sources, {
      source,
      share,
      wasTrue,
      ...(changed &&
        only &&
        size !== undefined &&
        mean > 0 && { size: { told: size, found: importance / mean } }),
    });
    source.worth += visit.surplus / pending.length;
  }
  const { heard, untold } = toldChanges(refresh.told, page, refresh.expected[page] as number);
  if (!(heard > 0)) return;
  const found = (changed ? untold / chanceOfChange : 0) + told;
  for (const source of tellers)
    if (!spoke.has(source)) learnSilence(hearsay.sources, source, { expected: heard, found });
}

export const sourceNamed = (hearsay: Hearsay, signal: Pick<Signal, 'source' | 'kind'>): Source =>
  sourceOf(hearsay.sources, signal.source, signal.kind);
