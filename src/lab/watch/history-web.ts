/**
 * Histories of pages (`lab policies`) as a web to be watched: rhythms known from training or learnt along the way, feeds simulated.
 */
import type { Millis } from '../../model/time.ts';
import type { Signal, WatchedPage } from '../../model/watch.ts';
import { groupPages } from '../../science/patterns/groups.ts';
import { learn, newLearner, type PatternLearner } from '../../science/patterns/learn.ts';
import { slotPlan } from '../../science/patterns/slots.ts';
import { stream } from '../newspaper/random.ts';
import type { Histories, SimulatedPage } from '../policies/histories.ts';
import { type KnowledgeOptions, memberOf, type TrainedPage, trainedPages } from '../policies/knowledge.ts';
import type { WatchedWeb } from './watched-web.ts';

/** Simulated feeds. */
export interface FeedOptions {
  /** Chance that a change is announced. */
  readonly recall: number;
  /** Standard deviation of the logarithm of the announced size; undefined: no size is announced. */
  readonly noise?: number;
  /** False signals per true one. */
  readonly lies?: number;
  /** Milliseconds between readings; if absent, the plan decides. */
  readonly every?: number;
  /** Requests per reading. */
  readonly cost: number;
  /** One feed per page, or one per site. */
  readonly of: 'page' | 'site';
  readonly seed: number | string;
}

export interface HistoryWebOptions extends KnowledgeOptions {
  readonly cold?: boolean;
  readonly feeds?: FeedOptions;
  /** Results of training, if several webs share them. */
  readonly trained?: readonly TrainedPage[];
}

const siteOf = (name: string): string => name.split('/')[0] ?? name;

export function historyWeb(histories: Histories, options: HistoryWebOptions): WatchedWeb {
  const start = histories.start * 1000;
  const rhythms = options.cold ? learntMeanwhile(histories, options) : trained(histories, options);
  const feeds = options.feeds ? simulatedFeeds(histories, options.feeds, start) : undefined;
  const pages = new Map(
    histories.pages.map(({ name, weight, versions }) => [name, { url: name, weight, versions }]),
  );
  const listed = (): WatchedPage[] =>
    histories.pages.map((page, index) => ({
      url: page.name,
      site: siteOf(page.name),
      weight: page.weight,
      lastVisit: start,
      ...rhythms.of(index, page),
    }));
  return {
    start,
    end: histories.end * 1000,
    pages,
    known: () => [...listed(), ...(feeds?.pages ?? [])],
    ...(rhythms.noted && { noted: rhythms.noted }),
    ...(rhythms.noted && {
      relisted: () => {
        rhythms.share?.();
        return listed();
      },
    }),
    ...(feeds && { read: feeds.read }),
  };
}

interface Rhythms {
  of(index: number, page: SimulatedPage): Pick<WatchedPage, 'observations' | 'changes' | 'pattern'>;
  readonly noted?: NonNullable<WatchedWeb['noted']>;
  share?(): void;
}

const sumsOf = ({ changes, hours, seen, weight }: PatternLearner) => ({
  changes: [...changes],
  hours: [...hours],
  seen: [...seen],
  weight: [...weight],
});

function trained(histories: Histories, options: HistoryWebOptions): Rhythms {
  const known = options.trained ?? trainedPages(histories, options);
  return {
    of: (index, { training }) => {
      const { learner, shape } = known[index] as (typeof known)[number];
      return {
        observations: training.length + 1,
        changes: training.filter(({ changed }) => changed).length,
        pattern: { kind: learner.plan.kind, sums: sumsOf(learner), ...(shape && { shape: [...shape] }) },
      };
    },
  };
}

/** As the archive learns: sums of its own visits, shapes shared by groups that are found afresh at each listing. */
function learntMeanwhile(histories: Histories, options: HistoryWebOptions): Rhythms {
  const plan = slotPlan('daily', { zone: histories.zone, periods: options.periods ?? 24 });
  const learners = histories.pages.map(() => newLearner(plan));
  const numbers = new Map(histories.pages.map(({ name }, index) => [name, index]));
  const counts = histories.pages.map(() => ({ observations: 0, changes: 0 }));
  let shapes: readonly Float64Array[] = [];
  let groups = new Int32Array(learners.length);
  return {
    of: (index) => {
      const shape = shapes[groups[index] as number];
      const learner = learners[index] as PatternLearner;
      return {
        ...(counts[index] as (typeof counts)[number]),
        ...(shape && { pattern: { kind: 'daily', sums: sumsOf(learner), shape: [...shape] } }),
      };
    },
    noted: ({ url, from, to, changed, importance }) => {
      const index = numbers.get(url);
      if (index === undefined || to <= from) return;
      learn(learners[index] as PatternLearner, { from: from / 1000, to: to / 1000, changed, importance });
      const count = counts[index] as { observations: number; changes: number };
      count.observations++;
      if (changed) count.changes++;
    },
    share: () => {
      const members = histories.pages.map(({ name }, i) => memberOf(name, learners[i] as PatternLearner));
      const found = groupPages(members, plan);
      shapes = found.shapes;
      groups = Int32Array.from(found.of);
      learners.forEach((learner, index) => {
        const shape = shapes[groups[index] as number] as Float64Array;
        learners[index] = { ...learner, options: { ...learner.options, shape } };
      });
    },
  };
}

interface Feeds {
  readonly pages: readonly WatchedPage[];
  readonly read: NonNullable<WatchedWeb['read']>;
}

function simulatedFeeds(histories: Histories, feeds: FeedOptions, start: Millis): Feeds {
  const told = new Map<string, Signal[]>();
  for (const page of histories.pages) {
    const feed = `feed:${feeds.of === 'page' ? page.name : siteOf(page.name)}`;
    const list = told.get(feed) ?? [];
    told.set(feed, list);
    list.push(...signalsOf(page, feed, feeds, histories));
  }
  for (const list of told.values()) list.sort((a, b) => (a.changedAt ?? 0) - (b.changedAt ?? 0));
  return {
    pages: [...told.keys()].map((url) => ({
      url,
      site: siteOf(url.slice('feed:'.length)),
      weight: 0,
      lastVisit: start,
      cost: feeds.cost,
      observations: 0,
      changes: 0,
      tells: 'feed',
      ...(feeds.every !== undefined && { every: feeds.every }),
    })),
    read: (url, at, since = start) => ({
      signals: (told.get(url) ?? [])
        .filter(({ changedAt = 0 }) => changedAt > since && changedAt <= at)
        .map((signal) => ({ ...signal, heardAt: at })),
      discovered: [],
    }),
  };
}

function signalsOf(
  page: SimulatedPage,
  feed: string,
  feeds: FeedOptions,
  { start, end }: Histories,
): Signal[] {
  const random = stream(feeds.seed, 'feed', page.name);
  const signals: Signal[] = [];
  const add = (time: number, importance: number): void => {
    const normal = Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
    const size =
      feeds.noise === undefined ? undefined : Math.min(1, importance * Math.exp(feeds.noise * normal));
    signals.push({
      kind: 'feed',
      source: feed,
      url: page.name,
      heardAt: 0,
      changedAt: time * 1000,
      ...(size !== undefined && { size }),
    });
  };
  for (const { time, importance } of page.versions) if (random.chance(feeds.recall)) add(time, importance);
  const lies = random.poisson(Math.min(40, (feeds.lies ?? 0) * page.versions.length));
  for (let i = 0; i < lies; i++) add(start + random.next() * (end - start), random.next());
  return signals;
}
