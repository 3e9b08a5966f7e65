import type { BookFigures } from '../../model/importance.ts';
import type { ImportanceCriterion } from './page-scores.ts';

/** A page with what its importance is made of; what nobody knows of it is absent. */
export interface RankedPageView extends Readonly<Partial<Record<ImportanceCriterion, number>>> {
  readonly url: string;
  readonly site: string;
  /** Share of the importance of all pages that were read. */
  readonly importance: number;
  /** (H + C) ÷ (G + 1). */
  readonly online: number;
  readonly linksIn: number;
}

export interface RankedSiteView {
  readonly site: string;
  /** Σ over its pages. */
  readonly importance: number;
  readonly pages: number;
  /** Its pages as one document; absent where no words were counted. */
  readonly language?: string;
  readonly infrequentWords?: number;
  readonly textWeight?: number;
}

export interface RankingView {
  readonly figures: BookFigures;
  readonly pages: readonly RankedPageView[];
  readonly sites: readonly RankedSiteView[];
  /** Pages that were read, listed or not. */
  readonly read: number;
  /** Of these, left out of the lists: people have decided so. */
  readonly decidedOut: number;
}

const BAR = 20;
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'] as const;

/** Proportional to the largest share; never empty. */
export function bar(value: number, most: number): string {
  const eighths = most > 0 ? Math.max(1, Math.round((value / most) * BAR * 8)) : 0;
  return '█'.repeat(eighths >> 3) + (EIGHTHS[eighths & 7] ?? '');
}

export const shareText = (value: number): string => `${Number((100 * value).toPrecision(3))} %`;
export const numberText = (value: number): string => String(Number(value.toPrecision(4)));
/** Control characters of a URL would move the cursor. */
const plain = (text: string): string => text.replace(/\p{Cc}/gu, '\ufffd');

export function rankingText({ figures, pages, sites, read, decidedOut }: RankingView): string {
  const lines = [
    ...listed(pages, ({ url }) => plain(url)),
    '',
    'Sites, by the sum of their pages:',
    ...listed(sites, siteText),
    '',
    `${read} pages read, ${figures.pages} known; ${figures.visits} visits, G ${numberText(figures.total)}: ` +
      `on-line importance is within ${numberText(figures.bound)} of its fixpoint (|XL − X|).`,
    ...(decidedOut === 0
      ? []
      : [
          `${decidedOut} of the pages read ${decidedOut === 1 ? 'is' : 'are'} not listed: people have decided to leave ` +
            `${decidedOut === 1 ? 'it' : 'them'} out ('daguerre decide --list'; --explain shows one).`,
        ]),
  ];
  return `${lines.join('\n')}\n`;
}

function siteText({ site, pages, infrequentWords, textWeight }: RankedSiteView): string {
  const words =
    infrequentWords === undefined || textWeight === undefined
      ? ''
      : `; infrequent words ${numberText(infrequentWords)}, text weight ${numberText(textWeight)}`;
  return `${plain(site)} (${pages} ${pages === 1 ? 'page' : 'pages'}${words})`;
}

function listed<T extends { readonly importance: number }>(
  items: readonly T[],
  name: (item: T) => string,
): string[] {
  const most = Math.max(0, ...items.map(({ importance }) => importance));
  return items.map(
    (item) =>
      `${shareText(item.importance).padStart(9)}  ${bar(item.importance, most).padEnd(BAR)}  ${name(item)}`,
  );
}
