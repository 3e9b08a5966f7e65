/** NEAR-Miner 2009, § 1.1: directories for sites whose addresses have none. */
import { parameterAddresses } from '../../science/evolution/parameter-path.ts';
import { historyVersions } from '../data/history-versions.ts';
import { SiteEvolution } from '../evolution/site-evolution.ts';
import { type Row, Skipped } from '../experiment/experiment.ts';
import { grade } from '../experiment/wording.ts';
import { type MeanQuality, PAPER, siteQuality, two } from './near-sites.ts';
import { type PaperExperiment, paperExperiment } from './paper-experiment.ts';
import { siteHistories } from './site-histories.ts';
import { mean } from './statistics.ts';

/** Sites whose directories are topics; small enough to be compared three times. */
const SITES = /^(openbsd-www-1996-2008|freebsd-website|teletext-zdf)\.tsv(\.gz)?$/;
const QUICK = /^(teletext-zdf)\.tsv(\.gz)?$/;
const TREES = ['path', 'flat', 'parameters'] as const;

interface TreeRow {
  readonly site: string;
  readonly tree: (typeof TREES)[number];
  readonly directories: number;
  readonly quality: MeanQuality;
}

/** `/a/b/c.html` => `/show?page=c.html&l1=a&l2=b`: the address that a query-driven site would use. */
function asQuery(path: string): string {
  const segments = path.split('/').filter(Boolean);
  const page = segments.pop() ?? '';
  return `/show?page=${page}${segments.map((segment, k) => `&l${k + 1}=${segment}`).join('')}`;
}

const parameters = paperExperiment<TreeRow[]>({
  name: 'near-parameters',
  title: 'Trees from query parameters',
  paper: PAPER,
  figure: '§ 1.1',
  method:
    'No real history at hand has queries in its addresses, so real sites are given the addresses a query-driven site would have ' +
    '(/show?page=c.html&l1=a&l2=b for /a/b/c.html). Path: the tree of the site. Flat: that of the queries by their paths, one ' +
    'directory. Parameters: the one with the fewest values on top. Relaxed reading, windows and thresholds as in Table 2. Trees ' +
    'from breadcrumbs need the pages themselves, which the histories do not hold.',
  measure: ({ data, quick, progress }) => {
    const histories = siteHistories(data, quick ? QUICK : SITES);
    if (histories instanceof Skipped) return histories;
    return [...histories].flatMap(([site, history]) => {
      const versions = historyVersions(history, site.startsWith('teletext') ? 21_600 : 604_800);
      const address = parameterAddresses([...history.pages.keys()].map(asQuery));
      const names = {
        path: (url: string): string => url,
        flat: asQuery,
        parameters: (url: string): string => address(asQuery(url)),
      };
      return TREES.flatMap((tree): TreeRow[] => {
        progress(`${site}, ${tree}`);
        const evolution = new SiteEvolution();
        for (const pages of versions.pages())
          evolution.add(pages.map(({ url, digest }) => ({ url: names[tree](url), digest })));
        const quality = siteQuality({ name: site, evolution }, 'relaxed');
        return quality ? [{ site, tree, directories: evolution.deltas.tree.size, quality }] : [];
      });
    });
  },
  rows: (rows) =>
    rows.map(
      ({ site, tree, directories, quality }): Row => ({
        site,
        tree,
        directories,
        BR: quality.bypassRatio,
        'CR (Eq. 5)': quality.changeRecall,
      }),
    ),
  plots: (rows) => [
    {
      title: 'Bypass ratio by where the tree comes from',
      x: '',
      y: 'bypass ratio',
      kind: 'bars',
      range: [0, 1],
      series: [
        {
          name: 'BR',
          points: rows.map(({ site, tree, quality }) => ({ x: `${site}, ${tree}`, y: quality.bypassRatio })),
        },
      ],
    },
  ],
  claims: [
    {
      statement: 'The hierarchy of a site can also be inferred where pages are told apart by queries.',
      verdict: (rows) => {
        const of = (tree: TreeRow['tree'], name: 'bypassRatio' | 'changeRecall'): number =>
          mean(rows.filter((row) => row.tree === tree).map(({ quality }) => quality[name]));
        const [path, inferred] = [of('path', 'bypassRatio'), of('parameters', 'bypassRatio')];
        return {
          holds: grade([inferred > of('flat', 'bypassRatio'), inferred >= 0.9 * path]),
          ours: `Mean BR / CR: ${TREES.map((tree) => `${tree} ${two(of(tree, 'bypassRatio'))} / ${two(of(tree, 'changeRecall'))}`).join(', ')}.`,
        };
      },
    },
  ],
});

export const NEAR_PARAMETERS: readonly PaperExperiment[] = [parameters];
