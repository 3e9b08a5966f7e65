import type { Millis } from '../../../model/time.ts';
import {
  block,
  type Item,
  inOrder,
  linkItem,
  type Moment,
  type NewsPageSpec,
  titleBlock,
} from '../content.ts';
import { DAY, dayFrom, dayOf, HOUR, longDay, MINUTE, monthName, partsOf, startOf } from '../days.ts';
import type { Newsroom } from '../newsroom.ts';
import { stream } from '../random.ts';
import { PAPER } from '../sections.ts';
import { PLACES } from '../words.ts';
import { dailyMoments } from './lists.ts';

interface TownEvent {
  readonly key: string;
  readonly day: number;
  readonly announcedAt: Millis;
  readonly text: string;
}

const WHAT = [
  'Lantern walk',
  'Book fair',
  'Choir evening',
  'Flea market',
  'Tide talk',
  'Rowing day',
  'Puppet show',
  'Open studios',
  'Repair café',
  'Harbour dance',
] as const;

/** Months, such as 2026-11, from the first day of the world to two months after its start: the calendar is finite. */
export function eventMonths(newsroom: Newsroom): readonly string[] {
  const last = newsroom.firstDay + newsroom.size.historyDays + 61;
  const months = new Set<string>();
  for (let day = newsroom.firstDay; day <= last; day++) {
    const { year, month } = partsOf(day);
    months.add(`${year}-${month}`);
  }
  return [...months];
}

function eventsOf(newsroom: Newsroom, month: string): readonly TownEvent[] {
  const random = stream(newsroom.seed, 'town events', month);
  const [year = '', mm = ''] = month.split('-');
  const first = dayFrom(year, mm, '01') as number;
  const count = 6 + random.int(6);
  return Array.from({ length: count }, (_, i) => {
    const day = first + random.int(28);
    // Announced in office hours, three to forty days ahead.
    const announced = startOf(day) - (3 + random.int(37)) * DAY + 9 * HOUR + random.int(480) * MINUTE;
    return {
      key: `${month}-${i}`,
      day,
      announcedAt: announced,
      text: `${random.pick(WHAT)} at ${random.pick(PLACES)}`,
    };
  }).sort((a, b) => a.day - b.day || (a.key < b.key ? -1 : 1));
}

const show = (event: TownEvent): Item => ({ key: event.key, label: longDay(event.day), text: event.text });
const monthTitle = (month: string): string => `${monthName(month.slice(5))} ${month.slice(0, 4)}`;

export function eventPages(newsroom: Newsroom, calendarLinked: boolean): NewsPageSpec[] {
  const months = eventMonths(newsroom);
  const byMonth = new Map(months.map((month) => [month, eventsOf(newsroom, month)]));
  const all = [...byMonth.values()].flat();
  const announced = (events: readonly TownEvent[], from: Millis, to: Millis): Moment[] =>
    events
      .filter(({ announcedAt }) => announcedAt > from && announcedAt <= to)
      .map(({ announcedAt, text }) => ({ at: announcedAt, reason: `announced: ${text}` }))
      .sort((a, b) => a.at - b.at);
  const born = startOf(newsroom.firstDay);
  const front: NewsPageSpec = {
    path: '/events/',
    class: 'events',
    media: 'html',
    section: 'local',
    born,
    moments: (from, to) => inOrder(announced(all, from, to), dailyMoments(from, to, 0, 'a new day')),
    content: (time) => {
      const coming = all
        .filter(({ announcedAt, day }) => announcedAt <= time && day >= dayOf(time))
        .slice(0, 6);
      return {
        title: `Events – ${PAPER}`,
        blocks: [
          titleBlock(0.3, 'Events', 'What is on in town.'),
          block('coming', 'table', 0.5, coming.map(show), 'Coming up'),
          block(
            'months',
            'service',
            0.1,
            [
              ...months.map((month) => linkItem(month, `/events/${month}/`, monthTitle(month))),
              ...(calendarLinked ? [linkItem('calendar', `/calendar?month=${months[0]}`, 'Calendar')] : []),
            ],
            'By month',
          ),
        ],
      };
    },
  };
  return [
    front,
    ...months.map((month): NewsPageSpec => {
      const events = byMonth.get(month) ?? [];
      return {
        path: `/events/${month}/`,
        class: 'events',
        media: 'html',
        section: 'local',
        born,
        moments: (from, to) => announced(events, from, to),
        content: (time) => ({
          title: `Events in ${monthTitle(month)} – ${PAPER}`,
          blocks: [
            titleBlock(0.3, monthTitle(month), 'Events'),
            block('events', 'table', 0.6, events.filter(({ announcedAt }) => announcedAt <= time).map(show)),
          ],
        }),
      };
    }),
  ];
}
