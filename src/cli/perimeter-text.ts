import { GEOLOCATION, isCredited } from '../archive/perimeter/perimeter-countries.ts';
import type { KnownSize, SizeReport, SizesReport } from '../archive/perimeter/size-reports.ts';
import type { PerimeterStanding } from '../model/perimeter.ts';
import type { PerimeterUrl } from '../ports/catalog.ts';
import { reasonWords } from '../science/perimeter/reason-words.ts';
import { plural } from './quantity-text.ts';

export const percent = (share: number): string => `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} %`;

/** `in, chance 93 %: language fr +1.50, …`. */
export const standingText = (
  standing: Pick<PerimeterStanding, 'inside' | 'chance' | 'evidence' | 'links' | 'decided'>,
): string =>
  `${standing.inside ? 'in' : 'out'}, chance ${percent(standing.chance)}: ${reasonWords(standing) || 'nothing is known of it'}`;

/** The licence of the country data asks to be named wherever countries are shown. */
export function standingLines(one: PerimeterUrl): string[] {
  const line = `Perimeter ${one.perimeter} (${one.isRead ? 'read' : 'not read'}): ${standingText(one)}`;
  const isShown = one.decided === undefined && isCredited(one.evidence);
  return isShown ? [line, GEOLOCATION] : [line];
}

const range = ({ low, high }: Pick<KnownSize, 'low' | 'high'>): string =>
  `${low.toFixed(0)} to ${high.toFixed(0)}`;

export function sizeText(report: SizeReport): string[] {
  const { perimeter, mean, read, unread, known, decided, confidence, notes } = report;
  return [
    `Perimeter ${perimeter}: ${mean.toFixed(1)} of ${known.read + known.unread} known URLs belong (${percent(confidence)}: ${range(report)})`,
    `  read    ${known.read}, of which ${read.toFixed(1)} belong`,
    `  unread  ${known.unread}, of which ${unread.toFixed(1)} are expected to`,
    `  ${decided} of them people have decided on: they count as the truth`,
    ...notes,
  ];
}

/** Characters of the longest bar. */
const BAR = 40;

/**
 * One row per point in time: `█` for pages read that belong, `▒` for those not read, scaled to the highest end of an
 * interval.
 */
export function sizesText({ perimeter, confidence, points, leftOut, notes }: SizesReport): string[] {
  const most = Math.max(1, ...points.map(({ high }) => high));
  const cells = points.map((one) => {
    const { at, crawl, mean, read, unread, known } = one;
    const when = new Date(at).toISOString().slice(0, 16).replace('T', ' ');
    const full = Math.round((BAR * read) / most);
    const bar = '█'.repeat(full) + '▒'.repeat(Math.round((BAR * (read + unread)) / most) - full);
    const all = String(known.read + known.unread);
    const name = crawl === undefined ? 'now' : `crawl ${crawl}`;
    return [when, name, String(known.read), all, mean.toFixed(1), range(one), bar];
  });
  const head = ['until (UTC)', '', 'read', 'known', 'belong', percent(confidence), ''];
  const widths = head.map((title, column) =>
    Math.max(title.length, ...cells.map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[]): string =>
    `  ${row.map((cell, i) => (i >= 2 && i <= 4 ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0))).join('  ')}`.trimEnd();
  return [
    `Perimeter ${perimeter} over time: what was known then, by the weights and decisions of now`,
    line(head),
    ...cells.map(line),
    ...(leftOut > 0 ? [`  and ${plural(leftOut, 'crawl')} before (--points)`] : []),
    ...notes,
  ];
}
