import { timestamp14 } from '../cdxj.ts';
import { type CertificateRecord, certificateRecord, isCertificate } from '../certificate-records.ts';
import { CompactSet, digestKey } from '../compact-set.ts';
import { indexedType, toldDigest } from '../facts.ts';
import { readRecords } from '../read-records.ts';
import { isKnownVersion } from '../unread-records.ts';
import type { WarcRecord } from '../warc-record.ts';
import { checkRecord } from './check-record.ts';
import { concurrents, idKey, likeUrlKey, originalKey, positionKey, revisitLink, urlKey } from './links.ts';
import type { Range, RangeFinding, RangeReport, RecordReference, Tally, TallyKind } from './range-report.ts';

/** Records between two progress reports. */
const TELL_EVERY = 256;

/** Checks each record of one range by itself; references to other records are returned as keys and links. */
export async function checkRange(
  range: Range,
  onProgress: (offset: number, records: number) => void = () => {},
): Promise<RangeReport> {
  const findings: RangeFinding[] = [];
  const keys = new CompactSet();
  const ids: number[] = [];
  const idOffsets: number[] = [];
  const links: RecordReference[] = [];
  const tallies: Partial<Record<TallyKind, Tally>> = {};
  const certificates: CertificateRecord[] = [];
  let records = 0;
  let indexable = 0;
  let end = range.from;

  function hold(record: WarcRecord, timestamp: string, sha1s: readonly Buffer[]): void {
    keys.addKey(urlKey(record.url));
    keys.addKey(likeUrlKey(record.url));
    for (const sha1 of sha1s) keys.addKey(originalKey(record.url, timestamp, sha1));
  }

  /** The line the index must have for it: see `cdxjLine`. */
  function place(record: WarcRecord, timestamp: string, digest: string): void {
    if (!indexedType(record) || record.shared || timestamp === '' || record.url === '') return;
    indexable++;
    keys.addKey(positionKey({ ...record, file: range.file }, timestamp, digest));
  }

  async function check(record: WarcRecord): Promise<void> {
    const { offset } = record;
    const timestamp = Number.isNaN(record.at) ? '' : timestamp14(record.at);
    const { faults, tallies: told, otherNames, sha256, sha1 } = await checkRecord(record);
    for (const { severity, reason } of faults) findings.push({ severity, offset, reason });
    for (const kind of new Set(told)) count(tallies, kind, offset);
    if (record.at >= (range.future ?? Number.POSITIVE_INFINITY)) count(tallies, 'from-the-future', offset);
    if (!isKnownVersion(record)) count(tallies, 'unknown-version', offset);
    if (record.id !== '') {
      ids.push(idKey(record.id));
      idOffsets.push(offset);
    }
    links.push(...concurrents(record));
    if (record.type === 'revisit') {
      const told = toldDigest(record);
      const link = revisitLink(record, told);
      if (link) links.push(link);
      const digest = told.sha256 ? `sha256:${told.sha256}` : told.sha1 ? `sha1:${told.sha1}` : '';
      place(record, timestamp, digest);
      return;
    }
    if (record.type === 'response' || record.type === 'resource') {
      for (const digest of [sha256, sha1, ...otherNames]) keys.addKey(digestKey(digest));
      hold(record, timestamp, [sha1, ...otherNames.filter(({ length }) => length === sha1.length)]);
    }
    place(record, timestamp, `sha256:${sha256.toString('hex')}`);
    if (isCertificate(record)) certificates.push(await certificateRecord(range.file, record));
  }

  for await (const record of readRecords(range.path, {
    from: range.from,
    to: range.to,
    onProblem({ offset, reason, severity = 'error' }) {
      if (offset < range.to) findings.push({ severity, offset, reason });
    },
    onEnd(offset) {
      end = offset;
    },
  })) {
    records++;
    await check(record);
    if (records % TELL_EVERY === 0) onProgress(record.offset, records);
  }
  for (const id of ids) keys.addKey(id);
  return {
    range,
    end,
    records,
    indexable,
    findings,
    tallies,
    keys: keys.keys(),
    ids: Float64Array.from(ids),
    idOffsets: Float64Array.from(idOffsets),
    // Most references are to the record just before or after.
    links: links.filter(({ wanted: [first] }) => first === undefined || !keys.hasKey(first.key)),
    certificates,
  };
}

export function count(
  tallies: Partial<Record<TallyKind, Tally>>,
  kind: TallyKind,
  offset: number,
  times = 1,
): void {
  const known = tallies[kind];
  tallies[kind] = { count: (known?.count ?? 0) + times, offset: Math.min(offset, known?.offset ?? offset) };
}
