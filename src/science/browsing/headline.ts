import { toldWords } from '../delta/salience/told-words.ts';
import { withoutVolatile } from '../delta/salience/volatile-text.ts';

/** Worth of a word from which on it says something: function words are below it. */
const TELLING = 0.1;
/** Fewest telling words that make a headline without the label before it. */
const LEAST = 3;
/** `Liveblog: …`, `Australian Open: …`: so many characters before a colon are a label. */
const LABEL = /^[^:]{1,40}:\s+(?=\S)/u;
/** `3. …`, the place in a list of the most read. */
const RANK = /^\d{1,2}[.)]\s+(?=\p{L}|["„“”»«])/u;

/** The same for wordings that tell a reader the same: whatever their order, and without counters, times and function words. */
export function tellingWords(headline: string): string {
  const words = toldWords(withoutVolatile(headline.replace(/\s\d{1,6}$/u, '')));
  return [...new Set(words.filter(({ worth }) => worth >= TELLING).map(({ key }) => key))].sort().join(' ');
}

/**
 * The wordings that a headline can be told from, without the labels before it: two headlines of one article tell a reader the same
 * if they share one. So do `Liveblog: Vote in the house` and `1. Politics: Vote in the house`.
 */
export function wordingsOf(headline: string): ReadonlySet<string> {
  const wordings = new Set<string>();
  let left = headline.replace(RANK, '');
  wordings.add(tellingWords(left));
  while (LABEL.test(left)) {
    left = left.replace(LABEL, '');
    const wording = tellingWords(left);
    if (wording.split(' ').length < LEAST) break;
    wordings.add(wording);
  }
  return wordings;
}
