import type { Millis } from '../../../model/exchange.ts';
import { isLive } from '../article.ts';
import type { Block, Item, PageSpec } from '../content.ts';
import { type Day, dayFrom, dayOf, longDay, monthName, partsOf, slashDay, startOf } from '../days.ts';
import type { Newsroom } from '../newsroom.ts';
import { PAPER } from '../sections.ts';
import { articleItem, dailyMoments, newsMoments } from './lists.ts';

const heading = (text: string, label: string): Block => ({
  id: 'title',
  role: 'page-title',
  weight: 0.3,
  items: [{ key: 'title', text, label }],
});

/** Days from `first` up to the day of `time`, newest first, grouped by what `name` makes of them. */
function groups(
  newsroom: Newsroom,
  time: Millis,
  name: (day: Day) => string | undefined,
): Map<string, Day[]> {
  const found = new Map<string, Day[]>();
  for (let day = dayOf(time); day >= newsroom.firstDay; day--) {
    const key = name(day);
    if (key !== undefined) found.set(key, [...(found.get(key) ?? []), day]);
  }
  return found;
}

const yearOf = (day: Day): string => partsOf(day).year;
const monthOf = (day: Day): string => `${partsOf(day).year}/${partsOf(day).month}`;

export function archiveRoot(newsroom: Newsroom): PageSpec {
  return {
    path: '/archive/',
    class: 'archive',
    media: 'html',
    born: startOf(newsroom.firstDay),
    moments: (from, to) => dailyMoments(from, to, 0, 'a new day'),
    content: (time) => ({
      title: `Archive – ${PAPER}`,
      blocks: [
        heading('Archive', 'Every article, by day.'),
        {
          id: 'years',
          role: 'list',
          weight: 0.4,
          items: [...groups(newsroom, time, yearOf).keys()].map((year) => ({
            key: year,
            link: { href: `/archive/${year}/`, text: year },
          })),
        },
        {
          id: 'months',
          role: 'list',
          weight: 0.4,
          heading: 'By month',
          items: [...groups(newsroom, time, monthOf).keys()].map((month) => ({
            key: month,
            link: { href: `/archive/${month}/`, text: `${monthName(month.slice(5))} ${month.slice(0, 4)}` },
          })),
        },
      ],
    }),
  };
}

export function archiveYear(newsroom: Newsroom, year: string): PageSpec | undefined {
  const first = Math.max(newsroom.firstDay, dayFrom(year, '01', '01') ?? Infinity);
  if (!Number.isFinite(first) || yearOf(first) !== year) return undefined;
  return {
    path: `/archive/${year}/`,
    class: 'archive',
    media: 'html',
    born: startOf(first),
    moments: (from, to) => dailyMoments(from, to, 0, 'a new day'),
    content: (time) => ({
      title: `Archive ${year} – ${PAPER}`,
      blocks: [
        heading(year, 'Archive by month.'),
        {
          id: 'months',
          role: 'list',
          weight: 0.5,
          items: [
            ...groups(newsroom, time, (day) => (yearOf(day) === year ? monthOf(day) : undefined)).keys(),
          ].map((month) => ({
            key: month,
            link: { href: `/archive/${month}/`, text: monthName(month.slice(5)) },
          })),
        },
      ],
    }),
  };
}

export function archiveMonth(newsroom: Newsroom, year: string, month: string): PageSpec | undefined {
  const first = Math.max(newsroom.firstDay, dayFrom(year, month, '01') ?? Infinity);
  if (!Number.isFinite(first) || monthOf(first) !== `${year}/${month}`) return undefined;
  return {
    path: `/archive/${year}/${month}/`,
    class: 'archive',
    media: 'html',
    born: startOf(first),
    moments: (from, to) => dailyMoments(from, to, 0, 'a new day'),
    content: (time) => {
      const days =
        groups(newsroom, time, (day) => (monthOf(day) === `${year}/${month}` ? 'm' : undefined)).get('m') ??
        [];
      const items = days.map(
        (day): Item => ({
          key: slashDay(day),
          link: { href: `/archive/${slashDay(day)}/`, text: longDay(day) },
        }),
      );
      return {
        title: `Archive ${monthName(month)} ${year} – ${PAPER}`,
        blocks: [
          heading(`${monthName(month)} ${year}`, 'Archive by day.'),
          { id: 'days', role: 'list', weight: 0.5, items },
        ],
      };
    },
  };
}

/** One day's articles: fills up as the day goes on, follows corrections for a while, then rests. */
export function archiveDay(newsroom: Newsroom, day: Day): PageSpec {
  return {
    path: `/archive/${slashDay(day)}/`,
    class: 'archive',
    media: 'html',
    born: startOf(day),
    moments: (from, to) =>
      newsMoments(newsroom, from, to, ({ article }) => dayOf(article.publishedAt) === day),
    content: (time) => ({
      title: `${longDay(day)} – ${PAPER}`,
      blocks: [
        heading(longDay(day), 'All articles of the day.'),
        {
          id: 'articles',
          role: 'list',
          weight: 0.6,
          items: newsroom
            .articlesOf(day)
            .filter((article) => isLive(article, time))
            .map((article) => articleItem(newsroom, article, time, 'line')),
        },
      ],
    }),
  };
}
