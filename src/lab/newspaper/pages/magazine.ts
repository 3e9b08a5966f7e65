import type { Millis } from '../../../model/time.ts';
import { block, type Moment, type NewsPageSpec, never, titleBlock } from '../content.ts';
import { type Day, dayOf, HOUR, isoDay, longDay, startOf, weekdayOf } from '../days.ts';
import type { Newsroom } from '../newsroom.ts';
import { newStory, paragraphs } from '../prose.ts';
import { stream } from '../random.ts';
import { PAPER } from '../sections.ts';
import { dailyMoments, fromFirstDay } from './lists.ts';

/** Saturdays, early. */
const APPEARS = 6 * HOUR;

export function issues(newsroom: Newsroom, time: Millis): readonly Day[] {
  const days: Day[] = [];
  for (let day = dayOf(time); day >= newsroom.firstDay; day--) {
    if (weekdayOf(day) === 5 && startOf(day) + APPEARS <= time) days.push(day);
  }
  return days;
}

export const magazineMoments = (from: Millis, to: Millis): Moment[] =>
  dailyMoments(from, to, APPEARS, 'magazine issue').filter(({ at }) => weekdayOf(dayOf(at)) === 5);

const TITLES = [
  'The long way round the dyke',
  'Nine bakers and an oven',
  'What the bell ringers know',
  'A winter with eels',
  'The map that lied',
  'Letters from the lightship',
] as const;

const titleOf = (newsroom: Newsroom, day: Day): string => stream(newsroom.seed, 'issue', day).pick(TITLES);

export function magazineFront(newsroom: Newsroom): NewsPageSpec {
  return {
    ...fromFirstDay(newsroom, '/magazine/', 'magazine'),
    section: 'culture',
    moments: magazineMoments,
    content: (time) => ({
      title: `Magazine – ${PAPER}`,
      blocks: [
        titleBlock(0.3, 'Magazine', 'Every Saturday.'),
        block(
          'issues',
          'list',
          0.6,
          issues(newsroom, time).map((day) => ({
            key: isoDay(day),
            link: { href: `/magazine/${isoDay(day)}/`, text: titleOf(newsroom, day) },
            label: longDay(day),
          })),
        ),
      ],
    }),
  };
}

export function magazineIssue(newsroom: Newsroom, day: Day): NewsPageSpec {
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
          block('head', 'article-head', 1, [
            { key: 'headline', text: title },
            { key: 'standfirst', text: `Magazine of ${longDay(day)}` },
          ]),
          block(
            'body',
            'body',
            0.9,
            paragraphs(story, 9, random).map((text, i) => ({ key: `p${i}`, text })),
          ),
        ],
      };
    },
  };
}
