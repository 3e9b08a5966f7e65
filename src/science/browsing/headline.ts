/**
 * What a link on an index page quotes of its article. Sites often make the whole card one link: kicker, title, teaser, the time,
 * a counter of comments, the department. The title is told apart by the address, whose last part most sites write out of it:
 *
 *   …/Elektroautos-beim-TUeV-Tesla-Model-S-schneidet-am-schlechtesten-ab-6341793.html
 *   Elektroautos beim TÜV Tesla Model S schneidet am schlechtesten ab │ Erstmals sind ausreichend viele … │ 383 Kommentare
 *
 * Where the address does not tell, the first sentence is taken, or as much as a headline may have.
 */
import { toldWords } from '../delta/salience/told-words.ts';
import { withoutCounter, withoutVolatile } from '../delta/salience/volatile-text.ts';

export interface QuotedLink {
  readonly headline: string;
  /** What stands below it in the same link; '' where there is nothing. */
  readonly teaser: string;
}

/** Most characters of a text that is taken for a headline as it is. */
const LONGEST = 120;
/** Fewest words of the address that tell where the headline ends. */
const LEAST_TOLD = 3;
/** What a word that the address lacks counts against those that it has: kickers and short words are left out of addresses. */
const STRANGER = 0.4;
/** Most words by which a headline goes on after the last one that the address tells. */
const MOST_MORE = 4;
/** Worth of a word from which on it says something: function words are below it. */
const TELLING = 0.1;

export function quotedLink(name: string, address: string): QuotedLink {
  const text = withoutCounter(name.replace(/\s+/gu, ' ').trim());
  if (text.length <= LONGEST) return { headline: text, teaser: '' };
  const words = text.split(' ');
  const end = endByAddress(words, address);
  if (end !== undefined) return cutAt(words, end);
  const sentence = /^.{14,118}?(?<!\d)[.!?…]["“”»«]?(?= \p{Lu})/u.exec(text)?.[0];
  if (sentence !== undefined) return cutAt(words, sentence.split(' ').length);
  const cut = text.slice(0, LONGEST).replace(/\s\S*$/u, '');
  return { headline: `${cut} …`, teaser: text.slice(cut.length).trim() };
}

/** The same for wordings that tell a reader the same: whatever their order, and without counters, times and function words. */
export function tellingWords(headline: string): string {
  const words = toldWords(withoutVolatile(headline.replace(/\s\d{1,6}$/u, '')));
  return [...new Set(words.filter(({ worth }) => worth >= TELLING).map(({ key }) => key))].sort().join(' ');
}

function cutAt(words: readonly string[], end: number): QuotedLink {
  return { headline: words.slice(0, end).join(' '), teaser: words.slice(end).join(' ') };
}

/** The number of words up to which they are those of the address more than others. */
function endByAddress(words: readonly string[], address: string): number | undefined {
  const left = wordsOfAddress(address);
  let [score, best, told, end] = [0, 0, 0, 0];
  let matched = 0;
  words.forEach((word, i) => {
    const parts = partsOf(word);
    const known = parts.filter((spellings) => spellings.some((one) => left.delete(one))).length;
    matched += known;
    score += known > 0 ? known : -STRANGER;
    if (score > best) [best, told, end] = [score, matched, i + 1];
  });
  if (told < LEAST_TOLD || words.slice(0, end).join(' ').length > 2 * LONGEST) return undefined;
  for (let more = 0; more < MOST_MORE && goesOn(words, end); more++) end++;
  return end;
}

/** What begins with a small letter belongs to what stands before it. */
const goesOn = (words: readonly string[], end: number): boolean =>
  /^\p{Ll}/u.test(words[end] ?? '') && !/[.!?…]["“”»«]?$/u.test(words[end - 1] ?? '');

function wordsOfAddress(address: string): Set<string> {
  const parts = new URL(address).pathname.split('/').map(decoded);
  const letters = (text: string): number => text.replace(/\P{L}/gu, '').length;
  const longest = parts.reduce((a, b) => (letters(b) > letters(a) ? b : a), '');
  return new Set(
    longest
      .replace(/\.\w{1,5}$/u, '')
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter(Boolean)
      .flatMap(spellingsOf),
  );
}

const partsOf = (word: string): readonly (readonly string[])[] =>
  word
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .map(spellingsOf);

/** As addresses spell it: `für` is `fuer` here, `fur` there. */
function spellingsOf(word: string): readonly string[] {
  const long = word.replace(/[äöüß]/gu, (letter) => LONG[letter] ?? letter);
  const short = word.replace(/ß/gu, 'ss');
  return [...new Set([long, short].map((one) => one.normalize('NFD').replace(/\p{M}/gu, '')))];
}
const LONG: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' };

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
