/**
 * `lab crawl --data`: the crawler that archives, on sites whose real history is known, with and without an earlier capture;
 * compared with what SHARC-offline and the limit reach with the same pages at the same pace.
 */
import type { RevisitMode } from '../../model/site-capture.ts';
import { exactPageBlur } from '../../science/sharpness/exact-blur.ts';
import { sharcOffline } from '../../science/sharpness/organ-pipe.ts';
import type { SiteEvents } from '../data/site-history.ts';
import { type Experiment, experiment } from '../experiment/experiment.ts';
import { round } from '../experiment/wording.ts';
import { type CaptureCase, captureCase, siteOfCase } from '../sharpness/capture-case.ts';
import { leastBlurSchedule } from '../sharpness/oracle.ts';
import { STUDY, startTimes } from '../sharpness/real-study.ts';
import { type CrawlLabPorts, crawlWeb } from './crawl-web.ts';
import { historyWeb } from './history-web.ts';
import { memoryPorts } from './memory-ports.ts';
import { virtualClock } from './virtual-clock.ts';

export interface RealSitesInput {
  readonly histories: ReadonlyMap<string, SiteEvents>;
  readonly starts: number;
  readonly hours: readonly number[];
  /** Hours from the earlier capture to the measured one. */
  readonly gap: number;
  readonly order: string;
  readonly ports: CrawlLabPorts;
  readonly progress: (what: string) => void;
}

/** What the crawler knows at the start. */
const KNOWING = ['nothing', 'the last capture', 'the last capture and hours'] as const;
type Knowing = (typeof KNOWING)[number];

interface RealRow {
  readonly site: string;
  readonly hours: number;
  readonly start: number;
  readonly knows: Knowing;
  readonly pages: number;
  /** Requests that found nothing: pages of the last capture that are gone. */
  readonly gone: number;
  /** Blur ÷ that of SHARC-offline and of the limit, for the same pages at the same pace: pages that are gone cost time. */
  readonly toOffline: number;
  readonly toLimit: number;
  /** The same, if those took as long as the capture did: what the order alone is worth. */
  readonly toOfflineOfSpan: number;
  readonly toLimitOfSpan: number;
}

const HOUR = 3_600;
/** How long a capture may last, relative to the time that its pages take. */
const OVERRUN = 1.25;

export const realSites: Experiment<RealSitesInput> = experiment<RealSitesInput, readonly RealRow[]>({
  name: 'crawl-real',
  title: 'Whole crawls of real histories',
  method:
    'The crawler that archives, under a clock that leaps, on sites with known changes; rates and hours from what was seen before ' +
    'each start. Exact blur of what did happen over the span of each capture, divided by that of SHARC-offline and of the ' +
    'least possible; geometric means. Pages that are gone since the last capture cost a request.',
  async measure(input) {
    const { histories, starts, hours, progress } = input;
    const rows: RealRow[] = [];
    for (const [site, history] of histories) {
      for (const length of hours) {
        progress(`${site}, ${length} h`);
        for (const start of startTimes(history, starts, STUDY.trainingDays, Math.max(...hours))) {
          const one = captureCase(history, start, length * HOUR, { utcOffset: STUDY.utcOffset });
          // Changes that happen while pages that are gone are requested count as well.
          const { changes } = captureCase(history, start, OVERRUN * length * HOUR);
          for (const knows of KNOWING) {
            const row = await measured(history, { ...one, changes }, { ...input, knows });
            rows.push({ site, hours: length, start, knows, pages: one.paths.length, ...row });
          }
        }
      }
    }
    return rows;
  },
  rows: (rows) => rows.map((row) => ({ ...row })),
  text: (rows) => [
    {
      header: ['knows', 'hours', 'captures', 'gone', '÷ SHARC-offline', '÷ limit', 'same span', '÷ limit'],
      rows: KNOWING.flatMap((knows) =>
        [undefined, ...new Set(rows.map(({ hours }) => hours))].map((hours) => {
          const own = rows.filter((row) => row.knows === knows && (hours ?? row.hours) === row.hours);
          return [
            knows,
            hours ?? 'all',
            own.length,
            round(own.reduce((sum, { gone }) => sum + gone, 0) / Math.max(1, own.length)),
            round(geometricMean(own.map(({ toOffline }) => toOffline))),
            round(geometricMean(own.map(({ toLimit }) => toLimit))),
            round(geometricMean(own.map((row) => row.toOfflineOfSpan))),
            round(geometricMean(own.map((row) => row.toLimitOfSpan))),
          ];
        }),
      ),
    },
  ],
  plots: () => [],
  claims: [
    {
      statement: 'The default order without a capture before: at most 1.06 × SHARC-offline.',
      verdict: (rows) => atMost(1.06, rows, 'nothing', ({ toOffline }) => toOffline),
    },
    {
      statement: 'With a capture before: at most 1.02 × SHARC-offline.',
      verdict: (rows) => atMost(1.02, rows, 'the last capture', ({ toOffline }) => toOffline),
    },
    {
      statement: 'By hour: within 2% of the limit.',
      verdict: (rows) => atMost(1.02, rows, 'the last capture and hours', ({ toLimit }) => toLimit),
    },
  ],
});

function atMost(
  bound: number,
  rows: readonly RealRow[],
  knows: Knowing,
  value: (row: RealRow) => number,
): { readonly holds: 'holds' | 'does not hold'; readonly ours: string } {
  const own = rows.filter((row) => row.knows === knows);
  const mean = geometricMean(own.map(value));
  const sites = [...new Set(own.map(({ site }) => site))];
  const each = sites.map(
    (site) => `${site} ${round(geometricMean(own.filter((row) => row.site === site).map(value)))}`,
  );
  return { holds: mean <= bound ? 'holds' : 'does not hold', ours: `${round(mean)} (${each.join(', ')})` };
}

const geometricMean = (values: readonly number[]): number =>
  Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / Math.max(1, values.length));

interface Measuring extends Pick<RealSitesInput, 'gap' | 'order' | 'ports'> {
  readonly knows: Knowing;
  readonly revisit: RevisitMode;
  /** Seconds between two requests. */
  readonly delay: number;
}

/** A crawl of a site at the times of its history, preceded by another crawl if it knows the last capture. */
export async function crawlOfHistory(
  history: SiteEvents,
  one: CaptureCase,
  { knows, gap, order, revisit, delay, ports: given }: Measuring,
) {
  const before = one.start - gap * HOUR;
  const { web, rhythm, urlOf } = historyWeb(history, one, before);
  const clock = virtualClock(before * 1000);
  const ports = { ...given, ...memoryPorts(web, clock) };
  const settings = { order, revisit, workers: 8, rates: 'true', seed: 1 } as const;
  if (knows !== 'nothing')
    await crawlWeb(web, { ...settings, order: 'breadth-first', revisit: 'none', delay: 1 }, ports);
  await clock.sleep(one.start * 1000 - clock.now());
  const hours = knows === 'the last capture and hours' ? { rhythm } : {};
  const outcome = await crawlWeb(web, { ...settings, delay: delay * 1000, ...hours }, ports);
  return { ...outcome, urlOf, visits: await ports.catalog.visits({}) };
}

async function measured(
  history: SiteEvents,
  one: CaptureCase,
  { knows, ...input }: RealSitesInput & { readonly knows: Knowing },
): Promise<Omit<RealRow, 'site' | 'hours' | 'start' | 'knows' | 'pages'>> {
  const { delay } = siteOfCase(one, 1);
  const crawled = await crawlOfHistory(history, one, { ...input, knows, revisit: 'none', delay });
  const { tally, urlOf } = crawled;
  const visits = new Map<string, number>();
  for (const { url, at } of crawled.visits) visits.set(url, at / 1000 - one.start);
  const pages = one.paths.map((_, page) => visits.get(urlOf(page)));
  // A page that no link led to is not in the capture: it counts as fetched at the very end.
  const end = Math.max(...pages.map((visit) => visit ?? 0));
  const blur = blurOf(
    one.changes,
    pages.map((visit) => visit ?? end),
    end,
  );
  const rivals = (pace: number): readonly [offline: number, limit: number] => {
    const span = (one.paths.length - 1) * pace;
    const offline = sharcOffline({ ...siteOfCase(one, 1), delay: pace });
    const changes = one.changes.map((times) => times.filter((time) => time <= span));
    return [
      blurOf(changes, offline.visits, span),
      blurOf(changes, leastBlurSchedule(changes, pace).visits, span),
    ];
  };
  const [offline, limit] = rivals(delay);
  const [offlineOfSpan, limitOfSpan] = rivals(end / Math.max(1, one.paths.length - 1));
  return {
    gone: tally.failed,
    toOffline: blur / offline,
    toLimit: blur / limit,
    toOfflineOfSpan: blur / offlineOfSpan,
    toLimitOfSpan: blur / limitOfSpan,
  };
}

/** Exact, over the span from the start to `end`. */
const blurOf = (changes: readonly Float64Array[], visits: ArrayLike<number>, end: number): number =>
  changes.reduce((sum, times, page) => {
    const happened = times.filter((time) => time <= end);
    return sum + exactPageBlur(happened, [visits[page] as number], [0, end]);
  }, 0);
