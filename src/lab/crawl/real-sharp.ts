/**
 * `lab crawl --data --revisit sharp`: whole captures with revisits by the crawler, on sites whose real history is known, with an earlier
 * capture and the hours of the pages: sharp pages and blur, compared with breadth-first twice and the most that nested intervals allow.
 */
import { exactBlur } from '../../science/sharpness/exact-blur.ts';
import { isSharp, sharpPages } from '../../science/sharpness/sharp-pages.ts';
import { revisitStrategy } from '../../science/sharpness/strategies.ts';
import type { SiteEvents } from '../data/site-history.ts';
import { type Experiment, experiment } from '../experiment/experiment.ts';
import { percent, round } from '../experiment/wording.ts';
import { type CaptureCase, captureCase, siteOfCase } from '../sharpness/capture-case.ts';
import { mostSharpSchedule } from '../sharpness/oracle.ts';
import { STUDY, startTimes } from '../sharpness/real-study.ts';
import { crawlOfHistory, type RealSitesInput } from './real-sites.ts';

interface SharpRow {
  readonly site: string;
  readonly hours: number;
  readonly start: number;
  readonly pages: number;
  readonly sharp: number;
  readonly breadthFirst: number;
  readonly limit: number;
  /** Blur ÷ that of SHARC-revisits. */
  readonly blur: number;
}

const HOUR = 3_600;
/** How much of the limit's gain over breadth-first twice is reached. */
const share = ({ sharp, breadthFirst, limit }: SharpRow): number =>
  (sharp - breadthFirst) / Math.max(1, limit - breadthFirst);
const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

export const realSharp: Experiment<RealSitesInput> = experiment<RealSitesInput, readonly SharpRow[]>({
  name: 'crawl-real-sharp',
  title: 'Sharp captures of real histories by the crawler',
  method:
    'The crawler that archives with --revisit sharp, under a clock that leaps, with a capture before; rates and hours from what was ' +
    'seen before each start. Sharp pages of what did happen beside breadth-first twice and the most that nested intervals ' +
    'allow; blur over that of SHARC-revisits.',
  async measure(input) {
    const { histories, starts, hours, progress } = input;
    const rows: SharpRow[] = [];
    for (const [site, history] of histories) {
      for (const length of hours) {
        progress(`${site}, ${length} h`);
        for (const start of startTimes(history, starts, STUDY.trainingDays, Math.max(...hours))) {
          const one = captureCase(history, start, length * HOUR, { utcOffset: STUDY.utcOffset });
          const row = await measured(history, one, input);
          rows.push({ site, hours: length, start, pages: one.paths.length, ...row });
        }
      }
    }
    return rows;
  },
  rows: (rows) => rows.map((row) => ({ ...row, share: share(row) })),
  text: (rows) => [
    {
      header: [
        'hours',
        'captures',
        'sharp over breadth-first twice',
        'limit',
        'share of its gain',
        'blur ÷ SHARC-revisits',
      ],
      rows: [...new Set(rows.map(({ hours }) => hours))].map((hours) => {
        const own = rows.filter((row) => row.hours === hours);
        return [
          hours,
          own.length,
          `+${percent(mean(own.map(({ sharp, breadthFirst }) => sharp / breadthFirst - 1)))}`,
          `+${percent(mean(own.map(({ limit, breadthFirst }) => limit / breadthFirst - 1)))}`,
          round(mean(own.map(share))),
          round(mean(own.map(({ blur }) => blur))),
        ];
      }),
    },
  ],
  plots: () => [],
  claims: [
    {
      statement:
        'From 12 h on at least .7 of the gain of the limit, at blur of at most 1.25 × SHARC-revisits.',
      verdict: (rows) => {
        const own = rows.filter(({ hours }) => hours >= 12);
        const [gained, blur] = [mean(own.map(share)), mean(own.map((row) => row.blur))];
        return {
          holds: gained >= 0.7 && blur <= 1.25 ? 'holds' : 'does not hold',
          ours: `${round(gained)} of the gain, at blur ${round(blur)}`,
        };
      },
    },
  ],
});

async function measured(
  history: SiteEvents,
  one: CaptureCase,
  input: RealSitesInput,
): Promise<Pick<SharpRow, 'sharp' | 'breadthFirst' | 'limit' | 'blur'>> {
  const site = siteOfCase(one, 2);
  const knows = 'the last capture and hours';
  const { capture, urlOf } = await crawlOfHistory(history, one, {
    ...input,
    knows,
    revisit: 'sharp',
    delay: site.delay,
  });
  const pages = new Map(capture.pages.map((page) => [page.url, page]));
  const seconds = (at: number): number => at / 1000 - one.start;
  let sharp = 0;
  const visits = new Float64Array(one.paths.length);
  const revisits = new Float64Array(one.paths.length);
  one.changes.forEach((changes, page) => {
    const { visit, revisit } = pages.get(urlOf(page)) ?? {};
    visits[page] = visit ? seconds(visit.at) : one.duration;
    revisits[page] = revisit ? seconds(revisit.at) : (visits[page] as number);
    if (visit && revisit && isSharp(changes, visits[page] as number, revisits[page] as number)) sharp++;
  });
  const observation = [0, one.duration] as const;
  const rival = (name: string) => revisitStrategy(name).schedule(site);
  return {
    sharp,
    breadthFirst: sharpPages(one.changes, rival('breadth-first-doubled')).length,
    limit: sharpPages(one.changes, mostSharpSchedule(one.changes, site.delay)).length,
    blur:
      exactBlur(one.changes, { visits, revisits }, observation) /
      exactBlur(one.changes, rival('sharc-revisits'), observation),
  };
}
