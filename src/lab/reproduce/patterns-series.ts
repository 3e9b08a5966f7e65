/** Patterns 2012, Fig. 8 to 10: series of one page, patterns of several, an indexing threshold. On real pages. */

import { paperPattern, timeSeries } from '../../science/patterns/series.ts';
import { isWeekend, slotPlan } from '../../science/patterns/slots.ts';
import { decide, indexThreshold, newKeeper } from '../../science/patterns/thresholds.ts';
import { type Row, Skipped } from '../experiment/experiment.ts';
import { grade, percent, round } from '../experiment/wording.ts';
import { type IndexingRow, indexingTrade, learnedBefore } from '../patterns/indexing.ts';
import { type GapsOfPage, watchedFromObservations, watchedTime } from '../patterns/watched-pages.ts';
import { everyNth, NEWS_ZONE, newsObservations } from './page-observations.ts';
import { type PaperExperiment, type PaperOptions, paperExperiment } from './paper-experiment.ts';
import { correlation, mean } from './statistics.ts';

const PAPER = 'Patterns 2012';
const DAY = 86_400;
/** Days from which patterns are learned, and days on which they are then used. */
const [TRAIN, TEST] = [60, 60];

/** Pages as seen in the first days. */
function newsPages({ data, quick }: PaperOptions): readonly GapsOfPage[] | Skipped {
  const table = newsObservations(data);
  if (table instanceof Skipped) return table;
  const pages = watchedFromObservations(quick ? everyNth(table, 12) : table);
  const end = watchedTime(pages).from + (TRAIN + TEST) * DAY;
  return pages.map(({ name, gaps, versions }) => ({
    name,
    gaps: gaps.filter(({ to }) => to <= end),
    versions: versions.filter(({ time }) => time <= end),
  }));
}

const plan = slotPlan('daily', { zone: NEWS_ZONE });
const hours = (values: ArrayLike<number>) =>
  Array.from({ length: values.length }, (_, x) => ({ x, y: values[x] as number })).filter(
    ({ y }) => !Number.isNaN(y),
  );

interface Series {
  readonly page: string;
  readonly days: readonly { readonly day: number; readonly importance: Float64Array }[];
  /** Mean correlation of two of the days shown; and of two workdays of a page, over all pages. */
  readonly shown: number;
  readonly all: number;
}

const alike = (days: Series['days']): number =>
  mean(days.flatMap((a, i) => days.slice(i + 1).map((b) => correlation(a.importance, b.importance))));

const fig8 = paperExperiment<Series>({
  name: 'patterns-fig-8',
  title: 'Samples of time series',
  paper: PAPER,
  figure: 'Fig. 8',
  method:
    'Four successive workdays of the sport pages of a German news site in place of Sport.FranceTV.fr, importance of change ' +
    'by local hour; the same correlation over four workdays of every page.',
  measure: (options) => {
    const pages = newsPages(options);
    if (pages instanceof Skipped) return pages;
    const workdays = pages.map(({ name, gaps }) => ({
      name,
      days: timeSeries(gaps, plan)
        .filter(({ day }) => !isWeekend(day))
        .slice(1, 5),
    }));
    const sport = workdays.find(({ name }) => name.includes('sport')) ?? workdays[0];
    const days = sport?.days ?? [];
    return {
      page: sport?.name ?? '',
      days,
      shown: alike(days),
      all: mean(workdays.map(({ days: four }) => alike(four)).filter((value) => !Number.isNaN(value))),
    };
  },
  rows: ({ page, days }) =>
    days.flatMap(({ day, importance }) =>
      hours(importance).map(({ x, y }): Row => ({ page, day, hour: x, importance: y })),
    ),
  plots: ({ page, days }) => [
    {
      title: page,
      x: 'local hour',
      y: 'importance of change',
      kind: 'lines',
      series: days.map(({ day, importance }) => ({
        name: new Date(day * DAY * 1000).toISOString().slice(0, 10),
        points: hours(importance),
      })),
    },
  ],
  claims: [
    {
      statement: 'Four weekdays of one page show similar periodicity.',
      verdict: ({ page, shown, all }) => ({
        holds: grade([shown > 0.2, all > 0.2]),
        ours: `Mean correlation of two of the four days, hour by hour: ${round(shown)} for ${page}, ${round(all)} over all pages.`,
      }),
    },
  ],
});

interface Patterns {
  readonly pages: readonly {
    readonly name: string;
    readonly pattern: Float64Array;
    readonly night: number;
  }[];
  readonly shown: readonly string[];
}

/** Share of importance in the six hours from midnight: a quarter if the time of day does not matter. */
const nightShare = (pattern: Float64Array): number =>
  pattern.slice(0, 6).reduce((a, b) => a + b, 0) / pattern.reduce((a, b) => a + b, Number.MIN_VALUE);

const fig9 = paperExperiment<Patterns>({
  name: 'patterns-fig-9',
  title: 'Samples of discovered patterns',
  paper: PAPER,
  figure: 'Fig. 9',
  method:
    `Patterns of section pages of German news sites over ${TRAIN + TEST} days; shown are those with the least and most of ` +
    'their importance at night, and two between.',
  measure: (options) => {
    const pages = newsPages(options);
    if (pages instanceof Skipped) return pages;
    const found = pages
      .filter(({ versions }) => versions.length >= 30)
      .map(({ name, gaps }) => {
        const pattern = paperPattern(timeSeries(gaps, plan), plan.slots).importance;
        return { name, pattern, night: nightShare(pattern) };
      })
      .sort((a, b) => a.night - b.night);
    const at = (share: number): string => found[Math.round(share * (found.length - 1))]?.name ?? '';
    return { pages: found, shown: [0, 1 / 3, 2 / 3, 1].map(at) };
  },
  rows: ({ pages }) =>
    pages.map(
      ({ name, pattern, night }): Row => ({
        page: name,
        'share at night': night,
        ...Object.fromEntries(Array.from(pattern, (value, hour) => [`${hour} h`, value])),
      }),
    ),
  plots: ({ pages, shown }) => [
    {
      title: 'Patterns',
      x: 'local hour',
      y: 'mean importance of change',
      kind: 'lines',
      series: pages
        .filter(({ name }) => shown.includes(name))
        .map(({ name, pattern }) => ({ name, points: hours(pattern) })),
    },
  ],
  claims: [
    {
      statement: 'Some pages change significantly more by day than by night, others alike around the clock.',
      verdict: ({ pages }) => {
        const asleep = pages.filter(({ night }) => night < 0.125).length;
        const awake = pages.filter(({ night }) => night > 0.2).length;
        return {
          holds: grade([asleep > 0, awake > 0]),
          ours: `Of ${pages.length} pages ${asleep} have less than half their share of importance between 0 and 6 h, ${awake} have four fifths of it or more.`,
        };
      },
    },
  ],
});

interface Indexing {
  readonly page: string;
  readonly pattern: Float64Array;
  readonly threshold: number;
  readonly indexed: readonly { readonly x: number; readonly y: number }[];
  readonly versions: number;
  readonly rows: readonly IndexingRow[];
}

const fig10 = paperExperiment<Indexing>({
  name: 'patterns-fig-10',
  title: 'Indexing by threshold',
  paper: PAPER,
  figure: 'Fig. 10, Alg. 4',
  method:
    `Thresholds from ${TRAIN} days, used on the ${TEST} days after; shown is one page. In the table each threshold is ` +
    'multiplied by a factor; beside Algorithm 4 stand as many versions taken evenly, and the weightiest ones of each page.',
  measure: (options) => {
    const pages = newsPages(options);
    if (pages instanceof Skipped) return pages;
    const middle = watchedTime(pages).from + TRAIN * DAY;
    const split = learnedBefore(pages, middle, plan);
    const shown = split.find((page) => page.name.includes('sport')) ?? split[0];
    if (!shown) return new Skipped('the data holds no pages');
    const { name, pattern, versions } = shown;
    const threshold = indexThreshold(pattern);
    let keeper = newKeeper(threshold);
    const indexed = versions.flatMap(({ time, importance }) => {
      const { keep, next } = decide(keeper, importance);
      keeper = next;
      return keep ? [{ x: (time - middle) / DAY, y: importance }] : [];
    });
    return { page: name, pattern, threshold, indexed, versions: versions.length, rows: indexingTrade(split) };
  },
  rows: ({ rows }) =>
    rows.map(
      ({ factor, versions, kept, everyNth, limit }): Row => ({
        'threshold ×': factor,
        'versions indexed': versions,
        'kept, pooled': kept.pooled,
        'kept, per page': kept.perPage,
        'every n-th, pooled': everyNth.pooled,
        'every n-th, per page': everyNth.perPage,
        'limit, pooled': limit.pooled,
        'limit, per page': limit.perPage,
      }),
    ),
  plots: ({ page, pattern, threshold, rows }) => [
    {
      title: `${page}: pattern and threshold`,
      x: 'local hour',
      y: 'mean importance of change',
      kind: 'lines',
      series: [
        { name: 'pattern', points: hours(pattern) },
        { name: 'threshold', points: [0, plan.periods - 1].map((x) => ({ x, y: threshold })) },
      ],
    },
    {
      title: 'Importance kept, per page, by share of versions indexed',
      x: 'versions indexed, %',
      y: 'importance kept, %',
      kind: 'lines',
      series: (['kept', 'everyNth', 'limit'] as const).map((name) => ({
        name: { kept: 'Algorithm 4', everyNth: 'every n-th', limit: 'weightiest of each page' }[name],
        points: rows
          .map((row) => ({ x: 100 * row.versions, y: 100 * row[name].perPage }))
          .sort((a, b) => a.x - b.x),
      })),
    },
  ],
  claims: [
    {
      statement: 'Archives avoid wasting space for versions with unimportant changes.',
      verdict: ({ page, threshold, indexed, versions, rows }) => {
        const own = rows.find(({ factor }) => factor === 1) as IndexingRow;
        return {
          holds: grade([own.versions < 0.9, own.kept.perPage > own.everyNth.perPage + 0.05]),
          ours:
            `${page}: threshold ${round(threshold)}, ${indexed.length} of ${versions} versions. All pages: ` +
            `${percent(own.versions)} of the versions hold ${percent(own.kept.perPage)} of the importance per page ` +
            `(${percent(own.kept.pooled)} pooled); taken evenly ${percent(own.everyNth.perPage)}, the weightiest ` +
            `${percent(own.limit.perPage)}.`,
        };
      },
    },
  ],
});

export const PATTERNS_SERIES: readonly PaperExperiment[] = [fig8, fig9, fig10];
