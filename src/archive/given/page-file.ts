import { open } from 'node:fs/promises';
import { naming } from '../../ports/system-error.ts';
import { UserError } from '../user-error.ts';

/** Bytes examined: browsers examine fewer to tell text from binary data. */
const LOOKED_AT = 4096;

/** Signatures of files given by mistake, and what to do about each. */
const KNOWN: readonly (readonly [bytes: string, what: string])[] = [
  ['\x1f\x8b', 'it is packed with gzip: unpack it first'],
  ['PK\x03\x04', 'it is a ZIP or WACZ file: unpack it, or bring it in with daguerre import'],
  ['%PDF-', 'it is a PDF'],
  ['\x89PNG', 'it is a picture (PNG)'],
  ['\xff\xd8\xff', 'it is a picture (JPEG)'],
  ['GIF8', 'it is a picture (GIF)'],
  ['RIFF', 'it is a picture, a sound or a film (RIFF)'],
  ['WARC/', 'it is a record file: daguerre import brings it into an archive'],
];
const BYTE_ORDER_MARKS: readonly string[] = ['\xff\xfe', '\xfe\xff'];

/** Refuses a file that no browser would show as a page, before one shows its bytes as letters. */
export async function checkPageFile(path: string): Promise<void> {
  const begin = await naming(path, firstBytes(path));
  const known = KNOWN.find(([bytes]) => begin.startsWith(bytes));
  const why = known?.[1] ?? (isBinary(begin) ? 'it holds binary data' : undefined);
  if (why !== undefined) throw new UserError(`${path} is no HTML: ${why}`);
}

/** Latin-1, so that one character is one byte. */
async function firstBytes(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(LOOKED_AT), 0, LOOKED_AT, 0);
    return buffer.toString('latin1', 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** UTF-16 has zero bytes too, but begins with a byte order mark. */
function isBinary(begin: string): boolean {
  return begin.includes('\0') && !BYTE_ORDER_MARKS.some((mark) => begin.startsWith(mark));
}
