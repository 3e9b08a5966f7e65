/** French web 2002, §3: "crawl sites, not pages", on invented sites whose whole life is known. */
import { grade, percent } from '../experiment/wording.ts';
import { stream } from '../newspaper/random.ts';
import { livingSites } from '../sites/living-sites.ts';
import { readAgain, WAYS, type Way } from '../sites/read-again.ts';
import { type Clicks, clicks } from '../sites/reader.ts';
import { type PaperExperiment, paperExperiment } from './paper-experiment.ts';
import { mean } from './statistics.ts';

/** Daily visits per existing page: at 1, everything could be read daily. */
const PACES = [0.05, 0.1, 0.2, 0.4] as const;
const MEASURES = ['dangling', 'mixed', 'apart', 'fresh'] as const;

interface Cell {
  readonly way: Way;
  readonly pace: number;
  /** One per web. */
  readonly runs: readonly Clicks[];
}

const values = (cell: Cell, measure: keyof Clicks): number[] => cell.runs.map((run) => run[measure]);

function spread(numbers: readonly number[]): number {
  const middle = mean(numbers);
  return Math.sqrt(mean(numbers.map((one) => (one - middle) ** 2)));
}

const siteRefresh = paperExperiment<readonly Cell[]>({
  name: 'french-web-site-refresh',
  title: 'Sites read again whole, against pages read again one by one',
  paper: 'French web 2002',
  figure: '§3 (refresh)',
  method:
    'Invented webs of 40 sites of 3 to 50 pages over 90 days (lab/sites/living-sites.ts): articles come, change and go, the front ' +
    'page with them. All ways have the same visits a day; pages by θ and sites by ρ the true rates and the same θ. Readers ' +
    'open pages as they were nearest to some day past the first third, and follow 4000 links. Mean and standard deviation over ten webs.',
  measure: ({ seed, quick, progress }) => {
    const webs = quick ? 2 : 10;
    const options = { sites: quick ? 12 : 40, days: quick ? 50 : 90 };
    return PACES.flatMap((pace) => {
      progress(`${pace} visits a page and day`);
      const runs = Array.from({ length: webs }, (_, run) => {
        const sites = livingSites(seed * 1000 + run, options);
        const there = sites.reduce(
          (sum, { pages }) => sum + pages.filter(({ bornAt, goneAt }) => bornAt <= 0 && goneAt > 0).length,
          0,
        );
        return WAYS.map((way) => {
          const readings = readAgain(sites, way, {
            days: options.days,
            pace: pace * there,
            random: stream(seed, 'crawler', run, pace),
          });
          const span = { from: options.days / 3, to: options.days };
          const random = stream(seed, 'reader', run, pace);
          return clicks(sites, readings, span, { count: quick ? 500 : 4000, random });
        });
      });
      return WAYS.map((way, k): Cell => ({ way, pace, runs: runs.map((run) => run[k] as Clicks) }));
    });
  },
  rows: (cells) =>
    cells.map((cell) => ({
      way: cell.way,
      'visits a page and day': cell.pace,
      ...Object.fromEntries(
        MEASURES.flatMap((measure) => [
          [measure, mean(values(cell, measure))],
          [`${measure} ±`, spread(values(cell, measure))],
        ]),
      ),
    })),
  plots: (cells) => [
    {
      title: 'Links that show what never stood beside the page',
      x: 'visits a page and day',
      y: 'share of links that are dangling or mixed',
      kind: 'lines',
      logX: true,
      series: WAYS.map((way) => ({
        name: way,
        points: cells
          .filter((cell) => cell.way === way)
          .map((cell) => {
            const wrong = cell.runs.map(({ dangling, mixed }) => dangling + mixed);
            const [y, half] = [mean(wrong), spread(wrong)];
            return { x: cell.pace, y, interval: [y - half, y + half] as const };
          }),
      })),
    },
  ],
  claims: [
    {
      statement: 'An archive that reads sites as a whole has fewer dangling links than one that reads pages.',
      verdict: (cells) => compared(cells, 'dangling'),
    },
    {
      statement:
        'Pages of a site that are read together belong together: a reader meets fewer mixed versions.',
      verdict: (cells) => compared(cells, 'mixed'),
    },
  ],
});

/** At each pace, averaged over webs. */
function compared(cells: readonly Cell[], measure: keyof Clicks) {
  const at = (way: Way, pace: number, of: keyof Clicks): number =>
    mean(cells.filter((cell) => cell.way === way && cell.pace === pace).flatMap((cell) => values(cell, of)));
  const words = (of: keyof Clicks): string =>
    PACES.map(
      (pace) =>
        `${pace} visits a page and day: ${WAYS.map((way) => `${way} ${percent(at(way, pace, of))}`).join(', ')}`,
    ).join('; ');
  return {
    holds: grade(
      PACES.flatMap((pace) =>
        WAYS.slice(0, -1).map((way) => at('sites by ρ', pace, measure) < at(way, pace, measure)),
      ),
    ),
    ours: `${words(measure)}. Up to date: ${words('fresh')}.`,
  };
}

export const FRENCH_WEB_REFRESH: readonly PaperExperiment[] = [siteRefresh];
