/**
 * Moments in a site's dense history at which somebody looks at a page of which only captures exist: what was there, and what
 * each choice of version would have shown.
 *
 * Each page is captured at times of its own, with gaps of 0.5 to 1.5 times the given mean. Time is cut into folds; the moments
 * of each fold are judged by patterns learnt only from captures in the other folds, through the functions that the archive
 * calls: a page's own sums, read under the shape of its group.
 */
import type { Seconds } from '../../model/time.ts';
import { type ChangesBetween, expectedChanges } from '../../science/browsing/expected-changes.ts';
import { groupPages } from '../../science/patterns/groups.ts';
import { fitLearner } from '../../science/patterns/learn.ts';
import { learntPattern } from '../../science/patterns/learnt-pattern.ts';
import type { Gap } from '../../science/patterns/observations.ts';
import type { SlotPlan } from '../../science/patterns/slots.ts';
import type { HistoryEvent, SiteEvents } from '../data/site-history.ts';
import { memberOf } from '../policies/knowledge.ts';

export interface SampledCapture {
  readonly at: Seconds;
  /** '' where the page did not exist. */
  readonly digest: string;
}

export interface JudgedMoment {
  /** Index of the page. */
  readonly page: number;
  readonly at: Seconds;
  readonly truth: string;
  readonly before: SampledCapture;
  readonly after: SampledCapture;
  readonly expected: ChangesBetween;
  /** When the later version was made; undefined where the page did not exist. */
  readonly made: Seconds | undefined;
}

export interface SamplingOptions {
  /** Mean time between two captures of a page. */
  readonly gap: Seconds;
  readonly folds: number;
  /** Number of moments per page. */
  readonly moments: number;
  readonly plan: SlotPlan;
  readonly random: () => number;
}

/** Only moments with a capture on both sides. */
export function* judgedMoments(history: SiteEvents, options: SamplingOptions): Iterable<JudgedMoment> {
  const { folds, moments, plan, random } = options;
  const [start = 0, end = 0] = [history.times[0], history.times.at(-1)];
  const pages = [...history.pages];
  const captures = pages.map(([, events]) => sampled(events, start, end, options));
  const length = (end - start) / folds;
  for (let fold = 0; fold < folds; fold++) {
    const [from, to] = [start + fold * length, start + (fold + 1) * length];
    const learners = captures.map((list) => fitLearner(gapsOutside(list, from, to), plan));
    const groups = groupPages(
      learners.map((learner, page) => memberOf(pages[page]?.[0] ?? '', learner)),
      plan,
    );
    for (const [page, list] of captures.entries()) {
      const learner = learners[page];
      if (!learner) continue;
      const shape = groups.shapes[groups.of[page] ?? 0];
      const expected = expectedChanges(learntPattern(learner, plan, shape));
      for (let i = 0; i < moments / folds; i++) {
        const at = from + random() * (to - from);
        const next = list.findIndex((capture) => capture.at > at);
        const [before, after] = [list[next - 1], list[next]];
        if (!before || !after) continue;
        const events = pages[page]?.[1] ?? [];
        const made = lastEvent(events, after.at);
        yield {
          page,
          at,
          truth: digestAt(events, at),
          before,
          after,
          expected,
          made: made?.kind === 'D' ? undefined : made?.time,
        };
      }
    }
  }
}

function sampled(
  events: readonly HistoryEvent[],
  start: Seconds,
  end: Seconds,
  { gap, random }: SamplingOptions,
): SampledCapture[] {
  const captures: SampledCapture[] = [];
  for (let at = start + gap * random(); at < end; at += gap * (0.5 + random()))
    captures.push({ at, digest: digestAt(events, at) });
  return captures;
}

const lastEvent = (events: readonly HistoryEvent[], at: Seconds): HistoryEvent | undefined =>
  events.findLast(({ time }) => time <= at);

function digestAt(events: readonly HistoryEvent[], at: Seconds): string {
  const last = lastEvent(events, at);
  return !last || last.kind === 'D' ? '' : last.digest;
}

function gapsOutside(captures: readonly SampledCapture[], from: Seconds, to: Seconds): Gap[] {
  return captures.slice(1).flatMap((capture, index) => {
    const before = captures[index] as SampledCapture;
    if (capture.at > from && before.at < to) return [];
    const changed = capture.digest !== before.digest;
    return [{ from: before.at, to: capture.at, changed, importance: changed ? 1 : 0 }];
  });
}
