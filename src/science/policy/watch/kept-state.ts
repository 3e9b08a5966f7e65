/**
 * What a watch must not forget, as JSON: the bank, trust in sources, what was spent, what was reported and not checked yet.
 * Everything else is learnt again from the archive.
 */
import type { SignalKind, WatchAccount } from '../../../model/watch.ts';
import type { FinderTally } from '../refresh/finders.ts';
import { toldPages } from '../refresh/told-pages.ts';
import type { AgeTally } from './ages.ts';
import type { DirectoryTally } from './directory-priors.ts';
import type { MissingPage } from './missing.ts';
import { hearSignals } from './observe-visit.ts';
import type { Source, SourceTally } from './sources.ts';
import type { WatchState } from './watch-state.ts';
import { born } from './youth.ts';

export const KEPT_VERSION = 1;

export interface KeptState {
  readonly bank: WatchState['bank'];
  readonly carry: number;
  readonly fixedPace: number;
  readonly saved: WatchState['saved'];
  readonly audit?: NonNullable<WatchState['audit']>;
  readonly bytesLeft?: number;
  readonly siteLeft: readonly (readonly [string, number])[];
  /** Unix seconds. */
  readonly plannedAt: number;
  readonly account: WatchAccount;
  readonly rounds: number;
  readonly kinds: Readonly<Record<SignalKind, SourceTally>>;
  readonly sources: readonly Source[];
  readonly directories: readonly (readonly [string, DirectoryTally])[];
  readonly pending: readonly KeptSignal[];
  /** Absent in older files. */
  readonly ages?: readonly (readonly [string, AgeTally])[];
  /** Unix seconds, by URL. */
  readonly births?: readonly (readonly [string, number])[];
  /** Pages that are gone, by URL. */
  readonly missing?: readonly (readonly [string, MissingPage])[];
  readonly finders?: readonly (readonly [string, FinderTally])[];
}

interface KeptSignal {
  readonly url: string;
  readonly source: string;
  readonly kind: SignalKind;
  /** Unix seconds. */
  readonly heardAt: number;
  readonly changedAt?: number;
  /** In [0, 1]. */
  readonly size?: number;
}

/** Largest number of signals kept, the newest: without them pages are weighed by their patterns until the source is read again. */
const MOST_KEPT = 10_000;

export function keepState(state: WatchState): KeptState {
  const { bank, carry, fixedPace, saved, audit, bytesLeft, plannedAt, account, rounds, hearsay, priors } =
    state;
  const pending: KeptSignal[] = [];
  for (const [page, list] of hearsay.pending) {
    for (const { source, changedAt, size } of list) {
      const mean = state.refresh.importance[page] as number;
      pending.push({
        url: state.book.page(page).url,
        source: source.name,
        kind: source.kind,
        heardAt: source.readAt ?? state.refresh.now,
        ...(changedAt !== undefined && { changedAt }),
        ...(size !== undefined && { size: size * mean }),
      });
    }
  }
  return structuredClone({
    bank,
    carry,
    fixedPace,
    saved,
    ...(audit && { audit }),
    ...(bytesLeft !== undefined && { bytesLeft }),
    siteLeft: [...state.siteLeft],
    plannedAt,
    account,
    rounds,
    kinds: hearsay.sources.kinds,
    sources: [...hearsay.sources.byName.values()],
    directories: [...priors],
    pending: pending.slice(-MOST_KEPT),
    ages: [...state.ages],
    births: named(state, state.births),
    missing: named(state, state.missing),
    finders: named(state, state.refresh.finders?.byPage ?? []),
  });
}

/** By URL, since numbers are assigned anew. Only the newest are kept. */
function named<T>({ book }: WatchState, byPage: Iterable<readonly [number, T]>): (readonly [string, T])[] {
  const pages = [...byPage].slice(-MOST_KEPT);
  return pages.map(([page, what]) => [book.page(page).url, what] as const);
}

/** Into a state that was just made from the archive's pages. */
export function resumeState(state: WatchState, kept: KeptState): void {
  const copy = structuredClone(kept);
  Object.assign(state, {
    bank: copy.bank,
    carry: copy.carry,
    fixedPace: copy.fixedPace,
    // Older files have only some of it.
    saved: { ...state.saved, ...copy.saved },
    audit: copy.audit,
    bytesLeft: copy.bytesLeft,
    // What was earned while the watch was not running counts.
    plannedAt: Math.min(copy.plannedAt, state.refresh.now),
    account: copy.account,
    rounds: copy.rounds,
  });
  for (const [site, left] of copy.siteLeft) state.siteLeft.set(site, left);
  for (const [directory, tally] of copy.directories) state.priors.set(directory, tally);
  Object.assign(state.hearsay.sources.kinds, copy.kinds);
  for (const source of copy.sources) state.hearsay.sources.byName.set(source.name, source);
  for (const [key, tally] of copy.ages ?? []) state.ages.set(key, tally);
  for (const [url, birth] of copy.births ?? []) {
    const page = state.book.numberOf(url);
    if (page !== undefined) born(state, page, birth);
  }
  for (const [url, gone] of copy.missing ?? []) {
    const page = state.book.numberOf(url);
    const lastVisit = page === undefined ? undefined : (state.refresh.lastVisit[page] as number);
    // Unless it has been seen since.
    if (page !== undefined && !((lastVisit as number) > gone.since)) state.missing.set(page, gone);
  }
  for (const [url, tally] of copy.finders ?? []) {
    const page = state.book.numberOf(url);
    if (page !== undefined) state.refresh.finders?.byPage.set(page, tally);
  }
  if (copy.pending.length === 0) return;
  state.refresh.told ??= toldPages(state.refresh.alive.length);
  hearSignals(
    state,
    copy.pending.map(({ heardAt, changedAt, ...rest }) => ({
      ...rest,
      heardAt: heardAt * 1000,
      ...(changedAt !== undefined && { changedAt: changedAt * 1000 }),
    })),
  );
}
