import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import yauzl from 'yauzl';
import {
  centralHeader,
  dosTime,
  type EntryFacts,
  endRecord,
  localHeader,
  STORED,
  ZIP64_FROM,
} from './zip-format.ts';

const AT = dosTime(Date.UTC(2026, 0, 2, 3, 4, 5));
const GIB = 1024 ** 3;

/** A file of which only some ranges are held: the rest would be gigabytes of WARC. */
class Sparse extends yauzl.RandomAccessReader {
  readonly pieces: readonly { at: number; bytes: Buffer }[];
  constructor(pieces: readonly { at: number; bytes: Buffer }[]) {
    super();
    this.pieces = pieces;
  }
  override _readStreamForRange(start: number, end: number): PassThrough {
    const out = Buffer.alloc(end - start);
    for (const { at, bytes } of this.pieces) {
      const from = Math.max(start, at);
      const to = Math.min(end, at + bytes.length);
      if (from < to) bytes.copy(out, from - start, from - at, to - at);
    }
    const stream = new PassThrough();
    stream.end(out);
    return stream;
  }
}

async function listed(facts: readonly EntryFacts[]) {
  const last = facts.at(-1) as EntryFacts;
  const locals = facts.map((entry) => ({ at: entry.offset, bytes: localHeader(entry, AT) }));
  const directoryOffset = last.offset + (locals.at(-1)?.bytes.length ?? 0) + last.compressedSize;
  const directory = Buffer.concat(facts.map((entry) => centralHeader(entry, AT)));
  const tail = Buffer.concat([directory, endRecord(facts.length, directoryOffset, directory.length)]);
  const reader = new Sparse([...locals, { at: directoryOffset, bytes: tail }]);
  const zip = await yauzl.fromRandomAccessReaderPromise(reader, directoryOffset + tail.length, {
    autoClose: false,
  });
  const entries: yauzl.Entry[] = [];
  for await (const entry of zip.eachEntry()) entries.push(entry);
  return { zip, entries };
}

function stored(name: string, size: number, offset: number): EntryFacts {
  return {
    name,
    method: STORED,
    crc32: 0x1234abcd,
    size,
    compressedSize: size,
    offset,
    zip64: size >= ZIP64_FROM,
  };
}

describe('ZIP64', () => {
  it('a 5 GiB entry, another after it => sizes and offsets read back by yauzl', async () => {
    const big = stored('archive/big.warc.gz', 5 * GIB, 0);
    const next = stored('pages/päge.jsonl', 7, localHeader(big, AT).length + 5 * GIB);
    const { zip, entries } = await listed([big, next]);
    expect(
      entries.map((e) => [e.fileName, e.uncompressedSize, e.compressedSize, e.relativeOffsetOfLocalHeader]),
    ).toEqual([
      ['archive/big.warc.gz', 5 * GIB, 5 * GIB, 0],
      ['pages/päge.jsonl', 7, 7, next.offset],
    ]);
    const local = await zip.readLocalFileHeaderPromise(entries[1] as yauzl.Entry);
    expect(local.fileDataStart).toBe(next.offset + localHeader(next, AT).length);
  });

  it('70,000 entries => all are listed', async () => {
    const size = localHeader(stored('00000', 0, 0), AT).length;
    const facts = Array.from({ length: 70_000 }, (_, i) => stored(String(i).padStart(5, '0'), 0, i * size));
    const locals = facts.map((entry) => localHeader(entry, AT));
    const directory = Buffer.concat(facts.map((entry) => centralHeader(entry, AT)));
    const end = endRecord(facts.length, facts.length * size, directory.length);
    const zip = await yauzl.fromBufferPromise(Buffer.concat([...locals, directory, end]));
    expect(zip.entryCount).toBe(70_000);
    let last = '';
    for await (const entry of zip.eachEntry()) last = entry.fileName;
    expect(last).toBe('69999');
  });
});

describe('dosTime', () => {
  it('2026-01-02T03:04:05Z => that time in UTC, to two seconds', async () => {
    const { entries } = await listed([stored('a', 0, 0)]);
    expect(entries[0]?.getLastModDate({ timezone: 'UTC' }).toISOString()).toBe('2026-01-02T03:04:04.000Z');
  });

  it('1970 and 2200 => the ends of the range', () => {
    expect(dosTime(0)).toEqual({ date: 0x21, time: 0 });
    expect(dosTime(Date.UTC(2200, 0, 1)).date >> 9).toBe(127);
  });
});
