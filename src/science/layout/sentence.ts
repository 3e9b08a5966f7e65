export const normalise = (text: string): string => text.replace(/\s+/gu, ' ').trim();

/**
 * Snapshots hold texts without the white space at their ends, so whether a word continues in the next element
 * (`<b>D</b>rop`) is unknown: words are kept apart, except before punctuation that is never set apart.
 */
export function sentence(pieces: readonly string[]): string {
  let out = '';
  let before = '';
  for (const raw of pieces) {
    const piece = normalise(raw);
    if (piece === '') continue;
    const close = before === '' || CLOSING.includes(piece.charAt(0)) || OPENING.includes(before.slice(-1));
    out += close ? piece : ` ${piece}`;
    before = piece;
  }
  return out;
}

const CLOSING = '.,;:!?)]}…';
const OPENING = '([{“„';
