/** NEAR-Miner 2009, Fig. 5 (a) to (c): WARM over all sites, by distance, training size and domain. */
import { type Row, Skipped } from '../experiment/experiment.ts';
import type { PlotDescription } from '../experiment/plot.ts';
import { grade } from '../experiment/wording.ts';
import {
  type MeanQuality,
  type NearSite,
  nearSites,
  PAPER,
  PHI_READINGS,
  type PhiReading,
  siteQuality,
  TRAIN,
  two,
} from './near-sites.ts';
import { type PaperExperiment, type PaperOptions, paperExperiment } from './paper-experiment.ts';
import { mean } from './statistics.ts';

/** Mean over sites at one value of the varied parameter. */
interface Point {
  readonly at: number | string;
  readonly reading: PhiReading;
  readonly sites: number;
  readonly bypassRatio: number;
  readonly overallPrecision: number;
  readonly overallRecall: number;
  readonly changeRecall: number;
}

function point(at: number | string, reading: PhiReading, sites: readonly MeanQuality[]): Point[] {
  if (sites.length === 0) return [];
  const of = (name: keyof MeanQuality): number => mean(sites.map((site) => site[name]));
  return [
    {
      at,
      reading,
      sites: sites.length,
      bypassRatio: of('bypassRatio'),
      overallPrecision: of('overallPrecision'),
      overallRecall: of('overallRecall'),
      changeRecall: of('changeRecall'),
    },
  ];
}

const rowsOf =
  (name: string) =>
  (points: readonly Point[]): Row[] =>
    points.map(({ at, reading, sites, ...quality }) => ({
      [name]: at,
      reading,
      sites,
      BR: quality.bypassRatio,
      OP: quality.overallPrecision,
      OR: quality.overallRecall,
      'CR (Eq. 5)': quality.changeRecall,
    }));

const MEASURES = [
  ['BR', 'bypassRatio'],
  ['OP', 'overallPrecision'],
  ['OR', 'overallRecall'],
  ['CR', 'changeRecall'],
] as const;

const plotsOf =
  (x: string) =>
  (points: readonly Point[]): PlotDescription[] =>
    PHI_READINGS.map((reading) => ({
      title: `Mean over sites, ${reading} reading`,
      x,
      y: 'ratio',
      kind: 'lines',
      range: [0, 1],
      series: MEASURES.map(([name, field]) => ({
        name,
        points: points.filter((one) => one.reading === reading).map((one) => ({ x: one.at, y: one[field] })),
      })),
    }));

const ends = (
  points: readonly Point[],
  reading: PhiReading,
): readonly [Point | undefined, Point | undefined] => {
  const own = points.filter((one) => one.reading === reading);
  return [own[0], own.at(-1)];
};

const told = (points: readonly Point[]): string =>
  PHI_READINGS.map((reading) => {
    const [first, last] = ends(points, reading);
    if (!first || !last) return `${reading}: not measured`;
    return `${reading}: BR ${two(first.bypassRatio)} at ${first.at}, ${two(last.bypassRatio)} at ${last.at}; CR ${two(first.changeRecall)} and ${two(last.changeRecall)}`;
  }).join('. ');

const varied =
  (
    values: readonly number[],
    quality: (site: NearSite, reading: PhiReading, value: number) => MeanQuality | undefined,
  ) =>
  (options: PaperOptions): Point[] | Skipped => {
    const sites = nearSites(options);
    if (sites instanceof Skipped) return sites;
    return PHI_READINGS.flatMap((reading) =>
      values.flatMap((value) =>
        point(
          value,
          reading,
          sites.flatMap((site) => quality(site, reading, value) ?? []),
        ),
      ),
    );
  };

export const ON =
  'Real site histories, windows and thresholds as in Table 2; means over the windows of a site, then over sites.';

const distance = paperExperiment<Point[]>({
  name: 'near-fig-5a',
  title: 'How long rules stay good',
  paper: PAPER,
  figure: 'Fig. 5 (a)',
  method: `${ON} Rules of ${TRAIN} versions are tried on the version 1 to 10 later, against the one before that.`,
  measure: varied([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], (site, reading, value) =>
    siteQuality(site, reading, { distance: value }),
  ),
  rows: rowsOf('distance'),
  plots: plotsOf('versions between training and test'),
  claims: [
    {
      statement: 'Around one third of the pages of a site is skipped on average.',
      verdict: (points) => ({
        holds: grade(PHI_READINGS.map((reading) => (ends(points, reading)[0]?.bypassRatio ?? 0) >= 0.25)),
        ours: `${told(points)}.`,
      }),
    },
    {
      statement: 'The performance does not deteriorate obviously as the distance grows.',
      verdict: (points) => ({
        holds: grade(
          PHI_READINGS.map((reading) => {
            const [first, last] = ends(points, reading);
            return (first?.changeRecall ?? 0) - (last?.changeRecall ?? 0) < 0.05;
          }),
        ),
        ours: `${told(points)}.`,
      }),
    },
  ],
});

const training = paperExperiment<Point[]>({
  name: 'near-fig-5b',
  title: 'How many versions to learn from',
  paper: PAPER,
  figure: 'Fig. 5 (b)',
  method: `${ON} 10, 20, 30 and 40 versions of training, the next as test.`,
  measure: varied([10, 20, 30, 40], (site, reading, value) => siteQuality(site, reading, { train: value })),
  rows: rowsOf('training versions'),
  plots: plotsOf('training versions'),
  claims: [
    {
      statement: 'With more training versions BR slightly decreases, and CR improves.',
      verdict: (points) => ({
        holds: grade(
          PHI_READINGS.flatMap((reading) => {
            const [first, last] = ends(points, reading);
            if (!first || !last) return [];
            return [last.bypassRatio < first.bypassRatio, last.changeRecall > first.changeRecall];
          }),
        ),
        ours: `${told(points)}.`,
      }),
    },
  ],
});

const DOMAINS: Readonly<Record<string, string>> = {
  digitalgov: '.gov',
  'openbsd-www-1996-2008': '.org',
  'freebsd-website': '.org',
  'kafka-site': '.org',
  'flink-web': '.org',
  'kubernetes-website': '.io',
  'teletext-ard': '.de',
  'teletext-ndr': '.de',
  'teletext-zdf': '.de',
};

const domains = paperExperiment<Point[]>({
  name: 'near-fig-5c',
  title: 'Sites of different domains',
  paper: PAPER,
  figure: 'Fig. 5 (c)',
  method: `${ON} Sites by the domain they are published under.`,
  measure: (options) => {
    const sites = nearSites(options);
    if (sites instanceof Skipped) return sites;
    const names = [...new Set(sites.map(({ name }) => DOMAINS[name] ?? 'other'))].sort();
    return PHI_READINGS.flatMap((reading) =>
      names.flatMap((domain) => {
        const own = sites.filter(({ name }) => (DOMAINS[name] ?? 'other') === domain);
        return point(
          domain,
          reading,
          own.flatMap((site) => siteQuality(site, reading) ?? []),
        );
      }),
    );
  },
  rows: rowsOf('domain'),
  plots: (points) =>
    PHI_READINGS.map((reading) => ({
      title: `Bypass ratio by domain, ${reading} reading`,
      x: '',
      y: 'bypass ratio',
      kind: 'bars',
      range: [0, 1],
      series: [
        {
          name: 'BR',
          points: points
            .filter((one) => one.reading === reading)
            .map(({ at, sites, bypassRatio }) => ({
              x: `${at} (${sites} ${sites === 1 ? 'site' : 'sites'})`,
              y: bypassRatio,
            })),
        },
      ],
    })),
  claims: [
    {
      statement: 'It works better on sites of .org and .gov than of .com and .edu.',
      verdict: () => ({ holds: 'not measured', ours: 'The real histories have no site of .com or .edu.' }),
    },
  ],
});

export const NEAR_MAINTENANCE: readonly PaperExperiment[] = [distance, training, domains];
