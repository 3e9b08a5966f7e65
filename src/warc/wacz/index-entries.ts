import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type CaptureFact, isWebCapture } from '../../model/capture.ts';
import { cdxjLine } from '../cdxj.ts';
import { lineChunks } from './line-batches.ts';
import { sortLines } from './sort-lines.ts';
import type { AddedEntry, ZipWriter } from './zip-writer.ts';

const compress = promisify(gzip);

/** Up to here a viewer may load the whole index when it opens the file (about 4 MB). */
const PLAIN_INDEX_LINES = 10_000;
/** Lines per compressed block, as in py-wacz. */
const BLOCK_LINES = 1024;

export interface IndexOptions {
  /** Where a capture is in `archive/`; undefined if it is in no file there, and so left out. */
  readonly relocate: (capture: CaptureFact) => CaptureFact | undefined;
  /** Prefix of spill files, should the index outgrow memory. */
  readonly spill: string;
  readonly plainLines?: number;
}

export interface WrittenIndex {
  readonly entries: readonly AddedEntry[];
  readonly captures: number;
  readonly leftOut: number;
}

/**
 * A small index is plain CDXJ. A large one is ZipNum: consecutive gzip blocks of CDXJ, and a second, small index that
 * names the first key of each, so that a viewer fetches only the block it needs.
 */
export async function writeIndex(
  zip: ZipWriter,
  captures: AsyncIterable<CaptureFact>,
  options: IndexOptions,
): Promise<WrittenIndex> {
  const plainLines = options.plainLines ?? PLAIN_INDEX_LINES;
  let written = 0;
  let leftOut = 0;

  async function* lines(): AsyncGenerator<string> {
    for await (const capture of captures) {
      const placed = options.relocate(capture);
      if (!placed) leftOut++;
      else {
        if (isWebCapture(placed)) written++;
        yield cdxjLine({ ...placed, url: urlAsAsked(placed.url) });
      }
    }
  }

  const batches = sortLines(lines(), options.spill);
  try {
    const head: string[] = [];
    let done = false;
    while (!done && head.length <= plainLines) {
      const next = await batches.next();
      if (next.done === true) done = true;
      else head.push(...next.value);
    }
    if (done) {
      const plain = await zip.add('indexes/index.cdxj', lineChunks([head]), 'deflate');
      return { entries: [plain], captures: written, leftOut };
    }

    async function* rest(): AsyncGenerator<string[]> {
      yield head;
      yield* batches;
    }
    const blocks: string[] = ['!meta 0 {"format": "cdxj-gzip-1.0", "filename": "index.cdx.gz"}'];
    const data = await zip.add('indexes/index.cdx.gz', gzipBlocks(rest(), blocks), 'store');
    const index = await zip.add('indexes/index.idx', lineChunks([blocks]), 'deflate');
    return { entries: [data, index], captures: written, leftOut };
  } finally {
    await batches.return(undefined);
  }
}

/**
 * Viewers compare the URL of an index line with the one a browser requests, which contains neither spaces nor accents;
 * ARC files may contain both. The record keeps its own spelling.
 */
function urlAsAsked(url: string): string {
  return /[^\x21-\x7e]/.test(url) && URL.canParse(url) ? new URL(url).href : url;
}

async function* gzipBlocks(batches: AsyncIterable<string[]>, index: string[]): AsyncGenerator<Uint8Array> {
  let offset = 0;
  let held: string[] = [];

  async function block(lines: readonly string[]): Promise<Uint8Array> {
    const bytes = await compress(`${lines.join('\n')}\n`);
    // The gzip header names the operating system: "unknown", so that every machine writes the same bytes.
    bytes[9] = 255;
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const where = { offset, length: bytes.byteLength, digest: `sha256:${sha256}` };
    index.push(`${lineKey(lines[0] as string)} ${JSON.stringify(where)}`);
    offset += bytes.byteLength;
    return bytes;
  }

  for await (const batch of batches) {
    held = held.length === 0 ? batch : held.concat(batch);
    let from = 0;
    for (; held.length - from >= BLOCK_LINES; from += BLOCK_LINES) {
      yield await block(held.slice(from, from + BLOCK_LINES));
    }
    held = held.slice(from);
  }
  if (held.length > 0) yield await block(held);
}

/** `com,example)/ 20260102030405 {…}` => `com,example)/ 20260102030405`. */
export function lineKey(line: string): string {
  const json = line.indexOf(' {');
  return json < 0 ? line : line.slice(0, json);
}
