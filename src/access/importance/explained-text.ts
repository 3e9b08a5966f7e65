import type { BookFigures } from '../../model/importance.ts';
import { numberText, type RankedPageView, shareText } from './importance-text.ts';
import { IMPORTANCE_CRITERIA, type ImportanceCriterion } from './page-scores.ts';

export interface ExplainedPage {
  readonly url: string;
  /** What was asked for, where it leads to this page. */
  readonly redirectedFrom?: string;
  readonly site: string;
  readonly isRead: boolean;
  readonly cash: number;
  readonly history: number;
  readonly online: number;
  readonly figures: BookFigures;
  /** Absent for a page that nobody has read. */
  readonly scores?: Omit<RankedPageView, 'url' | 'site'> & {
    readonly rank: number;
    readonly pages: number;
    /** Other sites that link to it. */
    readonly linkingSites: number;
    readonly weights: Readonly<Partial<Record<ImportanceCriterion, number>>>;
    /** What people have decided it counts. */
    readonly factor: number;
    readonly decidedBy?: string;
    readonly decidedWhy?: string;
    /** Absent where nobody has looked at its words. */
    readonly text?: {
      readonly language?: string;
      readonly documentBytes: number;
      readonly words?: number;
      readonly wordBytes?: number;
      readonly special?: readonly { readonly word: string; readonly part: number }[];
    };
  };
}

const NAMES: Readonly<Record<ImportanceCriterion, string>> = {
  links: 'links, among sites',
  pageRank: 'PageRank',
  infrequentWords: 'infrequent words',
  textWeight: 'text weight',
};

export function explainedText(page: ExplainedPage): string {
  const { figures, scores } = page;
  const lines = [
    page.url,
    ...(page.redirectedFrom === undefined ? [] : [`  ${page.redirectedFrom} leads here`]),
    `  site                ${page.site}`,
    `  cash                ${numberText(page.cash)}   received since it was last read; all pages together hold 1`,
    `  history             ${numberText(page.history)}   handed on so far, old cash counting less`,
    `  on-line importance  ${shareText(page.online)}   (history + cash) ÷ (G + 1), G ${numberText(figures.total)}: |XL − X| ≤ ${numberText(figures.bound)}`,
  ];
  if (!scores) {
    lines.push('  not read            it is linked to, and no crawl has archived it');
    return `${lines.join('\n')}\n`;
  }
  lines.push(`  links in            ${scores.linksIn} pages; ${scores.linkingSites} other sites`);
  for (const criterion of IMPORTANCE_CRITERIA) {
    const value = scores[criterion];
    const weight = scores.weights[criterion] ?? 0;
    const shown = value === undefined ? absent(scores.text) : numberText(value);
    lines.push(`  ${NAMES[criterion].padEnd(18)}  ${shown}${weight === 0 ? '' : `   weight ${weight}`}`);
  }
  lines.push(...textLines(scores.text));
  if (scores.factor !== 1)
    lines.push(
      `  decided             counts ${scores.factor} times, by ${scores.decidedBy}: ${scores.decidedWhy}`,
    );
  lines.push(
    `  importance          ${shareText(scores.importance)}   number ${scores.rank} of ${scores.pages} pages read`,
  );
  return `${lines.join('\n')}\n`;
}

function absent(text: NonNullable<ExplainedPage['scores']>['text']): string {
  if (!text) return "not counted: 'daguerre importance words' does";
  if (text.documentBytes === 0) return 'absent: it has no text, or was not there when it was last read';
  return text.language === undefined
    ? 'absent: too little text to tell its language'
    : `absent: there is no dictionary of its language, ${text.language}`;
}

function textLines(text: NonNullable<ExplainedPage['scores']>['text']): string[] {
  if (text?.words === undefined) return [];
  const special = (text.special ?? []).map(({ word, part }) => `${word} ${numberText(part)}`).join(', ');
  return [
    `  words               ${text.words} of its language (${text.language}), ${text.wordBytes} of ${text.documentBytes} bytes`,
    ...(special === '' ? [] : [`  most special        ${special}`]),
  ];
}
