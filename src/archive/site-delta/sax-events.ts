import { restore } from '../../science/layout/xml.ts';

/** Why a file cannot be read any further: the place, and what is wrong there. */
export class SiteDeltaError extends Error {
  override readonly name = 'SiteDeltaError';
  constructor(place: FilePosition, problem: string) {
    super(`line ${place.line}, column ${place.column}: ${problem}`);
  }
}

export interface FilePosition {
  readonly line: number;
  readonly column: number;
}

export type XmlEvent = FilePosition &
  (
    | { readonly kind: 'open'; readonly name: string; readonly attributes: Readonly<Record<string, string>> }
    | { readonly kind: 'close'; readonly name: string }
  );

/** Longest tag, comment or run of white space, in characters: anything longer would have to be held in memory whole. */
const LONGEST_PIECE = 256 << 10;
const DEEPEST = 8;
/** Bytes parsed between two checks of a piece's length. */
const SLICE = 64 << 10;

/**
 * The elements of an XML file as they arrive, in memory no larger than one of them. Strict: well-formed XML 1.0 in
 * UTF-8. A DOCTYPE is refused, so that there are no entities to expand and nothing to fetch; so is text between
 * elements.
 */
export async function* xmlEvents(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<XmlEvent> {
  // Loaded here: whoever opens an archive has this module, and hardly anybody such a file.
  const { SaxesParser } = await import('saxes');
  const parser = new SaxesParser({ position: true });
  const events: XmlEvent[] = [];
  let depth = 0;
  let pieceStart = 0;
  const here = (): FilePosition => ({ line: parser.line, column: parser.column });
  const refuse = (problem: string): never => {
    throw new SiteDeltaError(here(), problem);
  };
  parser.on('error', ({ message }) => refuse(message.replace(/^(?:[^:]*:)?\d+:\d+: /, '')));
  parser.on('xmldecl', ({ encoding = 'UTF-8', version }) => {
    if (!/^utf-?8$/i.test(encoding)) refuse(`its encoding is ${encoding}: only UTF-8 is read`);
    if (version !== '1.0') refuse(`it is XML ${version}: only 1.0 is read`);
  });
  parser.on('doctype', () => refuse('a DOCTYPE is refused: it may define entities, or name files to fetch'));
  parser.on('processinginstruction', () => refuse('processing instructions have no meaning here'));
  parser.on('cdata', () => refuse('text has no meaning here'));
  parser.on('comment', () => {
    pieceStart = parser.position;
  });
  parser.on('text', (text) => {
    pieceStart = parser.position;
    if (text.trim() !== '') refuse('text has no meaning here');
  });
  parser.on('opentag', ({ name, attributes }) => {
    pieceStart = parser.position;
    if (++depth > DEEPEST) refuse(`elements lie more than ${DEEPEST} deep in each other`);
    const values = Object.entries(attributes).map(([key, value]) => [key, restore(value)]);
    events.push({ kind: 'open', name, attributes: Object.fromEntries(values), ...here() });
  });
  parser.on('closetag', ({ name }) => {
    pieceStart = parser.position;
    depth--;
    events.push({ kind: 'close', name, ...here() });
  });
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decoded = (bytes?: Uint8Array): string => {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined });
    } catch {
      return refuse('it is not UTF-8');
    }
  };
  let isFirst = true;
  for await (const chunk of chunks) {
    if (isFirst && chunk[0] === 0x1f && chunk[1] === 0x8b)
      refuse('it is compressed by gzip: unpack it first');
    isFirst = false;
    for (let from = 0; from < chunk.byteLength; from += SLICE) {
      parser.write(decoded(chunk.subarray(from, from + SLICE)));
      yield* events.splice(0);
      if (parser.position - pieceStart > LONGEST_PIECE)
        refuse(`a tag or a stretch of text is longer than ${LONGEST_PIECE} characters`);
    }
  }
  parser.write(decoded()).close();
  yield* events;
}
