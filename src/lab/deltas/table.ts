/** The result of `lab deltas` for people. */
import { textTable } from '../experiment/text-table.ts';
import type { DeltaStudy, PageStudy } from './study.ts';

export function deltaTable(study: DeltaStudy): string {
  const { pages, pairs, versions, segmenter } = study;
  const parts = [
    `${versions} versions of ${pages.length} pages, ${pairs} successive pairs; segmenter ${segmenter}`,
    textTable(
      ['holds of', 'every pair'],
      Object.entries(study.held).map(([check, held]) => [`${held} of ${pairs}`, check]),
    ),
    `Change importance\n\n${importanceTable(pages)}`,
    `Operations\n\n${operationTable(pages)}`,
    ...pages.filter((page) => page.largest.length > 0).map(largestOf),
  ];
  for (const { page, withoutScripts } of pages) {
    if (withoutScripts > 0)
      parts[0] += `\n${page}: ${withoutScripts} versions without their scripts, which take the page away`;
  }
  const failed = [
    ...study.broken.map(
      ({ page, from, to, check, reason }) => `${page} ${from} → ${to}: ${check}: ${reason}`,
    ),
    ...study.unseen.map(({ page, version, reason }) => `${page} ${version}: not shown: ${reason}`),
    ...pages.flatMap(({ page, unstable }) =>
      unstable.map(
        ({ version, importance }) => `${page} ${version}: two looks differ by ${importance.toFixed(4)}`,
      ),
    ),
  ];
  if (failed.length > 0) parts.push(`Failures\n\n${failed.join('\n')}`);
  return `${parts.join('\n\n')}\n`;
}

const percent = (share: number): string => `${Math.round(share * 100)} %`;

function importanceTable(pages: readonly PageStudy[]): string {
  return textTable(
    ['page', 'pairs', 'zero', 'quartile', 'median', 'quartile', 'largest', 'blocks', 'two looks alike'],
    pages.map(({ page, pairs, importance: spread, blocks, shownTwice, unstable }) => [
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
  );
}

function operationTable(pages: readonly PageStudy[]): string {
  return textTable(
    ['page', 'insert', 'delete', 'update', 'move', 'of blocks', 'of advertisements'],
    pages.map(({ page, pairs }) => {
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
  );
}

function largestOf({ page, largest }: PageStudy): string {
  const lines = largest.flatMap(({ from, to, importance, operations, told }) => [
    `  ${importance.toFixed(4)}  ${from} → ${to}, ${operations} operations`,
    ...told.map((words) => `          ${words}`),
  ]);
  return [`Largest changes of ${page}`, ...lines].join('\n');
}
