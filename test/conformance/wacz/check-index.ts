import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { parseCdxjLine } from '../../../src/warc/cdxj.ts';
import { lineKey } from '../../../src/warc/wacz/index-entries.ts';
import { lineBatches } from '../../../src/warc/wacz/line-batches.ts';
import { jsonObject } from '../../../src/warc/wacz/pages-file.ts';
import type { Wacz } from '../../../src/warc/wacz/read.ts';
import type { ZipEntry } from '../../../src/warc/wacz/zip-reader.ts';

/** Problems told per index; a broken index would otherwise repeat itself a million times. */
const PROBLEMS_PER_INDEX = 20;

type Report = (entry: string, reason: string) => void;

/** An index must be there, be sorted, and point into the WARC files of the package. */
export async function checkIndexes(wacz: Wacz, report: Report): Promise<void> {
  const indexes = wacz.zip.entries.filter(({ name }) =>
    /^indexes\/.*\.(cdx|cdxj|cdx\.gz|cdxj\.gz)$/.test(name),
  );
  if (indexes.length === 0) {
    report('indexes/', 'no index: index.cdxj, or index.cdx.gz with index.idx, is missing');
  }
  for (const entry of indexes) {
    const compressed = entry.name.endsWith('.gz');
    if (compressed && !entry.stored) report(entry.name, 'is deflated in the ZIP: it must be stored');
    await checkLines(wacz, entry, compressed, bounded(entry.name, report));
    if (!compressed) continue;
    const blocks = wacz.entry(entry.name.replace(/\.cdxj?\.gz$/, '.idx'));
    if (blocks === undefined) report(entry.name, 'has no .idx beside it: viewers cannot find its blocks');
    else await checkBlocks(wacz, blocks, entry, bounded(blocks.name, report));
  }
}

function bounded(entry: string, report: Report): (reason: string) => void {
  let told = 0;
  return (reason) => {
    told++;
    if (told < PROBLEMS_PER_INDEX) report(entry, reason);
    else if (told === PROBLEMS_PER_INDEX)
      report(entry, `${reason}; further problems of this index are not listed`);
  };
}

async function checkLines(
  wacz: Wacz,
  entry: ZipEntry,
  compressed: boolean,
  report: (reason: string) => void,
): Promise<void> {
  const sizes = new Map(wacz.warcs.map(({ name, size }) => [name.slice(name.lastIndexOf('/') + 1), size]));
  let number = 0;
  let previous = '';
  try {
    const chunks = wacz.zip.chunks(entry);
    for await (const lines of lineBatches(compressed ? gunzipped(chunks) : chunks)) {
      for (const line of lines) {
        number++;
        // `!meta` and ` CDX …` are headers.
        if (line === '' || line.startsWith('!') || line.startsWith(' ')) continue;
        const key = lineKey(line);
        if (isBefore(key, previous)) {
          report(`line ${number} is not sorted: "${key}" stands after "${previous}"`);
        }
        previous = key;
        const capture = parseCdxjLine(line);
        if (capture === undefined) {
          report(`line ${number} is not a CDXJ line`);
          continue;
        }
        const size = sizes.get(capture.filename);
        if (size === undefined) report(`line ${number} names ${capture.filename}, which is not in archive/`);
        else if (!(capture.offset + capture.length <= size)) {
          const range = `${capture.offset}+${capture.length}`;
          report(`line ${number} points to bytes ${range} of ${capture.filename}, which has ${size}`);
        }
      }
    }
  } catch (error) {
    report((error as Error).message);
  }
}

/** Byte order. UTF-16 order is the same but for characters beyond the basic plane. */
function isBefore(a: string, b: string): boolean {
  return a < b && Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0;
}

interface Block {
  readonly offset: number;
  readonly length: number;
  readonly digest?: string;
}

/** The blocks of an .idx must cover the compressed index without gaps and match their digests. */
async function checkBlocks(
  wacz: Wacz,
  idx: ZipEntry,
  data: ZipEntry,
  report: (reason: string) => void,
): Promise<void> {
  try {
    const blocks: Block[] = [];
    let previous = '';
    let end = 0;
    for await (const lines of lineBatches(wacz.zip.chunks(idx))) {
      for (const line of lines) {
        if (line === '' || line.startsWith('!meta')) continue;
        const key = lineKey(line);
        const json = jsonObject(line.slice(key.length + 1));
        if (json === undefined || typeof json.offset !== 'number' || typeof json.length !== 'number') {
          report(`"${key}" has no offset and length`);
          return;
        }
        if (isBefore(key, previous)) report(`is not sorted: "${key}" stands after "${previous}"`);
        if (json.offset !== end) report(`block "${key}" starts at ${json.offset}, expected ${end}`);
        previous = key;
        end = json.offset + json.length;
        const digest = typeof json.digest === 'string' ? { digest: json.digest } : {};
        blocks.push({ offset: json.offset, length: json.length, ...digest });
      }
    }
    if (end !== data.size) {
      report(`its blocks end at byte ${end}, ${data.name} at ${data.size}`);
      return;
    }
    await checkDigests(wacz.zip.chunks(data), blocks, report);
  } catch (error) {
    report((error as Error).message);
  }
}

async function checkDigests(
  chunks: AsyncIterable<Uint8Array>,
  blocks: readonly Block[],
  report: (reason: string) => void,
): Promise<void> {
  let at = 0;
  let left = blocks[0]?.length ?? 0;
  let hash = createHash('sha256');
  for await (const chunk of chunks) {
    for (let from = 0; from < chunk.byteLength && at < blocks.length; ) {
      const piece = chunk.subarray(from, from + left);
      hash.update(piece);
      from += piece.byteLength;
      left -= piece.byteLength;
      while (left === 0 && at < blocks.length) {
        const { digest, offset } = blocks[at] as Block;
        const found = `sha256:${hash.digest('hex')}`;
        if (digest?.startsWith('sha256:') && digest !== found) {
          report(`block at ${offset} does not match its digest`);
        }
        hash = createHash('sha256');
        left = blocks[++at]?.length ?? 0;
      }
    }
  }
}

async function* gunzipped(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const source = Readable.from(chunks, { objectMode: true, highWaterMark: 2 });
  const gunzip = createGunzip();
  source.on('error', (cause) => gunzip.destroy(cause));
  yield* source.pipe(gunzip) as AsyncIterable<Uint8Array>;
}
