import type { CaptureFact, PayloadDigest } from '../../model/capture.ts';
import { header, leadsElsewhere } from '../../model/exchange.ts';
import { timestamp14 } from '../cdxj.ts';
import { compactKey, digestKey } from '../compact-set.ts';
import { EMPTY_DIGEST, parseDigest } from '../digest.ts';
import { parseWarcDate } from '../warc-date.ts';
import type { WarcRecord } from '../warc-record.ts';
import type { RecordReference } from './range-report.ts';

/* Keys of what records hold and refer to. Each kind has a prefix of its own, so that one set is enough. */

export const idKey = (id: string): number => compactKey(`id ${id}`);
export const urlKey = (url: string): number => compactKey(`url ${url}`);
/** As replay searches for a URL for which it has no exact capture. */
export const likeUrlKey = (url: string): number =>
  compactKey(`like ${url.replace(/^https?:\/\/(?:www\d*\.)?/i, '').replace(/\/$/, '')}`);
export const originalKey = (url: string, timestamp: string, sha1: Buffer): number =>
  compactKey(`original ${url} ${timestamp} ${sha1.toString('hex')}`);

type Place = Pick<CaptureFact, 'file' | 'offset' | 'length' | 'url'>;

/** What an index line says about a record. */
export const positionKey = (
  { file, offset, length, url }: Place,
  timestamp: string,
  digest: string,
): number => compactKey(`position ${file} ${offset} ${length} ${timestamp} ${url} ${digest}`);

/** Other records of the same event. If one is in another file, or missing, this record loses nothing. */
export function* concurrents({ fields, offset }: WarcRecord): Generator<RecordReference> {
  for (const [name, value] of fields) {
    if (name.toLowerCase() === 'warc-concurrent-to')
      yield { offset, wanted: [{ key: idKey(value) }], missing: { tally: 'concurrent' } };
  }
}

/**
 * The original of a revisit, searched for as in replay: the payload by its digest, whatever URL it came from;
 * without a digest, a capture of the URL, over http or https. Nothing is searched for if the payload is empty.
 */
export function revisitLink(
  record: WarcRecord,
  { sha256, sha1 }: PayloadDigest,
): RecordReference | undefined {
  const { fields, offset } = record;
  if (EMPTY.has(sha256) || EMPTY.has(sha1)) return undefined;
  const named = header(fields, 'warc-refers-to-target-uri')?.replace(/^<(.*)>$/, '$1') ?? '';
  const { at } = parseWarcDate(header(fields, 'warc-refers-to-date') ?? '');
  const status = record.httpHead?.kind === 'response' ? record.httpHead.status : 0;
  const missing = (reason: string): RecordReference['missing'] =>
    leadsElsewhere(status) ? { tally: 'bare-redirect' } : { severity: 'error', reason };
  const digests = [sha256 && `sha256:${sha256}`, sha1 && `sha1:${sha1}`].filter((text) => text !== '');
  if (digests.length > 0) {
    const ofSha1 = parseDigest(`sha1:${sha1}`)?.bytes;
    const isNamed = named !== '' && !Number.isNaN(at) && ofSha1 !== undefined;
    const which = isNamed
      ? `${named} of ${timestamp14(at)} with the same digest`
      : `with digest ${digests[0]}`;
    return {
      offset,
      wanted: [
        ...(isNamed ? [{ key: originalKey(named, timestamp14(at), ofSha1) }] : []),
        ...digests.map((digest) => ({
          key: digestKey(parseDigest(digest)?.bytes as Buffer),
          ...(isNamed && { tally: 'elsewhere' as const }),
        })),
      ],
      missing: missing(`the original of this revisit, ${which}, is not in the archive`),
    };
  }
  // A bare "not modified" of old tools: there must be some capture of the URL.
  const original = named === '' ? record.url : named;
  return {
    offset,
    wanted: [{ key: urlKey(original) }, { key: likeUrlKey(original), tally: 'elsewhere' }],
    missing: missing(`no capture of ${original}, the original of this revisit, is in the archive`),
  };
}

const EMPTY = new Set([EMPTY_DIGEST.sha256, EMPTY_DIGEST.sha1]);
