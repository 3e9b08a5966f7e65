import { hash } from 'node:crypto';
import { header } from '../../model/exchange.ts';
import { type DigestAlgorithm, digestAs, type LabelledDigest, parseDigest } from '../digest.ts';
import { PAYLOAD_SHA1 } from '../event-records.ts';
import type { Severity } from '../read-options.ts';
import { bodyFrom, type WarcRecord } from '../warc-record.ts';
import type { TallyKind } from './range-report.ts';

export interface RecordFault {
  readonly severity: Severity;
  readonly reason: string;
}

export interface CheckedRecord {
  readonly faults: readonly RecordFault[];
  /** Faults that other records of the file are likely to share. */
  readonly tallies: readonly TallyKind[];
  /** Payload digests that are not over the payload, but accepted: revisits by the same tool name the payload by them. */
  readonly otherNames: readonly Buffer[];
  /** Of the payload as stored; both are always computed. */
  readonly sha256: Buffer;
  readonly sha1: Buffer;
}

/** Header syntax and every digest of one record. */
export async function checkRecord(record: WarcRecord): Promise<CheckedRecord> {
  const faults: RecordFault[] = [];
  const tallies: TallyKind[] = [];
  const fault = (severity: Severity, reason: string): void => void faults.push({ severity, reason });
  if (record.version.startsWith('WARC/')) {
    if (record.type === '') fault('error', 'no WARC-Type');
    if (!/^<\S+>$/.test(record.id)) fault('warning', `WARC-Record-ID is '${record.id}'`);
    const needsTarget = record.type === 'response' || record.type === 'request' || record.type === 'revisit';
    if (needsTarget && record.url === '') fault('error', 'no WARC-Target-URI');
  }
  if (record.dateFault !== undefined) fault(Number.isNaN(record.at) ? 'error' : 'warning', record.dateFault);

  const block = told(record, 'WARC-Block-Digest', fault);
  const payloads = ['WARC-Payload-Digest', PAYLOAD_SHA1]
    .map((name) => ({ name, digest: told(record, name, fault) }))
    .filter((field): field is { name: string; digest: LabelledDigest } => field.digest !== undefined);
  const algorithms = new Set<DigestAlgorithm>([
    'sha256',
    'sha1',
    ...payloads.map(({ digest }) => digest.algorithm),
    ...(block && record.block === record.payload ? [block.algorithm] : []),
  ]);
  const actual = await digestAs(record.payload, [...algorithms]);
  let blockFits = false;
  if (block) {
    const ofBlock =
      record.block === record.payload ? actual : await digestAs(record.block, [block.algorithm]);
    blockFits = ofBlock.get(block.algorithm)?.equals(block.bytes) ?? false;
    // wget computes it from a file already read to its end (src/warc.c, warc_write_revisit_record).
    if (!blockFits && record.type === 'revisit' && isOfNothing(block)) tallies.push('digest-of-nothing');
    else if (!blockFits) fault('error', 'the block digest does not fit the block');
  }
  const otherNames: Buffer[] = [];
  // A revisit states the digest of a payload it does not hold: see `links.ts`.
  if (record.type !== 'revisit') {
    for (const { name, digest } of payloads) {
      if (actual.get(digest.algorithm)?.equals(digest.bytes)) continue;
      if (await isRawDigest(record, digest)) tallies.push('covers-chunks');
      else if (blockFits && breaksOff(record)) tallies.push('breaks-off');
      else {
        fault('error', `${name} does not fit the payload`);
        continue;
      }
      otherNames.push(digest.bytes);
    }
  }
  return {
    faults,
    tallies,
    otherNames,
    sha256: actual.get('sha256') as Buffer,
    sha1: actual.get('sha1') as Buffer,
  };
}

function isOfNothing({ algorithm, bytes }: LabelledDigest): boolean {
  return bytes.equals(hash(algorithm, '', 'buffer'));
}

/**
 * A chunked body of another tool that breaks off: the standard does not say what its payload is. warcprox leaves the last
 * piece, up to 64 KiB, out of the digest (`_inner_proxy_request` in mitmproxy.py). Digests in our own records cover
 * everything they hold.
 */
function breaksOff({ wellFormed, fields }: WarcRecord): boolean {
  return !wellFormed && header(fields, PAYLOAD_SHA1) === undefined;
}

function told(
  record: WarcRecord,
  name: string,
  fault: (severity: Severity, reason: string) => void,
): LabelledDigest | undefined {
  const value = header(record.fields, name);
  if (value === undefined) return undefined;
  const digest = parseDigest(value);
  // The payload can be served, but not checked against what was captured.
  if (!digest) fault('warning', `${name} is '${value.slice(0, 200)}', which is no digest`);
  return digest;
}

/** wget, warcio and others compute the payload digest over the chunked bytes as received: decision 19. */
async function isRawDigest(record: WarcRecord, digest: LabelledDigest): Promise<boolean> {
  const head = record.httpHead?.headLength;
  if (head === undefined) return false;
  const actual = await digestAs(bodyFrom(record.block, head), [digest.algorithm]);
  return actual.get(digest.algorithm)?.equals(digest.bytes) ?? false;
}
