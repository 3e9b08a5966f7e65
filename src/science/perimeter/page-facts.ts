/** What a page shows of itself. Before it is read, text and language are those of the links that lead to it. */
export interface PageFacts {
  readonly url: string;
  readonly host: string;
  /** Registrable domain by the public suffix list (`a.b.co.uk` → `b.co.uk`); the host where there is none. */
  readonly domain: string;
  readonly language?: IdentifiedLanguage;
  /** ISO 3166 code of the server's address. */
  readonly country?: string;
  /** The country came from the user's own list. */
  readonly isOwnCountry?: true;
  readonly text?: string;
}

export interface IdentifiedLanguage {
  /** ISO 639-1 where such a code exists. */
  readonly code: string;
  /** In [0, 1]. */
  readonly chance: number;
}
