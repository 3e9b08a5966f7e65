import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import yauzl from 'yauzl';
import { readFully } from '../file-window.ts';
import { DEFLATED, STORED } from './zip-format.ts';

/** The file's bytes are not a valid ZIP. Reported to the user, never fatal. */
export class ZipFault extends Error {
  override readonly name = 'ZipFault';
}

export interface ZipEntry {
  readonly name: string;
  readonly size: number;
  readonly compressedSize: number;
  readonly stored: boolean;
  /** Why it must not be opened: its name leads out of the folder, it is encrypted … */
  readonly refused?: string;
}

export interface ScannedEntry {
  readonly bytes: number;
  /** Lower-case hex, by the requested algorithm. */
  readonly hash: string;
  /** The ZIP's own checksum holds. */
  readonly crcHolds: boolean;
}

export interface ZipArchive {
  readonly file: string;
  readonly size: number;
  /** Without folders, in the order of the central directory. */
  readonly entries: readonly ZipEntry[];
  /** Why the list of entries ends early, if it does. */
  readonly fault?: string;
  /** Content of an entry. Throws ZipFault if it is damaged or longer than stated. */
  chunks(entry: ZipEntry): AsyncGenerator<Uint8Array>;
  /** Reads an entry to its end; `sink` is awaited for each chunk. */
  scan(
    entry: ZipEntry,
    algorithm: string,
    sink?: (chunk: Uint8Array) => Promise<void> | void,
  ): Promise<ScannedEntry>;
  /** Whole content as text; ZipFault if longer than `limit` bytes. */
  text(entry: ZipEntry, limit: number): Promise<string>;
  close(): Promise<void>;
}

/** Bytes read at once from a stored entry. */
const CHUNK = 1024 * 1024;
const DIRECTORY_LIMIT = 5_000_000;

/** Throws ZipFault if the file is not a ZIP, and the file system's error if it cannot be read at all. */
export async function openZip(file: string): Promise<ZipArchive> {
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    const zip = await asFault(() =>
      // Names and sizes are checked here, entry by entry: yauzl would give up the whole file at the first bad
      // one.
      yauzl.fromFdPromise(handle.fd, { autoClose: false, decodeStrings: false, validateEntrySizes: false }),
    );
    return await listed(file, size, handle, zip);
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function listed(
  file: string,
  size: number,
  handle: FileHandle,
  zip: yauzl.ZipFile,
): Promise<ZipArchive> {
  const raw = new Map<ZipEntry, yauzl.Entry>();
  let fault: string | undefined;
  try {
    for await (const found of zip.eachEntry()) {
      const entry = describe(found, size);
      if (!entry.name.endsWith('/')) raw.set(entry, found);
      if (raw.size > DIRECTORY_LIMIT) throw new ZipFault(`more than ${DIRECTORY_LIMIT} entries`);
    }
  } catch (error) {
    fault = `the list of entries is damaged after ${raw.size} entries: ${(error as Error).message}`;
  }

  async function* chunks(entry: ZipEntry): AsyncGenerator<Uint8Array> {
    if (entry.refused !== undefined) throw new ZipFault(entry.refused);
    const found = raw.get(entry) as yauzl.Entry;
    let seen = 0;
    for await (const chunk of entry.stored ? storedChunks(found) : inflatedChunks(found)) {
      seen += chunk.byteLength;
      if (seen > entry.size) throw new ZipFault(`holds more than the ${entry.size} bytes it declares`);
      yield chunk;
    }
    if (seen < entry.size) throw new ZipFault(`holds ${seen} bytes, and declares ${entry.size}`);
  }

  // Straight from the file: yauzl's streams would pass each chunk through three transforms.
  async function* storedChunks(found: yauzl.Entry): AsyncGenerator<Uint8Array> {
    const { fileDataStart } = await asFault(() => zip.readLocalFileHeaderPromise(found, { minimal: true }));
    for (let at = 0; at < found.compressedSize; ) {
      const chunk = await readFully(handle, fileDataStart + at, Math.min(CHUNK, found.compressedSize - at));
      if (chunk.length === 0) throw new ZipFault(`the ZIP ends inside it, at byte ${at}`);
      at += chunk.length;
      yield chunk;
    }
  }

  async function* inflatedChunks(found: yauzl.Entry): AsyncGenerator<Uint8Array> {
    const stream = await asFault(() => zip.openReadStreamPromise(found));
    try {
      for await (const chunk of stream) yield chunk as Buffer;
    } catch (error) {
      throw new ZipFault(`cannot be inflated: ${(error as Error).message}`, { cause: error });
    }
  }

  return {
    file,
    size,
    entries: [...raw.keys()],
    ...(fault === undefined ? {} : { fault }),
    chunks,
    async scan(entry, algorithm, sink) {
      const hash = createHash(algorithm);
      let crc = 0;
      let bytes = 0;
      for await (const chunk of chunks(entry)) {
        const writing = sink?.(chunk);
        // Hashed while the sink writes; a failure of the sink surfaces at the await below.
        hash.update(chunk);
        crc = crc32(chunk, crc);
        bytes += chunk.byteLength;
        await writing;
      }
      return { bytes, hash: hash.digest('hex'), crcHolds: crc === raw.get(entry)?.crc32 };
    },
    async text(entry, limit) {
      if (entry.size > limit) throw new ZipFault(`is ${entry.size} bytes long, more than the ${limit} read`);
      return (await buffer(chunks(entry))).toString('utf8');
    },
    // Not `zip.close()`: that would close the descriptor, which belongs to the handle.
    close: () => handle.close(),
  };
}

function describe(found: yauzl.Entry, fileSize: number): ZipEntry {
  const name = yauzl.getFileNameLowLevel(
    found.generalPurposeBitFlag,
    found.fileNameRaw,
    found.extraFields,
    false,
  );
  const stored = found.compressionMethod === STORED;
  const refused = nameFault(name) ?? contentFault(found, stored, fileSize);
  return {
    name,
    size: found.uncompressedSize,
    compressedSize: found.compressedSize,
    stored,
    ...(refused === undefined ? {} : { refused }),
  };
}

function nameFault(name: string): string | undefined {
  if (yauzl.validateFileName(name) !== null) return 'refused: its name leads out of the folder';
  for (const char of name) if (char < ' ') return 'refused: control characters in its name';
  return undefined;
}

function contentFault(found: yauzl.Entry, stored: boolean, fileSize: number): string | undefined {
  if (found.isEncrypted()) return 'refused: it is encrypted';
  if (!stored && found.compressionMethod !== DEFLATED) {
    return `refused: unknown compression method ${found.compressionMethod}`;
  }
  if (found.compressedSize > fileSize) return 'refused: it declares more bytes than the whole ZIP has';
  if (stored && found.compressedSize !== found.uncompressedSize) {
    return `refused: stored, and yet ${found.compressedSize} bytes for ${found.uncompressedSize}`;
  }
  return undefined;
}

async function asFault<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    // File system errors have a code; yauzl's complaints about the bytes have none.
    if ((error as NodeJS.ErrnoException).code !== undefined) throw error;
    throw new ZipFault((error as Error).message, { cause: error });
  }
}
