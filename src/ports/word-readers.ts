/** Recognises the words of a language, given runs of letters: see science/importance/word-counts.ts. */
export interface LanguageWords {
  readonly isKnown: (token: string) => boolean;
  readonly stem: (token: string) => string;
}

/** Dictionaries and stemmers by language. */
export interface WordReaders {
  /** Languages with a dictionary, as ISO 639-1. */
  readonly languages: readonly string[];
  /** Undefined where there is no dictionary: then nothing can be said about the words of a page. */
  of(language: string): LanguageWords | undefined;
}
