/** One element of DER: its tag, and its content. */
export interface DerElement {
  readonly tag: number;
  /** Including tag and length. */
  readonly whole: Buffer;
  readonly content: Buffer;
}

export class DerFault extends Error {
  override readonly name = 'DerFault';
}

/** The consecutive elements in `bytes`. */
export function derElements(bytes: Buffer): DerElement[] {
  const elements: DerElement[] = [];
  for (let at = 0; at < bytes.length; ) {
    const element = elementAt(bytes, at);
    elements.push(element);
    at += element.whole.length;
  }
  return elements;
}

/** The element at the start of `bytes`, whatever follows. */
export function derElement(bytes: Buffer): DerElement {
  return elementAt(bytes, 0);
}

function elementAt(bytes: Buffer, at: number): DerElement {
  const [tag, first] = [bytes[at], bytes[at + 1]];
  // Tags above 30 and indefinite lengths do not occur in DER of this kind.
  if (tag === undefined || first === undefined || (tag & 0x1f) === 0x1f || first === 0x80 || first > 0x84)
    throw new DerFault('not DER');
  const lengthBytes = first < 0x80 ? 0 : first - 0x80;
  const start = at + 2 + lengthBytes;
  if (start > bytes.length) throw new DerFault('DER breaks off');
  const length = lengthBytes === 0 ? first : bytes.readUIntBE(at + 2, lengthBytes);
  if (start + length > bytes.length) throw new DerFault('DER breaks off');
  return {
    tag,
    whole: bytes.subarray(at, start + length),
    content: bytes.subarray(start, start + length),
  };
}
