/**
 * Follows a page from sighting to sighting: one online step each (learn.ts), and whenever the time it has been followed for
 * has doubled, an EM fit of all its recent past, which also chooses its kind once there are enough weeks to hold some out
 * (choose-kind.ts). Online steps alone would lag: each one read its gap in the light of what was believed at the time.
 *
 * The result depends on the sightings alone, not on how they were passed in: a page followed for years in small steps, or all
 * at once from its records, ends in the same state. So an archive keeps a page's last state and reads only what is new.
 *
 *   new page ──sighting──▶ seen once ──sighting──▶ learning ──time doubled──▶ fitted anew, its kind chosen anew
 *
 * A page that is gone is no longer seen: the time between the last sighting and the visit that found it gone says nothing (it
 * may have changed before), nor does the time until it comes back. Its pattern stays as it was.
 */
import type { LearntPage, PageSighting, PatternSums } from '../../model/pattern.ts';
import type { Weighing } from '../../model/version.ts';
import { chooseKind } from './choose-kind.ts';
import { learn, newLearner, type PatternLearner, resumeLearner } from './learn.ts';
import type { Gap } from './observations.ts';
import { gapBetween } from './sightings.ts';
import { PATTERN_KINDS, type PatternKind, type SlotOptions, slotPlan } from './slots.ts';

export type FollowedPage = Omit<LearntPage, 'url'>;

export interface FollowOptions extends SlotOptions {
  readonly kinds?: readonly PatternKind[];
  /** How a change is weighed; by importance unless given. */
  readonly weigh?: Weighing;
}

/**
 * In milliseconds. Three weeks, the least from which a kind can be chosen, halved five times: the first of the
 * doublings.
 */
const FIRST_SPAN = (21 * 86_400_000) / 2 ** 5;
/** Fewest changes at which a page may have a kind other than `daily`: fewer cannot tell the days of the week apart. */
const CHANGES_TO_CHOOSE = 12;
/**
 * A fit uses at most this many gaps, the latest: six weeks of hours. Older ones have decayed, or describe a different
 * page.
 */
const GAPS_TO_FIT = 1_000;
/** In seconds. A longer gap covers all slots equally: it says how often, not when, and would cost as much as a thousand. */
const LONG_GAP = 31 * 86_400;

/** Sightings in order of time, each moment once. */
export function inOrder(sightings: readonly PageSighting[]): PageSighting[] {
  const sorted = [...sightings].sort((a, b) => a.at - b.at);
  return sorted.filter(({ at }, index) => index === 0 || at !== sorted[index - 1]?.at);
}

/** The state of a page after all its sightings, given in any order; undefined until it has been seen twice. */
export function followPage(
  sightings: readonly PageSighting[],
  options: FollowOptions = {},
): FollowedPage | undefined {
  const follower = new Follower(undefined, options);
  for (const sighting of inOrder(sightings)) follower.see(sighting);
  return follower.state();
}

/**
 * Continues from a stored state. Undefined where the past is needed: a sighting is not newer than the last, or a fit is
 * due.
 */
export function followOn(
  state: FollowedPage,
  sightings: readonly PageSighting[],
  options: FollowOptions = {},
): FollowedPage | undefined {
  const follower = new Follower(state, options);
  for (const sighting of inOrder(sightings)) {
    if (sighting.at <= Math.max(state.lastAt, state.goneAt ?? 0)) return undefined;
    if (!follower.see(sighting)) return undefined;
  }
  return follower.state();
}

class Follower {
  readonly #options: FollowOptions;
  /** All gaps so far; undefined where the past is not available. */
  readonly #gaps: Gap[] | undefined;
  #learner: PatternLearner;
  #last: Pick<PageSighting, 'at' | 'sha256' | 'look'> | undefined;
  #observations = 0;
  #changes = 0;
  #firstAt: number | undefined;
  #goneAt: number | undefined;

  constructor(state: FollowedPage | undefined, options: FollowOptions) {
    this.#options = options;
    this.#gaps = state ? undefined : [];
    if (!state) {
      this.#learner = newLearner(slotPlan('daily', options));
      return;
    }
    const { kind, sums, lastAt: at, lastSha256: sha256, lastLook: look } = state;
    const shape = sums.shape && { shape: Float64Array.from(sums.shape) };
    this.#learner = resumeLearner(slotPlan(kind, options), sums, shape);
    this.#learner.until = sums.until;
    this.#last = { at, sha256, ...(look !== undefined && { look }) };
    this.#observations = state.observations;
    this.#changes = state.changes;
    this.#firstAt = state.firstAt;
    this.#goneAt = state.goneAt;
  }

  /** False where the past is needed and not available. */
  see(sighting: PageSighting): boolean {
    if (sighting.state === 'gone') {
      this.#goneAt ??= sighting.at;
      return true;
    }
    const before = this.#goneAt === undefined ? this.#last : undefined;
    this.#goneAt = undefined;
    this.#firstAt ??= sighting.at;
    this.#observations++;
    this.#last = sighting;
    if (!before) return true;
    const gap = gapBetween(before, sighting, this.#options.weigh);
    if (gap.changed) this.#changes++;
    this.#gaps?.push(gap);
    if (this.#isTimeToFit(before.at, sighting.at)) return this.#fit();
    learn(this.#learner, gap);
    return true;
  }

  #isTimeToFit(before: number, now: number): boolean {
    if (this.#changes === 0) return false;
    const doublings = (at: number): number =>
      Math.floor(Math.log2(Math.max(0.5, (at - (this.#firstAt ?? at)) / FIRST_SPAN)));
    return doublings(now) > doublings(before);
  }

  #fit(): boolean {
    if (!this.#gaps) return false;
    const { kinds = PATTERN_KINDS, weigh: _, ...slots } = this.#options;
    const tried = this.#changes < CHANGES_TO_CHOOSE ? kinds.slice(0, 1) : kinds;
    const recent = this.#gaps.slice(-GAPS_TO_FIT);
    const isLong = ({ from, to }: Gap): boolean => to - from > LONG_GAP;
    this.#learner = chooseKind(
      recent.filter((gap) => !isLong(gap)),
      slots,
      {},
      tried,
    ).learner;
    for (const gap of recent) if (isLong(gap)) learn(this.#learner, gap);
    return true;
  }

  state(): FollowedPage | undefined {
    const { until } = this.#learner;
    if (!this.#last || this.#firstAt === undefined || until === undefined) return undefined;
    return {
      kind: this.#learner.plan.kind,
      observations: this.#observations,
      changes: this.#changes,
      firstAt: this.#firstAt,
      lastAt: this.#last.at,
      lastSha256: this.#last.sha256,
      ...(this.#last.look !== undefined && { lastLook: this.#last.look }),
      ...(this.#goneAt !== undefined && { goneAt: this.#goneAt }),
      sums: sumsOf(this.#learner),
    };
  }
}

/** Exact, to the last digit: resuming from them is the same as never having stopped. */
export function sumsOf({ changes, hours, seen, weight, until, options }: PatternLearner): PatternSums {
  const { shape } = options;
  return {
    changes: Array.from(changes),
    hours: Array.from(hours),
    seen: Array.from(seen),
    weight: Array.from(weight),
    ...(shape?.some((value) => value !== 1) && { shape: Array.from(shape) }),
    ...(until !== undefined && { until }),
  };
}
