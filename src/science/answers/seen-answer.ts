import type { HeaderList } from '../../model/exchange.ts';
import type { NotThePage } from '../../model/fault.ts';

/** An answer as a reader would meet it: what is looked at to tell whether it is the page that was asked for. */
export interface SeenAnswer {
  readonly url: string;
  /** The address that redirected here. */
  readonly via?: string;
  readonly status: number;
  readonly headers: HeaderList;
  /** As the server sent it. */
  readonly html: string;
  readonly title: string;
  /** What a reader reads, scripts not among it; the beginning is enough, as long as it is longer than LONGEST_WALL. */
  readonly text: string;
  /** Pages that it links to. */
  readonly links: number;
}

export interface AnswerVerdict {
  readonly kind: NotThePage | 'server-busy';
  /** What told it, in words: one line. */
  readonly evidence: string;
}

/** Characters: a page that says more to its readers is a page, whatever else is on it. */
export const LONGEST_WALL = 2500;

/** Letters and digits of a text, single-spaced: what length is measured on. */
export const spoken = (text: string): string => text.replace(/\s+/g, ' ').trim();
