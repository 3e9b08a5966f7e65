import { stat } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { CERTIFICATE } from '../model/certificate.ts';
import { header, type Truncation } from '../model/exchange.ts';
import type { Millis } from '../model/time.ts';
import { digestBody } from './digest.ts';
import { toldDigest, truncationOf } from './facts.ts';
import { partsOfFile } from './merged-parts.ts';
import { readRecords } from './read-records.ts';
import type { WarcRecord } from './warc-record.ts';

/** A certificate as stored in a record file. */
export interface CertificateRecord {
  /** File name, without folder. */
  readonly file: string;
  readonly offset: number;
  readonly at: Millis;
  readonly url: string;
  readonly text: string;
}

export function isCertificate({ type, url }: Pick<WarcRecord, 'type' | 'url'>): boolean {
  return type === 'metadata' && url.startsWith(CERTIFICATE);
}

export async function certificateRecord(file: string, record: WarcRecord): Promise<CertificateRecord> {
  const { offset, at, url } = record;
  return { file, offset, at, url, text: await text(record.payload.chunks()) };
}

/** What a record says about itself; its digest is computed from the payload, or the stated one if it holds none. */
export interface NamedRecord {
  readonly id: string;
  readonly url: string;
  readonly at: Millis;
  readonly sha256: string;
  readonly status: number;
  readonly truncated?: Truncation;
  readonly file: string;
  readonly offset: number;
  /** Where the part of a merged file begins that it stands in; 0 in others. */
  readonly part: number;
  readonly eventId?: string;
}

export interface Wanted {
  /** Record ids, including their angle brackets. */
  readonly ids: ReadonlySet<string>;
  /** Every record whose target URI begins with this is reported; its payload may be read only during the call. */
  readonly prefix: string;
  /** Payload digests, sha256 hex: the first full response with each is reported. */
  readonly payloads: ReadonlySet<string>;
  onPayload(sha256: string, record: WarcRecord): Promise<void>;
  onTarget(record: WarcRecord, file: string): Promise<void>;
}

/**
 * Looks for records by id, file by file, without any index: whoever altered the records could have written the index too. The first record
 * with an id counts; if a second one differs, the id is in `contradicted`.
 */
export async function recordsNamed(
  files: AsyncIterable<{ readonly file: string; readonly path: string }>,
  wanted: Wanted,
  lengths?: ReadonlyMap<string, number>,
): Promise<{
  readonly records: ReadonlyMap<string, NamedRecord>;
  readonly contradicted: ReadonlySet<string>;
  /** Where the part of its file begins that a place lies in. */
  partAt(place: { readonly file: string; readonly offset: number }): number;
}> {
  const records = new Map<string, NamedRecord>();
  const contradicted = new Set<string>();
  const seen = new Set<string>();
  const begins = new Map<string, number[]>();
  for await (const { file, path } of files) {
    const end = lengths?.get(file) ?? (await stat(path)).size;
    const partOf = partsOfFile();
    const parts = [0];
    begins.set(file, parts);
    for await (const record of readRecords(path)) {
      if (record.offset >= end) break;
      const part = partOf(record);
      if (part !== parts.at(-1)) parts.push(part);
      if (record.url.startsWith(wanted.prefix)) await wanted.onTarget(record, file);
      const payload = record.type === 'response' ? toldDigest(record).sha256 : '';
      if (wanted.payloads.has(payload) && !seen.has(payload)) {
        seen.add(payload);
        await wanted.onPayload(payload, record);
      }
      if (!wanted.ids.has(record.id)) continue;
      const found = { ...(await namedRecord(record, file)), part };
      const known = records.get(record.id);
      if (!known) records.set(record.id, found);
      else if (
        known.at !== found.at ||
        known.url !== found.url ||
        known.sha256 !== found.sha256 ||
        known.truncated !== found.truncated
      ) {
        contradicted.add(record.id);
      }
    }
  }
  const partAt = ({ file, offset }: { readonly file: string; readonly offset: number }): number =>
    begins.get(file)?.findLast((begin) => begin <= offset) ?? 0;
  return { records, contradicted, partAt };
}

async function namedRecord(record: WarcRecord, file: string): Promise<Omit<NamedRecord, 'part'>> {
  const { id, url, at, offset, httpHead } = record;
  const digest = record.type === 'revisit' ? toldDigest(record) : await digestBody(record.payload);
  const eventId = header(record.fields, 'warc-page-id');
  const truncated = truncationOf(record);
  return {
    id,
    url,
    at,
    sha256: digest.sha256,
    status: httpHead?.kind === 'response' ? httpHead.status : 0,
    ...(truncated && { truncated }),
    file,
    offset,
    ...(eventId !== undefined && { eventId }),
  };
}
