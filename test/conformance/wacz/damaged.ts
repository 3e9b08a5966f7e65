import { readFile } from 'node:fs/promises';
import type { Millis } from '../../../src/model/time.ts';
import { readWacz } from '../../../src/warc/wacz/read.ts';
import { createZip } from '../../../src/warc/wacz/zip-writer.ts';

/** An entry of a WACZ to be rewritten; `method` as it stood there. */
export interface Part {
  readonly name: string;
  readonly content: Buffer;
  readonly method: 'store' | 'deflate';
}

export async function partsOf(path: string): Promise<Part[]> {
  const wacz = await readWacz(path);
  try {
    const parts: Part[] = [];
    for (const entry of wacz.zip.entries) {
      const chunks: Uint8Array[] = [];
      for await (const chunk of wacz.zip.chunks(entry)) chunks.push(chunk);
      parts.push({
        name: entry.name,
        content: Buffer.concat(chunks),
        method: entry.stored ? 'store' : 'deflate',
      });
    }
    return parts;
  } finally {
    await wacz.close();
  }
}

const AT: Millis = Date.UTC(2026, 0, 1);

export async function writeParts(path: string, parts: readonly Part[]): Promise<string> {
  const zip = await createZip(path, AT);
  for (const { name, content, method } of parts) {
    await zip.add(
      name,
      (async function* () {
        yield content;
      })(),
      method,
    );
  }
  await zip.finish();
  return path;
}

export function isWarcPart({ name }: Part): boolean {
  return /\.warc(\.gz)?$/.test(name);
}

/** The file with one byte changed where `needle` stands. */
export async function flipped(path: string, needle: Buffer): Promise<Buffer> {
  const bytes = await readFile(path);
  const at = bytes.indexOf(needle);
  if (at < 0) throw new Error('needle not found');
  const middle = at + Math.floor(needle.length / 2);
  bytes[middle] = (bytes[middle] ?? 0) ^ 0x01;
  return bytes;
}
