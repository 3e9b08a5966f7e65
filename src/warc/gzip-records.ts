import { buffer } from 'node:stream/consumers';
import { memoryBody } from '../model/body.ts';
import { anyHead, anyHeadFollows, isBlank } from './any-head.ts';
import { parseArcHead } from './arc.ts';
import { FileWindow } from './file-window.ts';
import { MEMORY_LIMIT, type Member, memberChunks, peekMember, readMember } from './gzip-member.ts';
import { plainRecords } from './plain-records.ts';
import { type ReadOptions, type ReadProblem, type Report, reporter } from './read-options.ts';
import { MAX_HEAD } from './record-head.ts';
import { fromSpool } from './spool.ts';
import { makeRecord, skip, streamBody, type WarcRecord } from './warc-record.ts';

/** Records of a gzipped file: normally one member each. */
export async function* gzipRecords(file: FileWindow, options: ReadOptions): AsyncGenerator<WarcRecord> {
  const problem = reporter(file, options);
  let offset = options.from ?? 0;
  const to = Math.min(file.size, options.to ?? file.size);
  while (offset < to) {
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
      offset = next ?? file.size;
      continue;
    }
    const whole = member.kind === 'whole' ? await joinSpread(file, offset, member, problem) : member;
    yield* memberRecords(file, offset, whole, problem);
    offset += whole.length;
  }
  options.onEnd?.(offset);
}

type WholeMember = Extract<Member, { kind: 'whole' }>;

/**
 * Some tools flushed with a new member in the middle of a record. Such a record can still be read by its
 * position (gunzip joins members), so it is returned as one, its length covering all of them.
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
  problem(offset, `this record is spread over ${parts.length} gzip members: it should be one`, 'warning');
  return { kind: 'whole', length, bytes: Buffer.concat(parts) };
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
  const head = anyHead(member.kind === 'whole' ? member.bytes : await buffer(skip(inflated(), 0, MAX_HEAD)));
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
      yield* sharedRecords(inflated(), place, problem);
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
  inflated: AsyncIterable<Uint8Array>,
  place: { file: string; offset: number; length: number },
  problem: Report,
): AsyncGenerator<WarcRecord> {
  const onProblem = ({ reason }: ReadProblem): void => problem(place.offset, reason);
  yield* fromSpool(inflated, async function* (path) {
    const file = await FileWindow.open(path);
    try {
      for await (const record of plainRecords(file, { onProblem }))
        yield { ...record, ...place, shared: true };
    } finally {
      await file.close();
    }
  });
}

/** The next gzip member that holds the start of a record; undefined if there is none. */
export async function nextMember(file: FileWindow, from: number): Promise<number | undefined> {
  const STEP = 1 << 20;
  const OVERLAP = 8 * 1024;
  for (let at = from; at < file.size; ) {
    const bytes = (await file.at(at, STEP)).subarray(0, STEP);
    for (let i = bytes.indexOf('1f8b08', 0, 'hex'); i >= 0; i = bytes.indexOf('1f8b08', i + 1, 'hex')) {
      const content = peekMember(bytes.subarray(i));
      if (content.toString('latin1', 0, 5) === 'WARC/' || parseArcHead(content, 'strict')) return at + i;
    }
    if (at + bytes.length >= file.size) return undefined;
    at += Math.max(1, bytes.length - OVERLAP);
  }
  return undefined;
}
