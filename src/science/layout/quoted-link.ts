/**
 * What a link on an index page quotes of its article. Sites often make the whole card one link: kicker, title, teaser, the time,
 * a counter of comments, the department. The title is told apart by the address, whose last part most sites write out of it:
 *
 *   …/Elektroautos-beim-TUeV-Tesla-Model-S-schneidet-am-schlechtesten-ab-6341793.html
 *   Elektroautos beim TÜV Tesla Model S schneidet am schlechtesten ab │ Erstmals sind ausreichend viele … │ 383 Kommentare
 *
 * Where the address does not tell, the first sentence is taken, or as much as a headline may have.
 *
 * A layout joins what stands in one link, so nothing is left between a kicker and its title. Where the address repeats the title
 * alone, it tells where that begins, and the two are quoted with a colon between them:
 *
 *   …/eltern-von-viertklasslern-der-grundschule-osterburg-kritisieren-corona-regeln-fur-kinder-3327706
 *   Protestschreiben: Eltern von Viertklässlern der Grundschule Osterburg kritisieren Corona-Regeln für Kinder
 */

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
/** Most words of a kicker. */
const LONGEST_KICKER = 7;
/** Title and address begin alike if so many words are the same: in a sentence that an address merely sums up, fewer are. */
const ALIKE = 3;

export function quotedLink(name: string, address: string): QuotedLink {
  const { headline, teaser } = cutLink(withoutCounter(name.replace(/\s+/gu, ' ').trim()), address);
  return { headline: withKicker(headline, address), teaser };
}

function cutLink(text: string, address: string): QuotedLink {
  if (text.length <= LONGEST) return { headline: text, teaser: '' };
  const words = text.split(' ');
  const end = endByAddress(words, address);
  if (end !== undefined) return cutAt(words, end);
  const sentence = /^.{14,118}?(?<!\d)[.!?…]["“”»«]?(?= \p{Lu})/u.exec(text)?.[0];
  if (sentence !== undefined) return cutAt(words, sentence.split(' ').length);
  const cut = text.slice(0, LONGEST).replace(/\s\S*$/u, '');
  return { headline: `${cut} …`, teaser: text.slice(cut.length).trim() };
}

/** `Kicker Title` → `Kicker: Title`, where the address begins as the title does; a teaser behind it stays. */
export function withKicker(headline: string, address: string): string {
  const words = headline.split(' ');
  const begins = orderedWords(address).slice(0, ALIKE);
  if (begins.length < ALIKE) return headline;
  const parts = words.map(partsOf);
  for (let at = 0; at <= LONGEST_KICKER && at < words.length; at++) {
    const title = parts.slice(at, at + ALIKE).flat();
    if (!begins.every((one, i) => one.some((spelling) => title[i]?.includes(spelling)))) continue;
    if (at === 0 || !/^["„“”»«‚‘'(]?[\p{Lu}\p{N}]/u.test(words[at] as string)) return headline;
    const kicker = words.slice(0, at).join(' ');
    return `${kicker}${/[\p{L}\p{N})"“”»«]$/u.test(kicker) ? ':' : ''} ${words.slice(at).join(' ')}`;
  }
  return headline;
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

const wordsOfAddress = (address: string): Set<string> => new Set(orderedWords(address).flat());

/** The words of the part of the path that says most, each in its spellings. */
function orderedWords(address: string): readonly (readonly string[])[] {
  if (!URL.canParse(address)) return [];
  const parts = new URL(address).pathname.split('/').map(decoded);
  const letters = (text: string): number => text.replace(/\P{L}/gu, '').length;
  const longest = parts.reduce((a, b) => (letters(b) > letters(a) ? b : a), '');
  return partsOf(longest.replace(/\.\w{1,5}$/u, ''));
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

/** What readers did with an article, at the end of its card: `12:30 Uhr 23 Kommentare c't Magazin`, `… was found. 242`. */
const CARD_END = new RegExp(
  String.raw`(?:\s\d{1,2}\.\d{1,2}\.\d{4})?(?:\s\d{1,2}[:.]\d{2}(?:\s(?:uhr|h|[ap]m))?)?` +
    String.raw`\s\d[\d.,’'\u00a0\u202f]{0,20}\s(?:kommentare?|comments?|commentaires?|comentarios?|aufrufe|abrufe|views?|vues|vistas|likes?)` +
    String.raw`(?:\s\S{1,30}){0,3}$|(?<=[.!?])\s\d{1,6}(?:\s\S{1,30}){0,3}$`,
  'iu',
);

/** The text of a card without the counter at its end, and the department behind it. */
const withoutCounter = (text: string): string => text.replace(CARD_END, '');
