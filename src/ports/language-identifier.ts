export interface FoundLanguage {
  /** ISO 639-1 where there is such a code: `fr`, `haw`. Both kinds of Norwegian are `no`. */
  readonly code: string;
  /** In [0, 1]. */
  readonly chance: number;
}

/** Identifies the language of plain text. */
export interface LanguageIdentifier {
  /** Undefined where there are too few words to tell. */
  identify(text: string): FoundLanguage | undefined;
}
