/** `lab deltas` for people: which checks held for every pair, how important changes were, what failed; and its figures. */
import { experiment } from '../experiment/experiment.ts';
import type { PlotDescription } from '../experiment/plot.ts';
import type { Table } from '../experiment/text-table.ts';
import {
  type DeltaStudy,
  type PageStudy,
  type ShownVersion,
  type StudyOptions,
  studyDeltas,
} from './study.ts';

export interface DeltasInput extends StudyOptions {
  readonly set: AsyncIterable<ShownVersion> | Iterable<ShownVersion>;
}

export const deltas = experiment<DeltasInput, DeltaStudy>({
  name: 'deltas',
  title: 'Layouts and changes over the versions of pages',
  method: 'Each version is compared with the one before; every delta is applied, inverted and written out.',
  measure: ({ set, ...options }) => studyDeltas(set, options),
  text: (study) => [
    headline(study),
    {
      header: ['holds of', 'every pair'],
      rows: Object.entries(study.held).map(([check, held]) => [`${held} of ${study.pairs}`, check]),
    },
    'Change importance',
    importanceTable(study.pages),
    'Blocks that came apart or together',
    structureTable(study.pages),
    'Operations',
    operationTable(study.pages),
    ...study.pages.filter((page) => page.largest.length > 0).map(largestOf),
    ...failures(study),
  ],
  data: (study) => study,
  plots: ({ pages }) => pages.map(importancePlot),
});

const structureTable = (pages: readonly PageStudy[]): Table => ({
  header: ['page', 'weight', 'of all', 'pairs with more or fewer leaves', 'leaves more or fewer'],
  rows: pages.map(({ page, pairs }) => {
    const sum = (of: (pair: PageStudy['pairs'][number]) => number): number =>
      pairs.reduce((total, pair) => total + of(pair), 0);
    const structure = sum((pair) => pair.structure);
    return [
      page,
      structure.toFixed(4),
      `${((100 * structure) / (sum(({ importance }) => importance) || 1)).toFixed(2)} %`,
      `${pairs.filter(({ leaves }) => leaves !== 0).length} of ${pairs.length}`,
      String(sum(({ leaves }) => Math.abs(leaves))),
    ];
  }),
});

const headline = ({ versions, pages, pairs, segmenter }: DeltaStudy): string =>
  [
    `${versions} versions of ${pages.length} pages, ${pairs} successive pairs; segmenter ${segmenter}`,
    ...pages
      .filter(({ withoutScripts }) => withoutScripts > 0)
      .map(
        ({ page, withoutScripts }) =>
          `${page}: ${withoutScripts} versions without their scripts, which take the page away`,
      ),
  ].join('\n');

function failures({ broken, unseen, pages }: DeltaStudy): string[] {
  const failed = [
    ...broken.map(({ page, from, to, check, reason }) => `${page} ${from} → ${to}: ${check}: ${reason}`),
    ...unseen.map(({ page, version, reason }) => `${page} ${version}: not shown: ${reason}`),
    ...pages.flatMap(({ page, unstable }) =>
      unstable.map(
        ({ version, importance }) => `${page} ${version}: two looks differ by ${importance.toFixed(4)}`,
      ),
    ),
  ];
  return failed.length > 0 ? ['Failures', failed.join('\n')] : [];
}

/** Each change at the time of its newer version. */
const importancePlot = ({ page, pairs }: PageStudy): PlotDescription => ({
  file: `importance-${page}`,
  title: `Importance of the changes of ${page}`,
  description: `${pairs.length} pairs of successive versions; each dot stands at the newer one.`,
  x: '',
  y: 'change importance',
  kind: 'stems',
  range: [0, 1],
  series: [
    {
      name: page,
      points: pairs.map(({ time, importance }, i) => ({
        x: time === undefined ? i : new Date(time * 1000),
        y: importance,
      })),
    },
  ],
});

const percent = (share: number): string => `${Math.round(share * 100)} %`;

const importanceTable = (pages: readonly PageStudy[]): Table => ({
  header: ['page', 'pairs', 'zero', 'quartile', 'median', 'quartile', 'largest', 'blocks', 'two looks alike'],
  rows: pages.map(({ page, pairs, importance: spread, blocks, shownTwice, unstable }) => [
    page,
    pairs.length,
    spread && percent(spread.zeroShare),
    spread?.lowerQuartile.toFixed(4),
    spread?.median.toFixed(4),
    spread?.upperQuartile.toFixed(4),
    spread?.maximum.toFixed(4),
    blocks?.median,
    `${shownTwice - unstable.length} of ${shownTwice}`,
  ]),
});

const operationTable = (pages: readonly PageStudy[]): Table => ({
  header: ['page', 'insert', 'delete', 'update', 'move', 'of blocks', 'of advertisements'],
  rows: pages.map(({ page, pairs }) => {
    const sum = (of: (pair: PageStudy['pairs'][number]) => number): number =>
      pairs.reduce((all, pair) => all + of(pair), 0);
    return [
      page,
      sum((pair) => pair.operations.insert),
      sum((pair) => pair.operations.delete),
      sum((pair) => pair.operations.update),
      sum((pair) => pair.operations.move),
      sum((pair) => pair.blockOperations),
      sum((pair) => pair.advertisements),
    ];
  }),
});

function largestOf({ page, largest }: PageStudy): string {
  const lines = largest.flatMap(({ from, to, importance, operations, told }) => [
    `  ${importance.toFixed(4)}  ${from} → ${to}, ${operations} operations`,
    ...told.map((words) => `          ${words}`),
  ]);
  return [`Largest changes of ${page}`, ...lines].join('\n');
}
