/**
 * The facts of the world, day by day: articles, desk decisions, ticker entries. A day is drawn from its own streams and
 * remembered, so the order in which days are requested makes no difference.
 */
import type { Millis } from '../../model/time.ts';
import { type Article, type ArticleState, dayOfNumber, isLive, newArticle, statesOf } from './article.ts';
import { DAY, type Day, dayOf, HOUR } from './days.ts';
import { fill } from './prose.ts';
import { stream, uniform } from './random.ts';
import { eventTimes, RHYTHMS, SECTION_DESK_FACTOR } from './rhythms.ts';
import {
  type Author,
  hireAuthors,
  SECTION_IDS,
  type SectionId,
  SIZES,
  type Size,
  type SizeName,
} from './sections.ts';
import { TICKER_LINES } from './words.ts';

export interface NewsEvent {
  readonly at: Millis;
  readonly article: Article;
  /** `commented` shows on the article's own page only; `unbroken`: it leaves the breaking banner. */
  readonly kind: 'published' | 'revised' | 'withdrawn' | 'commented' | 'unbroken';
  readonly reason: string;
}

export interface TickerEntry {
  readonly at: Millis;
  readonly key: string;
  readonly text: string;
}

/** An article at least this newsworthy leads the breaking banner for BREAKING_FOR after publication. */
const BREAKING = 0.88;
const BREAKING_FOR = 2 * HOUR;
/** Revisions and comments come within five days, so the events of a day stem from the articles of that many days. */
const EVENT_DAYS = 5;

export interface Newsroom {
  readonly seed: number;
  readonly size: Size;
  readonly firstDay: Day;
  readonly authors: readonly Author[];
  /** Articles published that day, in order of time; withdrawn ones included. */
  articlesOf(day: Day): readonly Article[];
  article(number: number): Article | undefined;
  state(article: Article, time: Millis): ArticleState;
  /** Every state, one per revision. */
  states(article: Article): readonly ArticleState[];
  /** Live at `time`, newest first. */
  recent(time: Millis, count: number, accept?: (article: Article) => boolean): readonly Article[];
  /** All events of articles in (from, to], ascending. */
  events(from: Millis, to: Millis): readonly NewsEvent[];
  breaking(time: Millis): Article | undefined;
  deskTimes(desk: 'home' | SectionId, day: Day): readonly Millis[];
  /** The last desk decision at or before `time`; the start of the first day if there is none. */
  lastDesk(desk: 'home' | SectionId, time: Millis): Millis;
  tickerOf(day: Day): readonly TickerEntry[];
}

function remember<K, V>(make: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>();
  return (key) => {
    let value = known.get(key);
    if (value === undefined) {
      value = make(key);
      known.set(key, value);
    }
    return value;
  };
}

export function openNewsroom(seed: number, start: Millis, sizeName: SizeName): Newsroom {
  const size = SIZES[sizeName];
  const firstDay = dayOf(start) - size.historyDays;
  const authors = hireAuthors(seed, size.authorsPerSection);

  const articlesOf = remember((day: Day): readonly Article[] => {
    if (day < firstDay) return [];
    const drafts: { section: SectionId; publishedAt: Millis }[] = [];
    for (const section of SECTION_IDS) {
      const random = stream(seed, 'publish', section, day);
      for (const publishedAt of eventTimes(RHYTHMS[section], day, size.scale, random)) {
        drafts.push({ section, publishedAt });
      }
    }
    drafts.sort((a, b) => a.publishedAt - b.publishedAt || (a.section < b.section ? -1 : 1));
    return drafts.map(({ section, publishedAt }, i) => {
      const number = day * 1000 + i;
      const writers = authors.filter((author) => author.section === section);
      const author = writers[Math.floor(uniform(seed, 'byline', number) * writers.length)] as Author;
      return newArticle({ seed, number, section, author, publishedAt, scale: size.scale });
    });
  });

  const states = remember((article: Article) => statesOf(seed, article));
  const state = (article: Article, time: Millis): ArticleState => {
    const all = states(article);
    let index = 0;
    while (index + 1 < all.length && (article.revisions[index + 1]?.at ?? Infinity) <= time) index++;
    return all[index] as ArticleState;
  };

  const recent: Newsroom['recent'] = (time, count, accept) => {
    const found: Article[] = [];
    for (let day = dayOf(time); day >= firstDay && found.length < count; day--) {
      const articles = articlesOf(day);
      for (let i = articles.length - 1; i >= 0 && found.length < count; i--) {
        const article = articles[i] as Article;
        if (isLive(article, time) && (!accept || accept(article))) found.push(article);
      }
    }
    return found;
  };

  const eventsOfDay = remember((day: Day): readonly NewsEvent[] => {
    const events: NewsEvent[] = [];
    const add = (at: Millis, article: Article, kind: NewsEvent['kind'], what: string): void => {
      const reason = `article ${article.number.toString(36)} ${what}`;
      if (dayOf(at) === day) events.push({ at, article, kind, reason });
    };
    for (let origin = day - EVENT_DAYS; origin <= day; origin++) {
      for (const article of articlesOf(origin)) {
        const { publishedAt, withdrawnAt } = article;
        for (const { at, kind } of article.revisions) {
          add(at, article, kind === 'published' ? 'published' : 'revised', kind);
        }
        for (const at of article.comments) add(at, article, 'commented', 'commented');
        if (withdrawnAt !== undefined) add(withdrawnAt, article, 'withdrawn', 'withdrawn');
        if (article.newsworthiness > BREAKING) {
          add(publishedAt + BREAKING_FOR, article, 'unbroken', 'no longer breaking');
        }
      }
    }
    return events.sort((a, b) => a.at - b.at || a.article.number - b.article.number);
  });

  const deskTimesOf = remember((key: string): readonly Millis[] => {
    const [desk, dayText] = key.split('@') as ['home' | SectionId, string];
    const random = stream(seed, 'desk', desk, Number(dayText));
    // Even a small paper's desks are not idle: the square root softens the scale.
    const scale = Math.sqrt(size.scale);
    return desk === 'home'
      ? eventTimes(RHYTHMS['home-desk'], Number(dayText), scale, random)
      : eventTimes(RHYTHMS[desk], Number(dayText), scale * SECTION_DESK_FACTOR, random);
  });
  const deskTimes = (desk: 'home' | SectionId, day: Day): readonly Millis[] =>
    day < firstDay ? [] : deskTimesOf(`${desk}@${day}`);

  return {
    seed,
    size,
    firstDay,
    authors,
    articlesOf,
    article: (number) => articlesOf(dayOfNumber(number))[number % 1000],
    state,
    states,
    recent,
    events: (from, to) => {
      const events: NewsEvent[] = [];
      for (let day = Math.max(firstDay, dayOf(from)); day <= dayOf(to); day++) {
        for (const event of eventsOfDay(day)) if (event.at > from && event.at <= to) events.push(event);
      }
      return events;
    },
    breaking: (time) =>
      recent(
        time,
        1,
        (article) => article.newsworthiness > BREAKING && time < article.publishedAt + BREAKING_FOR,
      )[0],
    deskTimes,
    lastDesk: (desk, time) => {
      for (let day = dayOf(time); day >= firstDay; day--) {
        const last = deskTimes(desk, day).findLast((at) => at <= time);
        if (last !== undefined) return last;
      }
      return firstDay * DAY;
    },
    tickerOf: remember((day: Day): readonly TickerEntry[] => {
      if (day < firstDay) return [];
      const random = stream(seed, 'ticker', day);
      return eventTimes(RHYTHMS.ticker, day, Math.sqrt(size.scale), random).map((at) => ({
        at,
        key: `t${at / 1000}`,
        text: fill(random.pick(TICKER_LINES), random),
      }));
    }),
  };
}
