/** French web 2002, §4: importance of sites as the sum over their pages, compared with cheaper notions. */
import { around } from '../experiment/plot.ts';
import { grade, round } from '../experiment/wording.ts';
import { anyGraph, SITE_WAYS, type SiteStudy, type SiteWay, studySites } from '../importance/site-study.ts';
import { webGraph } from '../importance/web-graph.ts';
import { stream } from '../newspaper/random.ts';
import { meanAndSpread } from '../policies/experiment.ts';
import { type PaperExperiment, paperExperiment } from './paper-experiment.ts';

interface Studied {
  readonly web: string;
  readonly studies: readonly SiteStudy[];
}

const POWER_LAW = 'power-law web';
/** L1 distance below which two vectors of importance are equal: power iteration stops at 1e-10 per round. */
const SAME = 1e-8;

/** Mean and spread of one number over the webs of a kind. */
const over = ({ studies }: Studied, of: (study: SiteStudy) => number): { mean: number; spread: number } => {
  const { mean, spread } = meanAndSpread(studies.map((study) => [of(study)]));
  return { mean: mean[0] as number, spread: spread[0] as number };
};
const told = ({ mean, spread }: { mean: number; spread: number }): string =>
  `${round(mean)} ± ${round(spread)}`;
const powerLaw = (all: readonly Studied[]): Studied => all.find(({ web }) => web === POWER_LAW) as Studied;
const spearman = (all: readonly Studied[], way: SiteWay) =>
  over(powerLaw(all), ({ ways }) => ways[way].spearman);

const sites = paperExperiment<readonly Studied[]>({
  name: 'french-web-sites',
  title: 'Importance of sites, and cheaper notions of it',
  paper: 'French web 2002',
  figure: '§4',
  method:
    'Twenty graphs of each kind: 100 pages that link to any other and belong to ten sites by chance; and invented webs of 5000 pages ' +
    'and 200 sites with power laws (lab/importance/web-graph.ts). Damping .85. Errors are L1 distances from the sum of the PageRank ' +
    "of each site's pages; rank correlations are Spearman's and Kendall's with it. Mean and standard deviation over graphs.",
  measure: ({ seed, quick, progress }) => {
    const runs = Array.from({ length: quick ? 3 : 20 }, (_, run) => run);
    const [pages, siteCount] = quick ? [500, 20] : [5000, 200];
    return [
      {
        web: 'any graph',
        studies: runs.map((run) => studySites(anyGraph(100, 10, stream(seed, 'any-graph', run).next))),
      },
      {
        web: POWER_LAW,
        studies: runs.map((run) => {
          progress(`web ${run + 1}`);
          const { next } = stream(seed, 'site-web', run);
          return studySites(webGraph({ pages, sites: siteCount, linksPerPage: 10 }, next));
        }),
      },
    ];
  },
  rows: (all) =>
    all.flatMap((one) => [
      ...(['byPages', 'alike'] as const).map((jumps) => {
        const { mean, spread } = over(one, (study) => study[jumps]);
        const way = `theorem, jumps to sites ${jumps === 'byPages' ? 'by their pages' : 'alike'}`;
        return { web: one.web, way, error: mean, deviation: spread, spearman: undefined, kendall: undefined };
      }),
      ...SITE_WAYS.map((way) => {
        const { mean, spread } = over(one, ({ ways }) => ways[way].error);
        return {
          web: one.web,
          way,
          error: mean,
          deviation: spread,
          spearman: over(one, ({ ways }) => ways[way].spearman).mean,
          kendall: over(one, ({ ways }) => ways[way].kendall).mean,
        };
      }),
    ]),
  plots: (all) => [
    {
      title: 'Rank correlation of cheaper notions with the sum of pages, power-law web',
      x: '',
      y: "Spearman's ρ",
      kind: 'bars',
      range: [0, 1],
      series: [
        {
          name: "Spearman's ρ",
          points: SITE_WAYS.map((way) => {
            const { mean: y, spread } = spearman(all, way);
            return { x: way, y, interval: around(y, spread) };
          }),
        },
      ],
    },
  ],
  claims: [
    {
      statement:
        'The fixpoint of links between sites, weighed by the importance of pages, is the sum of the importance of each site’s pages.',
      verdict: (all) => ({
        holds: grade(all.flatMap(({ studies }) => studies.map(({ byPages }) => byPages < SAME))),
        ours: `L1 distance with jumps to sites by their pages: at most ${Math.max(
          ...all.flatMap(({ studies }) => studies.map(({ byPages }) => byPages)),
        ).toExponential(
          1,
        )} in ${all.reduce((sum, { studies }) => sum + studies.length, 0)} graphs. With jumps to all sites alike it misses by ${all
          .map((one) => `${told(over(one, ({ alike }) => alike))} (${one.web})`)
          .join(', ')}: the more, the more sites differ in size.`,
      }),
    },
    {
      statement:
        'Importance of pages inside their own site alone approximates it very well, better than all pages of a site taken as equal.',
      verdict: (all) => {
        const [local, equal] = [spearman(all, 'local'), spearman(all, 'equal')];
        const errorOf = (way: SiteWay) => over(powerLaw(all), ({ ways }) => ways[way].error);
        return {
          holds: grade([
            local.mean >= 0.95,
            local.mean > equal.mean,
            errorOf('local').mean < errorOf('equal').mean,
          ]),
          ours: `Rank correlation ${told(local)} and ${told(equal)}; L1 error ${told(errorOf('local'))} and ${told(errorOf('equal'))}. Where sites are drawn by chance: rank correlation ${(
            ['local', 'equal'] as const
          )
            .map((way) => told(over(all[0] as Studied, ({ ways }) => ways[way].spearman)))
            .join(' and ')}.`,
        };
      },
    },
    {
      statement:
        'Outdegree between sites, links between sites alone, or the largest page could be taken instead.',
      verdict: (all) => {
        const others = ['outdegree', 'inter-site only', 'maximum'] as const;
        return {
          holds: grade(others.map((way) => spearman(all, way).mean >= 0.95)),
          ours: `Rank correlation: ${others.map((way) => `${way} ${told(spearman(all, way))}`).join(', ')}; taken for as good from .95.`,
        };
      },
    },
  ],
});

export const FRENCH_WEB_SITES: readonly PaperExperiment[] = [sites];
