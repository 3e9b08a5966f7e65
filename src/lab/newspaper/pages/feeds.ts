/** What machines read: feeds, sitemaps, robots.txt and the JSON behind the scripts. */
import type { Millis } from '../../../model/time.ts';
import { type Article, isLive } from '../article.ts';
import { block, type Item, linkItem, type Moment, type NewsPageSpec } from '../content.ts';
import { dayOf, HOUR, hourOf, isoTime, MINUTE, monthName, partsOf, startOf, ticks } from '../days.ts';
import type { Newsroom } from '../newsroom.ts';
import { stream, uniform } from '../random.ts';
import { PAPER, SECTIONS, type SectionId } from '../sections.ts';
import { VOCABULARY } from '../vocabulary.ts';
import { articleKey, newsMoments } from './lists.ts';

const FEED_LENGTH = 20;

/** Item label: time of publication in RSS, of the last revision in Atom. So Atom reveals more than RSS. */
export function feed(newsroom: Newsroom, of: SectionId | 'all', media: 'rss' | 'atom'): NewsPageSpec {
  const accept = (article: Article): boolean => of === 'all' || article.section === of;
  return {
    path: `/feeds/${of}.${media}`,
    class: 'feed',
    media,
    ...(of === 'all' ? {} : { section: of }),
    born: startOf(newsroom.firstDay),
    moments: (from, to) => newsMoments(newsroom, from, to, ({ article }) => accept(article)),
    content: (time) => ({
      title: of === 'all' ? PAPER : `${PAPER}: ${SECTIONS[of].title}`,
      blocks: [
        block(
          'entries',
          'entries',
          0.5,
          newsroom.recent(time, FEED_LENGTH, accept).map((article): Item => {
            const state = newsroom.state(article, time);
            const stamp = media === 'atom' ? (state.updatedAt ?? article.publishedAt) : article.publishedAt;
            return {
              key: articleKey(article),
              link: { href: state.path, text: state.headline },
              text: state.standfirst,
              label: isoTime(stamp),
            };
          }),
        ),
      ],
    }),
  };
}

/** Months with articles, such as 2026-11, that have begun by `time`. */
export function articleMonths(newsroom: Newsroom, time: Millis): readonly string[] {
  const months = new Set<string>();
  for (let day = newsroom.firstDay; day <= dayOf(time); day++) months.add(monthKey(day));
  return [...months];
}

const monthKey = (day: number): string => `${partsOf(day).year}-${partsOf(day).month}`;

export function sitemapIndex(newsroom: Newsroom): NewsPageSpec {
  return {
    path: '/sitemap.xml',
    class: 'sitemap',
    media: 'sitemap-index',
    born: startOf(newsroom.firstDay),
    moments: (from, to) => ticks(from, to, 24 * HOUR).map((at) => ({ at, reason: 'a new day' })),
    content: (time) => ({
      title: 'Sitemap index',
      blocks: [
        block(
          'entries',
          'entries',
          0.05,
          [
            '/sitemaps/pages.xml',
            ...articleMonths(newsroom, time).map((month) => `/sitemaps/articles-${month}.xml.gz`),
          ].map((href) => linkItem(href, href, href)),
        ),
      ],
    }),
  };
}

/** Every article of a month with the time of its last revision. */
export function articleSitemap(newsroom: Newsroom, month: string, firstDay: number): NewsPageSpec {
  const known = new Map<Moment, 'insert' | 'delete' | 'update'>();
  const kinds = { published: 'insert', revised: 'update', withdrawn: 'delete' } as const;
  return {
    path: `/sitemaps/articles-${month}.xml.gz`,
    class: 'sitemap',
    media: 'sitemap',
    born: startOf(firstDay),
    moments: (from, to) => {
      const moments: Moment[] = [];
      for (const { at, article, kind, reason } of newsroom.events(from, to)) {
        if (kind === 'commented' || kind === 'unbroken' || monthKey(dayOf(article.publishedAt)) !== month)
          continue;
        const moment = { at, reason };
        known.set(moment, kinds[kind]);
        moments.push(moment);
      }
      return moments;
    },
    entry: (moment) => {
      const kind = known.get(moment) ?? 'update';
      known.delete(moment);
      return { kind, text: moment.reason };
    },
    content: (time) => {
      const items: Item[] = [];
      for (let day = firstDay; day <= dayOf(time) && monthKey(day) === month; day++) {
        for (const article of newsroom.articlesOf(day)) {
          if (!isLive(article, time)) continue;
          const state = newsroom.state(article, time);
          const label = isoTime(state.updatedAt ?? article.publishedAt);
          items.push({ key: articleKey(article), link: { href: state.path, text: state.path }, label });
        }
      }
      return {
        title: `Articles of ${monthName(month.slice(5))}`,
        blocks: [block('entries', 'entries', 0.05, items)],
      };
    },
  };
}

/** Updated every half hour by day, every two hours by night. */
function mostReadTimes(from: Millis, to: Millis): Moment[] {
  return ticks(from, to, 30 * MINUTE)
    .filter((at) => hourOf(at) >= 7 || at % (2 * HOUR) === 0)
    .map((at) => ({ at, reason: 'most read counted' }));
}

export function mostRead(newsroom: Newsroom): NewsPageSpec {
  return {
    path: '/api/most-read.json',
    class: 'data',
    media: 'json',
    born: startOf(newsroom.firstDay),
    moments: (from, to) =>
      [...mostReadTimes(from, to), ...newsMoments(newsroom, from, to)].sort((a, b) => a.at - b.at),
    content: (time) => {
      const counted = mostReadTimes(time - 4 * HOUR, time).at(-1)?.at ?? time;
      // Ranking moves slowly: half interest, plus a little randomness that holds for some hours per article.
      const readers = (article: Article): number =>
        (0.3 +
          article.newsworthiness +
          0.5 * uniform(newsroom.seed, 'readers', article.number, Math.floor(counted / (5 * HOUR)))) *
        Math.exp(-(counted - article.publishedAt) / (16 * HOUR));
      const list = newsroom
        .recent(counted, 30)
        .filter((article) => isLive(article, time))
        .map((article) => ({ article, count: readers(article) }))
        .sort((a, b) => b.count - a.count || a.article.number - b.article.number)
        .slice(0, 6);
      return {
        title: 'Most read',
        blocks: [
          block(
            'most-read',
            'data',
            0.1,
            list.map(({ article }) => {
              const state = newsroom.state(article, time);
              return linkItem(articleKey(article), state.path, state.headline);
            }),
          ),
        ],
      };
    },
  };
}

export function trends(newsroom: Newsroom): NewsPageSpec {
  const topics = Object.values(VOCABULARY).flatMap(({ objects }) => objects);
  return {
    path: '/api/trends.json',
    class: 'data',
    media: 'json',
    born: startOf(newsroom.firstDay),
    moments: (from, to) => ticks(from, to, HOUR).map((at) => ({ at, reason: 'trends counted' })),
    content: (time) => {
      const random = stream(newsroom.seed, 'trends', Math.floor(time / (6 * HOUR)));
      const chosen = random.sample(topics, 8);
      return {
        title: 'Trends',
        blocks: [
          block(
            'trends',
            'data',
            0.5,
            chosen.map((topic) => ({
              key: topic,
              text: topic,
              label: `${20 + Math.floor(180 * uniform(newsroom.seed, topic, Math.floor(time / HOUR)))} letters`,
            })),
          ),
        ],
      };
    },
  };
}
