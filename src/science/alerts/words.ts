/** Lower case, one space between words: the form in which texts, and what is searched for in them, are compared. */
export const plain = (text: string): string =>
  text.normalize('NFC').toLowerCase().replace(/\s+/gu, ' ').trim();

const LETTER = /[\p{L}\p{N}]/u;

/** Whether a text contains the words in this order, as whole words: `art` is not in `party`. Both are plain. */
export function holds(text: string, words: string): boolean {
  if (words === '') return false;
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
    // One UTF-16 unit on either side, which may be half a surrogate pair: letters past the BMP do not end words.
    const before = at === 0 ? '' : (text[at - 1] ?? '');
    const after = text[at + words.length] ?? '';
    const begins = !(LETTER.test(words[0] ?? '') && isLetter(before));
    const ends = !(LETTER.test(words.at(-1) ?? '') && isLetter(after));
    if (begins && ends) return true;
  }
  return false;
}

const isLetter = (character: string): boolean => LETTER.test(character) || /[\ud800-\udfff]/.test(character);
