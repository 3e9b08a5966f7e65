import type { Body } from '../model/body.ts';

/** Offsets of the first and last byte. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/**
 * A single range of RFC 9110 against a body of this size. `whole` where the header is absent, names several
 * ranges or another unit: a server may always answer with everything. A suffix longer than the body is
 * clamped to it, as is an end past its end.
 */
export function parseRange(value: string | undefined, size: number): ByteRange | 'whole' | 'unsatisfiable' {
  const match = value === undefined ? null : /^bytes=(\d*)-(\d*)$/.exec(value.trim());
  if (!match) return 'whole';
  const [, from = '', to = ''] = match;
  if (from === '') {
    if (to === '') return 'whole';
    const length = Math.min(Number(to), size);
    return length === 0 ? 'unsatisfiable' : { first: size - length, last: size - 1 };
  }
  const first = Number(from);
  if (first >= size) return 'unsatisfiable';
  const last = to === '' ? size - 1 : Math.min(Number(to), size - 1);
  return last < first ? 'whole' : { first, last };
}

export async function* rangeOf(body: Body, { first, last }: ByteRange): AsyncIterable<Uint8Array> {
  if (body.bytes) {
    yield body.bytes.subarray(first, last + 1);
    return;
  }
  let position = 0;
  for await (const chunk of body.chunks()) {
    const start = Math.max(first - position, 0);
    const end = Math.min(last + 1 - position, chunk.byteLength);
    if (start < end) yield chunk.subarray(start, end);
    position += chunk.byteLength;
    if (position > last) return;
  }
}
