/** What `lab skips` reports: our plan of what a recrawl skips, compared with rules, the quiet rule, a flat cut and the oracle. */
import type { SiteEvents } from '../data/site-history.ts';
import { type Claim, experiment, type Row, Skipped } from '../experiment/experiment.ts';
import { grade } from '../experiment/wording.ts';
import { bypassAt, curveOf } from './skip-curves.ts';
import { METHODS, type SkipMethod, type SkipStudy, skipStudy } from './skip-study.ts';
import {
  atEqualRecall,
  calibration,
  coefficients,
  compared,
  equalBypass,
  heads,
  means,
  perSite,
  round,
  TARGETS,
  weighted,
  withoutChange,
} from './skip-tables.ts';
import type { WindowSet } from './skip-windows.ts';

export interface SkipsInput {
  readonly histories: ReadonlyMap<string, SiteEvents>;
  /** Per site, spread evenly. */
  readonly windows: number;
  readonly set?: WindowSet;
  readonly progress?: (done: string) => void;
}

/** How much more ours must skip than the best quiet rule. */
const MARGIN = 0.05;
const AIMS = [
  [0.9, 0.42],
  [0.85, 0.5],
] as const;

export const skips = experiment<SkipsInput, SkipStudy>({
  name: 'skips',
  title: 'What a recrawl may leave out',
  method:
    'Weekly versions (six-hourly where a history is shorter than 60 days), 20 for training and the next as test; the model ' +
    'is fitted on the other sites. A page of a new directory lies with the nearest directory above that had pages.',
  measure: ({ histories, windows, set, progress }) =>
    histories.size < 2
      ? new Skipped('one history alone has no others to fit the model on: give two at least')
      : skipStudy(histories, { windows, ...(set && { set }) }, progress),
  rows,
  text: (study) => [
    means(study),
    atEqualRecall(study),
    perSite(study),
    calibration(study),
    equalBypass(study),
    heads(study),
    weighted(study),
    withoutChange(study),
    coefficients(study),
  ],
  data: (study) => ({ rows: rows(study), coefficients: study.coefficients }),
  plots: (study) => [
    {
      title: 'Pages left out and changes found, mean over sites',
      x: 'bypass ratio',
      y: 'change recall (Eq. 5)',
      kind: 'lines',
      series: (['ours', 'quiet', 'flat cut', 'relaxed NEAR', 'strict NEAR', 'oracle'] as const).map(
        (name) => ({
          name,
          points: curveOf(study, name)
            .map(({ bypassRatio, changeRecall }) => ({ x: bypassRatio, y: changeRecall }))
            .sort((a, b) => a.x - b.x),
        }),
      ),
    },
  ],
  claims: [
    ...TARGETS.map(
      (target): Claim<SkipStudy> => ({
        statement: `at CR ${target} ours leaves out at least ${MARGIN} more than the best quiet rule`,
        verdict: (study) => {
          const [ours, quiet] = [bypass(study, 'ours', target), bypass(study, 'quiet', target)];
          return { holds: grade([ours >= quiet + MARGIN]), ours: `${round(ours)} against ${round(quiet)}` };
        },
      }),
    ),
    ...AIMS.map(
      ([target, aim]): Claim<SkipStudy> => ({
        statement: `BR of ours ≥ ${aim} at CR ${target}`,
        verdict: (study) => {
          const ours = bypass(study, 'ours', target);
          return { holds: grade([ours >= aim]), ours: round(ours) };
        },
      }),
    ),
    {
      statement: 'at the BR of each quiet-k, k = 1 to 10, ours finds no fewer of the changes',
      verdict: (study) => {
        const worse = compared(study).filter(({ ours, quiet }) => ours !== undefined && ours < quiet);
        return { holds: grade([worse.length === 0]), ours: `${worse.length} of 10 worse` };
      },
    },
    {
      statement: 'promised and found misses differ by at most 2 points on average',
      verdict: (study) => {
        const gaps = curveOf(study, 'ours').map(({ promised, changeRecall }) => 1 - changeRecall - promised);
        const largest = gaps.reduce((a, b) => (Math.abs(b) > Math.abs(a) ? b : a), 0);
        const mean = gaps.reduce((sum, gap) => sum + Math.abs(gap), 0) / Math.max(1, gaps.length);
        return { holds: grade([mean <= 0.02]), ours: `mean ${round(mean)}, largest ${round(largest)}` };
      },
    },
  ],
});

const bypass = (study: SkipStudy, method: SkipMethod, target: number): number =>
  bypassAt(curveOf(study, method), target) ?? 0;

function rows(study: SkipStudy): Row[] {
  return ['mean', ...study.sites].flatMap((site) =>
    METHODS.flatMap((method) =>
      curveOf(study, method, site === 'mean' ? undefined : site).map((point) => ({ site, method, ...point })),
    ),
  );
}
