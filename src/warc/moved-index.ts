import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { FileSwap } from '../ports/catalog.ts';
import { cdxjLine, writeSortedLines } from './cdxj.ts';

const PLACE = /"length":"(\d+)","offset":"(\d+)","filename":"[^"]*"/;

/**
 * Derives the index of a rewritten file from the old one: lines follow their records, those of removed records are left out.
 * Undefined if a line of the old index names no position.
 */
export async function writeMovedIndex(
  oldIndex: string,
  newIndex: string,
  swap: FileSwap,
): Promise<number | undefined> {
  const repacked = new Map(swap.repacked.map(({ was, ...place }) => [was, place]));
  const filename = JSON.stringify(swap.to);
  const lines: string[] = [];
  for await (const line of createInterface({ input: createReadStream(oldIndex), crlfDelay: Infinity })) {
    if (line === '') continue;
    const [, length, offset] = PLACE.exec(line) ?? [];
    if (length === undefined || offset === undefined) return undefined;
    const again = repacked.get(Number(offset));
    const moved = again?.offset ?? copiedTo(swap.copied, Number(offset));
    if (moved === undefined) continue;
    const place = `"length":"${again?.length ?? length}","offset":"${moved}","filename":${filename}`;
    lines.push(line.replace(PLACE, () => place));
  }
  for (const fact of [...swap.dropped.map(({ info }) => info), ...swap.added]) lines.push(cdxjLine(fact));
  await writeSortedLines(newIndex, lines);
  return lines.length;
}

function copiedTo(copied: FileSwap['copied'], offset: number): number | undefined {
  let low = 0;
  let high = copied.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((copied[middle]?.past ?? Infinity) <= offset) low = middle + 1;
    else high = middle;
  }
  const part = copied[low];
  return part && part.first <= offset ? offset + part.shift : undefined;
}
