import type { Passage, PassageKind } from '../model/passage.ts';
import type { Millis } from '../model/time.ts';

/** Words in sequence; the last one may be a prefix. */
export interface WordRow {
  readonly words: readonly string[];
  readonly isPrefix?: true;
}

export const SEARCH_EVENTS = ['present', 'appeared', 'vanished'] as const;
export type SearchEvent = (typeof SEARCH_EVENTS)[number];

export interface PassageQuery {
  /** From each group, at least one row must be there. */
  readonly wanted: readonly (readonly WordRow[])[];
  /** None of these. */
  readonly unwanted: readonly WordRow[];
  readonly site?: string;
  readonly url?: string;
  readonly kinds?: readonly PassageKind[];
  /** What happened between `from` and `to`: it was there, it appeared, it disappeared. */
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
  /** The first version without it; absent where the last version has it. */
  readonly goneAt?: Millis;
}

/** How far a page is indexed. */
export interface IndexedState {
  /** The last version that is indexed. */
  readonly until: Millis;
  /** How many are indexed: fewer than the archive has up to then, where some came late. */
  readonly versions: number;
}

export interface IndexedPage extends IndexedState {
  readonly live: readonly { readonly id: number; readonly text: string }[];
}

export interface NewPassage extends Passage {
  readonly cameAt: Millis;
  readonly went?: { readonly lastAt: Millis; readonly goneAt: Millis };
  /** In order. */
  readonly words: readonly string[];
}

export interface PageUpdate extends IndexedState {
  readonly url: string;
  readonly site: string;
  /** The state it was made from. If another process was quicker, nothing is done. */
  readonly before: IndexedState | undefined;
  /** Everything known of the page is removed first. */
  readonly isAnew: boolean;
  readonly added: readonly NewPassage[];
  readonly gone: readonly { readonly id: number; readonly lastAt: Millis; readonly goneAt: Millis }[];
}

/** Full text of what pages said. A cache next to the catalog: it can be rebuilt from the layouts at any time. */
export interface SearchIndex {
  /** The catalog's mark up to which captures of all pages are indexed. */
  mark(): Promise<number>;
  setMark(mark: number): Promise<void>;
  /** State of every indexed page, by URL. */
  states(): Promise<ReadonlyMap<string, IndexedState>>;
  page(url: string): Promise<IndexedPage | undefined>;
  /** In one transaction. */
  update(page: PageUpdate): Promise<void>;
  remove(urls: readonly string[]): Promise<void>;
  find(query: PassageQuery): Promise<readonly FoundPassage[]>;
  counts(): Promise<{ readonly pages: number; readonly passages: number; readonly bytes: number }>;
  clear(): Promise<void>;
  close(): Promise<void>;
}
