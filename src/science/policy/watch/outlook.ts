/** What the plan is going to do: rounds ahead as if every visit found what is expected, and why a page is ranked where it is. */
import type { Millis } from '../../../model/time.ts';
import { marginalScores } from '../refresh/expected-gain.ts';
import { copyState } from '../refresh/more-pages.ts';
import { AVAILABILITY, advance } from '../refresh/state.ts';
import { visitedTold } from '../refresh/told-pages.ts';
import { type ForcedShortage, forcedShortages } from './fixed-visits.ts';
import { missingFrom } from './missing.ts';
import { type PlannedRound, plan } from './plan.ts';
import type { PlanInput, PlanSettings } from './plan-settings.ts';
import { precisionOf, recallOf, type Sources } from './sources.ts';
import type { WatchState } from './watch-state.ts';

/** The state is left unchanged; nothing is learnt from visits that are not made. */
export function roundsAhead(
  state: WatchState,
  settings: PlanSettings,
  input: PlanInput,
  rounds: number,
): readonly { readonly at: Millis; readonly round: PlannedRound }[] {
  const copy: WatchState = {
    ...state,
    refresh: copyState(state.refresh),
    saved: { ...state.saved },
    unsteered: { ...state.unsteered },
    siteLeft: new Map(state.siteLeft),
    failing: new Map(state.failing),
    missing: new Map(state.missing),
    pinged: new Map(state.pinged),
    hearsay: { ...state.hearsay, sources: copySources(state.hearsay.sources) },
  };
  const sites = (input.sites ?? []).map((site) => ({ ...site }));
  const step = state.refresh.round * 3_600_000;
  const result: { at: Millis; round: PlannedRound }[] = [];
  const suspects = new Set(state.book.suspects);
  for (let k = 0; k < rounds; k++) {
    const at = input.now + k * step;
    const round = plan(copy, settings, { ...input, now: at, sites });
    for (const { url } of round.visits) assumeVisit(copy, url);
    for (const { site } of round.captures) {
      const index = sites.findIndex((one) => one.site === site);
      if (index >= 0) sites[index] = { ...(sites[index] as (typeof sites)[number]), lastCapture: at };
      for (const page of copy.book.pagesOf(site)) assumeVisit(copy, copy.book.page(page).url);
    }
    result.push({ at, round });
  }
  // The book is shared: restore those that were suspects.
  for (const page of suspects) state.book.suspects.add(page);
  return result;
}

const copySources = ({ byName, kinds }: Sources): Sources => ({
  kinds,
  byName: new Map([...byName].map(([name, source]) => [name, { ...source }])),
});

function assumeVisit(state: WatchState, url: string): void {
  const { refresh, book, hearsay, missing } = state;
  const page = book.numberOf(url);
  if (page === undefined) return;
  const { since } = missing.get(page) ?? {};
  if (since !== undefined) missing.set(page, missingFrom(state, page, since));
  state.pinged.delete(page);
  const source = hearsay.sources.byName.get(url);
  if (source) source.readAt = refresh.now;
  refresh.lastVisit[page] = refresh.now;
  refresh.gain[page] = 0;
  refresh.expected[page] = 0;
  refresh.survival[page] = 1;
  if (refresh.told) visitedTold(refresh.told, page);
  book.suspects.delete(page);
}

export interface PageOutlook {
  readonly url: string;
  readonly site: string;
  readonly availability: 'open' | 'resting' | 'gone' | 'suspect';
  readonly weight: number;
  /** Changes per hour, and the mean importance of one. */
  readonly rate: number;
  readonly importance: number;
  readonly lastVisit: Millis;
  readonly expectedChanges: number;
  readonly chanceChanged: number;
  readonly cost: number;
  /** Value per request now, and the price it has to reach. */
  readonly score: number;
  readonly price: number | null;
  /** When it is expected to be worth its price, if no signal arrives; absent: not within `AHEAD_HOURS`. */
  readonly nextVisit?: Millis;
  readonly every?: number;
  /** What keeps it from being visited that often. */
  readonly shortage?: ForcedShortage;
  readonly signals: readonly { readonly source: string; readonly chance: number; readonly size?: number }[];
  readonly tellers: readonly {
    readonly source: string;
    readonly precision: number;
    readonly recall: number;
  }[];
  readonly failures: number;
}

/** Hours ahead in which the next visit is searched for: four weeks. */
const AHEAD_HOURS = 672;

export function outlookOf(
  state: WatchState,
  url: string,
  settings: Pick<PlanSettings, 'budget' | 'siteBudgets'>,
): PageOutlook | undefined {
  const { book, refresh, hearsay, missing, bank } = state;
  const page = book.numberOf(url);
  if (page === undefined) return undefined;
  const { site, every } = book.page(page);
  const score = new Float32Array(refresh.size);
  marginalScores(refresh, refresh.now, score);
  const shortage =
    every === undefined
      ? undefined
      : forcedShortages(state, settings)
          .filter((one) => one.site === undefined || one.site === site)
          .sort((a, b) => b.wanted / b.budget - a.wanted / a.budget)[0];
  // All forced pages are equally late, relative to their own spans.
  const span = every === undefined ? undefined : every * (shortage ? shortage.wanted / shortage.budget : 1);
  const nextVisit = nextVisitOf(state, page, span);
  const availability = refresh.alive[page] as number;
  return {
    url,
    site,
    availability: book.suspects.has(page)
      ? 'suspect'
      : availability === AVAILABILITY.gone || missing.has(page)
        ? 'gone'
        : availability === AVAILABILITY.resting
          ? 'resting'
          : 'open',
    weight: refresh.weight[page] as number,
    rate: refresh.rate[page] as number,
    importance: refresh.importance[page] as number,
    lastVisit: (refresh.lastVisit[page] as number) * 1000,
    expectedChanges: refresh.expected[page] as number,
    chanceChanged: 1 - (refresh.survival[page] as number),
    cost: refresh.cost[page] as number,
    score: score[page] as number,
    price: bank.price,
    ...(nextVisit !== undefined && { nextVisit }),
    ...(every !== undefined && { every }),
    ...(shortage && { shortage }),
    signals: (hearsay.pending.get(page) ?? []).map(({ source, chance, size }) => ({
      source: source.name,
      chance,
      ...(size !== undefined && { size }),
    })),
    tellers: [...(hearsay.tellers.get(page) ?? [])].map((source) => ({
      source: source.name,
      precision: precisionOf(hearsay.sources, source),
      recall: recallOf(hearsay.sources, source),
    })),
    failures: state.failing.get(page)?.times ?? 0,
  };
}

/**
 * The page alone, hour by hour, at today's price.
 * @param every milliseconds after which it is visited whatever it is worth
 */
function nextVisitOf(
  { refresh, bank, missing, pinged }: WatchState,
  page: number,
  every: number | undefined,
): Millis | undefined {
  if (!(refresh.pace > 0)) return undefined;
  if (pinged.has(page)) return refresh.now * 1000;
  if (refresh.alive[page] === AVAILABILITY.gone) return undefined;
  const gone = missing.get(page);
  if (gone) return Math.max(refresh.now, gone.until) * 1000;
  const forced = every === undefined ? Infinity : (refresh.lastVisit[page] as number) * 1000 + every;
  const soonest = (worth: Millis): Millis => Math.max(refresh.now * 1000, Math.min(worth, forced));
  const none = forced === Infinity ? undefined : soonest(forced);
  if (bank.price === null) return none;
  const alone = onePage(refresh, page);
  const score = new Float32Array(1);
  for (let hour = 0; hour <= AHEAD_HOURS; hour++) {
    if (hour > 0) advance(alone, alone.now + 3600);
    marginalScores(alone, alone.now, score);
    if ((score[0] as number) >= bank.price) return soonest(alone.now * 1000);
    if (alone.now * 1000 >= forced) return soonest(forced);
  }
  return none;
}

function onePage(state: WatchState['refresh'], page: number): WatchState['refresh'] {
  const pick = <T extends object>(from: T): T =>
    Object.fromEntries(
      Object.entries(from).map(([name, value]) => [
        name,
        ArrayBuffer.isView(value) ? (value as Float32Array).slice(page, page + 1) : value,
      ]),
    ) as T;
  const { told } = state;
  return { ...pick(state), size: 1, ...(told && { told: pick(told) }) };
}
