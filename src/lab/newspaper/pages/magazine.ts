import type { Millis } from '../../../model/exchange.ts';
import { type Moment, never, type PageSpec } from '../content.ts';
import { type Day, dayOf, HOUR, isoDay, longDay, startOf, weekdayOf } from '../days.ts';
import type { Newsroom } from '../newsroom.ts';
import { newStory, paragraphs } from '../prose.ts';
import { stream } from '../random.ts';
import { PAPER } from '../sections.ts';

/** Saturdays, early. */
const APPEARS = 6 * HOUR;

export function issues(newsroom: Newsroom, time: Millis): readonly Day[] {
  const days: Day[] = [];
  for (let day = dayOf(time); day >= newsroom.firstDay; day--) {
    if (weekdayOf(day) === 5 && startOf(day) + APPEARS <= time) days.push(day);
  }
  return days;
}

export function magazineMoments(from: Millis, to: Millis): Moment[] {
  const moments: Moment[] = [];
  for (let day = dayOf(from); day <= dayOf(to); day++) {
    const at = startOf(day) + APPEARS;
    if (weekdayOf(day) === 5 && at > from && at <= to) moments.push({ at, reason: 'magazine issue' });
  }
  return moments;
}

const TITLES = [
  'The long way round the dyke',
  'Nine bakers and an oven',
  'What the bell ringers know',
  'A winter with eels',
  'The map that lied',
  'Letters from the lightship',
] as const;

const titleOf = (newsroom: Newsroom, day: Day): string => stream(newsroom.seed, 'issue', day).pick(TITLES);

export function magazineFront(newsroom: Newsroom): PageSpec {
  return {
    path: '/magazine/',
    class: 'magazine',
    media: 'html',
    section: 'culture',
    born: startOf(newsroom.firstDay),
    moments: magazineMoments,
    content: (time) => ({
      title: `Magazine – ${PAPER}`,
      blocks: [
        {
          id: 'title',
          role: 'page-title',
          weight: 0.3,
          items: [{ key: 'title', text: 'Magazine', label: 'Every Saturday.' }],
        },
        {
          id: 'issues',
          role: 'list',
          weight: 0.6,
          items: issues(newsroom, time).map((day) => ({
            key: isoDay(day),
            link: { href: `/magazine/${isoDay(day)}/`, text: titleOf(newsroom, day) },
            label: longDay(day),
          })),
        },
      ],
    }),
  };
}

export function magazineIssue(newsroom: Newsroom, day: Day): PageSpec {
  return {
    path: `/magazine/${isoDay(day)}/`,
    class: 'magazine',
    media: 'html',
    section: 'culture',
    born: startOf(day) + APPEARS,
    moments: never,
    content: () => {
      const random = stream(newsroom.seed, 'essay', day);
      const story = newStory('culture', random);
      const title = titleOf(newsroom, day);
      return {
        title: `${title} – ${PAPER}`,
        blocks: [
          {
            id: 'head',
            role: 'article-head',
            weight: 1,
            items: [
              { key: 'headline', text: title },
              { key: 'standfirst', text: `Magazine of ${longDay(day)}` },
            ],
          },
          {
            id: 'body',
            role: 'body',
            weight: 0.9,
            items: paragraphs(story, 9, random).map((text, i) => ({ key: `p${i}`, text })),
          },
        ],
      };
    },
  };
}
