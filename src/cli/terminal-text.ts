/**
 * Columns that a text takes in a terminal: East Asian wide characters and emoji take two, combining marks none. An
 * approximation of Unicode Standard Annex 11 by scripts: `string-width` would bring three packages for one line on
 * stderr.
 */
const WIDE =
  /^(?:[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Yi}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60\uffe0-\uffe6])/u;
const NO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}]/u;
const CONTROLS = /\p{Cc}/gu;

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** What a terminal treats as a command, and what changes the direction of a line: except line ends and tabs. */
const COMMANDS = /(?![\n\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu;

/** A page's words must not clear the screen they are shown on, or forge its content. */
export const harmless = (text: string): string => text.replace(COMMANDS, '\ufffd');

export function columnsOf(text: string): number {
  let columns = 0;
  for (const { segment } of segmenter.segment(text)) columns += widthOf(segment);
  return columns;
}

function widthOf(character: string): number {
  if (NO_WIDTH.test(character)) return 0;
  // A pictograph that is text by default becomes an emoji by U+FE0F.
  return WIDE.test(character) || character.includes('\ufe0f') ? 2 : 1;
}

/** Without control characters, in at most this many columns; a cut text ends in an ellipsis. */
export function cutToColumns(text: string, columns: number): string {
  const plain = text.replace(CONTROLS, '\ufffd');
  if (columnsOf(plain) <= columns) return plain;
  let cut = '';
  let left = columns - 1;
  for (const { segment } of segmenter.segment(plain)) {
    left -= widthOf(segment);
    if (left < 0) break;
    cut += segment;
  }
  return columns > 0 ? `${cut}…` : '';
}

/** A part of a line: the higher its number, the sooner it is dropped from a line that does not fit. */
export interface LinePart {
  readonly text: string;
  readonly spare: number;
}

const BETWEEN = ' · ';

/** The parts in order, without the least important ones if the line is too narrow for all. */
export function fittedLine(parts: readonly LinePart[], columns: number): string {
  let kept = [...parts];
  const joined = (): string => kept.map(({ text }) => text).join(BETWEEN);
  while (kept.length > 1 && columnsOf(joined()) > columns) {
    const least = kept.reduce((a, b) => (b.spare >= a.spare ? b : a));
    kept = kept.filter((part) => part !== least);
  }
  return cutToColumns(joined(), columns);
}
