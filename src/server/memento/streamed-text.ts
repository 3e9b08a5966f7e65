import { Readable } from 'node:stream';

/** Characters of one piece: small answers leave at once, long ones in pieces that are worth a system call. */
const PIECE = 16_384;

/** Lines as they are made, never faster than the other side reads them. */
export function streamedText(lines: AsyncIterable<string> | Iterable<string>): Readable {
  return Readable.from(pieces(lines), { objectMode: false });
}

async function* pieces(lines: AsyncIterable<string> | Iterable<string>): AsyncIterable<string> {
  let piece = '';
  for await (const line of lines) {
    piece += line;
    if (piece.length < PIECE) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}
