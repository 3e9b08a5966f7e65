import type { Millis } from '../../../model/time.ts';
import { isLive } from '../article.ts';
import { block, type Item, linkItem, type NewsPageSpec, titleBlock } from '../content.ts';
import { type Day, dayFrom, dayOf, longDay, monthName, partsOf, slashDay, startOf } from '../days.ts';
import type { Newsroom } from '../newsroom.ts';
import { PAPER } from '../sections.ts';
import { articleItem, dailyMoments, fromFirstDay, newsMoments } from './lists.ts';

/** Days from `first` up to the day of `time`, newest first, grouped by what `name` returns for them. */
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

export function archiveRoot(newsroom: Newsroom): NewsPageSpec {
  return {
    ...fromFirstDay(newsroom, '/archive/', 'archive'),
    moments: (from, to) => dailyMoments(from, to, 0, 'a new day'),
    content: (time) => ({
      title: `Archive – ${PAPER}`,
      blocks: [
        titleBlock(0.3, 'Archive', 'Every article, by day.'),
        block(
          'years',
          'list',
          0.4,
          [...groups(newsroom, time, yearOf).keys()].map((year) => linkItem(year, `/archive/${year}/`, year)),
        ),
        block(
          'months',
          'list',
          0.4,
          [...groups(newsroom, time, monthOf).keys()].map((month) =>
            linkItem(month, `/archive/${month}/`, `${monthName(month.slice(5))} ${month.slice(0, 4)}`),
          ),
          'By month',
        ),
      ],
    }),
  };
}

export function archiveYear(newsroom: Newsroom, year: string): NewsPageSpec | undefined {
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
        titleBlock(0.3, year, 'Archive by month.'),
        block(
          'months',
          'list',
          0.5,
          [...groups(newsroom, time, (day) => (yearOf(day) === year ? monthOf(day) : undefined)).keys()].map(
            (month) => linkItem(month, `/archive/${month}/`, monthName(month.slice(5))),
          ),
        ),
      ],
    }),
  };
}

export function archiveMonth(newsroom: Newsroom, year: string, month: string): NewsPageSpec | undefined {
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
        (day): Item => linkItem(slashDay(day), `/archive/${slashDay(day)}/`, longDay(day)),
      );
      return {
        title: `Archive ${monthName(month)} ${year} – ${PAPER}`,
        blocks: [
          titleBlock(0.3, `${monthName(month)} ${year}`, 'Archive by day.'),
          block('days', 'list', 0.5, items),
        ],
      };
    },
  };
}

/** One day's articles: grows during the day, follows corrections for a while, then stays the same. */
export function archiveDay(newsroom: Newsroom, day: Day): NewsPageSpec {
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
        titleBlock(0.3, longDay(day), 'All articles of the day.'),
        block(
          'articles',
          'list',
          0.6,
          newsroom
            .articlesOf(day)
            .filter((article) => isLive(article, time))
            .map((article) => articleItem(newsroom, article, time, 'line')),
        ),
      ],
    }),
  };
}
