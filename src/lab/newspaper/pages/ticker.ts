import type { Millis } from '../../../model/time.ts';
import { block, type Item, type Moment, type NewsPageSpec, titleBlock } from '../content.ts';
import { clockTime, dayOf } from '../days.ts';
import type { Newsroom } from '../newsroom.ts';
import { PAPER } from '../sections.ts';
import { fromFirstDay } from './lists.ts';

const SHOWN = 25;

/** The newest entries at `time`, newest first. */
export function latestTicker(newsroom: Newsroom, time: Millis, count: number): Item[] {
  const items: Item[] = [];
  for (let day = dayOf(time); day >= newsroom.firstDay && items.length < count; day--) {
    const entries = newsroom.tickerOf(day);
    for (let i = entries.length - 1; i >= 0 && items.length < count; i--) {
      const entry = entries[i];
      if (entry && entry.at <= time)
        items.push({ key: entry.key, text: entry.text, label: clockTime(entry.at) });
    }
  }
  return items;
}

/** Changes every few minutes by day. */
export function tickerPage(newsroom: Newsroom): NewsPageSpec {
  return {
    ...fromFirstDay(newsroom, '/live/', 'ticker'),
    moments: (from, to) => {
      const moments: Moment[] = [];
      for (let day = dayOf(from); day <= dayOf(to); day++) {
        for (const { at } of newsroom.tickerOf(day))
          if (at > from && at <= to) moments.push({ at, reason: 'ticker entry' });
      }
      return moments;
    },
    content: (time) => ({
      title: `Live – ${PAPER}`,
      blocks: [
        titleBlock(0.3, 'Live', 'What is happening, as it happens.'),
        block('ticker', 'live', 0.5, latestTicker(newsroom, time, SHOWN)),
      ],
    }),
  };
}
