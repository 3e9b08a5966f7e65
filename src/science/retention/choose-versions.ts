/**
 * Which versions of pages an archive can do without, so that it fits into its storage: thinning out over time.
 *
 * The idea. A version is worth what would be missed without it. That is more, the more its change matters to a reader and
 * the longer the time that no other kept version of the page shows; and less, the older it is, since for last week people ask
 * for the hour and for ten years ago for the month. What counts for a budget is worth per byte, so the version with the least goes
 * first, one by one: each one dropped leaves a wider gap to its neighbours, and its change becomes part of the next one's.
 *
 *   worth(v) = weight(page) × i(v) × gap / (gap + age)      per byte: ÷ bytes(v)
 *   i(v)     = 1 − Π (1 − importance)   over v and the versions dropped since the one kept before it
 *   gap      = from the kept version before v to the one after it
 *   age      = now − time of v
 *
 * gap / (gap + age) makes the spacing grow with age: with equal importance and size, what is left of a page lies roughly
 * evenly on a logarithmic scale of age. The product over dropped versions is Algorithm 4's accumulation in [0, 1] (patterns paper,
 * §5.1): a long run of small changes is not dropped as a whole, since its last one accumulates the importance of all.
 *
 * Cost: O(n log n), n versions that may go. Same input, same answer: ties go to the older version, then by URL.
 */
import type { Millis } from '../../model/time.ts';

/** Why a version stays whatever the budget. */
export type StayReason =
  | 'first'
  | 'last'
  | 'pinned'
  | 'recent'
  | 'certified'
  | 'referred-to'
  | 'imported'
  | 'being-written'
  | 'nothing-told';

/** A version that the archive holds. */
export interface HeldVersion {
  readonly at: Millis;
  /** Stored bytes of its records; counts only those that would go. */
  readonly bytes: number;
  /** How much its change matters, in [0, 1]: salience where known, otherwise change importance. */
  readonly importance: number;
  readonly stays?: StayReason;
}

export interface PageHoldings {
  readonly url: string;
  /** Weight of the page among others, above 0. */
  readonly weight: number;
  /** Oldest first. */
  readonly versions: readonly HeldVersion[];
}

export interface ChosenVersion {
  readonly url: string;
  readonly at: Millis;
  readonly bytes: number;
  /** Worth per byte when it was chosen. */
  readonly worth: number;
  /** Includes the numbers that decided. */
  readonly why: string;
}

/** Importance of a version in which nobody noticed a change: it still shows the page at a time. */
const LEAST_IMPORTANCE = 0.005;

interface Candidate {
  readonly page: PageHoldings;
  readonly version: HeldVersion;
  /** Neighbours among the page's remaining versions. */
  before: Candidate | undefined;
  after: Candidate | undefined;
  /** 1 − Π (1 − importance) over dropped versions before it. */
  gathered: number;
  /** Grows with each change: queue entries from before are stale. */
  turn: number;
  isGone: boolean;
}

/** Versions to drop, least worth first, until `free` bytes are freed or none is left that may go. */
export function chooseVersions(
  pages: Iterable<PageHoldings>,
  { free, now }: { readonly free: number; readonly now: Millis },
): readonly ChosenVersion[] {
  const queue = new Queue();
  for (const page of pages) for (const candidate of linked(page)) offer(queue, candidate, now);
  const chosen: ChosenVersion[] = [];
  let freed = 0;
  while (freed < free) {
    const next = queue.take();
    if (!next) break;
    const { candidate, worth } = next;
    chosen.push({
      url: candidate.page.url,
      at: candidate.version.at,
      bytes: candidate.version.bytes,
      worth,
      why: reasonOf(candidate, now),
    });
    freed += candidate.version.bytes;
    drop(queue, candidate, now);
  }
  return chosen;
}

function linked({ versions, ...rest }: PageHoldings): readonly Candidate[] {
  const page = { versions, ...rest };
  const all = versions.map(
    (version): Candidate => ({
      page,
      version,
      before: undefined,
      after: undefined,
      gathered: 0,
      turn: 0,
      isGone: false,
    }),
  );
  all.forEach((candidate, i) => {
    candidate.before = all[i - 1];
    candidate.after = all[i + 1];
  });
  return all;
}

/** First and last stay even if the caller forgot to say so. */
const mayGo = ({ version, before, after }: Candidate): boolean =>
  version.stays === undefined && version.bytes > 0 && before !== undefined && after !== undefined;

function offer(queue: Queue, candidate: Candidate, now: Millis): void {
  if (!mayGo(candidate)) return;
  const { page, version } = candidate;
  const worth = (page.weight * importanceOf(candidate) * spreadOf(candidate, now)) / version.bytes;
  queue.add({ candidate, worth, turn: candidate.turn });
}

function importanceOf({ version, gathered }: Candidate): number {
  return Math.max(LEAST_IMPORTANCE, together(version.importance, gathered));
}

const together = (a: number, b: number): number => 1 - (1 - a) * (1 - b);

const gapOf = ({ before, after }: Candidate): Millis => (after?.version.at ?? 0) - (before?.version.at ?? 0);

function spreadOf(candidate: Candidate, now: Millis): number {
  const gap = gapOf(candidate);
  const age = Math.max(0, now - candidate.version.at);
  return gap > 0 ? gap / (gap + age) : 0;
}

function drop(queue: Queue, candidate: Candidate, now: Millis): void {
  const { before, after, version, gathered } = candidate;
  candidate.isGone = true;
  candidate.turn++;
  if (before) before.after = after;
  if (after) {
    after.before = before;
    after.gathered = together(after.gathered, together(version.importance, gathered));
  }
  for (const neighbour of [before, after]) {
    if (!neighbour) continue;
    neighbour.turn++;
    offer(queue, neighbour, now);
  }
}

function reasonOf(candidate: Candidate, now: Millis): string {
  const { version, gathered } = candidate;
  const dropped =
    gathered > 0 ? `, ${importanceOf(candidate).toFixed(3)} with what was dropped before it` : '';
  return (
    `importance ${version.importance.toFixed(3)}${dropped}; ${spanText(now - version.at)} old, ` +
    `${spanText(gapOf(candidate))} between the versions kept before and after it; ${version.bytes} bytes`
  );
}

const SPANS = [
  ['days', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
] as const;

function spanText(span: Millis): string {
  const [unit, length] = SPANS.find(([, one]) => span >= 2 * one) ?? ['s', 1000];
  return `${Math.round(span / length)} ${unit}`;
}

interface Offer {
  readonly candidate: Candidate;
  readonly worth: number;
  readonly turn: number;
}

const isBefore = (a: Offer, b: Offer): boolean => {
  if (a.worth !== b.worth) return a.worth < b.worth;
  const [x, y] = [a.candidate.version.at, b.candidate.version.at];
  return x === y ? a.candidate.page.url < b.candidate.page.url : x < y;
};

/** A binary heap; stale offers are skipped when they come up. */
class Queue {
  readonly #heap: Offer[] = [];

  add(offered: Offer): void {
    const heap = this.#heap;
    let at = heap.push(offered) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(offered, heap[parent] as Offer)) break;
      heap[at] = heap[parent] as Offer;
      at = parent;
    }
    heap[at] = offered;
  }

  take(): Offer | undefined {
    for (;;) {
      const top = this.#pop();
      if (!top || (!top.candidate.isGone && top.turn === top.candidate.turn)) return top;
    }
  }

  #pop(): Offer | undefined {
    const heap = this.#heap;
    const [top] = heap;
    const last = heap.pop();
    if (!top || !last || heap.length === 0) return top;
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      if (left >= heap.length) break;
      const right = left + 1;
      const child = right < heap.length && isBefore(heap[right] as Offer, heap[left] as Offer) ? right : left;
      if (!isBefore(heap[child] as Offer, last)) break;
      heap[at] = heap[child] as Offer;
      at = child;
    }
    heap[at] = last;
    return top;
  }
}
