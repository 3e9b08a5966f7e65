import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { memoryBody } from '../model/body.ts';
import { header } from '../model/exchange.ts';
import { parseArcHead } from './arc.ts';
import { FileWindow } from './file-window.ts';
import { MEMORY_LIMIT, type Member, memberChunks, peekMember, readMember } from './gzip-member.ts';
import { MAX_HEAD, type ParsedHead, parseRecordHead } from './record-head.ts';
import { makeRecord, skip, streamBody, type WarcRecord } from './warc-record.ts';

export interface ReadProblem {
  readonly file: string;
  readonly offset: number;
  readonly reason: string;
}

export interface ReadOptions {
  /** Offset of the record to begin with. */
  readonly from?: number;
  /** Told of damage; reading goes on at the next record that can be found. */
  readonly onProblem?: (problem: ReadProblem) => void;
}

/**
 * Every record of a WARC or ARC file, plain or gzipped, in order. Damage never throws: it is told to
 * `onProblem`, and the next record is looked for. A stream is put into a temporary file first, because
 * bodies may be read more than once.
 */
export async function* readRecords(
  source: string | AsyncIterable<Uint8Array>,
  options: ReadOptions = {},
): AsyncGenerator<WarcRecord> {
  if (typeof source !== 'string') {
    yield* fromSpool(source, (path) => readRecords(path, options));
    return;
  }
  const file = await FileWindow.open(source);
  try {
    const start = await file.at(options.from ?? 0, 2);
    const isGzip = start[0] === 0x1f && start[1] === 0x8b;
    yield* isGzip ? gzipRecords(file, options) : plainRecords(file, options);
  } finally {
    await file.close();
  }
}

async function* fromSpool(
  source: AsyncIterable<Uint8Array>,
  read: (path: string) => AsyncGenerator<WarcRecord>,
): AsyncGenerator<WarcRecord> {
  const folder = await mkdtemp(join(tmpdir(), 'daguerre-'));
  try {
    const path = join(folder, 'records');
    await pipeline(source, createWriteStream(path));
    yield* read(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function* gzipRecords(file: FileWindow, options: ReadOptions): AsyncGenerator<WarcRecord> {
  const problem = reporter(file, options);
  let offset = options.from ?? 0;
  while (offset < file.size) {
    const member = await readMember(file, offset);
    if (member.kind === 'partial' || member.kind === 'damaged') {
      const next = await nextMember(file, offset + 1);
      const atEnd = next === undefined;
      problem(
        offset,
        member.kind === 'damaged'
          ? member.reason
          : atEnd
            ? 'the file ends inside this record'
            : 'this record breaks off',
      );
      if (atEnd) return;
      offset = next;
      continue;
    }
    const whole = member.kind === 'whole' ? await joinSpread(file, offset, member, problem) : member;
    yield* memberRecords(file, offset, whole, problem);
    offset += whole.length;
  }
}

type WholeMember = Extract<Member, { kind: 'whole' }>;

/**
 * Some tools flushed with a new member in mid-record. Such a record can still be read by its position (gunzip
 * joins members), so it is given back as one, with its length over all of them.
 */
async function joinSpread(
  file: FileWindow,
  offset: number,
  member: WholeMember,
  problem: Report,
): Promise<WholeMember> {
  const head = anyHead(member.bytes);
  if (typeof head === 'string' || head.length + head.blockSize <= member.bytes.length) return member;
  const parts = [member.bytes];
  let { length } = member;
  let size = member.bytes.length;
  while (size < head.length + head.blockSize && size <= MEMORY_LIMIT && offset + length < file.size) {
    const next = await readMember(file, offset + length);
    if (next.kind !== 'whole' || typeof anyHead(next.bytes) !== 'string') break;
    parts.push(next.bytes);
    size += next.bytes.length;
    length += next.length;
  }
  if (size < head.length + head.blockSize) return member;
  problem(offset, `this record is spread over ${parts.length} gzip members: it should be one`);
  return { kind: 'whole', length, bytes: Buffer.concat(parts) };
}

type Report = (offset: number, reason: string) => void;

function reporter(file: FileWindow, { onProblem }: ReadOptions): Report {
  return (offset, reason) => onProblem?.({ file: file.path, offset, reason });
}

type HeldMember = Exclude<Member, { kind: 'partial' } | { kind: 'damaged' }>;

async function* memberRecords(
  file: FileWindow,
  offset: number,
  member: HeldMember,
  problem: Report,
): AsyncGenerator<WarcRecord> {
  const place = { file: file.path, offset, length: member.length };
  const inflated = (): AsyncGenerator<Uint8Array> => memberChunks(file.path, offset, member.length);
  const size = member.kind === 'whole' ? member.bytes.length : member.size;
  let start: Buffer;
  if (member.kind === 'whole') start = member.bytes;
  else {
    const parts: Uint8Array[] = [];
    for await (const chunk of skip(inflated(), 0, MAX_HEAD)) parts.push(chunk);
    start = Buffer.concat(parts);
  }
  const head = anyHead(start);
  if (typeof head === 'string') {
    if (size > 0) problem(offset, head);
    return;
  }
  const { length, blockSize } = head;
  if (length + blockSize > size) {
    problem(offset, `Content-Length is ${blockSize}, but the record holds ${size - length} bytes`);
    return;
  }
  const rest = size - length - blockSize;
  const after =
    member.kind === 'whole' ? member.bytes.subarray(length + blockSize, length + blockSize + 64) : undefined;
  if (after ? !isBlank(after) || rest > 64 : rest > 4) {
    if (after && anyHeadFollows(after) === false) {
      problem(offset, `Content-Length is ${blockSize}, but ${rest} bytes follow the header's block`);
    } else {
      problem(
        offset,
        'records share one gzip member, so none can be read by its position: compress the file again, record by record',
      );
      yield* fromSpool(inflated(), (path) => sharedRecords(path, place, problem));
      return;
    }
  }
  const block =
    member.kind === 'whole'
      ? memoryBody(member.bytes.subarray(length, length + blockSize))
      : streamBody(blockSize, () => skip(inflated(), length, blockSize));
  yield await makeRecord({ ...head, ...place, block });
}

async function* sharedRecords(
  path: string,
  place: { file: string; offset: number; length: number },
  problem: Report,
): AsyncGenerator<WarcRecord> {
  const onProblem = ({ reason }: ReadProblem): void => problem(place.offset, reason);
  for await (const record of readRecords(path, { onProblem })) {
    yield { ...record, ...place, shared: true };
  }
}

function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 10 || byte === 13);
}

function anyHeadFollows(bytes: Buffer): boolean {
  let at = 0;
  while (bytes[at] === 10 || bytes[at] === 13) at++;
  const rest = bytes.subarray(at);
  return rest.toString('latin1', 0, 5) === 'WARC/' || /^[a-z]+:\/*\S+ /i.test(rest.toString('latin1'));
}

export type AnyHead = Pick<ParsedHead, 'version' | 'fields' | 'length'> & { readonly blockSize: number };

/** The WARC or ARC header at the start of `bytes`, past empty lines, or the reason why there is none. */
export function anyHead(bytes: Buffer): AnyHead | string {
  let lead = 0;
  while (bytes[lead] === 10 || bytes[lead] === 13) lead++;
  const rest = lead === 0 ? bytes : bytes.subarray(lead);
  const warc = parseRecordHead(rest);
  if (warc === 'incomplete') return NO_HEAD_END;
  if (warc) {
    const size = header(warc.fields, 'content-length') ?? '';
    if (!/^\d{1,15}$/.test(size)) return `Content-Length is '${size}'`;
    return { ...warc, length: lead + warc.length, blockSize: Number(size) };
  }
  const arc = parseArcHead(rest);
  if (!arc) return 'no record header here';
  const { version, fields, length, size } = arc;
  if (size === undefined)
    return `the ARC record line gives '${header(fields, 'content-length')}' as its length`;
  return { version, fields, length: lead + length, blockSize: size };
}

const NO_HEAD_END = 'the record header has no end';

async function* plainRecords(file: FileWindow, options: ReadOptions): AsyncGenerator<WarcRecord> {
  const problem = reporter(file, options);
  let offset = await skipBlank(file, options.from ?? 0);
  while (offset < file.size) {
    const head = anyHead(await file.at(offset, 64 * 1024));
    const isLong = head === NO_HEAD_END;
    const sure = isLong ? anyHead(await file.at(offset, MAX_HEAD)) : head;
    if (typeof sure === 'string') {
      problem(offset, sure);
      offset = await nextPlain(file, offset + 1);
      continue;
    }
    const from = offset + sure.length;
    const end = from + sure.blockSize;
    const next = end <= file.size ? await skipBlank(file, end) : end;
    const follows = next < file.size ? anyHeadFollows(await file.at(next, 64)) : true;
    if (end > file.size || !follows) {
      const found = await nextPlain(file, from);
      if (end > file.size && found >= file.size) problem(offset, 'the file ends inside this record');
      else problem(offset, `Content-Length is ${sure.blockSize}, but no record follows there`);
      offset = found;
      continue;
    }
    const block =
      sure.blockSize <= MEMORY_LIMIT
        ? memoryBody((await file.at(from, sure.blockSize)).subarray(0, sure.blockSize))
        : streamBody(sure.blockSize, () => file.chunks(from, sure.blockSize));
    yield await makeRecord({ ...sure, file: file.path, offset, length: next - offset, block });
    offset = next;
  }
}

async function skipBlank(file: FileWindow, offset: number): Promise<number> {
  for (;;) {
    const bytes = (await file.at(offset, 4)).subarray(0, 4);
    if (bytes.length === 0) return offset;
    let at = 0;
    while (at < bytes.length && (bytes[at] === 10 || bytes[at] === 13)) at++;
    if (at < bytes.length) return offset + at;
    offset += at;
  }
}

/** The next line that starts a record; the end of the file when there is none. */
async function nextPlain(file: FileWindow, from: number): Promise<number> {
  const STEP = 1 << 20;
  // One byte back: the line end before a record may be the last byte passed over.
  for (let at = Math.max(0, from - 1); at < file.size; ) {
    const bytes = (await file.at(at, STEP)).subarray(0, STEP);
    for (let lf = bytes.indexOf(10); lf >= 0; lf = bytes.indexOf(10, lf + 1)) {
      const line = bytes.subarray(lf + 1, lf + 1 + 16 * 1024);
      if (line.toString('latin1', 0, 7) === 'WARC/1.' || parseArcHead(line)) return at + lf + 1;
    }
    if (at + bytes.length >= file.size) return file.size;
    // Overlap, so that a record line across the border is seen whole.
    at += bytes.length - 16 * 1024;
  }
  return file.size;
}

/** The next gzip member that holds the start of a record; undefined when there is none. */
async function nextMember(file: FileWindow, from: number): Promise<number | undefined> {
  const STEP = 1 << 20;
  const OVERLAP = 8 * 1024;
  for (let at = from; at < file.size; ) {
    const bytes = (await file.at(at, STEP)).subarray(0, STEP);
    for (let i = bytes.indexOf('1f8b08', 0, 'hex'); i >= 0; i = bytes.indexOf('1f8b08', i + 1, 'hex')) {
      const content = peekMember(bytes.subarray(i));
      if (content.toString('latin1', 0, 5) === 'WARC/' || parseArcHead(content)) return at + i;
    }
    if (at + bytes.length >= file.size) return undefined;
    at += Math.max(1, bytes.length - OVERLAP);
  }
  return undefined;
}
