import { folded, type Stem, tokensOf, unstemmed } from './tokens.ts';

/** A word, a phrase or the beginning of a word, in every form that it may take in its language. */
export interface SearchTerm {
  /** Each is a sequence of consecutive words; one of them must occur. */
  readonly ways: readonly (readonly string[])[];
  /** The last word of each is only a beginning. */
  readonly isPrefix?: true;
}

export interface SearchTerms {
  /** All of them must occur. */
  readonly wanted: readonly SearchTerm[];
  /** None of them may occur. */
  readonly unwanted: readonly SearchTerm[];
}

export class SearchSyntaxError extends Error {
  override readonly name = 'SearchSyntaxError';
}

/** Most terms in one query: more are a mistake, or an attempt to keep the database busy. */
const MOST_TERMS = 32;
const PART = /(-?)(?:"([^"]*)"|([^\s"]+))/gu;

/**
 * `words "a phrase" -not begin*`. Nobody knows which language is meant: a word is searched for by its stem in each of them.
 */
export function parseSearch(text: string, stems: readonly Stem[]): SearchTerms {
  if ((text.match(/"/g)?.length ?? 0) % 2 === 1)
    throw new SearchSyntaxError('a quotation mark is not closed: write "a phrase" -without begin*');
  const wanted: SearchTerm[] = [];
  const unwanted: SearchTerm[] = [];
  for (const [, minus, phrase, word] of text.matchAll(PART)) {
    const isPrefix = word?.endsWith('*') ?? false;
    const term = isPrefix ? prefix(word as string) : termOf(phrase ?? word ?? '', stems);
    if (term) (minus === '-' ? unwanted : wanted).push(term);
  }
  if (wanted.length === 0)
    throw new SearchSyntaxError(
      unwanted.length > 0
        ? 'there is nothing to look for but what is unwanted: add a word'
        : 'there is no word to look for: write "a phrase" -without begin*',
    );
  if (wanted.length + unwanted.length > MOST_TERMS)
    throw new SearchSyntaxError(`more than ${MOST_TERMS} words and phrases: ask for fewer`);
  return { wanted, unwanted };
}

function termOf(text: string, stems: readonly Stem[]): SearchTerm | undefined {
  const ways = new Map<string, readonly string[]>();
  for (const stem of [unstemmed, ...stems]) {
    const words = tokensOf(text, stem).map(({ word }) => word);
    if (words.length > 0) ways.set(words.join(' '), words);
  }
  return ways.size > 0 ? { ways: [...ways.values()] } : undefined;
}

function prefix(text: string): SearchTerm | undefined {
  const words = tokensOf(text.replaceAll('*', ''), unstemmed).map(({ word }) => word);
  return words.length > 0 ? { ways: [words], isPrefix: true } : undefined;
}

/** Where the wanted words are in a text, for highlighting; in order, none overlapping. */
export function marksIn(
  text: string,
  { wanted }: SearchTerms,
  stems: readonly Stem[],
): readonly (readonly [number, number])[] {
  const words = new Set(wanted.filter(({ isPrefix }) => !isPrefix).flatMap(({ ways }) => ways.flat()));
  const beginnings = wanted
    .filter(({ isPrefix }) => isPrefix)
    .flatMap(({ ways }) => ways.map((way) => folded(way.at(-1) ?? '')));
  const found = new Map<number, number>();
  for (const stem of [unstemmed, ...stems])
    for (const { word, from, to } of tokensOf(text, stem))
      if (words.has(word) || beginnings.some((beginning) => word.startsWith(beginning)))
        found.set(from, Math.max(to, found.get(from) ?? 0));
  const marks: [number, number][] = [];
  for (const [from, to] of [...found].sort(([a], [b]) => a - b)) {
    const last = marks.at(-1);
    if (last && from < last[1]) last[1] = Math.max(last[1], to);
    else marks.push([from, to]);
  }
  return marks;
}
