/** Fig. 9 of SHARC 2009: exact blur by the duration of the capture, on real histories. */
import { exactBlur } from '../../science/sharpness/exact-blur.ts';
import { revisitStrategy, strategy } from '../../science/sharpness/strategies.ts';
import type { SiteEvents } from '../data/site-history.ts';
import { captureCase, siteOfCase } from './capture-case.ts';
import { type RealStudyOptions, STUDY, startTimes } from './real-study.ts';

export const FIGURE_9 = {
  once: [
    'sharc-offline',
    'sharc-online',
    'breadth-first',
    'depth-first',
    'hottest-first',
    'coldest-first',
    'olston-pandey',
  ],
  revisits: [
    'sharc-revisits',
    'sharc-threshold',
    'breadth-first-doubled',
    'depth-first-doubled',
    'hottest-first-doubled',
    'coldest-first-doubled',
    'olston-pandey-doubled',
  ],
} as const;

/** Mean blur per page of one strategy. */
export interface DurationRow {
  readonly site: string;
  readonly hours: number;
  readonly visits: 'once' | 'revisits';
  readonly strategy: string;
  readonly blur: number;
}

export function figure9(
  site: string,
  history: SiteEvents,
  options: Pick<RealStudyOptions, 'starts' | 'hours' | 'trainingDays'> = {},
): DurationRow[] {
  const { starts, hours, trainingDays } = { ...STUDY, ...options };
  return hours.flatMap((length) => {
    const sums = new Map<string, DurationRow>();
    for (const start of startTimes(history, starts, trainingDays, Math.max(...hours))) {
      const one = captureCase(history, start, length * 3_600);
      for (const visits of ['once', 'revisits'] as const) {
        const capture = siteOfCase(one, visits === 'once' ? 1 : 2);
        for (const name of FIGURE_9[visits]) {
          const schedule = (visits === 'once' ? strategy : revisitStrategy)(name).schedule(capture);
          const blur = exactBlur(one.changes, schedule, [0, one.duration]) / one.paths.length / starts;
          const before = sums.get(name)?.blur ?? 0;
          sums.set(name, { site, hours: length, visits, strategy: name, blur: before + blur });
        }
      }
    }
    return [...sums.values()];
  });
}
