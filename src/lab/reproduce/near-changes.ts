/** NEAR-Miner 2009, Fig. 1 and 4: how directories and sites change over time. */
import { type Row, Skipped } from '../experiment/experiment.ts';
import { grade } from '../experiment/wording.ts';
import { type NearSite, nearSites, PAPER, two } from './near-sites.ts';
import { type PaperExperiment, paperExperiment } from './paper-experiment.ts';
import { correlation } from './statistics.ts';

const WEEKS = 21;
/** With fewer transitions with a change, a correlation says nothing. */
const FEWEST_CHANGES = 3;

interface Companion {
  readonly directory: string;
  readonly degrees: readonly number[];
  /** Correlation with the root. */
  readonly correlation: number;
}

interface SiteDegrees {
  readonly site: string;
  readonly root: readonly number[];
  readonly most: Companion;
  readonly least: Companion;
}

function degreesOf({ name, evolution: { deltas } }: NearSite): SiteDegrees | undefined {
  const length = WEEKS - 1;
  const from = Math.max(0, Math.floor((deltas.transitions - length) / 2));
  const series = (id: number): number[] =>
    Array.from({ length }, (_, k) => deltas.degreeOfChange(id, from + k));
  const root = series(0);
  const others: Companion[] = [];
  for (let id = 1; id < deltas.tree.size; id++) {
    const degrees = series(id);
    if (degrees.filter((degree) => degree > 0).length < FEWEST_CHANGES) continue;
    const together = correlation(root, degrees);
    if (!Number.isNaN(together))
      others.push({ directory: deltas.tree.path(id), degrees, correlation: together });
  }
  const sorted = others.sort((a, b) => b.correlation - a.correlation);
  const [most, least] = [sorted[0], sorted.at(-1)];
  return most && least ? { site: name, root, most, least } : undefined;
}

const fig1 = paperExperiment<readonly SiteDegrees[]>({
  name: 'near-fig-1',
  title: 'Degree of change of directories',
  paper: PAPER,
  figure: 'Fig. 1',
  method:
    `${WEEKS} versions from the middle of each real history. Beside the root, the directory that goes with it most and the one ` +
    `that goes with it least (Pearson), of those that changed in ${FEWEST_CHANGES} versions at least.`,
  measure: (options) => {
    const sites = nearSites(options);
    if (sites instanceof Skipped) return sites;
    const found = sites.flatMap((site) => degreesOf(site) ?? []);
    return found.length > 0
      ? found
      : new Skipped('no history has directories that changed often enough (--data)');
  },
  rows: (sites) =>
    sites.flatMap(({ site, root, most, least }) =>
      root.map(
        (degree, k): Row => ({
          site,
          version: k + 2,
          root: degree,
          'goes with it': most.directory,
          'its DoC': most.degrees[k],
          'goes against it': least.directory,
          'that DoC': least.degrees[k],
        }),
      ),
    ),
  plots: (sites) =>
    sites.map(({ site, root, most, least }) => ({
      title: site,
      x: 'version',
      y: 'degree of change',
      kind: 'lines',
      series: [
        { name: '/', points: pointsOf(root) },
        { name: `${short(most.directory)} (${two(most.correlation)})`, points: pointsOf(most.degrees) },
        { name: `${short(least.directory)} (${two(least.correlation)})`, points: pointsOf(least.degrees) },
      ],
    })),
  claims: [
    {
      statement:
        'Some directories frequently change significantly together with the root (freebsd/doc, sec/rules).',
      verdict: (sites) => ({
        holds: grade(sites.map(({ most }) => most.correlation >= 0.5)),
        ours: `${sites.map(({ site, most }) => `${site}: ${most.directory} ${two(most.correlation)}`).join('; ')}.`,
      }),
    },
    {
      statement: 'Others rarely change when the root does (freebsd/news, sec/rules/concepts/s72799).',
      verdict: (sites) => ({
        holds: grade(sites.map(({ least }) => least.correlation <= -0.3)),
        ours: `A correlation of −.3 or less, the least that makes a rule: ${sites
          .map(({ site, least }) => `${site}: ${least.directory} ${two(least.correlation)}`)
          .join('; ')}.`,
      }),
    },
  ],
});

const pointsOf = (degrees: readonly number[]) => degrees.map((y, k) => ({ x: k + 2, y }));
const short = (path: string): string => (path.length <= 22 ? path : `…${path.slice(-21)}`);

interface SiteSizes {
  readonly site: string;
  /** Pages of each of the last 51 versions ÷ those of the first. */
  readonly sizes: readonly number[];
}

const VERSIONS = 51;
/** Growth or loss within this bound counts as none. */
const STEADY = 0.02;

const shape = (sizes: readonly number[]): 'grows gradually' | 'irregular' | 'hardly changes' => {
  const all = Math.max(...sizes) - Math.min(...sizes);
  if (all <= STEADY) return 'hardly changes';
  const steps = sizes.slice(1).map((size, k) => size - (sizes[k] as number));
  const isGradual = steps.every((step) => step > -STEADY && step < 0.1) && (sizes.at(-1) as number) > 1;
  return isGradual ? 'grows gradually' : 'irregular';
};

const fig4 = paperExperiment<readonly SiteSizes[]>({
  name: 'near-fig-4',
  title: 'Size of sites over time',
  paper: PAPER,
  figure: 'Fig. 4',
  method:
    `Pages of the last ${VERSIONS} versions of each real history, relative to the first of them. Hardly changes: within ${STEADY} of ` +
    'its size. Gradual: no step down by as much, none up by a tenth. All else is irregular.',
  measure: (options) => {
    const sites = nearSites(options);
    if (sites instanceof Skipped) return sites;
    return sites.map(({ name, evolution }) => {
      const from = Math.max(1, evolution.versions - VERSIONS);
      const pages = Array.from(
        { length: evolution.versions - from },
        (_, k) => evolution.outcome(from + k, []).pages,
      );
      return { site: name, sizes: pages.map((count) => count / (pages[0] || 1)) };
    });
  },
  rows: (sites) =>
    sites.flatMap(({ site, sizes }) =>
      sizes.map((size, k): Row => ({ site, version: k + 1, 'relative size': size })),
    ),
  plots: (sites) => [
    {
      title: 'Pages relative to the first version shown',
      x: 'version',
      y: 'relative size',
      kind: 'lines',
      range: [
        Math.min(...sites.flatMap(({ sizes }) => sizes)),
        Math.max(...sites.flatMap(({ sizes }) => sizes)),
      ],
      series: sites.map(({ site, sizes }) => ({
        name: site,
        points: sizes.map((y, k) => ({ x: k + 1, y })),
      })),
    },
  ],
  claims: [
    {
      statement:
        'Sites differ: some grow gradually (sec.gov, ksc.nasa.gov), some are irregular (faqs.org, oracle.com), some hardly change (biosis.org).',
      verdict: (sites) => {
        const shapes = sites.map(({ sizes }) => shape(sizes));
        return {
          holds: grade(
            (['grows gradually', 'irregular', 'hardly changes'] as const).map((one) => shapes.includes(one)),
          ),
          ours: `${sites.map(({ site, sizes }, k) => `${site} ${shapes[k]} (× ${two(sizes.at(-1) ?? 1)})`).join('; ')}.`,
        };
      },
    },
  ],
});

export const NEAR_CHANGES: readonly PaperExperiment[] = [fig1, fig4];
