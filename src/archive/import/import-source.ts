import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { createGunzip } from 'node:zlib';
import { InflatesTooFar, recompress } from '../../warc/recompress.ts';
import { UserError } from '../user-error.ts';

/** Longest name that leaves room for a suffix (an index, a temporary file), in bytes. */
const LONGEST_NAME = 180;

/** Refuses what is not a file of records, and says what to do instead. */
export async function lookAtSource(path: string): Promise<'file' | 'pipe'> {
  const info = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENAMETOOLONG')
      throw new UserError(`there is no file of this name, which is too long: ${path.slice(0, 100)}…`);
    throw error;
  });
  if (info.isDirectory())
    throw new UserError(
      `${path} is a folder: name the files in it, for example ${path.replace(/\/$/, '')}/*.warc.gz`,
    );
  if (info.isFIFO()) return 'pipe';
  if (!info.isFile()) throw new UserError(`${path} is neither a file nor a pipe`);
  return 'file';
}

const INDEX_LINE = /^(?: CDX [A-Za-z ]+$|!meta |\S+ \d{4,17} (?:\{|\S+ \S+ \d{3} ))/m;

/** The first bytes of a file, unpacked if gzipped, as Latin-1. */
export async function startOf(path: string): Promise<string> {
  return plainStart(path, await firstBytes(path, 64 * 1024));
}

/** An index holds no records; calling it damaged would send people looking for damage. */
export async function refuseOther(path: string): Promise<void> {
  const start = await firstBytes(path, 64 * 1024);
  if (start.readUInt32LE(0) === 0xfd2fb528 || /\.zst$/i.test(path)) {
    throw new UserError(
      `${path} is compressed with zstd, which is not read: unpack it first, with 'zstd -d'`,
    );
  }
  const text = await plainStart(path, start);
  if (/\.(?:cdxj?|idx)(?:\.gz)?$/i.test(path) || INDEX_LINE.test(text.split('\n', 1)[0] ?? '')) {
    throw new UserError(
      `${path} is an index (CDX), not a file of records: import the WARC or ARC files that it names; ` +
        'their index is written then',
    );
  }
}

async function firstBytes(path: string, length: number): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, 0);
    // At least four bytes, so that signatures can be compared.
    return bytesRead < 4 ? Buffer.alloc(4) : buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

async function plainStart(path: string, start: Buffer): Promise<string> {
  if (start[0] !== 0x1f || start[1] !== 0x8b) return start.toString('latin1');
  const stream = createReadStream(path, { end: 256 * 1024 }).pipe(createGunzip());
  try {
    for await (const chunk of stream) return (chunk as Buffer).toString('latin1');
  } catch {
    // Whatever is wrong with it is reported when the records are read.
  }
  return '';
}

/**
 * The name of a record file in the archive: its own, with an extension that matches its content, in lower case as
 * other tools expect, and short enough for suffixes.
 */
export async function recordName(path: string): Promise<string> {
  const start = await firstBytes(path, 64);
  const isGzip = start[0] === 0x1f && start[1] === 0x8b;
  const isArc = (await startOf(path)).startsWith('filedesc:');
  const [, stem = '', ending] = /^(.*?)(\.(?:warc|arc)(?:\.gz)?)?$/is.exec(basename(path)) ?? [];
  const right = ending?.toLowerCase() ?? `.${isArc ? 'arc' : 'warc'}${isGzip ? '.gz' : ''}`;
  return `${shortened(stem)}${right}`;
}

/** Truncated, with a few digits of hash so that two long names stay distinct. */
export function shortened(stem: string): string {
  const bytes = Buffer.from(stem);
  if (bytes.length <= LONGEST_NAME) return stem;
  let sum = 0;
  for (const byte of bytes) sum = (Math.imul(sum, 31) + byte) >>> 0;
  const cut = bytes
    .subarray(0, LONGEST_NAME - 9)
    .toString('utf8')
    .replace(/\ufffd+$/, '');
  return `${cut}-${sum.toString(16).padStart(8, '0')}`;
}

/** Repacks a file that was gzipped as a whole, with each record as a gzip member of its own. */
export async function packedAnew(path: string, target: string) {
  const { size } = await stat(path);
  try {
    return await recompress(path, size, target);
  } catch (error) {
    if (error instanceof InflatesTooFar) throw new UserError(`${path} ${error.message}. It was left alone.`);
    throw error;
  }
}
