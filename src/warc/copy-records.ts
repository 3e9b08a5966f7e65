import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { header } from '../model/exchange.ts';
import { readRecords } from './read-records.ts';
import type { WarcRecord } from './warc-record.ts';

/**
 * Copies chosen records of a WARC file into another, byte for byte: those at `offsets`, the requests that belong to them, page infos of the
 * `events` (which no catalog lists if they say nothing new), and what describes the file (`warcinfo`). Resolves with the new position of
 * each of `offsets`.
 */
export async function copyRecords(
  source: string,
  target: string,
  offsets: ReadonlySet<number>,
  events: ReadonlySet<string> = new Set(),
): Promise<ReadonlyMap<number, number>> {
  const places = new Map<number, number>();
  const out = createWriteStream(target, { flags: 'wx' });
  // The error surfaces at the next write.
  let failure: Error | undefined;
  out.on('error', (error) => {
    failure ??= error;
  });
  let written = 0;
  const copy = async ({ offset, length }: WarcRecord): Promise<number> => {
    const at = written;
    for await (const chunk of createReadStream(source, { start: offset, end: offset + length - 1 })) {
      if (failure) throw failure;
      // Rejects with an error too. A race against one would leave a listener behind for each wait.
      if (!out.write(chunk)) await once(out, 'drain');
      written += (chunk as Buffer).byteLength;
    }
    return at;
  };
  const kept = new Set<string>();
  let request: WarcRecord | undefined;
  try {
    for await (const record of readRecords(source)) {
      if (record.type === 'warcinfo') await copy(record);
      else if (record.type === 'request') {
        if (kept.has(header(record.fields, 'warc-concurrent-to') ?? '')) await copy(record);
        else request = record;
      } else if (isPageInfo(record) && !offsets.has(record.offset)) {
        if (events.has(header(record.fields, 'warc-page-id') ?? '')) await copy(record);
      } else if (offsets.has(record.offset) && !record.shared) {
        if (request && isConcurrent(request, record)) await copy(request);
        places.set(record.offset, await copy(record));
        kept.add(record.id);
        request = undefined;
      }
    }
  } finally {
    out.end();
    if (!failure) await Promise.race([once(out, 'close'), once(out, 'error')]);
  }
  if (failure) throw failure;
  return places;
}

const isPageInfo = ({ type, url }: WarcRecord): boolean =>
  type === 'resource' && url.startsWith('urn:pageinfo:');

/** A request before its response: either names the other. */
function isConcurrent(request: WarcRecord, response: WarcRecord): boolean {
  return (
    header(request.fields, 'warc-concurrent-to') === response.id ||
    header(response.fields, 'warc-concurrent-to') === request.id
  );
}

/** The collection that a record file says it belongs to; undefined if it does not say. */
export async function collectionOf(path: string): Promise<string | undefined> {
  for await (const { type, payload } of readRecords(path)) {
    if (type !== 'warcinfo') return undefined;
    const text = Buffer.from(payload.bytes ?? []).toString('utf8');
    return /^isPartOf:[ \t]*(.+?)[ \t]*\r?$/im.exec(text)?.[1];
  }
  return undefined;
}
