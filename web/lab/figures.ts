import type { ChangeRow, PatternRow } from '../api.ts';
import type { FigurePoint } from '../charts/spec.ts';

/** Changes a day: how many pages lie between one bound and the next. */
const RATES: readonly (readonly [label: string, from: number])[] = [
  ['< 1/30', 0],
  ['1/30', 1 / 30],
  ['1/7', 1 / 7],
  ['1', 1],
  ['3', 3],
  ['8', 8],
  ['24', 24],
];

/** How many pages change how often. */
export function rateFigure(patterns: readonly Pick<PatternRow, 'changesPerDay'>[]): readonly FigurePoint[] {
  const counts = RATES.map(() => 0);
  for (const { changesPerDay } of patterns) {
    const place = RATES.findLastIndex(([, from]) => changesPerDay >= from);
    counts[place] = (counts[place] ?? 0) + 1;
  }
  return RATES.map(([label], place) => ({ x: label, y: counts[place] ?? 0 }));
}

const TENTHS = 10;

/** How many changes matter how much: by tenths of the salience, or of the importance where that is not known. */
export function salienceFigure(
  changes: readonly Pick<ChangeRow, 'salience' | 'importance'>[],
): readonly FigurePoint[] {
  const counts = Array.from({ length: TENTHS }, () => 0);
  for (const { salience, importance } of changes) {
    const tenth = Math.min(TENTHS - 1, Math.floor(TENTHS * (salience ?? importance)));
    counts[tenth] = (counts[tenth] ?? 0) + 1;
  }
  return counts.map((y, tenth) => ({ x: `.${tenth}`, y }));
}

/** Changes that are expected in an hour of the day, over all pages; days of all classes count as often as they come. */
export function hourFigure(
  patterns: readonly Pick<PatternRow, 'rate' | 'periods' | 'kind'>[],
): readonly FigurePoint[] {
  const hours = Array.from({ length: 24 }, () => 0);
  for (const { rate, periods, kind } of patterns) {
    if (kind === 'weekly' || kind === 'monthly') continue;
    const days =
      kind === 'workday-weekend' || kind === 'holiday' ? [5 / 7, 2 / 7, 0] : rate.map(() => 1 / rate.length);
    for (const [row, { values }] of rate.entries())
      for (let hour = 0; hour < 24; hour++)
        hours[hour] =
          (hours[hour] ?? 0) + (days[row] ?? 0) * (values[Math.floor((hour * periods) / 24)] ?? 0);
  }
  return hours.map((y, hour) => ({ x: hour, y }));
}
