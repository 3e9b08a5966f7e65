import type { Millis } from './time.ts';

/** Words of a page's last version that are in the dictionary of its language, by stem. */
export interface CountedWords {
  readonly counts: ReadonlyMap<string, number>;
  readonly total: number;
  /** Their UTF-8 bytes, as they stood in the text. */
  readonly bytes: number;
}

/** What is known of a page's text. */
export interface PageWords {
  readonly url: string;
  /** The version it was read from. */
  readonly at: Millis;
  readonly sha256: string;
  /** Absent where there is too little text to detect it. */
  readonly language?: string;
  /** Absent where there is no dictionary of the language, which is not the same as no words. */
  readonly words?: CountedWords;
  readonly documentBytes: number;
}
