import { memoryBody } from '../model/body.ts';
import { header } from '../model/exchange.ts';
import { type DigestAlgorithm, digestAs, type LabelledDigest, parseDigest } from './digest.ts';
import { PAYLOAD_SHA1 } from './event-records.ts';
import { skip, streamBody, type WarcRecord } from './warc-record.ts';

export interface CheckedRecord {
  readonly faults: readonly string[];
  /** Of the payload as stored; both always computed. */
  readonly sha256: Buffer;
  readonly sha1: Buffer;
}

/** Header syntax and every digest of one record. */
export async function checkRecord(record: WarcRecord): Promise<CheckedRecord> {
  const faults: string[] = [];
  if (record.version.startsWith('WARC/')) {
    if (record.type === '') faults.push('no WARC-Type');
    if (!/^<\S+>$/.test(record.id)) faults.push(`WARC-Record-ID is '${record.id}'`);
    const needsTarget = record.type === 'response' || record.type === 'request' || record.type === 'revisit';
    if (needsTarget && record.url === '') faults.push('no WARC-Target-URI');
  }
  if (Number.isNaN(record.at)) faults.push(`WARC-Date is '${header(record.fields, 'warc-date') ?? ''}'`);

  const block = told(record, 'WARC-Block-Digest', faults);
  if (block) {
    const actual = await digestAs(record.block, [block.algorithm]);
    if (!actual.get(block.algorithm)?.equals(block.bytes))
      faults.push('the block digest does not fit the block');
  }

  const payloads = ['WARC-Payload-Digest', PAYLOAD_SHA1]
    .map((name) => ({ name, digest: told(record, name, faults) }))
    .filter((field): field is { name: string; digest: LabelledDigest } => field.digest !== undefined);
  const algorithms = new Set<DigestAlgorithm>([
    'sha256',
    'sha1',
    ...payloads.map(({ digest }) => digest.algorithm),
  ]);
  const actual = await digestAs(record.payload, [...algorithms]);
  // A revisit tells the digest of a payload it does not hold: see `RevisitCheck`.
  if (record.type !== 'revisit') {
    for (const { name, digest } of payloads) {
      if (actual.get(digest.algorithm)?.equals(digest.bytes)) continue;
      if (await isRawDigest(record, digest)) continue;
      faults.push(`${name} does not fit the payload`);
    }
  }
  return { faults, sha256: actual.get('sha256') as Buffer, sha1: actual.get('sha1') as Buffer };
}

function told(record: WarcRecord, name: string, faults: string[]): LabelledDigest | undefined {
  const value = header(record.fields, name);
  if (value === undefined) return undefined;
  const digest = parseDigest(value);
  if (!digest) faults.push(`${name} is '${value}', which is no digest`);
  return digest;
}

/** Wget and others take the payload digest over the chunked bytes as they came. */
async function isRawDigest(record: WarcRecord, digest: LabelledDigest): Promise<boolean> {
  const head = record.httpHead?.headLength;
  if (head === undefined) return false;
  const { block } = record;
  const raw = block.bytes
    ? memoryBody(block.bytes.subarray(head))
    : streamBody(block.size - head, () => skip(block.chunks(), head));
  const actual = await digestAs(raw, [digest.algorithm]);
  return actual.get(digest.algorithm)?.equals(digest.bytes) ?? false;
}
