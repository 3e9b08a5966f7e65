/** French web 2002, §4: importance should not depend on how many pages a site makes, nor on its links to itself. */
import { grade, percent, round } from '../experiment/wording.ts';
import { type FarmReading, JUMPS, type Jumps, studyFarm } from '../importance/farm-study.ts';
import { webGraph } from '../importance/web-graph.ts';
import { stream } from '../newspaper/random.ts';
import { type PaperExperiment, paperExperiment } from './paper-experiment.ts';
import { mean } from './statistics.ts';

const FARMS = [1, 10, 100, 1000, 10_000];

interface FarmRow extends FarmReading {
  /** Relative to the values before the farm. */
  readonly siteRise: number;
  readonly targetRise: number;
}

/** Means over webs of the readings for one farm. */
function averaged(webs: readonly (readonly FarmReading[])[]): FarmRow[] {
  const of = (k: number, field: Exclude<keyof FarmReading, 'jumps'>): number =>
    mean(webs.map((readings) => readings[k]?.[field] ?? Number.NaN));
  const before = (jumps: Jumps): number =>
    (webs[0] ?? []).findIndex((reading) => reading.farm === 0 && reading.jumps === jumps);
  const rise = (k: number, field: 'site' | 'target'): number =>
    mean(
      webs.map((readings) => {
        const reading = readings[k];
        return reading
          ? reading[field] / (readings[before(reading.jumps)]?.[field] ?? Number.NaN)
          : Number.NaN;
      }),
    );
  return (webs[0] ?? []).map(({ jumps, farm }, k) => ({
    jumps,
    farm,
    target: of(k, 'target'),
    site: of(k, 'site'),
    bound: of(k, 'bound'),
    place: of(k, 'place'),
    online: of(k, 'online'),
    siteRise: rise(k, 'site'),
    targetRise: rise(k, 'target'),
  }));
}

const by = (rows: readonly FarmRow[], jumps: Jumps): FarmRow[] => rows.filter((row) => row.jumps === jumps);

/** `by page 1.1, 1.5, …; by site …`, in the order of the farms. */
const listed = (rows: readonly FarmRow[], cell: (row: FarmRow) => string): string =>
  JUMPS.map((jumps) => {
    const planted = by(rows, jumps).filter((row) => row.farm > 0);
    return `${jumps} ${planted.map((row) => `${cell(row)} (${row.farm})`).join(', ')}`;
  }).join('; ');

const farm = paperExperiment<readonly FarmRow[]>({
  name: 'french-web-farm',
  title: 'A link farm, by where jumps lead',
  paper: 'French web 2002',
  figure: '§4',
  method:
    'Five invented webs of 2000 pages and 80 sites (lab/importance/web-graph.ts). A page of middling importance gets 0 to 10,000 new ' +
    'pages on its site that link to it alone, one of them a thousand times, and it to them. Jumps (and the virtual page of OPIC) pay each page ' +
    'alike, each site alike, or pages by a relevance that is 0 for the farm. Bound: (jumps to the site + damping · links from other ' +
    'sites) ÷ (1 − damping).',
  measure: ({ seed, quick, progress }) => {
    const pages = quick ? 400 : 2000;
    const farms = [0, ...(quick ? FARMS.slice(0, 3) : FARMS)];
    return averaged(
      Array.from({ length: quick ? 2 : 5 }, (_, run) => {
        progress(`web ${run + 1}`);
        const web = webGraph(
          { pages, sites: pages / 25, linksPerPage: 10 },
          stream(seed, 'farm-web', run).next,
        );
        return farms.flatMap((size) => studyFarm(web, pages / 2, size));
      }),
    );
  },
  rows: (rows) => rows.map((row) => ({ ...row })),
  plots: (rows) => [
    {
      title: 'Importance of the site, by the size of its farm',
      x: 'pages of the farm',
      y: 'times its importance before',
      kind: 'lines',
      logX: true,
      series: JUMPS.map((jumps) => ({
        name: `jumps ${jumps}`,
        points: by(rows, jumps)
          .filter((row) => row.farm > 0)
          .map(({ farm: x, siteRise: y }) => ({ x, y })),
      })),
    },
  ],
  claims: [
    {
      statement:
        'What a site can have is bounded by what comes in from outside, jumps among it, whatever its links to itself.',
      verdict: (rows) => ({
        holds: grade(rows.map(({ site, bound }) => site <= bound + 1e-9)),
        ours: `The site has at most ${percent(Math.max(...rows.map(({ site, bound }) => site / bound)))} of its bound. Jumps by page, ${by(
          rows,
          'by page',
        )
          .map(({ farm: size, site, bound }) => `${size}: ${round(site)} of ${round(bound)}`)
          .join(', ')}.`,
      }),
    },
    {
      statement:
        'Where each page is paid a site rises with every page it makes; where sites are paid alike, or the farm has no relevance, it soon gains no more.',
      verdict: (rows) => {
        const of = (jumps: Jumps): FarmRow[] => by(rows, jumps);
        /** From the last farm but one to the last, ten times as large. */
        const lastRise = (jumps: Jumps): number => {
          const [before, last] = of(jumps).slice(-2);
          return (last?.site ?? Number.NaN) / (before?.site ?? Number.NaN);
        };
        const remedies = ['by site', 'by relevance'] as const;
        return {
          holds: grade([
            lastRise('by page') > 1.5,
            ...remedies.map((jumps) => lastRise(jumps) < 1.1),
            ...remedies.map((jumps) => (of(jumps).at(-1)?.site ?? 1) <= (of(jumps)[0]?.bound ?? 0)),
          ]),
          ours: `The site, times what it was: ${listed(rows, (row) => round(row.siteRise))}; no more than its bound from before the farm: ${remedies
            .map(
              (jumps) =>
                `${jumps} ${round(of(jumps).at(-1)?.site ?? 0)} of ${round(of(jumps)[0]?.bound ?? 0)}`,
            )
            .join(', ')}. Its farmed page can gather what the site has: place ${listed(rows, (row) =>
            String(Math.round(row.place)),
          )}, of those there before.`,
        };
      },
    },
    {
      statement: 'On-line importance, whose virtual page pays the same way, agrees.',
      verdict: (rows) => {
        const apart = Math.max(...rows.map(({ target, online }) => Math.abs(online / target - 1)));
        return {
          holds: grade([apart < 0.1]),
          ours: `The farmed page's importance after 40 visits a page is within ${percent(apart)} of PageRank's in all of ${rows.length} means.`,
        };
      },
    },
  ],
});

export const FRENCH_WEB_FARM: readonly PaperExperiment[] = [farm];
