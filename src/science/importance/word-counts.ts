/**
 * The words of a page that say something in a language: those of its dictionary, reduced to their stems. What is a word,
 * what the dictionary contains and what a stem is depend on the language: the caller supplies all three. Names and numbers
 * are in no dictionary, so they drop out here.
 */
export interface WordReader {
  /** The words of a text as they occur in it, in order, with their capitals. */
  readonly tokens: (text: string) => Iterable<string>;
  readonly isKnown: (token: string) => boolean;
  /** `toys` and `toy` are one word. */
  readonly stem: (token: string) => string;
}

export interface WordCounts {
  /** Occurrences by stem. */
  readonly counts: ReadonlyMap<string, number>;
  /** Total over all stems. */
  readonly total: number;
  /** UTF-8 bytes of these words as they occurred in the text. */
  readonly bytes: number;
}

export function countWords(text: string, { tokens, isKnown, stem }: WordReader): WordCounts {
  const counts = new Map<string, number>();
  let [total, bytes] = [0, 0];
  for (const token of tokens(text)) {
    if (!isKnown(token)) continue;
    const word = stem(token);
    counts.set(word, (counts.get(word) ?? 0) + 1);
    total++;
    bytes += utf8Bytes(token);
  }
  return { counts, total, bytes };
}

/** Runs of letters and their marks, so that `l'été 2002` is `l` and `été`; for scripts that separate words by spaces. */
export const plainTokens = (text: string): Iterable<string> =>
  text.normalize('NFC').match(/\p{L}[\p{L}\p{M}]*/gu) ?? [];

function utf8Bytes(text: string): number {
  let bytes = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    // Each half of a surrogate pair accounts for two of the four bytes.
    bytes += unit < 0x80 ? 1 : unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 2 : 3;
  }
  return bytes;
}
