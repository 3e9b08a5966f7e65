import type { Passage, PassageKind } from '../model/passage.ts';
import type { Millis } from '../model/time.ts';

/** Words that follow each other; the last one may be a beginning. */
export interface WordRow {
  readonly words: readonly string[];
  readonly isPrefix?: true;
}

export const SEARCH_EVENTS = ['present', 'appeared', 'vanished'] as const;
export type SearchEvent = (typeof SEARCH_EVENTS)[number];

export interface PassageQuery {
  /** Of each group one row must be there. */
  readonly wanted: readonly (readonly WordRow[])[];
  /** None of these. */
  readonly unwanted: readonly WordRow[];
  readonly site?: string;
  readonly url?: string;
  readonly kinds?: readonly PassageKind[];
  /** What happened between `from` and `to`: it was there, it came, it went. */
  readonly event: SearchEvent;
  readonly from?: Millis;
  readonly to?: Millis;
  readonly limit: number;
  readonly offset: number;
}

export interface FoundPassage extends Passage {
  readonly url: string;
  readonly site: string;
  readonly cameAt: Millis;
  /** The last version that shows it. */
  readonly lastAt: Millis;
  /** The first one without it; absent where the last version has it. */
  readonly goneAt?: Millis;
}

/** How far a page is indexed. */
export interface IndexedState {
  /** The last version that is. */
  readonly until: Millis;
  /** How many are: fewer than the archive has up to then, where some came late. */
  readonly versions: number;
}

export interface IndexedPage extends IndexedState {
  readonly live: readonly { readonly id: number; readonly text: string }[];
}

export interface NewPassage extends Passage {
  readonly cameAt: Millis;
  readonly went?: { readonly lastAt: Millis; readonly goneAt: Millis };
  /** As they follow each other. */
  readonly words: readonly string[];
}

export interface PageUpdate extends IndexedState {
  readonly url: string;
  readonly site: string;
  /** What it was made from. Where another process has been quicker, nothing is done. */
  readonly before: IndexedState | undefined;
  /** All that was known of the page goes first. */
  readonly isAnew: boolean;
  readonly added: readonly NewPassage[];
  readonly gone: readonly { readonly id: number; readonly lastAt: Millis; readonly goneAt: Millis }[];
}

/** Full text over what pages said. A cache beside the catalog: it can be made anew from the layouts at any time. */
export interface SearchIndex {
  /** Of which captures, by the catalog's mark, all pages are indexed. */
  mark(): Promise<number>;
  setMark(mark: number): Promise<void>;
  /** Of all pages, by URL. */
  states(): Promise<ReadonlyMap<string, IndexedState>>;
  page(url: string): Promise<IndexedPage | undefined>;
  /** One transaction. */
  update(page: PageUpdate): Promise<void>;
  remove(urls: readonly string[]): Promise<void>;
  find(query: PassageQuery): Promise<readonly FoundPassage[]>;
  counts(): Promise<{ readonly pages: number; readonly passages: number; readonly bytes: number }>;
  clear(): Promise<void>;
  close(): Promise<void>;
}
