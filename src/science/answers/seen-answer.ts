import type { HeaderList } from '../../model/exchange.ts';
import type { NotThePage } from '../../model/fault.ts';

/** An answer as a reader would meet it: the basis for telling whether it is the requested page. */
export interface SeenAnswer {
  readonly url: string;
  /** The address that redirected here. */
  readonly via?: string;
  readonly status: number;
  readonly headers: HeaderList;
  /** As the server sent it. */
  readonly html: string;
  readonly title: string;
  /** What a reader reads, without scripts; the beginning is enough, if it is longer than LONGEST_WALL. */
  readonly text: string;
  /** Number of pages that it links to. */
  readonly links: number;
}

export interface AnswerVerdict {
  readonly kind: NotThePage | 'server-busy';
  /** How it was recognised, in words: one line. */
  readonly evidence: string;
}

/** In characters: a page that says more to its readers is a page, whatever else is on it. */
export const LONGEST_WALL = 2500;

/** Replaces only white space that is not single spaces yet: most texts have none, and replacing each space took a third of the step. */
const UNEVEN = /\s{2,}|[^\S ]/g;

/** Letters and digits of a text, single-spaced: what length is measured on. */
export const spoken = (text: string): string => text.replace(UNEVEN, ' ').trim();
