import type { Millis } from '../../../model/time.ts';
import { isLive } from '../article.ts';
import { block, type ContentBlock, inOrder, linkItem, type NewsPageSpec } from '../content.ts';
import {
  dayOf,
  HOUR,
  hourOf,
  isoDay,
  isWeekend,
  longDay,
  MINUTE,
  startOf,
  ticks,
  weekdayOf,
} from '../days.ts';
import type { Newsroom } from '../newsroom.ts';
import { PAPER, SECTION_IDS, SECTIONS, type SectionId } from '../sections.ts';
import { crosswordNumber } from './crossword.ts';
import {
  articleItem,
  articleKey,
  dailyMoments,
  deskMoments,
  fromFirstDay,
  newsMoments,
  ranked,
} from './lists.ts';
import { latestTicker } from './ticker.ts';
import { weatherAt } from './weather.ts';

const TOP = 3;
const HEADLINES = 8;
const PER_SECTION = 3;
/** The desk chooses among this many newest articles. */
const CANDIDATES = 40;
/** The live box is a cached fragment, and so is the weather box: they lag behind their pages. */
const LIVE_EVERY = 30 * MINUTE;
const WEATHER_EVERY = 3 * HOUR;
const PRINT_AT = 5 * HOUR;

/** Sport and culture come first at weekends. */
function sectionOrder(weekend: boolean): readonly SectionId[] {
  return weekend ? ['sport', 'culture', 'local', 'politics', 'science', 'economy'] : SECTION_IDS;
}

export function homePage(newsroom: Newsroom): NewsPageSpec {
  function blocks(time: Millis): ContentBlock[] {
    const day = dayOf(time);
    const weekend = isWeekend(day);
    const result: ContentBlock[] = [
      block('masthead', 'masthead', 0.02, [{ key: 'date', text: longDay(day) }]),
    ];
    const breaking = newsroom.breaking(time);
    if (breaking) {
      const item = articleItem(newsroom, breaking, time, 'line');
      result.push(block('breaking', 'breaking', 0.7, [{ ...item, key: `b${item.key}` }], 'Breaking'));
    }
    // The desk's choice holds until its next decision; only withdrawn articles drop out at once.
    const decidedAt = newsroom.lastDesk('home', time);
    const chosen = ranked(newsroom.recent(decidedAt, CANDIDATES), decidedAt, 10).filter((a) =>
      isLive(a, time),
    );
    const [lead, ...others] = chosen;
    if (lead) result.push(block('lead', 'lead', 1, [articleItem(newsroom, lead, time, 'full')]));
    const top = others.slice(0, TOP);
    const headlines = others.slice(TOP, TOP + HEADLINES);
    if (top.length > 0) {
      result.push(
        block(
          'top',
          'top',
          0.6,
          top.map((a) => articleItem(newsroom, a, time, 'card')),
        ),
      );
    }
    if (headlines.length > 0) {
      result.push(
        block(
          'headlines',
          'headlines',
          0.4,
          headlines.map((a) => articleItem(newsroom, a, time, 'line')),
          'Headlines',
        ),
      );
    }
    const shown = new Set([lead, ...top, ...headlines].map((a) => (a ? articleKey(a) : '')));
    for (const section of sectionOrder(weekend)) {
      const latest = newsroom.recent(
        time,
        PER_SECTION,
        (a) => a.section === section && !shown.has(articleKey(a)),
      );
      if (latest.length === 0) continue;
      result.push(
        block(
          `box-${section}`,
          'section-box',
          0.2,
          latest.map((article, i) => {
            const { key, link, image, text } = articleItem(
              newsroom,
              article,
              time,
              i === 0 ? 'card' : 'line',
            );
            return {
              key,
              ...(link && { link }),
              ...(image && { image }),
              ...(text !== undefined && { text }),
            };
          }),
          SECTIONS[section].title,
        ),
      );
    }
    const observed = Math.floor(time / WEATHER_EVERY) * WEATHER_EVERY;
    const weather = weatherAt(newsroom.seed, 'Saltmarsh', observed);
    result.push(
      block(
        'weather',
        'weather',
        0.05,
        [
          {
            key: 'now',
            link: { href: '/weather/', text: 'Saltmarsh' },
            text: `${weather.temperature} °C, ${weather.sky}`,
            label: weather.wind,
          },
        ],
        'Weather',
      ),
    );
    const live = latestTicker(newsroom, Math.floor(time / LIVE_EVERY) * LIVE_EVERY, 4);
    if (live.length > 0) result.push(block('live', 'live', 0.08, live, 'Live'));
    const printDay = hourOf(time) * HOUR >= PRINT_AT ? day : day - 1;
    const service = [
      linkItem('crossword', '/crossword/', `Crossword no. ${crosswordNumber(day)}`),
      ...(printDay >= newsroom.firstDay
        ? [linkItem('print', `/print/${isoDay(printDay)}.pdf`, 'Today’s print edition (PDF)')]
        : []),
      linkItem('trends', '/trends/', 'What readers talk about'),
    ];
    result.push(block('service', 'service', 0.05, service, 'Services'));
    const saturday = day - (weekdayOf(day) - 5);
    if (weekend && saturday >= newsroom.firstDay && time >= startOf(saturday) + 6 * HOUR) {
      result.push(
        block(
          'weekend',
          'weekend',
          0.3,
          [
            {
              key: 'issue',
              link: { href: `/magazine/${isoDay(saturday)}/`, text: 'Read the new issue' },
              text: 'Long reads, a recipe and a walk along the dyke.',
            },
          ],
          'The weekend magazine',
        ),
      );
    }
    return result;
  }

  return {
    ...fromFirstDay(newsroom, '/', 'home'),
    shows: ['/api/most-read.json'],
    moments: (from, to) =>
      inOrder(
        newsMoments(newsroom, from, to),
        deskMoments(newsroom, 'home', from, to),
        dailyMoments(from, to, 0, 'a new day'),
        dailyMoments(from, to, PRINT_AT, 'print edition'),
        dailyMoments(from, to, 6 * HOUR, 'weekend magazine').filter(({ at }) => weekdayOf(dayOf(at)) === 5),
        ticks(from, to, LIVE_EVERY).map((at) => ({ at, reason: 'live box refreshed' })),
      ),
    content: (time) => ({ title: `${PAPER} – news from the harbour`, blocks: blocks(time) }),
  };
}
