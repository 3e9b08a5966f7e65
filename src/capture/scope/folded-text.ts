/**
 * A name for a text, ignoring standalone numbers and the amount of white space: `layer 17` equals `layer 18`, while digits
 * within a word (`B12`, `item17a`) name something. Length and 64 bits of hash tell texts apart.
 *
 * The same as hashing `text.replace(/\b\d+\b/g, '0').replace(/\s+/g, ' ')`, character by character: the two replacements made
 * twenty times the text in garbage.
 */
export function foldedTextName(text: string): string {
  let a = 0x811c9dc5;
  let b = 0x9e3779b9;
  let length = 0;
  let before = 0;
  for (let i = 0; i < text.length; ) {
    let code = text.charCodeAt(i);
    let next = i + 1;
    if (isSpace(code)) {
      while (next < text.length && isSpace(text.charCodeAt(next))) next++;
      code = SPACE;
    } else if (isDigit(code) && !isWord(before)) {
      const end = numberEnd(text, next);
      // The whole number, or the digit as it is.
      if (end > 0) {
        next = end;
        code = ZERO;
      }
    }
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b + code, 0x85ebca6b) ^ (b >>> 13);
    length++;
    before = code;
    i = next;
  }
  return `${length} ${a | 0} ${b | 0}`;
}

const SPACE = 32;
const ZERO = 48;

/** Where the number that continues at `from` ends; 0 if it is part of a word. */
function numberEnd(text: string, from: number): number {
  let end = from;
  while (end < text.length && isDigit(text.charCodeAt(end))) end++;
  return end < text.length && isWord(text.charCodeAt(end)) ? 0 : end;
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57;

/** `\w`. */
const isWord = (code: number): boolean =>
  isDigit(code) || (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95;

/** `\s`. */
function isSpace(code: number): boolean {
  if (code <= 160) return code === 32 || (code >= 9 && code <= 13) || code === 160;
  return (
    code === 0x1680 ||
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x3000 ||
    code === 0xfeff
  );
}
