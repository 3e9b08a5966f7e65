import type { Millis } from '../../../model/time.ts';
import { block, type Moment, type NewsPageSpec, titleBlock } from '../content.ts';
import { type Day, dayOf, HOUR, isWeekend, longTime, MINUTE, startOf, ticks } from '../days.ts';
import type { Newsroom } from '../newsroom.ts';
import { stream, uniform } from '../random.ts';
import { PAPER } from '../sections.ts';

const FIRMS = [
  'Gullwing Kettles',
  'Marsh & Moor',
  'Ropewalk Holdings',
  'Tidal Power Co',
  'Pennyroyal Bank',
  'Saltpan Mining',
  'Otter Networks',
  'Ferry Company',
  'Copperline Works',
  'Drydock Nine',
  'Fen Grain',
  'Lamplight Hotels',
] as const;
const STEP = 5 * MINUTE;
const OPENS = 9 * HOUR;
const CLOSES = 17 * HOUR + 30 * MINUTE;
const STEPS = (CLOSES - OPENS) / STEP;

/** The last time at or before `time` at which quotes were set: every five minutes, weekdays 9:00 to 17:30. */
function quotedAt(time: Millis, firstDay: Day): Millis | undefined {
  for (let day = dayOf(time); day >= firstDay - 4; day--) {
    if (isWeekend(day) || time < startOf(day) + OPENS) continue;
    const last = Math.min(time, startOf(day) + CLOSES);
    return startOf(day) + Math.floor((last - startOf(day)) / STEP) * STEP;
  }
  return undefined;
}

export function marketPages(newsroom: Newsroom): NewsPageSpec[] {
  const { seed, firstDay } = newsroom;
  const walks = new Map<string, readonly number[]>();
  /** One day's price of one share, in crowns, a step every five minutes. */
  function walk(firm: string, day: Day): readonly number[] {
    const key = `${firm}@${day}`;
    let course = walks.get(key);
    if (!course) {
      const random = stream(seed, 'market', firm, day);
      let price =
        20 +
        180 * uniform(seed, 'price', firm) * (0.9 + 0.2 * uniform(seed, 'drift', firm, Math.floor(day / 7)));
      course = Array.from({ length: STEPS + 1 }, () => {
        price *= 1 + 0.006 * (random.next() - 0.5);
        return price;
      });
      walks.set(key, course);
    }
    return course;
  }
  const indexes = new Map<Day, readonly string[]>();
  /** Mean of all shares at each step of the day. */
  function index(day: Day): readonly string[] {
    let course = indexes.get(day);
    if (!course) {
      const all = FIRMS.map((firm) => walk(firm, day));
      course = Array.from({ length: STEPS + 1 }, (_, i) =>
        (all.reduce((sum, one) => sum + (one[i] ?? 0), 0) / FIRMS.length).toFixed(2),
      );
      indexes.set(day, course);
    }
    return course;
  }
  const stepOf = (at: Millis): number => Math.round((at - startOf(dayOf(at)) - OPENS) / STEP);
  const moments = (from: Millis, to: Millis): Moment[] =>
    ticks(from, to, STEP)
      .filter(
        (at) =>
          !isWeekend(dayOf(at)) && at - startOf(dayOf(at)) >= OPENS && at - startOf(dayOf(at)) <= CLOSES,
      )
      .map((at) => ({ at, reason: 'quotes set' }));
  const born = startOf(firstDay);
  return [
    {
      path: '/economy/markets/',
      class: 'markets',
      media: 'html',
      section: 'economy',
      born,
      moments,
      content: (time) => {
        const at = quotedAt(time, firstDay);
        const quotes = FIRMS.map((firm) => {
          const course = at === undefined ? [] : walk(firm, dayOf(at));
          const price = course[at === undefined ? 0 : stepOf(at)] ?? 0;
          const change = (100 * (price - (course[0] ?? price))) / (course[0] ?? 1);
          return {
            key: firm,
            label: firm,
            text: `${price.toFixed(2)} | ${change >= 0 ? '+' : '−'}${Math.abs(change).toFixed(2)} %`,
          };
        });
        return {
          title: `Harbour exchange – ${PAPER}`,
          blocks: [
            titleBlock(0.3, 'Harbour exchange', at === undefined ? 'Closed' : `Quotes of ${longTime(at)}`),
            block('chart', 'figure', 0.2, [
              {
                key: 'chart',
                image: {
                  src: '/economy/markets/chart.svg',
                  alt: 'Harbour index today',
                  width: 800,
                  height: 260,
                },
              },
            ]),
            block('quotes', 'table', 0.5, quotes, 'Shares, in crowns'),
          ],
        };
      },
    },
    {
      path: '/economy/markets/chart.svg',
      class: 'image',
      media: 'svg',
      section: 'economy',
      born,
      moments,
      content: (time) => {
        const at = quotedAt(time, firstDay);
        const points = at === undefined ? [] : index(dayOf(at)).slice(0, stepOf(at) + 1);
        return {
          title: 'Harbour index',
          blocks: [block('data', 'data', 0.1, [{ key: 'course', text: `chart ${points.join(' ')}` }])],
        };
      },
    },
  ];
}
