import type { Millis } from '../../model/time.ts';

/**
 * The few ZIP structures a WACZ needs, as bytes (PKWARE APPNOTE 6.3.x, §4.3 and §4.5.3). Names are UTF-8,
 * times are UTC: the DOS fields have no zone, and local time would make the same export differ by machine.
 */
export const STORED = 0;
export const DEFLATED = 8;

/** 32-bit size and offset fields hold this if the true value is in the ZIP64 extra field. */
const ZIP64_MARK = 0xffffffff;
/** 16-bit counterpart, for the number of entries. */
const ZIP64_COUNT_MARK = 0xffff;
const UTF8_NAME = 1 << 11;
const UNIX_SPEC_63 = (3 << 8) | 63;
const REGULAR_FILE_0644 = ((0o100644 << 16) >>> 0) as number;

export interface EntryFacts {
  readonly name: string;
  readonly method: typeof STORED | typeof DEFLATED;
  readonly crc32: number;
  readonly size: number;
  readonly compressedSize: number;
  /** Offset of the local header, from the start of the file. */
  readonly offset: number;
  /**
   * 64-bit sizes, in both headers. The local header has an extra field only if the central one does: wabac.js
   * assumes that an entry without an extra field in the directory has none at all, and reads on from there.
   */
  readonly zip64: boolean;
}

/** From this value on, 32-bit fields are too small. */
export const ZIP64_FROM = ZIP64_MARK;
/** What 64-bit sizes add to a local header, in bytes. */
export const ZIP64_LOCAL_EXTRA = 20;

export interface DosTime {
  readonly date: number;
  readonly time: number;
}

export function dosTime(at: Millis): DosTime {
  const d = new Date(at);
  const year = d.getUTCFullYear();
  // The format covers 1980 to 2107; a time outside is clamped to the nearer end.
  if (year < 1980) return { date: (1 << 5) | 1, time: 0 };
  if (year > 2107) return { date: (127 << 9) | (12 << 5) | 31, time: (23 << 11) | (59 << 5) | 29 };
  return {
    date: ((year - 1980) << 9) | ((d.getUTCMonth() + 1) << 5) | d.getUTCDate(),
    time: (d.getUTCHours() << 11) | (d.getUTCMinutes() << 5) | (d.getUTCSeconds() >> 1),
  };
}

export function localHeader(facts: EntryFacts, at: DosTime): Buffer {
  const { zip64 } = facts;
  const name = Buffer.from(facts.name, 'utf8');
  const extraLength = zip64 ? ZIP64_LOCAL_EXTRA : 0;
  const out = Buffer.alloc(30 + name.length + extraLength);
  out.writeUInt32LE(0x04034b50, 0);
  out.writeUInt16LE(zip64 ? 45 : 20, 4);
  out.writeUInt16LE(UTF8_NAME, 6);
  out.writeUInt16LE(facts.method, 8);
  out.writeUInt16LE(at.time, 10);
  out.writeUInt16LE(at.date, 12);
  out.writeUInt32LE(facts.crc32, 14);
  out.writeUInt32LE(zip64 ? ZIP64_MARK : facts.compressedSize, 18);
  out.writeUInt32LE(zip64 ? ZIP64_MARK : facts.size, 22);
  out.writeUInt16LE(name.length, 26);
  out.writeUInt16LE(extraLength, 28);
  name.copy(out, 30);
  if (zip64) {
    const extra = 30 + name.length;
    out.writeUInt16LE(0x0001, extra);
    out.writeUInt16LE(16, extra + 2);
    out.writeBigUInt64LE(BigInt(facts.size), extra + 4);
    out.writeBigUInt64LE(BigInt(facts.compressedSize), extra + 12);
  }
  return out;
}

export function centralHeader(facts: EntryFacts, at: DosTime): Buffer {
  const name = Buffer.from(facts.name, 'utf8');
  // Only the values whose fields are marked as moved go into the extra field, in this order.
  const wide = facts.zip64 ? [facts.size, facts.compressedSize] : [];
  if (facts.offset >= ZIP64_MARK) wide.push(facts.offset);
  const extraLength = wide.length > 0 ? 4 + 8 * wide.length : 0;
  const out = Buffer.alloc(46 + name.length + extraLength);
  out.writeUInt32LE(0x02014b50, 0);
  out.writeUInt16LE(UNIX_SPEC_63, 4);
  out.writeUInt16LE(wide.length > 0 ? 45 : 20, 6);
  out.writeUInt16LE(UTF8_NAME, 8);
  out.writeUInt16LE(facts.method, 10);
  out.writeUInt16LE(at.time, 12);
  out.writeUInt16LE(at.date, 14);
  out.writeUInt32LE(facts.crc32, 16);
  out.writeUInt32LE(facts.zip64 ? ZIP64_MARK : facts.compressedSize, 20);
  out.writeUInt32LE(facts.zip64 ? ZIP64_MARK : facts.size, 24);
  out.writeUInt16LE(name.length, 28);
  out.writeUInt16LE(extraLength, 30);
  out.writeUInt32LE(REGULAR_FILE_0644, 38);
  out.writeUInt32LE(Math.min(facts.offset, ZIP64_MARK), 42);
  name.copy(out, 46);
  if (wide.length > 0) {
    const extra = 46 + name.length;
    out.writeUInt16LE(0x0001, extra);
    out.writeUInt16LE(8 * wide.length, extra + 2);
    wide.forEach((value, i) => {
      out.writeBigUInt64LE(BigInt(value), extra + 4 + 8 * i);
    });
  }
  return out;
}

/** End of the central directory, preceded by its ZIP64 form if a value does not fit. */
export function endRecord(entries: number, directoryOffset: number, directorySize: number): Buffer {
  const zip64 = entries >= ZIP64_COUNT_MARK || directoryOffset >= ZIP64_MARK || directorySize >= ZIP64_MARK;
  const start = zip64 ? 56 + 20 : 0;
  const out = Buffer.alloc(start + 22);
  if (zip64) {
    out.writeUInt32LE(0x06064b50, 0);
    out.writeBigUInt64LE(44n, 4);
    out.writeUInt16LE(UNIX_SPEC_63, 12);
    out.writeUInt16LE(45, 14);
    out.writeBigUInt64LE(BigInt(entries), 24);
    out.writeBigUInt64LE(BigInt(entries), 32);
    out.writeBigUInt64LE(BigInt(directorySize), 40);
    out.writeBigUInt64LE(BigInt(directoryOffset), 48);
    out.writeUInt32LE(0x07064b50, 56);
    out.writeBigUInt64LE(BigInt(directoryOffset + directorySize), 56 + 8);
    out.writeUInt32LE(1, 56 + 16);
  }
  out.writeUInt32LE(0x06054b50, start);
  out.writeUInt16LE(Math.min(entries, ZIP64_COUNT_MARK), start + 8);
  out.writeUInt16LE(Math.min(entries, ZIP64_COUNT_MARK), start + 10);
  out.writeUInt32LE(Math.min(directorySize, ZIP64_MARK), start + 12);
  out.writeUInt32LE(Math.min(directoryOffset, ZIP64_MARK), start + 16);
  return out;
}
