import type { Millis } from '../../../model/time.ts';
import { block, type NewsPageSpec, titleBlock } from '../content.ts';
import { clockTime, DAY, dayOf, HOUR, hourOf, longTime, startOf, ticks, weekdayName } from '../days.ts';
import type { Newsroom } from '../newsroom.ts';
import { uniform } from '../random.ts';
import { PAPER } from '../sections.ts';

const STATIONS = ['Saltmarsh', 'Eastquay', 'Gull Island', 'Mill Fen', 'Lantern Hill', 'Ferry Point'] as const;
const SKIES = ['clear', 'fair', 'hazy', 'cloudy', 'drizzle', 'rain', 'fog', 'showers'] as const;
const WINDS = ['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW'] as const;

export interface Weather {
  /** In degrees Celsius. */
  readonly temperature: number;
  readonly sky: string;
  readonly wind: string;
}

/** A yearly and a daily wave, a daily offset and a little hourly noise. */
export function weatherAt(seed: number, station: string, time: Millis): Weather {
  const day = dayOf(time);
  const hour = hourOf(time);
  const season = -9 * Math.cos((2 * Math.PI * ((day % 365) - 20)) / 365);
  const course = -4 * Math.cos((2 * Math.PI * (hour - 3)) / 24);
  const mood = 8 * (uniform(seed, 'mood', day) - 0.5) + 2 * (uniform(seed, station) - 0.5);
  const noise = 1.6 * (uniform(seed, station, day, hour) - 0.5);
  const spell = Math.floor(uniform(seed, 'sky', station, day, Math.floor(hour / 4)) * SKIES.length);
  const wind = Math.floor(uniform(seed, 'wind', day, Math.floor(hour / 3)) * WINDS.length);
  return {
    temperature: Math.round(10 + season + course + mood + noise),
    sky: SKIES[spell] ?? 'fair',
    wind: `wind ${WINDS[wind] ?? 'N'}, ${Math.round(4 + 30 * uniform(seed, 'force', station, day, hour))} km/h`,
  };
}

export function weatherPages(newsroom: Newsroom): NewsPageSpec[] {
  const { seed } = newsroom;
  const born = startOf(newsroom.firstDay);
  const hourly: NewsPageSpec['moments'] = (from, to) =>
    ticks(from, to, HOUR).map((at) => ({ at, reason: 'hourly observation' }));
  return [
    {
      path: '/weather/',
      class: 'weather',
      media: 'html',
      born,
      moments: hourly,
      content: (time) => {
        const observed = Math.floor(time / HOUR) * HOUR;
        return {
          title: `Weather – ${PAPER}`,
          blocks: [
            titleBlock(0.3, 'Weather', `Observed ${longTime(observed)}`),
            block('radar', 'figure', 0.2, [
              {
                key: 'radar',
                image: { src: '/weather/radar.png', alt: 'Rain radar', width: 480, height: 270 },
              },
            ]),
            block(
              'stations',
              'table',
              0.5,
              STATIONS.map((station) => {
                const { temperature, sky, wind } = weatherAt(seed, station, observed);
                return { key: station, label: station, text: `${temperature} °C | ${sky} | ${wind}` };
              }),
              `Stations at ${clockTime(observed)}`,
            ),
            block(
              'outlook',
              'cards',
              0.3,
              [1, 2, 3, 4].map((ahead) => {
                const noon = startOf(dayOf(time) + ahead) + DAY / 2;
                const { temperature, sky } = weatherAt(seed, 'Saltmarsh', noon);
                return {
                  key: `day${ahead}`,
                  label: weekdayName(dayOf(noon)),
                  text: `${temperature} °C, ${sky}`,
                };
              }),
              'Outlook',
            ),
          ],
        };
      },
    },
    {
      path: '/weather/radar.png',
      class: 'image',
      media: 'png',
      born,
      moments: hourly,
      content: (time) => ({
        title: 'Rain radar',
        blocks: [
          block('data', 'data', 0.1, [{ key: 'frame', text: `radar ${seed} ${Math.floor(time / HOUR)}` }]),
        ],
      }),
    },
  ];
}
